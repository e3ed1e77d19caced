"""One file under examination: read as it arrives, checked some entries at a time, forgotten as it goes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from waypost.config.schema import LIMITS
from waypost.config.values import CHANGEFREQS
from waypost.core.search_engine_limits import MAX_NEWS_URLS
from waypost.validate import extensions, url_checks, w3c_dates
from waypost.validate.decompress import DecompressedChunks
from waypost.validate.findings import FindingReport
from waypost.validate.lastmod_checks import LastmodChecks
from waypost.validate.sitemap_entry import NEWS_NAMESPACE, SitemapEntry
from waypost.validate.text_reader import TextReader
from waypost.validate.w3c_dates import DateRange
from waypost.validate.xml_reader import ReadingStoppedError, XmlReader

_CHILDREN = {"loc-host": "child-elsewhere", "loc-protocol": "child-elsewhere", "loc-above": "child-above"}
_BATCH, _BATCH_SIZE = 5_000, 4_194_304
"""Entries are checked so many at a time, or those of so many bytes."""
_MOST_READ, _MOST_ENTRIES = 4 * LIMITS["current"].bytes, 10 * LIMITS["current"].urls
"""Of an endless file no more is read."""


class SitemapFile(Protocol):
    """A file to examine: `name` is what people call it, and `loc` its URL or `""`.

    Once it is read, `modified` is its time in Unix seconds where that is known, and `moved` where it was found
    instead of at its URL, or `""`.
    """

    name: str
    loc: str
    modified: float | None
    redirected_to: str

    def chunks(self) -> Iterable[bytes]:
        """The file's bytes, some at a time; raises OSError."""


class ListedSitemap(Struct, frozen=True):
    """A sitemap that an index lists."""

    loc: str
    line: int
    date: DateRange | None = None
    lastmod: str = ""


class FileResult(Struct):
    """What a file came to: its kind (urlset, sitemapindex, text, rss or feed; `""` is none), and what it holds.

    `newest` is the latest date of its pages, as it was read and as it is written; `is_broken` that not all was read.
    """

    file: str
    loc: str
    kind: str = ""
    entries: int = 0
    size: int = 0
    newest: tuple[float, str] = (float("-inf"), "")
    children: list[ListedSitemap] = []
    is_broken: bool = False


class FileValidator:
    """Examines one file; `take` is handed the entries of pages as they come, `index` is how an index dates it."""

    def __init__(
        self,
        file: SitemapFile,
        report: FindingReport,
        now: float,
        take: Callable[[Sequence[SitemapEntry]], None] = lambda entries: None,
        index: DateRange | None = None,
    ) -> None:
        self._file, self._now, self._take = file, now, take
        self._report = report
        self._scope: url_checks.Scope | None = None
        self._index = index
        self._found = FileResult(file.name, file.loc)
        self._dating, self._news = LastmodChecks(now, self._made), 0

    @property
    def kind(self) -> str:
        """The kind of the file, as far as it was read."""
        return self._found.kind

    def validate(self) -> FileResult:
        """Read the file to its end, or as far as can be."""
        unpacked = DecompressedChunks(self._file.chunks(), self._file.name, _MOST_READ, self._report_finding)
        try:
            for entries in self._batches(unpacked):
                self._check(entries)
        except ReadingStoppedError:
            self._found.is_broken = True
        except OSError as error:
            self._found.is_broken = True
            self._report_finding("unreadable", why=error.strerror or str(error))
        self._found.size, self._found.newest = unpacked.size, self._dating.newest
        self._conclude()
        return self._found

    def _report_finding(self, code: str, line: int = 0, loc: str = "", **seen: object) -> None:
        self._report.add(code, self._file.name, line, loc, **seen)

    def _batches(self, unpacked: Iterable[bytes]) -> Iterator[list[SitemapEntry]]:
        """The entries, thousands at a time; what was read before a fault counts too."""
        reader: XmlReader | TextReader | None = None
        gathered = 0
        try:
            for chunk in unpacked:
                reader = reader or self._reader(chunk)
                reader.feed(chunk)
                self._found.kind = reader.kind
                gathered += len(chunk)
                if len(reader.entries) >= _BATCH or gathered >= _BATCH_SIZE:
                    gathered = 0
                    yield reader.take()
            if reader:
                reader.feed(b"", is_last=True)
        except (ReadingStoppedError, OSError):
            if reader:
                self._found.kind = reader.kind
                yield reader.take()
            raise
        if reader:
            yield reader.take()

    def _reader(self, beginning: bytes) -> XmlReader | TextReader:
        start = beginning.lstrip()[:16].lower()
        if start.startswith((b"<!doctype html", b"<html")):
            self._report_finding("not-a-sitemap", 1, what="it is an HTML page")
            raise ReadingStoppedError
        return XmlReader(self._report_finding) if start.startswith(b"<") else TextReader(self._report_finding)

    def _check(self, entries: Sequence[SitemapEntry]) -> None:
        if not entries:
            return
        self._found.entries += len(entries)
        self._check_locs(entries)
        self._check_dates(entries)
        self._check_values(entries)
        if self._found.kind == "sitemapindex":
            more = LIMITS["current"].sitemaps - len(self._found.children)
            self._found.children += [self._child(entry) for entry in entries if entry.loc][:more]
        else:
            for entry in entries:
                if entry.extensions:
                    self._check_extensions(entry)
            self._take(entries)
        if self._found.entries > _MOST_ENTRIES:
            raise ReadingStoppedError

    def _check_locs(self, entries: Sequence[SitemapEntry]) -> None:
        listed = [entry.loc for entry in entries if entry.loc]
        if self._scope is None:
            self._scope = self._scope_for(listed)
        if len(listed) == len(entries) and self._scope and url_checks.are_plain(listed, self._scope.folder):
            return
        for entry in entries:
            if not entry.loc:
                self._report_finding(
                    "missing-loc" if self._found.kind in ("urlset", "sitemapindex") else "feed-link", entry.line
                )
                continue
            for code, seen in url_checks.problems(entry.loc, self._scope):
                is_child = self._found.kind == "sitemapindex"
                self._report_finding(
                    _CHILDREN.get(code, code) if is_child else code, entry.line, _shown(entry.loc), **seen
                )

    def _scope_for(self, listed: Sequence[str]) -> url_checks.Scope | None:
        """What the file may list: by where it was found at last, or else by the first URL that it lists."""
        at = self._file.redirected_to or self._file.loc
        return url_checks.scope_of(at) if at else next(filter(None, map(url_checks.site_of, listed)), None)

    def _check_dates(self, entries: Sequence[SitemapEntry]) -> None:
        written = [entry.lastmod for entry in entries if entry.lastmod is not None]
        wrong = self._dating.invalid(written, is_rss=self._found.kind == "rss") if written else {}
        for entry in entries if wrong else ():
            if entry.lastmod in wrong:
                self._report_finding(wrong[entry.lastmod], entry.line, _shown(entry.loc), value=entry.lastmod[:60])

    def _made(self) -> Iterator[float]:
        """When the file may have been made: at its own time, or at the one that its index gives it."""
        if self._file.modified is not None:
            yield self._file.modified
        if self._index:
            yield self._index.start

    def _check_values(self, entries: Sequence[SitemapEntry]) -> None:
        hinted = [entry for entry in entries if entry.changefreq is not None or entry.priority is not None]
        for entry in hinted:
            if entry.changefreq is not None and entry.changefreq not in CHANGEFREQS:
                self._report_finding("changefreq", entry.line, _shown(entry.loc), value=entry.changefreq[:60])
            if entry.priority is not None and not is_priority(entry.priority):
                self._report_finding("priority", entry.line, _shown(entry.loc), value=entry.priority[:60])

    def _check_extensions(self, entry: SitemapEntry) -> None:
        self._news += any(True for _ in entry.elements(NEWS_NAMESPACE, "news"))
        for code, line, seen in extensions.problems(entry, self._now):
            self._report_finding(code, line, _shown(entry.loc), **seen)

    def _child(self, entry: SitemapEntry) -> ListedSitemap:
        date = w3c_dates.parse_w3c_date(entry.lastmod) if entry.lastmod else None
        return ListedSitemap(
            entry.loc or "", entry.line, date if isinstance(date, DateRange) else None, entry.lastmod or ""
        )

    def _conclude(self) -> None:
        found, current, strict = self._found, LIMITS["current"], LIMITS["strict"]
        if self._file.redirected_to:
            self._report_finding("moved", to=self._file.redirected_to)
        if not found.entries and not found.is_broken:
            self._report_finding("empty")
        if found.size > current.bytes:
            self._report_finding("too-large", size=found.size, most=current.bytes)
        elif found.size > strict.bytes:
            self._report_finding("large", size=found.size, most=strict.bytes)
        if found.kind == "sitemapindex":
            self._conclude_index()
        elif found.entries > current.urls:
            self._report_finding("too-many-urls", count=found.entries, most=current.urls)
        if self._news > MAX_NEWS_URLS:
            self._report_finding("news-count", count=self._news, most=MAX_NEWS_URLS)
        if found.kind != "sitemapindex":
            for code, seen in self._dating.problems():
                self._report_finding(code, **seen)

    def _conclude_index(self) -> None:
        count, current, strict = self._found.entries, LIMITS["current"].sitemaps, LIMITS["strict"].sitemaps
        if count > current:
            self._report_finding("too-many-sitemaps", count=count, most=current)
        elif count > strict:
            self._report_finding("many-sitemaps", count=count, most=strict)


def is_priority(text: str) -> bool:
    """Whether a text is a number from 0.0 to 1.0 (sitemaps.org 0.9, "priority")."""
    return text.replace(".", "", 1).isdecimal() and text.isascii() and 0 <= float(text) <= 1


def _shown(loc: str | None) -> str:
    """A loc as far as a person reads it."""
    return (loc or "")[:2_100]
