"""Shows on the terminal how far the reading of sitemaps is, also within a large or slow one."""

from collections.abc import Iterator

from waypost.cli.terminal import Progress
from waypost.validate.file_validator import FileResult, SitemapFile

_MAX_NAME = 40


class ReadingProgress:
    """A line with the number of the URLs of all files so far, and with the file that is being read."""

    def __init__(self) -> None:
        self._line, self._url_count = Progress(), 0

    def on_read(self, file: SitemapFile, size: int) -> None:
        """Show the size of what was read of a file; a file at a URL is shown before its server answers."""
        name = file.name.rpartition("/")[2][-_MAX_NAME:] or file.name[-_MAX_NAME:]
        at_once = "://" in file.name and not size
        self._line(f"URLs checked {self._url_count:,}, reading {name}", size // 1_000, None, " kB", at_once=at_once)

    def shown(self, files: Iterator[FileResult]) -> Iterator[FileResult]:
        """The same files; the URLs of each are counted when it was read, but not the URLs of sitemaps."""
        with self._line:
            for file in files:
                self._url_count += file.entries if file.kind != "sitemapindex" else 0
                self._line("URLs checked", self._url_count, None)
                yield file
