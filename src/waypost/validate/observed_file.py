"""Makes known how much of a file was read, so that a large or slow one can be followed."""

from collections.abc import Callable, Iterator

from waypost.validate.file_validator import SitemapFile

OnRead = Callable[[SitemapFile, int], None]
"""Receives a file and how many of its bytes, as they are stored, were read: 0 before the first of them."""


class ObservedFile:
    """The same file; `on_read` is called before it is read, and after each chunk."""

    def __init__(self, file: SitemapFile, on_read: OnRead) -> None:
        self._file, self._on_read = file, on_read
        self.name, self.loc = file.name, file.loc
        self.modified, self.redirected_to = file.modified, file.redirected_to

    def chunks(self) -> Iterator[bytes]:
        """The file's bytes in chunks; raises OSError."""
        size = 0
        self._on_read(self, size)
        try:
            for chunk in self._file.chunks():
                self._copy_what_reading_tells()
                size += len(chunk)
                self._on_read(self, size)
                yield chunk
        finally:
            self._copy_what_reading_tells()

    def _copy_what_reading_tells(self) -> None:
        # The first entries are checked before a large file is read to its end.
        self.modified, self.redirected_to = self._file.modified, self._file.redirected_to
