"""Reads text sitemaps, which have one URL a line (sitemaps.org 0.9, "Text file")."""

from waypost.validate.reading import ReadingStoppedError, ReportFinding
from waypost.validate.sitemap_entry import SitemapEntry

_MAX_LINE = 65_536
_SHOWN_CHARACTERS = 60
_MAX_INVALID_LINES = 10_000
"""After so many lines that are not URLs, reading stops."""


class TextReader:
    """Reads one file; whoever takes the `entries` that were read so far puts an empty list there."""

    kind, is_for_news = "text", False

    def __init__(self, report: ReportFinding) -> None:
        self._report = report
        self.entries: list[SitemapEntry] = []
        self._unfinished_line, self._line, self._invalid_lines = b"", 0, 0

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        """Read the next chunk; raises ReadingStoppedError if it is not UTF-8 or not a sitemap."""
        lines = (self._unfinished_line + data).split(b"\n")
        self._unfinished_line = b"" if is_last else lines.pop()[:_MAX_LINE]
        for line in lines:
            self._line += 1
            if line and (text := self._decode(line[:_MAX_LINE]).strip()):
                self._add(text)

    def _add(self, text: str) -> None:
        if "://" in text[:32] or text.startswith("/"):
            self.entries.append(SitemapEntry(self._line, text))
            return
        self._report("text-line", self._line, text=text[:_SHOWN_CHARACTERS])
        self._invalid_lines += 1
        if self._invalid_lines > _MAX_INVALID_LINES:
            what = f"more than {_MAX_INVALID_LINES:,} of its lines are not URLs"
            self._report("not-a-sitemap", self._line, what=what)
            raise ReadingStoppedError

    def _decode(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data" and len(line) == _MAX_LINE:
                return line.decode(errors="replace")
            self._report("wrong-encoding", self._line, encoding="not UTF-8")
            raise ReadingStoppedError from error
