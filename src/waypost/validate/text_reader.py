"""Reads text sitemaps, one URL a line (sitemaps.org 0.9, "Text file")."""

from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.xml_reader import ReadingStoppedError, ReportFinding

_LONGEST = 65_536
_SHOWN = 60
_MOST_WRONG = 10_000
"""Behind so many lines that are no URL nothing more is read."""


class TextReader:
    """One file; entries gather in `entries`."""

    kind = "text"

    def __init__(self, say: ReportFinding) -> None:
        self._say = say
        self.entries: list[SitemapEntry] = []
        self._rest, self._line, self._wrong = b"", 0, 0

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        """Read on; raises Stopped where it is not UTF-8."""
        lines = (self._rest + data).split(b"\n")
        self._rest = b"" if is_last else lines.pop()[:_LONGEST]
        for line in lines:
            self._line += 1
            if line and (text := self._decoded(line[:_LONGEST]).strip()):
                self._take(text)

    def take(self) -> list[SitemapEntry]:
        """The entries that were read since the last time."""
        taken, self.entries = self.entries, []
        return taken

    def _take(self, text: str) -> None:
        if "://" in text[:32] or text.startswith("/"):
            self.entries.append(SitemapEntry(self._line, text))
        else:
            self._say("text-line", self._line, text=text[:_SHOWN])
            self._wrong += 1
            if self._wrong > _MOST_WRONG:
                self._say("not-a-sitemap", self._line, what=f"more than {_MOST_WRONG:,} of its lines are no URL")
                raise ReadingStoppedError

    def _decoded(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data" and len(line) == _LONGEST:
                return line.decode(errors="replace")
            self._say("wrong-encoding", self._line, encoding="no UTF-8")
            raise ReadingStoppedError from error
