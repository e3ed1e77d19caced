"""Renders a site's report as one HTML page that loads nothing else."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from waypost.core.reasons import REASONS, Reason
from waypost.notify import submission
from waypost.report.folders import Folder, FolderIds
from waypost.report.languages import LanguageMatrix
from waypost.report.overview import AGE_NAMES, Overview, ReportedSitemap, ReportRow
from waypost.report.problems import needs_attention
from waypost.report.verdict import ProblemRow, ReportProblem
from waypost.sitemaps.render import Renderer

_NO_FOLDER = -1
_FIRST_PAGES = 5
"""How many pages of each problem are shown before scripts run."""


class PageNumbers:
    """The numbers of the rows of a report by the keys and by the URLs of pages; the first row of a key counts."""

    def __init__(self, overview: Overview) -> None:
        self._numbers: dict[str, int] = {}
        for n, row in enumerate(overview.rows):
            self._numbers.setdefault(row.key, n)
            if not row.reason:
                self._numbers.setdefault(overview.base_url + row.path, n)

    def of(self, name: str) -> int | str:
        """The number of the row of a page, or its name if no row has it."""
        return self._numbers.get(name, name)

    def count(self, problems: Sequence[ReportProblem]) -> int:
        """How many different pages have one of these problems."""
        return len({self.of(page.name) for each in problems for page in each.pages})


def page_data(overview: Overview, numbers: PageNumbers) -> str:
    """The data as JSON that is safe in a script element (HTML, "Restrictions for contents of script elements").

    A row is a key, the number of its state, its detail, the number of its folder, the path of its URL if that is not
    its key, and the number of its set of languages; what is empty at the end is left out. A row of a problem is a page,
    which is the number of a row or a name, alone or with a detail; or a text and the pages that it is about.
    """
    state_numbers = {state: n for n, state in enumerate(("", *overview.excluded_by_reason))}
    languages: dict[Sequence[str], int] = {(): 0}
    ids = FolderIds(overview.folders)
    rows = []
    for row in overview.rows:
        language = languages.setdefault(tuple(row.languages), len(languages))
        folder = _NO_FOLDER if row.reason else ids.of(row.path)
        state = state_numbers.setdefault(row.reason, len(state_numbers))
        rows.append(_trimmed([row.key, state, row.detail, folder, _path(row), language]))
    return _script_json(
        {
            "base": overview.base_url,
            "states": list(state_numbers),
            "rows": rows,
            "languages": list(languages),
            "problems": [_problem_rows(problem, numbers) for problem in overview.verdict.problems],
            "ages": AGE_NAMES,
            "folders": _folder(overview.folders),
            "hasChanges": overview.changes is not None,
        }
    )


def _path(row: ReportRow) -> str:
    """The path of a row's URL, or `""` if it is the key."""
    return "" if row.reason or row.path == row.key else row.path or "/"


def _trimmed(values: list[Any]) -> list[Any]:
    while len(values) > 1 and values[-1] in ("", 0, _NO_FOLDER):
        values.pop()
    return values


def _problem_rows(problem: ReportProblem, numbers: PageNumbers) -> list[Any]:
    return [_problem_row(row, numbers) for row in problem.rows]


def _problem_row(row: ProblemRow, numbers: PageNumbers) -> Any:
    if row.pages:
        return [row.name, [numbers.of(name) for name in row.pages]]
    return [numbers.of(row.name), row.detail] if row.detail else numbers.of(row.name)


def _folder(folder: Folder) -> list[Any]:
    return [folder.name, folder.ages, folder.changes, [_folder(each) for each in folder.folders]]


def _script_json(value: Any) -> str:
    return msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")


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
        "engine_columns": submission.COLUMNS,
        "engine_rows": list(map(submission.cells, overview.submissions)),
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
