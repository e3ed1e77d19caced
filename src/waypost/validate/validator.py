"""Checks several files together: follows indexes to their sitemaps, and compares what the files list."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from waypost.validate.file_validator import FileResult, FileValidator, ListedSitemap, SitemapFile
from waypost.validate.findings import FindingReport
from waypost.validate.observed_file import ObservedFile, OnRead
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.url_index import UrlIndex

OpenListedSitemap = Callable[[SitemapFile, ListedSitemap], SitemapFile | None]
"""Opens a sitemap that an index lists; None if it must not be opened."""


class Validator:
    """Checks files, and adds what is wrong to `report` and what they list to `url_index`.

    `now` is in Unix seconds. `take` receives the entries of pages as they are read. `robots_of` gives the URL of the
    robots.txt that names a file or its index, or `""`.
    """

    def __init__(
        self,
        now: float,
        report: FindingReport,
        open_listed: OpenListedSitemap = lambda index, sitemap: None,
        take: Callable[[Sequence[SitemapEntry]], None] = lambda entries: None,
        robots_of: Callable[[SitemapFile], str] = lambda file: "",
        on_read: OnRead = lambda file, size: None,
    ) -> None:
        self.report, self.url_index, self._take, self._on_read = report, UrlIndex(), take, on_read
        self._now, self._open_listed, self._robots_of = now, open_listed, robots_of
        self._names: list[str] = []
        self._checked: set[str] = set()
        self._indexes: set[str] = set()

    def validate(self, files: Iterable[SitemapFile]) -> Iterator[FileResult]:
        """Check files and the sitemaps that they list, each once; duplicates are reported at the end."""
        for file in files:
            yield from self._validate_tree(file)
        self._report_duplicates()
        self._report_missing_return_links()

    def _validate_tree(self, file: SitemapFile) -> Iterator[FileResult]:
        result = self._validate_file(file, None)
        if result is None:
            return
        yield result
        if result.kind == "sitemapindex":
            self._indexes.add(file.loc or file.name)
        first_lines: dict[str, int] = {}
        for listed in result.children:
            if first := first_lines.get(listed.loc):
                self.report.add("duplicate", file.name, listed.line, listed.loc, first=first)
                continue
            first_lines[listed.loc] = listed.line
            if file.loc and listed.loc == (file.redirected_to or file.loc):
                self.report.add("index-of-itself", file.name, listed.line, listed.loc)
                continue
            opened = self._open_listed(file, listed)
            if opened and (opened.loc or opened.name) in self._indexes:
                self.report.add("nested-index", file.name, listed.line, listed.loc)
            listed_result = self._validate_file(opened, listed) if opened else None
            if listed_result:
                yield listed_result
                self._compare_with_index(file, listed, listed_result)

    def _validate_file(self, file: SitemapFile, listed: ListedSitemap | None) -> FileResult | None:
        """Check a file; None if it was checked before."""
        if (file.loc or file.name) in self._checked:
            return None
        self._checked.add(file.loc or file.name)
        number = len(self._names)
        self._names.append(file.name)

        def take(entries: Sequence[SitemapEntry]) -> None:
            self.url_index.add(number, entries, is_text=validator.kind == "text")
            self._take(entries)

        date_in_index = listed.date if listed else None
        observed, robots = ObservedFile(file, self._on_read), self._robots_of(file)
        validator = FileValidator(observed, self.report, self._now, take, date_in_index, robots)
        return validator.validate()

    def _compare_with_index(self, index: SitemapFile, listed: ListedSitemap, result: FileResult) -> None:
        """Report what the index says about a sitemap and the sitemap contradicts."""
        newest, page_date = result.newest
        if result.kind == "sitemapindex":
            self.report.add("nested-index", index.name, listed.line, listed.loc)
        elif listed.date and newest >= listed.date.end:
            self.report.add("child-date", index.name, listed.line, listed.loc, index=listed.lastmod, page=page_date)

    def _report_duplicates(self) -> None:
        for first, again in self.url_index.duplicates():
            file, line = self._names[again.file], again.line
            if first.loc != again.loc:
                where, other = self._names[first.file], first.loc
                self.report.add("duplicate-spelling", file, line, again.loc, other=other, where=where, first=first.line)
            elif first.file == again.file:
                self.report.add("duplicate", file, line, again.loc, first=first.line)
            else:
                other = self._names[first.file]
                self.report.add("duplicate-elsewhere", file, line, again.loc, other=other, first=first.line)

    def _report_missing_return_links(self) -> None:
        for link in self.url_index.missing_return_links():
            file = self._names[link.file]
            self.report.add("hreflang-unreturned", file, link.line, link.loc, href=link.href, value=link.hreflang)

    def name(self, file: int) -> str:
        """The name of a file, by its number in the index of URLs."""
        return self._names[file]
