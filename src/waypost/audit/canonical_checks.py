"""Checks canonical links: what they name must exist, be indexable, and be canonical itself."""

from collections.abc import Iterator

from waypost.audit.cases import Found
from waypost.audit.link_checks import circle_from
from waypost.audit.pages import AuditedPage
from waypost.audit.site_graph import SiteGraph
from waypost.rules import html_head


def canonical_links(graph: SiteGraph) -> Iterator[Found]:
    """The mistakes in the canonical links of pages that neither redirect nor have noindex."""
    for page in graph.pages.values():
        if page.redirect or page.is_noindex or not page.head.canonicals:
            continue
        if url := graph.canonical_urls.get(page.key):
            yield from _canonical(page, url, graph)
        elif len(named := _named_urls(page)) > 1:
            yield Found("canonical-several", ", ".join(named), [page.key])


def _named_urls(page: AuditedPage) -> list[str]:
    found = (html_head.resolved(href, page.head, page.loc) for href in page.head.canonicals if href.strip())
    return sorted({url for url in found if url})


def _canonical(page: AuditedPage, url: str, graph: SiteGraph) -> Iterator[Found]:
    place = graph.references.place_of(url)
    if place.is_missing and not place.section:
        yield Found("canonical-missing", url, [page.key], place.other_case)
    target = graph.pages.get(place.key)
    if target is None or target.key == page.key:
        return
    if target.is_noindex:
        yield Found("canonical-noindex", url, [page.key])
    elif circle := circle_from(page.key, graph.canonicals):
        yield Found("canonical-loop", graph.pages[circle[0]].loc, circle)
    elif target.redirect:
        yield Found("canonical-chain", url, [page.key], target.redirect)
    elif graph.canonicals.get(target.key, target.key) != target.key:
        yield Found("canonical-chain", url, [page.key], graph.canonical_urls[target.key])
