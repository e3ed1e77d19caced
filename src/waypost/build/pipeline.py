"""The second half of a build, from what is listed to what is published: dates, sharding, rendering, comparison."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from waypost.build import plan, removal_guard, site_checks, state
from waypost.build.lister import DateSources, Listing
from waypost.build.page_reader import Progress
from waypost.build.state import ContentDate, State
from waypost.core.dates import at_precision
from waypost.core.errors import SourceError
from waypost.core.finding_types import stated_warning
from waypost.core.model import Document, Plan, Shard
from waypost.core.reasons import Reason
from waypost.dates.commit_dates import GroupOf
from waypost.files import Store
from waypost.files.source import Source
from waypost.pages import page_url
from waypost.pages.selection import Selection
from waypost.settings.schema import Site
from waypost.sitemaps.documents import FileDate, ShardMemory, documents
from waypost.sitemaps.render import Renderer

_NEVER_BUILT = re.compile(
    r"^(?:data|drafts|includes|layouts|plugins|sass)/"
    r"|(?:^|/)(?:_|(?:README|CHANGELOG|CONTRIBUTING|LICENSE|SECURITY)(?:/index)?\.html$)"
)
"""Keys that a source mapping gives for files that no generator turns into pages."""


def plan_publication(
    listing: Listing,
    source: Source,
    site: Site,
    store: Store,
    date_sources: DateSources,
    renderer: Renderer,
    progress: Progress = lambda stage, done, total: None,
    compared: Mapping[str, bytes] | None = None,
    compare_problem: str = "",
) -> Plan:
    """The second half: what would be published of a listing; nothing is written.

    `compared` are the current sitemaps by name, if they are not those in the store, and `compare_problem` says why
    they could not be fetched.
    Raises SourceError if there is no page to list (an empty `urlset` is not a sitemap), and RenderError if a document
    would break the protocol.
    """
    if not (listing.pages or listing.children):
        raise SourceError(removal_guard.nothing_to_list(listing.skipped, site))
    progress("rendering", 0, None)
    made, contents = render(listing, site, date_sources, renderer)
    if site.robots_sitemaps:
        made.append(plan.robots_document(made, site, renderer, store, _robots_txt(listing)))
    progress("comparing", 0, None)
    is_kept = site.lastmod == "content" and not site.preview
    kept = state.dump(State(listing.contents, contents, base_url=site.base_url)) if is_kept else None
    found = plan.make_plan(listing, made, site, store, kept, compared)
    if compared is None:
        found = plan.with_changes_since(date_sources.state.pages, found, listing, site)
    is_state_lost = kept is not None and not date_sources.state.pages and found.changes.lastmod_changed
    new_warnings = [stated_warning("state-lost")] if is_state_lost else []
    if found.removed and not site.robots_sitemaps:
        new_warnings += site_checks.stale_robots_lines(found, site, _robots_txt(listing) or b"")
    new_warnings += site_checks.unmatched_sources(found, site, date_sources.commits() if date_sources.commits else None)
    if site.compare and compared is None:
        reason = compare_problem or f"there is no sitemap at {site.compare}, which `compare` names"
        new_warnings.append(stated_warning("not-compared", reason=reason))
    new_warnings += site_checks.contradictions(found, listing, source, site, store, renderer)
    return replace(found, warnings=[*found.warnings, *new_warnings]) if new_warnings else found


def render(
    listing: Listing, site: Site, date_sources: DateSources, renderer: Renderer, memory: ShardMemory | None = None
) -> tuple[list[Document], Mapping[str, ContentDate]]:
    """The documents of a listing, and what a state is to remember of each; shards in the `memory` are not rendered.

    Raises RenderError.
    """
    contents: dict[str, ContentDate] = {}
    file_date = _file_dates(site, date_sources, listing, contents)

    def rounded_date(shard: Shard, document: Document) -> str | None:
        return at_precision(file_date(shard, document), site.precision)

    return documents(listing.pages, site, renderer, rounded_date, listing.children, memory), contents


def _robots_txt(listing: Listing) -> bytes | None:
    """The site's robots.txt, whose `Sitemap:` lines count; raises SourceError if it cannot be read."""
    text, problem = listing.robots_txt, listing.robots_problem
    if problem:
        raise SourceError(f"robots.txt cannot be read, so its `Sitemap:` lines cannot be updated: {problem}")
    return text


def _file_dates(site: Site, date_sources: DateSources, listing: Listing, contents: dict[str, ContentDate]) -> FileDate:
    """How a sitemap file gets its date: from commits, or from what the state remembers of it, noted in `contents`."""
    if site.lastmod == "content":

        def by_content(_: Shard, document: Document) -> str | None:
            name = document.name
            contents[name] = state.date_content(
                date_sources.state.sitemaps.get(name), document.digest, now=date_sources.now
            )
            return contents[name].lastmod

        return by_content
    if date_sources.commits is None:
        return lambda shard, document: None
    touches = date_sources.commits().touches(_present(site, listing), _removed(site, listing))

    def by_commit(shard: Shard, document: Document) -> str | None:
        """No commit says when a URL without a file came to a sitemap, so a sitemap with one has no date."""
        del document
        has_entry = bool(listing.entry_keys) and any(page.key in listing.entry_keys for page in shard.pages)
        return None if has_entry else touches(shard, listing.commit_dates)

    return by_commit


def _present(site: Site, listing: Listing) -> GroupOf:
    """The groups of the current pages, listed or not: a page that became noindex was removed from its sitemap."""
    selection = Selection(site)
    groups = {skipped.key: selection.group(skipped.key) for skipped in listing.skipped if skipped.reason.is_about_page}
    groups |= {page.key: page.group for page in listing.pages}
    return groups.get


def _removed(site: Site, listing: Listing) -> GroupOf:
    """The groups of keys that would be pages if their files still existed.

    For built sites it leaves out pages that still exist, built from another file, and those that no generator builds.
    """
    selection = Selection(site)
    built = {page.key for page in listing.pages} if site.sources else frozenset()

    def group_of(key: str) -> str | None:
        if selection.exclusion_reason(key) or isinstance(page_url.page_url(key, site), Reason):
            return None
        is_unbuilt = key in built or (site.sources and _NEVER_BUILT.search(key))
        return None if is_unbuilt else selection.group(key)

    return group_of
