"""Links to other sites: which there are, and what their answers say; asking is left to others."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from waypost.audit.cases import Found
from waypost.audit.references import Reference
from waypost.audit.result import ExternalCounts
from waypost.audit.site_graph import SiteGraph
from waypost.core import places


class ExternalAnswers(Struct, frozen=True):
    """What became of the URLs of other sites.

    `problems` has those that lead nowhere, each with the code of a rule and with what the server answered.
    """

    problems: Mapping[str, tuple[str, str]] = {}
    counts: ExternalCounts = ExternalCounts()


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
        code, detail = answers.problems[reference.url]
        yield Found(code, reference.url, pages, detail)


def without_external(not_checked: Mapping[str, int]) -> Mapping[str, int]:
    """What was not checked, besides the links to other sites, which were."""
    return {why: count for why, count in not_checked.items() if why != "other-site"}


def _is_external(reference: Reference) -> bool:
    is_web = places.is_web(reference.url)
    return reference.place.not_checked == "other-site" and is_web
