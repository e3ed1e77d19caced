"""Several files examined together: indexes are followed to their sitemaps, and what they list is compared."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from waypost.validate.file_validator import FileResult, FileValidator, ListedSitemap, SitemapFile
from waypost.validate.findings import FindingReport
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.url_index import UrlIndex

Follow = Callable[[SitemapFile, ListedSitemap], SitemapFile | None]
"""Opens a sitemap that an index lists; None where it must not be."""


class Validator:
    """Examines files; `now` is the present in Unix seconds. What was found is in `report`, where in `sightings`.

    `take` is handed the entries of pages as they are read, too.
    """

    def __init__(
        self,
        now: float,
        report: FindingReport,
        follow: Follow = lambda index, child: None,
        take: Callable[[Sequence[SitemapEntry]], None] = lambda entries: None,
    ) -> None:
        self.report, self.sightings, self._also = report, UrlIndex(), take
        self._now, self._follow = now, follow
        self._names: list[str] = []
        self._done: set[str] = set()
        self._indexes: set[str] = set()

    def validate(self, files: Iterable[SitemapFile]) -> Iterator[FileResult]:
        """Examine files and those that they list, each once; what is listed twice is told at the end."""
        for file in files:
            yield from self._tree(file)
        self._conclude()

    def _tree(self, file: SitemapFile) -> Iterator[FileResult]:
        found = self._one(file, None)
        if found is None:
            return
        yield found
        if found.kind == "sitemapindex":
            self._indexes.add(file.loc or file.name)
        for child in found.children:
            opened = self._follow(file, child)
            if opened and (opened.loc or opened.name) in self._indexes:
                self.report.add("nested-index", file.name, child.line, child.loc)
            examined = self._one(opened, child) if opened else None
            if examined:
                yield examined
                self._compare(file, child, examined)

    def _one(self, file: SitemapFile, child: ListedSitemap | None) -> FileResult | None:
        if (file.loc or file.name) in self._done:
            return None
        self._done.add(file.loc or file.name)
        number = len(self._names)
        self._names.append(file.name)

        def take(entries: Sequence[SitemapEntry]) -> None:
            self.sightings.add(number, entries, is_text=examination.kind == "text")
            self._also(entries)

        examination = FileValidator(file, self.report, self._now, take, child.date if child else None)
        return examination.validate()

    def _compare(self, index: SitemapFile, child: ListedSitemap, examined: FileResult) -> None:
        """What an index says of a sitemap, beside what that is."""
        newest, page = examined.newest
        if examined.kind == "sitemapindex":
            self.report.add("nested-index", index.name, child.line, child.loc)
        elif child.date and newest >= child.date.end:
            self.report.add("child-date", index.name, child.line, child.loc, index=child.lastmod, page=page)

    def _conclude(self) -> None:
        for first, again in self.sightings.repeated():
            if first.file == again.file:
                self.report.add("duplicate", self._names[again.file], again.line, again.loc, first=first.line)
            else:
                name = self._names[first.file]
                self.report.add(
                    "duplicate-elsewhere", self._names[again.file], again.line, again.loc, other=name, first=first.line
                )
        for each in self.sightings.unreturned():
            name = self._names[each.file]
            self.report.add("hreflang-unreturned", name, each.line, each.loc, href=each.href, value=each.hreflang)

    def name(self, file: int) -> str:
        """What people call a file, by its number in a sighting."""
        return self._names[file]
