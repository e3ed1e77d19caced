"""Links to other sites: which there are, and what their answers say; asking is left to others."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from waypost.audit.cases import Found
from waypost.audit.references import Reference
from waypost.audit.site_graph import SiteGraph


class ExternalProblem(Struct, frozen=True):
    """What is wrong with a URL of another site: the code of a rule, and what the server answered."""

    code: str
    detail: str


class ExternalAnswers(Struct, frozen=True):
    """What became of the URLs of other sites.

    `problems` has those that lead nowhere. `asked` URLs were asked in this run, `known` ones have an answer of an
    earlier run, and `unasked` counts the others by the reason. `has_memory` if answers of earlier days can be known.
    """

    problems: Mapping[str, ExternalProblem] = {}
    asked: int = 0
    known: int = 0
    unasked: Mapping[str, int] = {}
    has_memory: bool = False


AskExternal = Callable[[Sequence[str]], ExternalAnswers]
"""Asks the servers of other sites for URLs."""


def external_urls(graph: SiteGraph) -> list[str]:
    """The different URLs of other sites that pages and style sheets name, sorted."""
    numbers = [n for n, each in enumerate(graph.references) if _is_external(each)]
    return sorted({reference.url for reference, _ in graph.pages_with(numbers)})


def external_links(graph: SiteGraph, answers: ExternalAnswers) -> Iterator[Found]:
    """The links to other sites that lead nowhere."""
    numbers = [n for n, each in enumerate(graph.references) if _is_external(each) and each.url in answers.problems]
    for reference, pages in graph.pages_with(numbers):
        problem = answers.problems[reference.url]
        yield Found(problem.code, reference.url, pages, problem.detail)


def without_external(not_checked: Mapping[str, int]) -> Mapping[str, int]:
    """What was not checked, besides the links to other sites, which were."""
    counts = Counter(not_checked)
    del counts["other-site"]
    return dict(counts)


def _is_external(reference: Reference) -> bool:
    is_web = reference.url.startswith(("http://", "https://"))
    return reference.place.not_checked == "other-site" and is_web
