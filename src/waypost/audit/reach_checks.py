"""Checks which pages links lead to, and how far they are from the home page."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from waypost.audit.cases import Found
from waypost.audit.site_graph import SiteGraph

MAX_CLICKS = 10
"""Pages that are farther from the home page than this are reported.

Even where each page links to only three new ones, 10 clicks lead to 59,000 pages: farther pages can only be reached
through a long chain, such as the numbered pages of an archive.
"""


class Reach(NamedTuple):
    """The clicks from the home page to each file that can be reached; `not_known` says why there is none."""

    distances: Mapping[str, int]
    not_known: str = ""


def reach_from_home(graph: SiteGraph) -> Reach:
    """Follow all links from the home page."""
    if not graph.home:
        return Reach({}, "the site has no home page")
    distances = graph.distances([graph.home])
    if len(graph.listed) > 1 and not any(key in distances for key in _others(graph)):
        return Reach({}, "the home page has no links in its HTML to pages of the site")
    return Reach(distances)


def _others(graph: SiteGraph) -> Iterator[str]:
    return (page.key for page in graph.listed if page.key != graph.home)


def depths(graph: SiteGraph, reach: Reach) -> tuple[Mapping[int, int], int]:
    """How many listed pages there are at each distance, and how many that cannot be reached."""
    if reach.not_known:
        return {}, 0
    counts = Counter(reach.distances.get(page.key, -1) for page in graph.listed)
    unreachable = counts.pop(-1, 0)
    return dict(sorted(counts.items())), unreachable


def unlinked_pages(graph: SiteGraph, reach: Reach) -> Iterator[Found]:
    """Listed pages that nothing links to, that cannot be reached, or that are far away; nothing if that is unknown."""
    if reach.not_known:
        return
    unlinked = [key for key in _others(graph) if key not in reach.distances and not graph.is_linked(key)]
    for key in unlinked:
        yield Found("unlinked", graph.pages[key].loc, [key])
    yield from _islands(graph, reach, unlinked)
    for key in _others(graph):
        if reach.distances.get(key, 0) > MAX_CLICKS:
            yield Found("deep", graph.pages[key].loc, [key], f"{reach.distances[key]} clicks")


def _islands(graph: SiteGraph, reach: Reach, unlinked: list[str]) -> Iterator[Found]:
    """Pages that only unreachable pages link to, together with the first page that leads to them."""
    waiting = [key for key in _others(graph) if key not in reach.distances]
    seen, alone = set(reach.distances), set(unlinked)
    is_followed = bytearray(len(graph.references))
    for start in [*unlinked, *waiting]:
        if start in seen:
            continue
        island = graph.distances([start], seen, is_followed)
        seen.update(island)
        pages = [key for key in island if key in graph.pages and graph.pages[key].is_listed and key not in alone]
        if pages:
            yield Found("unreachable", graph.pages[start].loc, pages)
