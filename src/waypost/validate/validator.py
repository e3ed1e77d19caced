"""Checks several files together: follows indexes to their sitemaps, and compares what the files list."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from waypost.core import dates
from waypost.core.dates import DateRange
from waypost.validate.file_validator import FileResult, FileValidator, SitemapFile
from waypost.validate.findings import FindingReport
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.url_index import UrlIndex


class Validator:
    """Checks files, and adds what is wrong to `report`; `close` deletes what is remembered of their URLs.

    `now` is in Unix seconds. `open_listed` opens a sitemap at a URL that an index lists, or returns None if it must not
    be opened. `take` receives the entries of pages as they are read. `robots_of` gives the URL of the robots.txt that
    names a file or its index, or `""`. `on_read` receives a file and how many of its bytes, as they are stored, were
    read: 0 before the first of them.
    """

    def __init__(
        self,
        now: float,
        report: FindingReport,
        open_listed: Callable[[SitemapFile, str], SitemapFile | None] = lambda index, loc: None,
        take: Callable[[Sequence[SitemapEntry]], None] = lambda entries: None,
        robots_of: Callable[[SitemapFile], str] = lambda file: "",
        on_read: Callable[[SitemapFile, int], None] = lambda file, size: None,
    ) -> None:
        self.report, self._url_index, self._take, self._on_read = report, UrlIndex(), take, on_read
        self._now, self._open_listed, self._robots_of = now, open_listed, robots_of
        self._names: list[str] = []
        self._checked: set[str] = set()
        self._indexes: set[str] = set()
        self._is_complete = True

    def validate(self, files: Iterable[SitemapFile]) -> Iterator[FileResult]:
        """Check files and the sitemaps that they list, each once; duplicates are reported at the end."""
        for file in files:
            yield from self._validate_tree(file)
        self._report_duplicates()
        self._report_missing_return_links()

    def locs(self) -> Iterator[str]:
        """All URLs of pages that the files list, in their order."""
        return (place.loc for place in self._url_index.places())

    def compare(self, mismatch: Callable[[str], tuple[str, str] | None]) -> None:
        """Report each listed URL for which `mismatch` returns the code of a rule, with a detail for its message."""
        for file, line, loc in self._url_index.places():
            if difference := mismatch(loc):
                code, detail = difference
                self.report.add(code, self._names[file], line, loc, detail=detail)

    def close(self) -> None:
        """Delete the temporary files."""
        self._url_index.close()

    def _validate_tree(self, file: SitemapFile) -> Iterator[FileResult]:
        result = self._validate_file(file)
        if result is None:
            return
        yield result
        if result.kind == "sitemapindex":
            self._indexes.add(_identity(file))
        first_lines: dict[str, int] = {}
        for listed in result.children:
            loc = listed.loc or ""
            if first := first_lines.get(loc):
                self.report.add("duplicate", file.name, listed.line, loc, first=first)
                continue
            first_lines[loc] = listed.line
            if file.loc and loc == (file.redirected_to or file.loc):
                self.report.add("index-of-itself", file.name, listed.line, loc)
            elif opened := self._open_listed(file, loc):
                yield from self._validate_listed(file, listed, opened)
            else:
                self._is_complete = False

    def _validate_listed(self, index: SitemapFile, listed: SitemapEntry, file: SitemapFile) -> Iterator[FileResult]:
        """Check a sitemap that an index lists, and report what the index says about it and the sitemap contradicts."""
        line, loc, lastmod = listed.line, listed.loc or "", listed.lastmod or ""
        if _identity(file) in self._indexes:
            self.report.add("nested-index", index.name, line, loc)
        date = dates.parse_strict_w3c_date(lastmod)
        date_in_index = None if isinstance(date, str) else date
        result = self._validate_file(file, date_in_index)
        if result is None:
            return
        yield result
        newest, page_date = result.newest
        if result.kind == "sitemapindex":
            self.report.add("nested-index", index.name, line, loc)
        elif date_in_index and newest >= date_in_index.end:
            self.report.add("child-date", index.name, line, loc, index=lastmod, page=page_date)

    def _validate_file(self, file: SitemapFile, date_in_index: DateRange | None = None) -> FileResult | None:
        """Check a file; None if it was checked before."""
        if _identity(file) in self._checked:
            return None
        self._checked.add(_identity(file))
        self._names.append(file.name)
        robots = self._robots_of(file)
        result = FileValidator(
            file, self.report, self._now, self._add_entries, date_in_index, robots, self._on_read
        ).validate()
        self._is_complete = self._is_complete and not result.is_broken
        return result

    def _add_entries(self, file: FileResult, entries: Sequence[SitemapEntry]) -> None:
        """Remember and hand on entries of the file that is read now, the last of those with a name."""
        self._url_index.add(len(self._names) - 1, entries, is_text=file.kind == "text")
        self._take(entries)

    def _report_duplicates(self) -> None:
        for first, again in self._url_index.duplicates():
            file, line, loc, other = self._names[again.file], again.line, again.loc, self._names[first.file]
            if first.loc != loc:
                self.report.add("duplicate-spelling", file, line, loc, other=first.loc, where=other, first=first.line)
            elif first.file == again.file:
                self.report.add("duplicate", file, line, loc, first=first.line)
            else:
                self.report.add("duplicate-elsewhere", file, line, loc, other=other, first=first.line)

    def _report_missing_return_links(self) -> None:
        """Report alternates that do not link back; those that no file lists only if every listed file could be read."""
        for is_listed, file, line, loc, hreflang, href in self._url_index.missing_return_links():
            code = "hreflang-unreturned" if is_listed else "hreflang-unlisted"
            if is_listed or self._is_complete:
                self.report.add(code, self._names[file], line, loc, href=href, value=hreflang)


def _identity(file: SitemapFile) -> str:
    return file.loc or file.name
