"""Collects what a report shows about a site, from a plan."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from waypost.core.dates import date_text, seconds_between
from waypost.core.diff import KINDS, ChangeCounts, count_changes
from waypost.core.model import Document, Page, Plan, Skipped
from waypost.core.reasons import REASONS
from waypost.notify.submission import Submission
from waypost.report.coverage import CoverageBar, coverage_bars
from waypost.report.folders import Folder, FolderCounter
from waypost.report.languages import LanguageMatrix, language_matrix, languages_of
from waypost.report.problems import exclusion_problems, warning_problems
from waypost.report.verdict import ReportProblem, Verdict, make_verdict
from waypost.settings.schema import FileLimits, Site

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


class LiveCounts(Struct, frozen=True):
    """How many URLs are in the sitemaps that a check of the live site read, and how many of them it asked."""

    listed: int
    asked: int


class Overview(Struct, frozen=True):
    """What a report shows: `folders` counts listed pages, also by age, and `rows` has at most `ROWS` files.

    `sitemaps` are the files of the site that list pages, and `limits` how much each may have. `live` says how many URLs
    the server was asked for, if it was asked. `submissions` are what search engines knew of the sitemaps at a time, if
    they were asked.
    """

    base_url: str
    now: str
    pages: int
    verdict: Verdict
    coverage: Sequence[CoverageBar]
    folders: Folder
    languages: LanguageMatrix | None
    sitemaps: Sequence[Document]
    excluded_by_reason: Mapping[str, int]
    rows: Sequence[ReportRow]
    changes: ChangeCounts
    limits: FileLimits
    live: LiveCounts | None = None
    submissions: Sequence[Submission] = ()
    submissions_at: str = ""

    @property
    def is_cut(self) -> bool:
        """Whether some files are not among the rows."""
        return len(self.rows) < self.pages + sum(self.excluded_by_reason.values())


def overview_of_plan(plan: Plan, site: Site, now: str, problems: Iterable[ReportProblem] = ()) -> Overview:
    """The overview of what a build would publish; `problems` are those that other parts found."""
    found = [*warning_problems(plan.warnings, plan.cases), *exclusion_problems(plan.skipped), *problems]
    date_counts = [(date_text(count), count.count) for count in plan.date_counts]
    return Overview(
        base_url=site.base_url,
        now=now,
        pages=len(plan.pages),
        verdict=make_verdict(found),
        coverage=coverage_bars(plan.pages, site, date_counts),
        folders=_folders(plan, site.base_url, now),
        languages=language_matrix(plan.pages),
        sitemaps=[document for document in plan.documents if document.kind not in ("robots", "stylesheet")],
        excluded_by_reason=_excluded_by_reason(plan.skipped),
        rows=list(islice(_rows(plan.skipped, plan.pages, site.base_url), ROWS)),
        changes=count_changes(plan.changes),
        limits=site.file_limits,
    )


def _folders(plan: Plan, base_url: str, now: str) -> Folder:
    """The folders with their pages by age, and with what changes in them."""
    counter = FolderCounter(len(AGE_NAMES))
    ages = {date: AGE_NAMES.index(age_of(date, now)) for date in {page.lastmod for page in plan.pages}}
    for page in plan.pages:
        counter.add_page(page.loc.removeprefix(base_url), ages[page.lastmod])
    for kind in KINDS:
        for loc in getattr(plan.changes, kind):
            counter.add_change(loc.removeprefix(base_url), kind)
    return counter.tree()


def age_of(date: str | None, now: str) -> str:
    """The name of the age of a date."""
    if date is None:
        return UNDATED
    days = seconds_between(date if "T" in date else f"{date}T00:00:00Z", now) / _DAY
    return next((name for name, most in AGES if days < most), OLDER)


def _excluded_by_reason(skipped: Sequence[Skipped]) -> Mapping[str, int]:
    """How many files are left out for each reason: first pages, and the reason with the most files first."""
    counts = Counter(str(each.reason) for each in skipped)
    order = sorted(counts, key=lambda reason: (not REASONS[reason].is_about_page, -counts[reason], reason))
    return {reason: counts[reason] for reason in order}


def _rows(skipped: Sequence[Skipped], pages: Sequence[Page], base_url: str) -> Iterator[ReportRow]:
    """Excluded pages first, then listed pages, then files that are no pages."""
    yield from (ReportRow(each.key, str(each.reason), each.detail) for each in skipped if each.reason.is_about_page)
    for page in pages:
        yield ReportRow(page.key, "", page.lastmod or "", page.loc.removeprefix(base_url), languages_of(page))
    yield from (ReportRow(each.key, str(each.reason), each.detail) for each in skipped if not each.reason.is_about_page)
