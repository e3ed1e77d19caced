"""What the scripts of a report work with, as JSON: the files, the pages of each problem, and the folders."""

from collections.abc import Sequence
from typing import Any

import msgspec

from waypost.report.folders import Folder, FolderIds
from waypost.report.overview import AGE_NAMES, Overview, ReportRow
from waypost.report.verdict import Problem, ProblemRow

_NO_FOLDER = -1


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

    def count(self, problems: Sequence[Problem]) -> int:
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


def _problem_rows(problem: Problem, numbers: PageNumbers) -> list[Any]:
    return [_problem_row(row, numbers) for row in problem.rows]


def _problem_row(row: ProblemRow, numbers: PageNumbers) -> Any:
    if row.pages:
        return [row.name, [numbers.of(name) for name in row.pages]]
    return [numbers.of(row.name), row.detail] if row.detail else numbers.of(row.name)


def _folder(folder: Folder) -> list[Any]:
    return [folder.name, folder.ages, folder.changes, [_folder(each) for each in folder.folders]]


def _script_json(value: Any) -> str:
    return msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")
