"""Collects what a report shows about a site, from a plan."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from waypost.audit import TextCounts
from waypost.core.dates import date_text, seconds_between
from waypost.core.diff import KINDS
from waypost.core.model import Changes, Document, Page, Plan, Skipped
from waypost.core.reasons import REASONS
from waypost.notify.submission import Submission
from waypost.report.folders import Folder, FolderCounter
from waypost.report.problems import exclusion_problems, losses, warning_problems
from waypost.report.verdict import ReportProblem, Verdict, make_verdict
from waypost.settings.output_formats import with_titles
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
_FIELD_NAMES = {
    "lastmod": "a date",
    "title": "a title",
    "images": "images",
    "videos": "videos",
    "alternates": "versions in other languages",
}
"""What people call the fields of a page."""
_MAX_LANGUAGES = 30
_X_DEFAULT = "x-default"


class CoverageBar(Struct, frozen=True):
    """How many listed pages have something, of `total` that may have it (0: of all).

    `parts` divide them, as texts with counts.
    """

    name: str
    pages: int
    parts: Sequence[tuple[str, int]] = ()
    total: int = 0


class LanguageMatrix(Struct, frozen=True):
    """The pages of each language, and how many of them have a counterpart in each other language.

    `languages` has the languages of pages, then those that only alternates name. `counterparts[a, b]` counts the pages
    in language `a` that name a version in language `b`.
    """

    languages: Sequence[str]
    pages: Mapping[str, int]
    counterparts: Mapping[tuple[str, str], int]

    def missing(self, language: str, other: str) -> int:
        """How many pages of a language have no counterpart in another."""
        return self.pages[language] - self.counterparts.get((language, other), 0)


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
    changes: Changes
    limits: FileLimits
    live: LiveCounts | None = None
    submissions: Sequence[Submission] = ()
    submissions_at: str = ""

    @property
    def is_cut(self) -> bool:
        """Whether some files are not among the rows."""
        return len(self.rows) < self.pages + sum(self.excluded_by_reason.values())


def overview_of_plan(plan: Plan, site: Site, now: str, problems: Iterable[ReportProblem] = ()) -> Overview:
    """The overview of what a build would publish; `problems` are those that other parts found.

    What the run warns of under the same code is shown as the other part found it.
    """
    others = list(problems)
    known = {each.code for each in others}
    own = [*warning_problems(plan.warnings, plan.cases), *exclusion_problems(plan.skipped)]
    found = [*(each for each in own if each.code not in known), *losses(plan, site), *others]
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
        changes=plan.changes,
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


def with_heads(bars: Sequence[CoverageBar], counts: TextCounts) -> list[CoverageBar]:
    """The bars with those of how many HTML pages have a title and a description; the bar of the dates stays first."""
    if not counts.pages:
        return list(bars)
    titles = CoverageBar(_FIELD_NAMES["title"], counts.titles, (), counts.pages)
    heads = [titles, CoverageBar("a description", counts.descriptions, (), counts.pages)]
    dates = [each for each in bars if each.name == _FIELD_NAMES["lastmod"]]
    return [
        *dates,
        *heads,
        *(each for each in bars if each.name not in (_FIELD_NAMES["lastmod"], _FIELD_NAMES["title"])),
    ]


def coverage_bars(pages: Sequence[Page], site: Site, date_counts: Sequence[tuple[str, int]] = ()) -> list[CoverageBar]:
    """A bar for each thing that listed pages may have, as far as the settings have it read.

    `date_counts` says what dated pages, and why others have no date.
    """
    is_read = {
        "lastmod": site.lastmod != "none" or site.page_dates,
        "title": with_titles(site.formats),
        "images": site.images,
        "videos": site.videos,
        "alternates": site.alternates,
    }
    return [
        CoverageBar(
            _FIELD_NAMES[name],
            sum(bool(getattr(page, name)) for page in pages),
            date_counts if name == "lastmod" else (),
        )
        for name in filter(is_read.get, is_read)
    ]


def language_matrix(listed: Iterable[Page]) -> LanguageMatrix | None:
    """The counts of the languages with the most pages, as far as pages say theirs; None for a site in one language."""
    pages: Counter[str] = Counter()
    counterparts: Counter[tuple[str, str]] = Counter()
    for own, *others in filter(None, map(languages_of, listed)):
        pages[own] += 1
        counterparts.update((own, other) for other in others)
    languages = {*pages, *(other for _, other in counterparts)}
    names = sorted(languages, key=lambda name: (-pages[name], name))[:_MAX_LANGUAGES]
    return LanguageMatrix(names, pages, counterparts) if len(names) > 1 else None


def languages_of(page: Page) -> tuple[str, ...]:
    """The language of a page, and then its other versions' languages; empty if the page does not say its own."""
    own = next((code for code, href in page.alternates if href == page.loc and code != _X_DEFAULT), "")
    return (own, *(code for code, _ in page.alternates if code not in (own, _X_DEFAULT))) if own else ()
