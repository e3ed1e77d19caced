"""Says whether a site is healthy, and if not, what to fix first: a pure function of the problems that were found."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from waypost.validate.rules import Severity

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


class AffectedPage(Struct, frozen=True, order=True):
    """A page that has a problem: its key or URL, and what was found there."""

    name: str
    detail: str = ""


class Problem(Struct, frozen=True):
    """Something to fix, or to know: `title` says what it is, `why` why it matters, and `advice` what to do.

    `pages` are all that have it, each once for each detail, unless `count` is larger; a problem of the whole site has
    none. `found_by` says what found it, and `noun` what the pages are, as people read it.
    """

    code: str
    severity: Severity
    title: str
    advice: str
    pages: Sequence[AffectedPage] = ()
    why: str = ""
    count: int = 0
    found_by: str = "this run"
    noun: str = "page"

    @property
    def page_count(self) -> int:
        """How many pages have it; two places in one file are two."""
        if self.count > len(self.pages):
            return self.count
        return len(self.pages) if self.noun == "place" else len({page.name for page in self.pages})


class Verdict(Struct, frozen=True):
    """The problems in the order in which to fix them: by severity, then by the number of pages."""

    problems: Sequence[Problem]

    @property
    def to_fix(self) -> list[Problem]:
        """The errors and warnings."""
        return [each for each in self.problems if each.severity != Severity.NOTE]

    @property
    def notes(self) -> list[Problem]:
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


def make_verdict(found: Iterable[Problem]) -> Verdict:
    """The verdict on all problems; those with the same code from the same finder are one."""
    by_code = sorted(found, key=lambda each: (each.code, each.found_by))
    merged = [_merged(list(same)) for _, same in groupby(by_code, key=lambda each: (each.code, each.found_by))]
    return Verdict(sorted(merged, key=lambda each: (_ORDER.index(each.severity), -each.page_count, each.code)))


def _merged(same: Sequence[Problem]) -> Problem:
    if len(same) == 1:
        return same[0]
    pages = tuple(sorted({page for each in same for page in each.pages}))
    worst = min((each.severity for each in same), key=_ORDER.index)
    are_cut = any(each.count > len(each.pages) for each in same)
    return replace(same[0], severity=worst, pages=pages, count=sum(each.page_count for each in same) if are_cut else 0)
