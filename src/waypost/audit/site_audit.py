"""Audits the site of a folder: lists its pages, and reads the whole of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from waypost.audit import AskExternal, AuditedPage, Auditor, AuditResult, SiteFiles, read_server_rules
from waypost.build.job import Job, now
from waypost.build.lister import DateSources, Lister, Listing
from waypost.build.page_reader import Progress, ReadPage
from waypost.build.removal_guard import nothing_to_list
from waypost.core import reasons
from waypost.core.dates import format_unix_time
from waypost.core.errors import SourceError
from waypost.core.memory import keep_freed_memory
from waypost.core.model import Item, UrlEntry, printable
from waypost.files.source import Source
from waypost.pages import html_head
from waypost.pages.facts import PageFacts
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

_HTML = PAGE_TYPES["html"]
_UNKNOWN = frozenset({reasons.DANGLING_LINK, reasons.LINK_OUTSIDE, reasons.NOT_A_FILE, reasons.UNPUBLISHED})
"""What is left out for these reasons may be a file, or a folder with files, where the site is published."""
_NO_PAGES = frozenset({reasons.EMPTY, reasons.FRAGMENT, reasons.LFS_POINTER, reasons.VERIFICATION})


class PagesRead:
    """The pages that a listing has read; an audit reads the whole of each HTML page among them."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Item, AuditedPage]] = {}

    def add(self, page: ReadPage) -> None:
        """Add a page that was read, with its whole head."""
        self._read[page.item.key] = page.item, _audited(page)

    def audit(
        self, source: Source, site: Site, listing: Listing, progress: Progress, ask: AskExternal | None = None
    ) -> AuditResult:
        """Audit the site of this listing; `ask` asks the servers of other sites for the URLs that the pages name."""
        pages = _with_reasons(self._read, listing)
        files = _files(listing, source, site)
        auditor = Auditor([page for _, page in pages], files, site, with_external=ask is not None)
        for number, (item, page) in enumerate(pages):
            progress("auditing pages", number, len(pages))
            if page.is_html:
                _add(auditor, source, item, page)
        progress("auditing pages", len(pages), len(pages))
        while keys := auditor.style_sheets():
            for key in keys:
                auditor.add_style_sheet(key, _content(source, key))
        return auditor.result(dict(site.audit_severity), ask(auditor.external_urls()) if ask else None)


def audit_job(job: Job, progress: Progress, ask: AskExternal | None = None) -> AuditResult:
    """Audit the site of a run as a graph of pages; `ask` asks the servers of other sites. Raises SourceError."""
    at = format_unix_time(now())
    entries = job.named_urls(at).entries
    return audit_site(job.input.source, job.site, at, progress, job.input.ignored()[0], entries, ask)


def audit_site(
    source: Source,
    site: Site,
    now: str,
    progress: Progress,
    ignored: frozenset[str] = frozenset(),
    entries: Sequence[UrlEntry] = (),
    ask: AskExternal | None = None,
) -> AuditResult:
    """Audit a site; raises SourceError if its folder cannot be listed, or lists no page.

    `ignored` are the keys that Git ignores, for folders with a final `/`, if the settings leave these out. Links to
    `entries`, which have no file, are not broken. `ask` asks the servers of other sites.
    """
    keep_freed_memory()
    read = PagesRead()
    undated = replace(site, lastmod="none", page_dates=False, images=False, videos=False, news=None)
    listing = Lister(source, undated, DateSources(now), progress, read.add, entries=entries).listing(ignored)
    if not listing.pages:
        raise SourceError(nothing_to_list(listing.skipped, site))
    return read.audit(source, site, listing, progress, ask)


def _add(auditor: Auditor, source: Source, item: Item, page: AuditedPage) -> None:
    try:
        body = source.read(item)
    except OSError:
        auditor.add_unreadable(page.key)
        return
    most = html_head.HEAD_SIZES[-1]
    auditor.add(page, body.data[:most], is_whole=body.is_whole and len(body.data) <= most)


def _content(source: Source, key: str) -> bytes:
    """The beginning of a file; empty if it cannot be read."""
    try:
        return source.read(Item(key, key)).data[: html_head.HEAD_SIZES[-1]]
    except OSError:
        return b""


def _audited(read: ReadPage) -> AuditedPage:
    key, head = read.item.key, read.facts.head
    redirect = _redirect(read.facts, read.loc)
    return AuditedPage(key, read.loc, head, redirect, is_html=key.lower().endswith(_HTML))


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
            found.append((item, _left_out(page, str(reason))))
    return found


def _left_out(page: AuditedPage, reason: str) -> AuditedPage:
    if not reason:
        return page
    return AuditedPage(page.key, page.loc, page.head, page.redirect, reason, page.is_html)


def _files(listing: Listing, source: Source, site: Site) -> SiteFiles:
    folders = {each.key for each in listing.skipped if each.key.endswith("/") or each.reason in _UNKNOWN}
    keys = {page.key for page in listing.pages} | {each.key for each in listing.skipped if each.key not in folders}
    rules = read_server_rules(_finder(source), urlsplit(site.base_url).path)
    listed = {unquote(page.loc[len(site.base_url) :]): page.key for page in listing.pages}
    return SiteFiles(keys, folders, site, rules, listed)


def _finder(source: Source) -> Callable[[str], bytes | None]:
    """Reads a file of the site; one that cannot be read has no rules."""

    def find(key: str) -> bytes | None:
        try:
            return source.find(key)
        except OSError:
            return None

    return find
