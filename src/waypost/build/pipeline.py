"""The stages in their order: source, rules, sharding, render, store. Nothing else knows it."""

import re
from collections.abc import Callable

from msgspec.structs import replace

from waypost.build import plan, state
from waypost.build.lister import DateSources, Lister, Listing, Progress
from waypost.build.state import ContentDate, State
from waypost.config.schema import Site
from waypost.core.dates import at_precision
from waypost.core.errors import SourceError
from waypost.core.hashing import content_digest
from waypost.core.model import Example, Plan, Shard, SiteWarning
from waypost.core.reasons import Reason
from waypost.core.warnings import MESSAGES
from waypost.rules import page_url
from waypost.rules.commit_dates import GroupOf
from waypost.rules.selection import Selection
from waypost.sitemaps.documents import documents
from waypost.sitemaps.render import Renderer
from waypost.sources.base import Source
from waypost.stores.base import Store

_NEVER_BUILT = re.compile(
    r"^(?:data|drafts|includes|layouts|plugins|sass)/"
    r"|(?:^|/)(?:_|(?:README|CHANGELOG|CONTRIBUTING|LICENSE|SECURITY)(?:/index)?\.html$)"
)
"""Pages that a mapping makes of files beside a site's sources, and no generator does."""
_STATE_LOST = SiteWarning(
    "state-lost",
    "the state is empty, though sitemaps stand: the dates in them are forgotten; see that it is kept between runs",
)


def list_pages(
    source: Source, site: Site, memory: DateSources, progress: Progress, ignored: frozenset[str] = frozenset()
) -> Listing:
    """The first half: what the source holds, by the site's rules."""
    return Lister(source, site, memory, progress).listing(ignored)


def plan_publication(
    listing: Listing,
    source: Source,
    site: Site,
    store: Store,
    memory: DateSources,
    renderer: Renderer,
    progress: Progress = lambda stage, done, total: None,
) -> Plan:
    """The second half: what would be published of a listing; nothing is written.

    Raises SourceError where there is nothing to list (an empty `urlset` is no sitemap) and
    RenderError where a document would break the protocol.
    """
    if not listing.pages:
        raise SourceError(_nothing(listing))
    progress("rendering", 0, None)
    seen: dict[str, ContentDate] = {}
    dated = _file_dates(site, memory, listing, seen)
    made = documents(listing.pages, site, renderer, lambda *file: at_precision(dated(*file), site.precision))
    if site.robots_sitemaps:
        made.append(plan.robots_document(made, site, renderer, store, _robots_txt(source)))
    progress("comparing", 0, None)
    kept = state.dump(State(listing.contents, seen)) if site.lastmod == "content" else None
    found = plan.make_plan(listing, made, site, store, kept)
    is_forgotten = kept is not None and not memory.state.pages and found.changes.lastmod_changed
    warned = [*([_STATE_LOST] if is_forgotten else []), *_stale_robots_lines(found, site, source)]
    return replace(found, warnings=[*found.warnings, *warned]) if warned else found


def _stale_robots_lines(found: Plan, site: Site, source: Source) -> list[SiteWarning]:
    """The warning of a robots.txt that is not kept right, and names what is removed."""
    if site.robots_sitemaps or not found.removed:
        return []
    text = (_robots_txt(source) or b"").decode("utf-8", "replace")
    named = [name for name in found.removed if site.base_url + name in text.split()]
    examples = tuple(Example("robots.txt", site.base_url + name) for name in named[:3])
    return [SiteWarning("robots-stale", MESSAGES["robots-stale"], len(named), examples)] if named else []


def _robots_txt(source: Source) -> bytes | None:
    try:
        return source.find("robots.txt")
    except OSError as error:
        raise SourceError(f"robots.txt cannot be read, and so cannot be kept right: {error.strerror}") from error


def _file_dates(
    site: Site, memory: DateSources, listing: Listing, seen: dict[str, ContentDate]
) -> Callable[[Shard, str, bytes], str | None]:
    """How to tell when a sitemap file last changed: by commits, or by what is remembered of it."""
    if site.lastmod == "content":

        def by_content(_: Shard, name: str, body: bytes) -> str | None:
            seen[name] = state.date_content(memory.state.sitemaps.get(name), content_digest(body), now=memory.now)
            return seen[name].lastmod

        return by_content
    if memory.commits is None:
        return lambda shard, name, body: None
    touches = memory.commits().touches(_present(site, listing), _removed(site, listing))
    return lambda shard, name, body: touches.of(shard, listing.commit_dates)


def _present(site: Site, listing: Listing) -> GroupOf:
    """Places the site's pages, listed or not: one that turned noindex has left its sitemap."""
    selection = Selection(site)
    groups = {skipped.key: selection.group(skipped.key) for skipped in listing.skipped if skipped.reason.is_about_page}
    groups |= {page.key: page.group for page in listing.pages}
    return groups.get


def _removed(site: Site, listing: Listing) -> GroupOf:
    """Places keys that could be pages, were they still there.

    Of built pages it takes none that is there still, made of something else, and none that no generator builds.
    """
    selection = Selection(site)
    built = {page.key for page in listing.pages} if site.source_mappings else frozenset()

    def place(key: str) -> str | None:
        if selection.exclusion_reason(key) or isinstance(page_url.page_url(key, site), Reason):
            return None
        is_unbuilt = key in built or (site.source_mappings and _NEVER_BUILT.search(key))
        return None if is_unbuilt else selection.group(key)

    return place


def _nothing(listing: Listing) -> str:
    reasons: dict[str, int] = {}
    for skipped in listing.skipped:
        reasons[skipped.reason] = reasons.get(skipped.reason, 0) + 1
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    return (
        f"there is no page to list ({left_out or 'the folder is empty'}); what was published before still stands. "
        "`waypost explain` says why a file is left out"
    )
