"""Checks one sitemap file as it is read, some entries at a time."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from waypost.core.dates import DateRange
from waypost.core.search_engine_limits import MAX_NEWS_URLS
from waypost.settings.schema import LIMITS
from waypost.settings.values import CHANGEFREQS
from waypost.validate import extensions, url_checks
from waypost.validate.decompress import DecompressedChunks
from waypost.validate.findings import FindingReport
from waypost.validate.lastmod_checks import LastmodChecks
from waypost.validate.reading import MOST_BYTES, MOST_ENTRIES, ReadingStoppedError
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.text_reader import TextReader
from waypost.validate.xml_reader import XmlReader

_CODES_IN_INDEX = {"loc-host": "child-elsewhere", "loc-protocol": "child-elsewhere", "loc-above": "child-above"}
_BATCH_ENTRIES, _BATCH_BYTES = 5_000, 4_194_304
"""Entries are checked when so many, or the entries of so many bytes, were read."""
_TEMPLATE = re.compile(
    rb"(?:\A\s*(?=---\r?\n|<\?php|<%)|^[ \t]*(?=\{%)|<loc>[^<]{0,200}(?=\{\{|\{%|<%|<\?))"
    rb"(?P<tag>---|\{\{|\{%|<%|<\?)",
    re.MULTILINE,
)
"""What only a template has: front matter, statements on lines of their own, and expressions in a loc."""
_MAX_VALUE = 60
"""The most characters of a value that a finding shows."""


class SitemapFile(Protocol):
    """A file to check: `name` is what users see, and `loc` its URL or `""`.

    Once it is read, `modified` is its time in Unix seconds if it is known, `redirected_to` the URL to which its own
    redirects, or `""`, and `is_sent_as_gzip` whether the headers of its server say that it is compressed, if known.
    """

    name: str
    loc: str
    modified: float | None
    redirected_to: str
    is_sent_as_gzip: bool | None

    def chunks(self) -> Iterable[bytes]:
        """The file's bytes in chunks; raises OSError."""


class SitemapInMemory:
    """A sitemap that is in memory, uncompressed, as a file to validate."""

    def __init__(self, name: str, loc: str, body: bytes) -> None:
        self.modified: float | None = None
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None
        self.name, self.loc, self._body = name.removesuffix(".gz"), loc, body

    def chunks(self) -> Iterable[bytes]:
        """All of it at once."""
        return (self._body,)


class FileResult(Struct):
    """What a file is: its kind (urlset, sitemapindex, text, rss or feed; `""` is none of them) and its contents.

    `newest` is the latest date of its pages, in Unix seconds and as it is written. `children` are the sitemaps that an
    index lists. `is_broken` says that the file could not be read to its end.
    """

    file: str
    loc: str
    kind: str = ""
    entries: int = 0
    size: int = 0
    newest: tuple[float, str] = (float("-inf"), "")
    children: list[SitemapEntry] = []
    is_broken: bool = False


class FileValidator:
    """Checks one file.

    `take` receives the entries of pages as they are read, with what is known of the file so far. `date_in_index` is
    what an index says, and `robots` is the URL of the robots.txt that names the file or its index, or `""`. `on_read`
    receives the file and how many of its bytes, as they are stored, were read: 0 before the first of them.
    """

    def __init__(
        self,
        file: SitemapFile,
        report: FindingReport,
        now: float,
        take: Callable[[FileResult, Sequence[SitemapEntry]], None],
        date_in_index: DateRange | None = None,
        robots: str = "",
        on_read: Callable[[SitemapFile, int], None] = lambda file, size: None,
    ) -> None:
        self._file, self._report, self._now, self._take = file, report, now, take
        self._date_in_index, self._robots, self._on_read = date_in_index, robots, on_read
        self._reader: XmlReader | TextReader | None = None
        self._scope: url_checks.Scope | None = None
        self._result = FileResult(file.name, file.loc)
        self._lastmod_checks = LastmodChecks(now, self._generation_times)
        self._news_count = 0

    def validate(self) -> FileResult:
        """Read the file to its end, or as far as possible."""
        chunks = DecompressedChunks(self._stored_chunks(), self._file.name, MOST_BYTES, self._add_finding)
        try:
            self._read(chunks)
        except ReadingStoppedError:
            self._result.is_broken = True
        except OSError as error:
            self._result.is_broken = True
            self._add_finding("unreadable", why=error.strerror or str(error))
        self._result.size, self._result.newest = chunks.size, self._lastmod_checks.newest
        self._check_coding(is_gzip=chunks.is_gzip)
        self._check_whole_file()
        return self._result

    def _add_finding(self, code: str, line: int = 0, loc: str = "", **details: object) -> None:
        self._report.add(code, self._file.name, line, loc, **details)

    def _stored_chunks(self) -> Iterator[bytes]:
        size = 0
        self._on_read(self._file, size)
        for chunk in self._file.chunks():
            size += len(chunk)
            self._on_read(self._file, size)
            yield chunk

    def _read(self, chunks: Iterable[bytes]) -> None:
        """Read the entries and check them in batches; those before an error are included."""
        batch_bytes = 0
        try:
            for chunk in chunks:
                reader = self._reader = self._reader or self._reader_for(chunk)
                reader.feed(chunk)
                batch_bytes += len(chunk)
                if len(reader.entries) >= _BATCH_ENTRIES or batch_bytes >= _BATCH_BYTES:
                    batch_bytes = 0
                    self._check_batch(reader)
            if self._reader:
                self._reader.feed(b"", is_last=True)
        finally:
            if self._reader:
                self._check_batch(self._reader)

    def _reader_for(self, first_chunk: bytes) -> XmlReader | TextReader:
        start = first_chunk.lstrip()[:16].lower()
        if start.startswith((b"<!doctype html", b"<html")):
            self._add_finding("not-a-sitemap", 1, what="it is an HTML page")
            raise ReadingStoppedError
        if start.startswith(b"<?xml") and first_chunk[:1].isspace():
            self._add_finding("blank-before-declaration", 1)
            raise ReadingStoppedError
        if template := _TEMPLATE.search(first_chunk):
            line, tag = first_chunk.count(b"\n", 0, template.end()) + 1, template["tag"].decode()
            self._add_finding("not-rendered", line, found=tag)
            raise ReadingStoppedError
        return XmlReader(self._add_finding) if start.startswith(b"<") else TextReader(self._add_finding)

    def _check_batch(self, reader: XmlReader | TextReader) -> None:
        """Check the entries that were read since the last time; raises ReadingStoppedError if there are far too many.

        Even if there are none, the kind of the file may be known now.
        """
        self._result.kind = reader.kind
        entries, reader.entries = reader.entries, []
        if not entries:
            return
        self._result.entries += len(entries)
        self._check_locs(entries)
        self._check_dates(entries)
        self._check_values(entries)
        if self._result.kind == "sitemapindex":
            free = LIMITS["current"].sitemaps - len(self._result.children)
            self._result.children += [entry for entry in entries if entry.loc][:free]
        else:
            for entry in entries:
                if entry.extensions:
                    self._check_extensions(entry)
            self._take(self._result, entries)
        if self._result.entries > MOST_ENTRIES:
            raise ReadingStoppedError

    def _check_locs(self, entries: Sequence[SitemapEntry]) -> None:
        locs = [entry.loc for entry in entries if entry.loc]
        if self._scope is None:
            self._scope = self._scope_for(locs)
        scope = self._scope
        if len(locs) == len(entries) and scope and scope.is_reachable and url_checks.are_plain(locs, scope.folder):
            return
        codes = _CODES_IN_INDEX if self._result.kind == "sitemapindex" else {}
        missing_loc = "missing-loc" if self._result.kind in ("urlset", "sitemapindex") else "feed-link"
        for entry in entries:
            if not entry.loc:
                self._add_finding(missing_loc, entry.line)
                continue
            for code, details in url_checks.problems(entry.loc, self._scope):
                self._add_finding(codes.get(code, code), entry.line, entry.loc, **details)

    def _scope_for(self, locs: Sequence[str]) -> url_checks.Scope | None:
        """Which URLs the file may list.

        This is decided by the robots.txt that names it, or else by its own URL after redirects, or else by the first
        URL that it lists.
        """
        url = self._file.redirected_to or self._file.loc
        if self._robots:
            return url_checks.scope_by_robots(self._robots, url)
        return url_checks.scope_of(url) if url else next(filter(None, map(url_checks.site_of, locs)), None)

    def _check_dates(self, entries: Sequence[SitemapEntry]) -> None:
        dates_in_batch = [entry.lastmod for entry in entries if entry.lastmod is not None]
        is_rss = self._result.kind == "rss"
        invalid = self._lastmod_checks.add(dates_in_batch, is_rss=is_rss) if dates_in_batch else {}
        for entry in entries if invalid else ():
            if entry.lastmod in invalid:
                self._add_value_finding(invalid[entry.lastmod], entry, entry.lastmod)

    def _generation_times(self) -> Iterator[float]:
        """When the file may have been generated: at its own time, or at the time that an index gives for it."""
        if self._file.modified is not None:
            yield self._file.modified
        if self._date_in_index:
            yield self._date_in_index.start

    def _check_values(self, entries: Sequence[SitemapEntry]) -> None:
        for entry in entries:
            changefreq, priority = entry.changefreq, entry.priority
            if changefreq is not None and changefreq not in CHANGEFREQS:
                self._add_value_finding("changefreq", entry, changefreq)
            if priority is not None and not is_priority(priority):
                self._add_value_finding("priority", entry, priority)

    def _add_value_finding(self, code: str, entry: SitemapEntry, value: str) -> None:
        self._add_finding(code, entry.line, entry.loc or "", value=value[:_MAX_VALUE])

    def _check_extensions(self, entry: SitemapEntry) -> None:
        self._news_count += entry.is_news
        for code, line, details in extensions.problems(entry, self._now):
            self._add_finding(code, line, entry.loc or "", **details)

    def _check_coding(self, *, is_gzip: bool) -> None:
        """Compare the bytes with what the server's headers say of them (RFC 9110, 8.3 and 8.4)."""
        is_sent_as_gzip = self._file.is_sent_as_gzip
        if is_sent_as_gzip and not is_gzip and self._result.size:
            self._add_finding("sent-as-gzip")
        elif is_sent_as_gzip is False and is_gzip and not self._file.name.endswith(".gz"):
            self._add_finding("gzip-sent-as-plain")

    def _check_whole_file(self) -> None:
        result, most = self._result, LIMITS["current"]
        if self._file.redirected_to:
            self._add_finding("moved", to=self._file.redirected_to)
        may_be_empty = self._reader and self._reader.is_for_news and result.kind == "urlset"
        if not result.entries and not result.is_broken and not may_be_empty:
            self._add_finding("empty")
        if result.size > most.bytes:
            self._add_finding("too-large", size=result.size, most=most.bytes)
        if result.kind == "sitemapindex" and result.entries > most.sitemaps:
            self._add_finding("too-many-sitemaps", count=result.entries, most=most.sitemaps)
        elif result.kind != "sitemapindex" and result.entries > most.urls:
            self._add_finding("too-many-urls", count=result.entries, most=most.urls)
        if self._news_count > MAX_NEWS_URLS:
            self._add_finding("news-count", count=self._news_count, most=MAX_NEWS_URLS)
        if result.kind != "sitemapindex":
            for code, details in self._lastmod_checks.problems():
                self._add_finding(code, **details)


def is_priority(text: str) -> bool:
    """Whether a text is a number from 0.0 to 1.0 (sitemaps.org 0.9, "priority")."""
    return text.replace(".", "", 1).isdecimal() and text.isascii() and 0 <= float(text) <= 1
