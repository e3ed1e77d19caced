"""Checks what pages load: insecure files on a secure site, empty URLs, and files that Google may not fetch."""

from collections import defaultdict
from collections.abc import Iterator

from waypost.audit.result import AuditIssue
from waypost.audit.site_graph import SiteGraph
from waypost.pages.robots import CrawlerRules

_RENDERING = ("script", "style")
"""What a crawler needs to render a page."""


def insecure_files(graph: SiteGraph) -> Iterator[AuditIssue]:
    """What pages of a secure site load by `http:`: browsers load no such script, and images only by `https:`."""
    pages: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for key, found in graph.insecure.items() if graph.site.base_url.startswith("https:") else ():
        for url, is_active in found:
            pages[url, is_active].append(key)
    for (url, is_active), keys in sorted(pages.items()):
        yield AuditIssue("mixed-content" if is_active else "mixed-image", url, keys)


def empty_sources(graph: SiteGraph) -> Iterator[AuditIssue]:
    """The pages with an element that loads an empty URL."""
    return (AuditIssue("empty-source", graph.pages[key].loc, [key]) for key in graph.empty)


def blocked_files(graph: SiteGraph, google: CrawlerRules) -> Iterator[AuditIssue]:
    """The scripts and styles of the site that robots.txt keeps from Google's crawler."""
    numbers = [n for n, each in enumerate(graph.references) if each.kind in _RENDERING and each.place.key]
    for reference, pages in graph.pages_with(numbers):
        if not google.allow(reference.url):
            yield AuditIssue("blocked-file", reference.url, pages)
