"""Renders a site's report as one HTML page that loads nothing else."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from waypost.announce import submission_table
from waypost.core.reasons import REASONS, Reason
from waypost.report.languages import LanguageMatrix
from waypost.report.overview import Overview, ReportedSitemap
from waypost.report.page_data import PageNumbers, page_data
from waypost.report.problems import needs_attention
from waypost.sitemaps.render import Renderer

_FIRST_PAGES = 5
"""How many pages of each problem are shown before scripts run."""


class Exclusion(NamedTuple):
    """A reason to leave files out, its meaning, and how many files it is about."""

    code: str
    meaning: str
    files: int


class AgeBar(NamedTuple):
    """A bar of the histogram, with its height in percent of the highest bar."""

    name: str
    pages: int
    height: float


class LanguageCell(NamedTuple):
    """How many pages of a language have a counterpart in another, how many have none, and the share in percent."""

    other: str
    found: int
    missing: int
    share: int


class LanguageRow(NamedTuple):
    """A language, its number of pages, and a cell for each language; None for itself."""

    language: str
    pages: int
    cells: Sequence[LanguageCell | None]


def render_report(overview: Overview, renderer: Renderer) -> bytes:
    """Render the report; raises RenderError."""
    numbers = PageNumbers(overview)
    highest = max([*overview.ages.values(), 1])
    values: dict[str, Any] = {
        "overview": overview,
        "verdict": overview.verdict,
        "first_pages": _FIRST_PAGES,
        "bars": [AgeBar(name, count, 100 * count / highest) for name, count in overview.ages.items()],
        "excluded": _exclusions(overview),
        "matrix": list(_language_rows(overview.languages)) if overview.languages else [],
        "sitemaps": [each for each in overview.sitemaps if each.kind not in ("html", "llms")],
        "for_people": _total([each for each in overview.sitemaps if each.kind == "html"]),
        "engine_columns": submission_table.COLUMNS,
        "engine_rows": list(map(submission_table.cells, overview.submissions)),
        "pages_to_fix": numbers.count(overview.verdict.to_fix),
        "data": page_data(overview, numbers),
    }
    return renderer.text("report.html.j2", **values)


def _exclusions(overview: Overview) -> list[tuple[str, str, list[Exclusion]]]:
    """What is left out in three divisions: a heading, an explanation, and the reasons."""
    found = [
        (REASONS[code], Exclusion(code, REASONS[code].meaning, n)) for code, n in overview.excluded_by_reason.items()
    ]
    divisions: tuple[tuple[str, str, Callable[[Reason], bool]], ...] = (
        ("Needs attention", "These were probably meant to be listed.", needs_attention),
        (
            "Intended",
            "The site, its settings or a rule of search engines ask for it.",
            lambda reason: reason.is_about_page and not needs_attention(reason),
        ),
        (
            "No pages",
            "These files never could be listed.",
            lambda reason: not reason.is_about_page and not needs_attention(reason),
        ),
    )
    rows = [(name, text, [each for reason, each in found if belongs(reason)]) for name, text, belongs in divisions]
    return [row for row in rows if row[2]]


def _language_rows(matrix: LanguageMatrix) -> Iterator[LanguageRow]:
    for language in filter(matrix.pages.get, matrix.languages):
        pages = matrix.pages[language]
        cells = [None if other == language else _cell(matrix, language, other) for other in matrix.languages]
        yield LanguageRow(language, pages, cells)


def _cell(matrix: LanguageMatrix, language: str, other: str) -> LanguageCell:
    pages, missing = matrix.pages[language], matrix.missing(language, other)
    # Only a complete row is shown as 100%.
    return LanguageCell(other, pages - missing, missing, 100 * (pages - missing) // pages)


def _total(sitemaps: Sequence[ReportedSitemap]) -> tuple[int, int] | None:
    """How many files there are, and how many bytes they have together; None if there are none."""
    return (len(sitemaps), sum(each.size or 0 for each in sitemaps)) if sitemaps else None
