"""Checks canonical links: what they name must exist, be indexable, and be canonical itself."""

from collections.abc import Iterator, Mapping, Sequence

from waypost.audit.cases import Found
from waypost.audit.link_checks import circles
from waypost.audit.pages import AuditedPage
from waypost.audit.site_graph import SiteGraph
from waypost.rules import html_head


def canonical_links(graph: SiteGraph) -> Iterator[Found]:
    """The mistakes in the canonical links of pages that neither redirect nor have noindex."""
    circle_of = {key: circle for circle in map(_Circle, circles(graph.canonicals)) for key in circle.keys}
    for page in graph.pages.values():
        if page.redirect or page.is_noindex or not page.head.canonicals:
            continue
        if url := graph.canonical_urls.get(page.key):
            yield from _canonical(page, url, graph, circle_of)
        elif len(named := _named_urls(page)) > 1:
            yield Found("canonical-several", ", ".join(named), [page.key])


class _Circle:
    """Pages of which each names the next one as canonical; they are one case, whichever of them is found first."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys, self.least, self._is_taken = keys, keys[0], False

    def take(self) -> Sequence[str]:
        """All keys, and nothing when they are asked for again: else each of many pages would add all of them."""
        keys, self._is_taken = () if self._is_taken else self.keys, True
        return keys


def _named_urls(page: AuditedPage) -> list[str]:
    found = (html_head.resolved(href, page.head, page.loc) for href in page.head.canonicals if href.strip())
    return sorted({url for url in found if url})


def _canonical(page: AuditedPage, url: str, graph: SiteGraph, circle_of: Mapping[str, _Circle]) -> Iterator[Found]:
    place = graph.references.place_of(url)
    if place.is_missing and (place.other_unicode or not place.section):
        yield Found("canonical-missing", url, [page.key], place.other_unicode or place.other_case)
    target = graph.pages.get(place.key)
    if target is None or target.key == page.key:
        return
    if target.is_noindex:
        yield Found("canonical-noindex", url, [page.key])
    elif circle := circle_of.get(page.key):
        yield Found("canonical-loop", graph.pages[circle.least].loc, circle.take())
    elif target.redirect:
        yield Found("canonical-chain", url, [page.key], target.redirect)
    elif graph.canonicals.get(target.key, target.key) != target.key:
        yield Found("canonical-chain", url, [page.key], graph.canonical_urls[target.key])
