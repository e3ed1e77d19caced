"""Audits the site of a folder: lists its pages, and reads the whole of each."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from urllib.parse import unquote, urlsplit

from msgspec import structs

from waypost.audit import link_checks, loaded_files, page_checks
from waypost.audit.link_checks import external_urls
from waypost.audit.pages import AuditedPage
from waypost.audit.result import AskExternal, AuditCounts, AuditIssue, AuditResult, ExternalAnswers, gather
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.build.job import Job, now
from waypost.build.lister import DateSources, Lister, Listing
from waypost.build.page_reader import Progress, ReadPage
from waypost.build.removal_guard import nothing_to_list
from waypost.core import reasons
from waypost.core.dates import format_unix_time
from waypost.core.errors import SourceError
from waypost.core.model import Item, printable
from waypost.core.urls import is_host_root
from waypost.files.source import Source
from waypost.pages import html_head
from waypost.pages.facts import PageFacts
from waypost.pages.robots import GOOGLE, CrawlerRules, rules_for
from waypost.project.server_rules import read_server_rules
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

_HTML = PAGE_TYPES["html"]
_UNKNOWN = frozenset({reasons.LINK_OUTSIDE, reasons.NOT_A_FILE, reasons.UNPUBLISHED})
"""What is left out for these reasons may be a file, or a folder with files, where the site is published."""
_MOST_BYTES = 16_777_216
"""So much of a page or style sheet is read; Crossplane's reference of its API is one page of 5 MB."""
_NO_PAGES = frozenset({reasons.EMPTY, reasons.FRAGMENT, reasons.LFS_POINTER, reasons.VERIFICATION})
_CHECKS = (
    link_checks.broken_references,
    link_checks.private_references,
    link_checks.unused_ignores,
    loaded_files.insecure_files,
    loaded_files.empty_sources,
    link_checks.indirect_links,
    link_checks.redirects,
    page_checks.canonical_links,
    page_checks.alternates,
    page_checks.folders,
    page_checks.texts,
    page_checks.unlinked_pages,
)


class PagesRead:
    """The pages that a listing has read; an audit reads the whole of each HTML page among them."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Item, AuditedPage]] = {}

    def add(self, page: ReadPage) -> None:
        """Add a page that was read, with its whole head."""
        key, head = page.item.key, page.facts.head
        redirect = _redirect(page.facts, page.loc)
        self._read[key] = page.item, AuditedPage(key, page.loc, head, redirect, is_html=key.lower().endswith(_HTML))

    def audit(
        self, source: Source, site: Site, listing: Listing, progress: Progress, ask: AskExternal | None = None
    ) -> AuditResult:
        """Audit the site of this listing; `ask` asks the servers of other sites for the URLs that the pages name."""
        pages = _with_reasons(self._read, listing)
        files = _files(listing, source, site)
        graph = SiteGraph([page for _, page in pages], files, site, keeps_queries=ask is not None)
        unreadable: list[str] = []
        for number, (item, page) in enumerate(pages):
            progress("auditing pages", number, len(pages))
            if page.is_html and not _is_added(graph, source, item, page):
                unreadable.append(page.key)
        progress("auditing pages", len(pages), len(pages))
        while keys := graph.style_sheets():
            for key in keys:
                graph.add_style_sheet(key, _content(source, key))
        answers = ask(external_urls(graph)) if ask else None
        return audit_graph(graph, unreadable, dict(site.audit_severity), answers, _google_rules(source, site))


def audit_job(job: Job, progress: Progress, ask: AskExternal | None = None) -> AuditResult:
    """Audit the site of a run as a graph of pages; raises SourceError if its folder cannot be listed, or has no page.

    Links to URLs that the settings name, which have no file, are not broken. `ask` asks the servers of other sites.
    """
    source, site, at = job.input.source, job.site, format_unix_time(now())
    read, entries = PagesRead(), job.named_urls(at).entries
    undated = replace(site, lastmod="none", page_dates=False, images=False, videos=False, news=None)
    lister = Lister(source, undated, DateSources(at), progress, read.add, entries=entries)
    listing = lister.listing(job.input.ignored()[0])
    if not listing.pages:
        raise SourceError(nothing_to_list(listing.skipped, site))
    return read.audit(source, site, listing, progress, ask)


def _is_added(graph: SiteGraph, source: Source, item: Item, page: AuditedPage) -> bool:
    """Add a page to the graph; False if it cannot be read, or is too long."""
    try:
        body = source.read(item, _MOST_BYTES)
    except OSError:
        return False
    if body.is_whole:
        graph.add(page, body.data)
    return body.is_whole


def _content(source: Source, key: str) -> bytes:
    """The beginning of a file; empty if it cannot be read."""
    try:
        return source.read(Item(key, key), _MOST_BYTES).data
    except OSError:
        return b""


def _redirect(facts: PageFacts, loc: str) -> str:
    """The URL to which a page sends visitors, by a meta refresh or a script, or `""`."""
    if facts.non_page == reasons.REFRESH:
        target = html_head.resolved(facts.non_page_detail, facts.head, loc)
        return "" if target in (None, loc) else str(target)
    return html_head.refresh_target(facts.head, loc) or ""


def _with_reasons(read: Mapping[str, tuple[Item, AuditedPage]], listing: Listing) -> list[tuple[Item, AuditedPage]]:
    """The pages with the reasons for which they are left out, without files that are no pages by their content."""
    by_key = {skipped.key: skipped.reason for skipped in listing.skipped}
    listed = {page.key for page in listing.pages}
    found: list[tuple[Item, AuditedPage]] = []
    for item, page in read.values():
        reason = "" if page.key in listed else by_key.get(printable(page.key), reasons.EXCLUDED)
        if reason not in _NO_PAGES:
            found.append((item, structs.replace(page, reason=str(reason))))
    return found


def _files(listing: Listing, source: Source, site: Site) -> SiteFiles:
    folders = {each.key for each in listing.skipped if each.key.endswith("/") or each.reason in _UNKNOWN}
    # A symbolic link to nothing is copied as it is, or dropped: no server answers there.
    files = (each.key for each in listing.skipped if each.reason != reasons.DANGLING_LINK)
    keys = {page.key for page in listing.pages} | {key for key in files if key not in folders}
    rules = read_server_rules(partial(_find, source), urlsplit(site.base_url).path)
    listed = {unquote(page.loc[len(site.base_url) :]): page.key for page in listing.pages}
    return SiteFiles(keys, folders, site, rules, listed)


def _google_rules(source: Source, site: Site) -> CrawlerRules | None:
    """The rules for Google's crawler in the robots.txt of a site at the root of its host; None if all is allowed."""
    text = _find(source, "robots.txt") if is_host_root(site.base_url) else None
    try:
        rules = rules_for(text or b"", (GOOGLE,))[GOOGLE]
    except SourceError:  # a build says that the rules are too many
        return None
    return None if rules.allows_all else rules


def _find(source: Source, key: str) -> bytes | None:
    """The content of a file of the site; one that cannot be read has no rules."""
    try:
        return source.find(key)
    except OSError:
        return None


def audit_graph(
    graph: SiteGraph,
    unreadable: Iterable[str],
    severities: Mapping[str, str],
    external: ExternalAnswers | None = None,
    google: CrawlerRules | None = None,
) -> AuditResult:
    """The findings; each HTML page was added to the graph, or is among the keys of those that are `unreadable`.

    `severities` has the severity, or `off`, of codes for which it is not the usual one. `external` has what became of
    the links to other sites, if their servers were asked, and `google` the rules of robots.txt for Google's crawler.
    """
    issues = chain(
        *(check(graph) for check in _CHECKS),
        graph.fragments.broken(lambda key: graph.pages[key].loc),
        (AuditIssue("unreadable", key, [key]) for key in unreadable),
        link_checks.external_links(graph, external) if external else (),
        loaded_files.blocked_files(graph, google) if google else (),
    )
    findings = gather(issues, severities)
    return AuditResult(findings, _counts(graph, external), unchecked=link_checks.unchecked(graph))


def _counts(graph: SiteGraph, external: ExternalAnswers | None) -> AuditCounts:
    """How much was checked; what was asked was checked, too."""
    depths, unreachable = page_checks.depths(graph)
    return AuditCounts(
        pages=len(graph.texts),
        listed=len(graph.listed),
        links=graph.link_count(),
        fragments=graph.fragments.checked,
        not_checked={why: n for why, n in graph.not_checked().items() if not (external and why == "other-site")},
        external=external.counts if external else None,
        depths=depths,
        unreachable=unreachable,
        depths_not_known=page_checks.depths_not_known(graph),
        texts=page_checks.text_counts(graph),
    )
