"""Says whether a site is healthy, and if not, what to fix first: a pure function of the problems that were found."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.finding_types import Severity

_SAME_FAULTS = {
    "hreflang-self": "alternates-without-self",
    "hreflang-unreturned": "alternate-unreturned",
    "hreflang-unlisted": "alternate-unreturned",
    "hreflang-repeated": "alternates-contradict",
}
"""What the validator finds in a sitemap, and the run or the audit in the pages that it was made of."""
_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


class AffectedPage(Struct, frozen=True, order=True):
    """A page that has a problem: its key or URL, and what was found there, such as the URL of a broken link."""

    name: str
    detail: str = ""


class ProblemRow(NamedTuple):
    """One row of a problem: a page with a detail, or what several `pages` have in common."""

    name: str
    detail: str = ""
    pages: Sequence[str] = ()


class ReportProblem(Struct, frozen=True):
    """Something to fix, or to know: `title` says what it is, `why` why it matters, and `advice` what to do.

    `pages` are all that have it, each once for each detail, unless `count` is larger; a problem of the whole site has
    none. `found_by` says what found it, and `noun` what the pages are, as people read it. `found_in` says where, unless
    that is in the pages and the sitemaps of this run.
    """

    code: str
    severity: Severity
    title: str
    advice: str
    pages: Sequence[AffectedPage] = ()
    why: str = ""
    count: int = 0
    found_by: str = "this run"
    found_in: str = ""
    noun: str = "page"

    @property
    def page_count(self) -> int:
        """How many pages have it; two places in one file are two."""
        if self.count > len(self.pages):
            return self.count
        return len(self.pages) if self.noun == "place" else len({page.name for page in self.pages})

    @property
    def rows(self) -> Sequence[ProblemRow]:
        """One row for each thing to repair: first those that several pages have, the one with the most pages first."""
        by_detail: dict[str, list[str]] = {}
        for page in self.pages:
            by_detail.setdefault(page.detail, []).append(page.name)
        shared = [ProblemRow(text, pages=names) for text, names in by_detail.items() if text and len(names) > 1]
        shared.sort(key=lambda row: (-len(row.pages), row.name))
        own = (page for page in self.pages if not page.detail or len(by_detail[page.detail]) == 1)
        return [*shared, *(ProblemRow(page.name, page.detail) for page in own)]

    @property
    def case_count(self) -> int:
        """How many things are to be repaired, if pages share some; else 0."""
        rows = self.rows
        return len(rows) if any(row.pages for row in rows) else 0


class Verdict(Struct, frozen=True):
    """The problems in the order in which to fix them: by severity, then by the number of pages."""

    problems: Sequence[ReportProblem]

    @property
    def to_fix(self) -> list[ReportProblem]:
        """The errors and warnings."""
        return [each for each in self.problems if each.severity != Severity.NOTE]

    @property
    def notes(self) -> list[ReportProblem]:
        """What is good to know, and needs no action."""
        return [each for each in self.problems if each.severity == Severity.NOTE]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing is to be fixed."""
        return not self.to_fix

    @property
    def errors(self) -> int:
        """How many problems are errors."""
        return sum(each.severity == Severity.ERROR for each in self.problems)


def make_verdict(found: Iterable[ReportProblem]) -> Verdict:
    """The verdict on all problems; those with the same code from the same finder are one.

    Of a fault that several found in the same sitemaps and pages, the one with the most pages is kept.
    """
    by_finder = sorted(found, key=_finder)
    merged = [_merged(list(same)) for _, same in groupby(by_finder, key=_finder)]
    faults: dict[tuple[str, str], ReportProblem] = {}
    for each in merged:
        fault = _SAME_FAULTS.get(each.code, each.code), each.found_in
        faults[fault] = max(faults.get(fault, each), each, key=lambda same: same.page_count)
    ordered = sorted(faults.values(), key=lambda each: (_ORDER.index(each.severity), -each.page_count, each.code))
    return Verdict(ordered)


def _finder(problem: ReportProblem) -> tuple[str, str, str]:
    return problem.code, problem.found_by, problem.found_in


def with_problems(verdict: Verdict, found: Iterable[ReportProblem]) -> Verdict:
    """The verdict on its own problems and on others."""
    return make_verdict([*verdict.problems, *found])


def _merged(same: Sequence[ReportProblem]) -> ReportProblem:
    if len(same) == 1:
        return same[0]
    pages = tuple(sorted({page for each in same for page in each.pages}))
    worst = min((each.severity for each in same), key=_ORDER.index)
    are_cut = any(each.count > len(each.pages) for each in same)
    return replace(same[0], severity=worst, pages=pages, count=sum(each.page_count for each in same) if are_cut else 0)
