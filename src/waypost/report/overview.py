"""Collects what a report shows about a site, from a plan or from a ledger."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.date_texts import date_text
from waypost.core.dates import seconds_between
from waypost.core.diff import ChangeCounts, count_changes, first_folder
from waypost.core.model import Document, Page, Plan, SiteWarning, Skipped
from waypost.core.reasons import REASONS

ROWS = 100_000
"""The most files that a report lists; excluded files come before listed ones."""
_DAY = 86_400
_MAX_SUBFOLDERS, _LARGE_SHARE = 10_000, 0.6
"""The most subfolders that are counted; a section with more than this share of all pages is shown by its subfolders."""
AGES = (
    ("a week", 7),
    ("a month", 31),
    ("3 months", 92),
    ("6 months", 183),
    ("a year", 366),
    ("2 years", 731),
    ("5 years", 1_827),
)
"""The bars of the histogram: a name, and the age in days below which a page belongs to it."""
OLDER, UNDATED = "older", "no date"


class ReportRow(Struct, frozen=True):
    """A file: listed if `reason` is empty, with its date as `detail`; else excluded, with what decided that."""

    key: str
    reason: str = ""
    detail: str = ""


class ReportedSitemap(Struct, frozen=True):
    """A published file: its number of URLs and its bytes (None: unknown)."""

    name: str
    kind: str
    urls: int
    size: int | None = None
    lastmod: str | None = None


class Overview(Struct, frozen=True):
    """What a report shows: `sections` and `ages` count listed pages, and `rows` has at most `ROWS` files.

    `date_counts` says what dated pages, or why they have no date, and how many pages that are.
    """

    base_url: str
    now: str
    pages: int
    sections: Mapping[str, int]
    ages: Mapping[str, int]
    sitemaps: Sequence[ReportedSitemap]
    excluded_by_reason: Mapping[str, int]
    rows: Sequence[ReportRow]
    warnings: Sequence[SiteWarning] = ()
    changes: ChangeCounts | None = None
    most_urls: int = 0
    most_bytes: int = 0
    most_sitemaps: int = 0
    date_counts: Sequence[tuple[str, int]] = ()

    @property
    def is_cut(self) -> bool:
        """Whether some files are not among the rows."""
        return len(self.rows) < self.pages + sum(self.excluded_by_reason.values())


def overview_of_plan(plan: Plan, site: Site, now: str) -> Overview:
    """The overview of what a build would publish."""
    overview = make_overview(
        site,
        now,
        [(page.loc, page.lastmod) for page in plan.pages],
        _rows(plan.skipped, plan.pages),
        [_sitemap(document) for document in plan.documents if document.kind not in ("robots", "stylesheet")],
        Counter(str(skipped.reason) for skipped in plan.skipped),
        plan.warnings,
        count_changes(plan.changes),
    )
    return replace(overview, date_counts=tuple((date_text(each), each.count) for each in plan.date_counts))


def make_overview(
    site: Site,
    now: str,
    listed: Iterable[tuple[str, str | None]],
    rows: Iterable[ReportRow],
    sitemaps: Sequence[ReportedSitemap],
    excluded_by_reason: Mapping[str, int],
    warnings: Sequence[SiteWarning] = (),
    changes: ChangeCounts | None = None,
) -> Overview:
    """Make an overview; `listed` gives the loc and the date of each listed page.

    `listed` is read to its end before `rows`, and only counted, so it may have any length.
    """
    sections, subfolders, ages, pages = Counter[str](), Counter[tuple[str, str]](), Counter[str](), 0
    base = len(site.base_url)
    for loc, date in listed:
        section, rest = first_folder(loc[base:])
        sections[section] += 1
        subfolder = (section, first_folder(rest)[0])
        if subfolder in subfolders or len(subfolders) < _MAX_SUBFOLDERS:
            subfolders[subfolder] += 1
        ages[age_of(date, now)] += 1
        pages += 1
    kept = [row for row, _ in zip(rows, range(ROWS), strict=False)]
    names = [*(name for name, _ in AGES), OLDER, UNDATED]
    return Overview(
        site.base_url,
        now,
        pages,
        _split_largest_section(sections, subfolders, pages),
        {name: ages[name] for name in names},
        sitemaps,
        dict(
            sorted(excluded_by_reason.items(), key=lambda each: (not REASONS[each[0]].is_about_page, -each[1], each[0]))
        ),
        kept,
        warnings,
        changes,
        site.file_limits.urls,
        site.file_limits.bytes,
        site.file_limits.sitemaps,
    )


def _split_largest_section(sections: Counter[str], subfolders: Counter[tuple[str, str]], pages: int) -> dict[str, int]:
    """The sections; one that has most of the site's pages is replaced by its subfolders."""
    largest = max(sections, key=lambda name: (sections[name], name), default="")
    below = {name: count for (section, name), count in subfolders.items() if section == largest}
    is_large = pages and sections[largest] > _LARGE_SHARE * pages
    if is_large and largest != "/" and len(below) > 1 and sum(below.values()) == sections[largest]:
        del sections[largest]
        sections.update({largest + name[1:]: count for name, count in below.items()})
    return dict(sections.most_common())


def age_of(date: str | None, now: str) -> str:
    """The bar of the histogram that a date belongs to."""
    if date is None:
        return UNDATED
    days = seconds_between(date if "T" in date else f"{date}T00:00:00Z", now) / _DAY
    return next((name for name, most in AGES if days < most), OLDER)


def _rows(skipped: Sequence[Skipped], pages: Sequence[Page]) -> Iterator[ReportRow]:
    """Excluded pages first, then listed pages, then files that are no pages."""
    yield from (ReportRow(each.key, str(each.reason), each.detail) for each in skipped if each.reason.is_about_page)
    yield from (ReportRow(page.key, "", page.lastmod or "") for page in pages)
    yield from (ReportRow(each.key, str(each.reason), each.detail) for each in skipped if not each.reason.is_about_page)


def _sitemap(document: Document) -> ReportedSitemap:
    return ReportedSitemap(document.name, document.kind, document.url_count, len(document.body), document.lastmod)
