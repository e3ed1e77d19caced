"""Renders a site's report as one HTML page that loads nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from waypost.core.reasons import REASONS, Reason
from waypost.notify import submission
from waypost.report.folders import Folder, folder_ids
from waypost.report.overview import AGE_NAMES, LanguageMatrix, Overview, ReportRow
from waypost.report.problems import needs_attention
from waypost.report.verdict import ProblemRow
from waypost.sitemaps.render import Renderer

_NO_FOLDER = -1
_FIRST_PAGES = 5
"""How many pages of each problem are shown before scripts run."""
_FIRST_CHANGES = 500
"""How many URLs of each kind of change are shown."""
_DIVISIONS = {
    "Needs attention": "These were probably meant to be listed.",
    "Intended": "The site, its settings or a rule of search engines ask for it.",
    "No pages": "These files never could be listed.",
}
"""What is left out: a heading, and an explanation."""


def page_numbers(overview: Overview) -> Mapping[str, int]:
    """The numbers of the rows of a report by the keys and by the URLs of pages; the first row of a key counts."""
    numbers: dict[str, int] = {}
    for n, row in enumerate(overview.rows):
        numbers.setdefault(row.key, n)
        if not row.reason:
            numbers.setdefault(overview.base_url + row.path, n)
    return numbers


def page_data(overview: Overview, numbers: Mapping[str, int]) -> str:
    """The data as JSON that is safe in a script element (HTML, "Restrictions for contents of script elements").

    A row is a key, the number of its state, its detail, the number of its folder, the path of its URL if that is not
    its key, and the number of its set of languages; what is empty at the end is left out. A row of a problem is a page,
    which is the number of a row or a name, alone or with a detail; or a text and the pages that it is about.
    """
    state_numbers = {state: n for n, state in enumerate(("", *overview.excluded_by_reason))}
    languages: dict[Sequence[str], int] = {(): 0}
    folder_id = folder_ids(overview.folders)
    rows = []
    for row in overview.rows:
        language = languages.setdefault(tuple(row.languages), len(languages))
        folder = _NO_FOLDER if row.reason else folder_id(row.path)
        state = state_numbers.setdefault(row.reason, len(state_numbers))
        rows.append(_trimmed([row.key, state, row.detail, folder, _path(row), language]))
    return _script_json(
        {
            "base": overview.base_url,
            "states": list(state_numbers),
            "rows": rows,
            "languages": list(languages),
            "problems": [[_problem_row(row, numbers) for row in each.rows] for each in overview.verdict.problems],
            "ages": AGE_NAMES,
            "folders": _folder(overview.folders),
            "hasChanges": True,
        }
    )


def _path(row: ReportRow) -> str:
    """The path of a row's URL, or `""` if it is the key."""
    return "" if row.reason or row.path == row.key else row.path or "/"


def _trimmed(values: list[Any]) -> list[Any]:
    while len(values) > 1 and values[-1] in ("", 0, _NO_FOLDER):
        values.pop()
    return values


def _problem_row(row: ProblemRow, numbers: Mapping[str, int]) -> Any:
    """A row of a problem, in which a page is the number of its row, or its name if no row has it."""
    if row.pages:
        return [row.name, [numbers.get(name, name) for name in row.pages]]
    number = numbers.get(row.name, row.name)
    return [number, row.detail] if row.detail else number


def _folder(folder: Folder) -> list[Any]:
    return [folder.name, folder.ages, folder.changes, [_folder(each) for each in folder.folders]]


def _script_json(value: Any) -> str:
    return msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")


def render_report(overview: Overview, renderer: Renderer) -> bytes:
    """Render the report; raises RenderError."""
    numbers = page_numbers(overview)
    ages = overview.folders.ages
    names_to_fix = {page.name for problem in overview.verdict.to_fix for page in problem.pages}
    values: dict[str, Any] = {
        "overview": overview,
        "verdict": overview.verdict,
        "first_pages": _FIRST_PAGES,
        "first_changes": _FIRST_CHANGES,
        "bars": [(name, count, 100 * count / max(*ages, 1)) for name, count in zip(AGE_NAMES, ages, strict=True)],
        "excluded": _exclusions(overview.excluded_by_reason),
        "matrix": list(_language_rows(overview.languages)) if overview.languages else [],
        "sitemaps": [each for each in overview.sitemaps if each.kind not in ("html", "llms")],
        "sizes_for_people": [len(each.body) for each in overview.sitemaps if each.kind == "html"],
        "engine_columns": submission.COLUMNS,
        "engine_rows": list(map(submission.cells, overview.submissions)),
        "pages_to_fix": len({numbers.get(name, name) for name in names_to_fix}),
        "data": page_data(overview, numbers),
    }
    return renderer.text("report.html.j2", **values)


def _exclusions(counts: Mapping[str, int]) -> list[tuple[str, str, list[tuple[Reason, int]]]]:
    """What is left out in three divisions: a heading, an explanation, and the reasons with their numbers of files."""
    divisions: dict[str, list[tuple[Reason, int]]] = {name: [] for name in _DIVISIONS}
    for code, count in counts.items():
        reason = REASONS[code]
        intended = "Intended" if reason.is_about_page else "No pages"
        divisions["Needs attention" if needs_attention(reason) else intended].append((reason, count))
    return [(name, _DIVISIONS[name], rows) for name, rows in divisions.items() if rows]


def _language_rows(matrix: LanguageMatrix) -> Iterator[tuple[str, int, list[tuple[str, int, int] | None]]]:
    """A row for each language with pages: its name, its number of pages, and a cell for each language.

    A cell of another language has its name, how many pages have no counterpart in it, and the percentage of the others.
    """
    for language in filter(matrix.pages.get, matrix.languages):
        pages, cells = matrix.pages[language], list[tuple[str, int, int] | None]()
        for other in matrix.languages:
            missing = matrix.missing(language, other)
            # Only a complete row is shown as 100%.
            cells.append(None if other == language else (other, missing, 100 * (pages - missing) // pages))
        yield language, pages, cells
