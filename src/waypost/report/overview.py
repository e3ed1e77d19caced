"""Collects what a report shows about a site, from a plan or from a state."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from waypost.core.dates import date_text, seconds_between
from waypost.core.diff import KINDS, ChangeCounts, count_changes
from waypost.core.model import Changes, Document, Page, Plan, Skipped
from waypost.core.reasons import REASONS
from waypost.notify.submission import Submission
from waypost.report.coverage import CoverageBar, CoverageCounter
from waypost.report.folders import Folder, FolderCounter
from waypost.report.languages import LanguageCounter, LanguageMatrix, languages_of
from waypost.report.problems import exclusion_problems, warning_problems
from waypost.report.verdict import ReportProblem, Verdict, make_verdict
from waypost.settings.schema import Site

ROWS = 100_000
"""The most files that a report lists; excluded files come before listed ones."""
_DAY = 86_400
AGES = (
    ("under a week", 7),
    ("a week to a month", 31),
    ("1 to 3 months", 92),
    ("3 to 6 months", 183),
    ("6 to 12 months", 366),
    ("1 to 2 years", 731),
    ("2 to 5 years", 1_827),
)
"""The ages of pages: a name, and the age in days below which a page belongs to it."""
OLDER, UNDATED = "over 5 years", "no date"
AGE_NAMES = (*(name for name, _ in AGES), OLDER, UNDATED)


class ReportRow(Struct, frozen=True):
    """A file: listed if `reason` is empty, with its date as `detail`; else excluded, with what decided that.

    `path` is the path of a listed page's URL below the site's root. `languages` are the page's, and then its
    other versions' languages.
    """

    key: str
    reason: str = ""
    detail: str = ""
    path: str = ""
    languages: Sequence[str] = ()


class ReportedSitemap(Struct, frozen=True):
    """A published file: its number of URLs and its bytes (None: unknown)."""

    name: str
    kind: str
    urls: int
    size: int | None = None
    lastmod: str | None = None


class LiveCounts(Struct, frozen=True):
    """How many URLs are in the sitemaps that a check of the live site read, and how many of them it asked."""

    listed: int
    asked: int


class Overview(Struct, frozen=True):
    """What a report shows: `folders` and `ages` count listed pages, and `rows` has at most `ROWS` files.

    `live` says how many URLs the server was asked for, if it was asked. `submissions` are what search engines knew of
    the sitemaps at a time, if they were asked.
    """

    base_url: str
    now: str
    pages: int
    verdict: Verdict
    coverage: Sequence[CoverageBar]
    folders: Folder
    ages: Mapping[str, int]
    languages: LanguageMatrix | None
    sitemaps: Sequence[ReportedSitemap]
    excluded_by_reason: Mapping[str, int]
    rows: Sequence[ReportRow]
    changes: ChangeCounts | None = None
    most_urls: int = 0
    most_bytes: int = 0
    most_sitemaps: int = 0
    live: LiveCounts | None = None
    submissions: Sequence[Submission] = ()
    submissions_at: str = ""

    @property
    def is_cut(self) -> bool:
        """Whether some files are not among the rows."""
        return len(self.rows) < self.pages + sum(self.excluded_by_reason.values())


class _PageCounts:
    """Counts listed pages."""

    def __init__(self, site: Site, now: str) -> None:
        self._base, self._now, self.pages = site.base_url, now, 0
        self._ages: dict[str | None, int] = {}
        self.folders, self.by_age = FolderCounter(len(AGE_NAMES)), [0] * len(AGE_NAMES)
        self.languages, self.coverage = LanguageCounter(), CoverageCounter(site)

    def add(self, page: Page) -> None:
        if page.lastmod not in self._ages:
            self._ages[page.lastmod] = AGE_NAMES.index(age_of(page.lastmod, self._now))
        age = self._ages[page.lastmod]
        self.pages += 1
        self.by_age[age] += 1
        self.folders.add_page(page.loc.removeprefix(self._base), age)
        self.languages.add(page)
        self.coverage.add(page)

    def add_changes(self, changes: Changes | ChangeCounts | None) -> None:
        if isinstance(changes, ChangeCounts):
            self.folders.add_changes(changes)
        elif changes:
            for kind in KINDS:
                for loc in getattr(changes, kind):
                    self.folders.add_change(loc.removeprefix(self._base), kind)


def overview_of_plan(plan: Plan, site: Site, now: str, problems: Iterable[ReportProblem] = ()) -> Overview:
    """The overview of what a build would publish; `problems` are those that other parts found."""
    found = [*warning_problems(plan.warnings, plan.cases), *exclusion_problems(plan.skipped), *problems]
    return make_overview(
        site,
        now,
        plan.pages,
        _rows(plan.skipped, plan.pages, site.base_url),
        [_sitemap(document) for document in plan.documents if document.kind not in ("robots", "stylesheet")],
        Counter(str(skipped.reason) for skipped in plan.skipped),
        found,
        plan.changes,
        [(date_text(each), each.count) for each in plan.date_counts],
    )


def make_overview(
    site: Site,
    now: str,
    listed: Iterable[Page],
    rows: Iterable[ReportRow],
    sitemaps: Sequence[ReportedSitemap],
    excluded_by_reason: Mapping[str, int],
    problems: Iterable[ReportProblem] = (),
    changes: Changes | ChangeCounts | None = None,
    date_counts: Sequence[tuple[str, int]] = (),
) -> Overview:
    """Make an overview of the listed pages.

    `listed` is read to its end before `problems` and `rows`, and only counted, so it may have any length.
    """
    counts = _PageCounts(site, now)
    for page in listed:
        counts.add(page)
    counts.add_changes(changes)
    kept = [row for row, _ in zip(rows, range(ROWS), strict=False)]
    return Overview(
        site.base_url,
        now,
        counts.pages,
        make_verdict(problems),
        counts.coverage.bars(date_counts),
        counts.folders.tree(),
        dict(zip(AGE_NAMES, counts.by_age, strict=True)),
        counts.languages.matrix(),
        sitemaps,
        dict(
            sorted(excluded_by_reason.items(), key=lambda each: (not REASONS[each[0]].is_about_page, -each[1], each[0]))
        ),
        kept,
        count_changes(changes) if isinstance(changes, Changes) else changes,
        site.file_limits.urls,
        site.file_limits.bytes,
        site.file_limits.sitemaps,
    )


def age_of(date: str | None, now: str) -> str:
    """The name of the age of a date."""
    if date is None:
        return UNDATED
    days = seconds_between(date if "T" in date else f"{date}T00:00:00Z", now) / _DAY
    return next((name for name, most in AGES if days < most), OLDER)


def listed_row(page: Page, key: str, base_url: str) -> ReportRow:
    """The row of a listed page; `key` is its key in visible characters."""
    return ReportRow(key, "", page.lastmod or "", page.loc.removeprefix(base_url), languages_of(page))


def _rows(skipped: Sequence[Skipped], pages: Sequence[Page], base_url: str) -> Iterator[ReportRow]:
    """Excluded pages first, then listed pages, then files that are no pages."""
    yield from (ReportRow(each.key, str(each.reason), each.detail) for each in skipped if each.reason.is_about_page)
    yield from (listed_row(page, page.key, base_url) for page in pages)
    yield from (ReportRow(each.key, str(each.reason), each.detail) for each in skipped if not each.reason.is_about_page)


def _sitemap(document: Document) -> ReportedSitemap:
    return ReportedSitemap(document.name, document.kind, document.url_count, len(document.body), document.lastmod)
