"""Checks references: those that lead nowhere, those that lead to redirects, and those in another form or case."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from waypost.audit.page_tags import ReferenceKind
from waypost.audit.references import Reference
from waypost.audit.result import AuditIssue, ExternalAnswers, UncheckedLink
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.core import places
from waypost.core.urls import decode_path
from waypost.pages.hreflang import page_links

_MISSING: dict[ReferenceKind, str] = {
    "link": "broken-link",
    "image": "missing-image",
    "media": "missing-media",
    "script": "missing-script",
    "style": "missing-style",
    "file": "missing-file",
}
_NEVER_ELSEWHERE = ("script", "style")
"""What each site publishes itself: its pages are broken without it."""
_MIN_SHARE, _MIN_TARGETS = 0.8, 3
"""If so many targets in a folder that does not exist, and this share of them, exist without the folder's name, and they
are half of all targets of links, then the site was built for another base_url.

Links to a language that was not built are fewer than those to the others.
"""


def broken_references(graph: SiteGraph) -> Iterator[AuditIssue]:
    """References to what does not exist; those into a folder that does not exist are one case for each folder."""
    missing = [
        number
        for number, each in enumerate(graph.references)
        if (each.place.is_missing or each.place.is_likely) and each.kind in _MISSING
    ]
    sections: dict[str, list[tuple[Reference, list[str]]]] = defaultdict(list)
    for reference, pages in graph.pages_with(missing):
        place = reference.place
        if place.other_unicode:
            yield AuditIssue("link-unicode", reference.url, pages, place.other_unicode)
        elif place.is_likely:
            yield AuditIssue("unserved-link", reference.url, pages, place.unserved)
        elif place.section and reference.kind not in _NEVER_ELSEWHERE:
            sections[place.section].append((reference, pages))
        elif place.other_case:
            yield AuditIssue("link-case", reference.url, pages, place.other_case)
        else:
            yield AuditIssue(_MISSING[reference.kind], reference.url, pages, place.unserved or place.near)
    targets = sum(each.kind == "link" and not each.place.not_checked for each in graph.references)
    for section, found in sections.items():
        is_moved = _is_of_other_base_url({reference.path for reference, _ in found}, targets, graph.files)
        pages = list(chain.from_iterable(pages for _, pages in found))
        urls = [reference.url for reference, _ in found]
        issue = missing_section(graph, section, pages, urls)
        yield issue._replace(code="other-base-url") if is_moved else issue


def missing_section(graph: SiteGraph, section: str, pages: Sequence[str], urls: Sequence[str]) -> AuditIssue:
    """What is said of URLs that pages name in a first folder which the site does not have."""
    return AuditIssue("missing-section", f"{graph.site.base_url}{section}/", pages, targets=urls)


def unused_ignores(graph: SiteGraph) -> Iterator[AuditIssue]:
    """The patterns of `audit_ignore` that fit no link."""
    return (AuditIssue("unused-ignore", pattern, ()) for pattern in sorted(graph.references.ignored.unused))


def unchecked(graph: SiteGraph) -> list[UncheckedLink]:
    """The references to this site that are not checked, by their targets; those to other sites are not among them.

    So are canonical links and alternates.
    """
    numbers = [n for n, each in enumerate(graph.references) if each.place.is_unchecked]
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for reference, pages in graph.pages_with(numbers):
        found[reference.url, reference.place.not_checked or ""].update(pages)
    for page in graph.pages.values():
        alternates = page_links(page.head, page.loc).urls.values() if page.head.alternates else ()
        for url in filter(None, (graph.canonical_urls.get(page.key), *alternates)):
            place = graph.references.place_of(url)
            if place.is_unchecked:
                found[url, place.not_checked or ""].add(page.key)
    return [UncheckedLink(*about, tuple(sorted(pages))) for about, pages in sorted(found.items())]


def external_urls(graph: SiteGraph) -> list[str]:
    """The different URLs of other sites that pages and style sheets name, sorted."""
    numbers = [number for number, each in enumerate(graph.references) if _is_external(each)]
    return sorted({reference.url for reference, _ in graph.pages_with(numbers)})


def external_links(graph: SiteGraph, answers: ExternalAnswers) -> Iterator[AuditIssue]:
    """The links to other sites that lead nowhere, by the answers of their servers."""
    numbers = [
        number for number, each in enumerate(graph.references) if _is_external(each) and each.url in answers.problems
    ]
    for reference, pages in graph.pages_with(numbers):
        code, detail = answers.problems[reference.url]
        yield AuditIssue(code, reference.url, pages, detail)


def _is_external(reference: Reference) -> bool:
    return reference.place.not_checked == "other-site" and places.is_web(reference.url)


def private_references(graph: SiteGraph) -> Iterator[AuditIssue]:
    """References that work on their author's computer or network alone, or on none: a file, localhost, `htps:`."""
    private = [number for number, each in enumerate(graph.references) if each.place.is_private]
    for reference, pages in graph.pages_with(private):
        yield AuditIssue("private-link", reference.url, pages)


def _is_of_other_base_url(paths: Collection[str], targets: int, files: SiteFiles) -> bool:
    """Whether references into a folder that does not exist were written for another base_url, by their number."""
    moved = sum(bool(files.at(path.partition("/")[2]).key) for path in paths)
    return moved >= _MIN_TARGETS and moved >= _MIN_SHARE * len(paths) and 2 * moved >= targets


def indirect_links(graph: SiteGraph) -> Iterator[AuditIssue]:
    """Links to redirects, and to other URLs of pages than the listed ones; how they are encoded does not count."""
    redirects = {key for key, page in graph.pages.items() if page.redirect}
    locs = {page.key: page.loc for page in graph.listed}
    links = [
        number
        for number, each in enumerate(graph.references)
        if each.kind == "link"
        and not each.place.is_likely
        and (each.place.key in redirects or _differ(each.url, locs.get(each.place.key)))
    ]
    for reference, pages in graph.pages_with(links):
        key = reference.place.key
        others = [page for page in pages if page != key]
        if key in redirects and others:
            yield AuditIssue("link-redirect", reference.url, others, graph.pages[key].redirect)
        elif key in locs:
            yield AuditIssue("link-variant", reference.url, pages, locs[key])


def _differ(url: str, loc: str | None) -> bool:
    return loc is not None and url != loc and decode_path(url) != decode_path(loc)


def redirects(graph: SiteGraph) -> Iterator[AuditIssue]:
    """Redirects to what does not exist, and redirects in a circle."""
    for page in graph.pages.values():
        if not page.redirect:
            continue
        place = graph.references.place_of(page.redirect)
        if place.is_missing and not place.section:
            yield AuditIssue("broken-redirect", page.redirect, [page.key])
    for circle in circles(graph.redirects):
        yield AuditIssue("redirect-loop", graph.pages[circle[0]].loc, circle)


def circles(following: Mapping[str, str]) -> Iterator[list[str]]:
    """The circles of two or more keys, each of which leads to the next one, the least key first."""
    seen = set[str]()
    for start in following:
        steps: dict[str, int] = {}
        key = start
        while key and key not in seen:
            seen.add(key)
            steps[key] = len(steps)
            key = following.get(key, "")
        if key in steps and len(steps) - steps[key] > 1:
            circle = list(steps)[steps[key] :]
            first = circle.index(min(circle))
            yield circle[first:] + circle[:first]
