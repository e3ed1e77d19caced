"""The stages in their order: source, rules, sharding, render, store. Nothing else knows it."""

from collections.abc import Callable, Mapping
from hashlib import blake2b

from waypost import ledger, plan
from waypost.config import Site
from waypost.documents import documents
from waypost.errors import SourceError
from waypost.ledger import Ledger, Remembered
from waypost.listing import Lister, Listing, Memory, Progress
from waypost.model import Plan, Reason, Shard
from waypost.render import Renderer
from waypost.rules import url
from waypost.rules.lastmod import at_precision
from waypost.rules.select import Selection
from waypost.sources import Source
from waypost.stores import Store


def build(
    source: Source,
    site: Site,
    store: Store,
    memory: Memory,
    renderer: Renderer,
    *,
    ignored: frozenset[str] = frozenset(),
    progress: Progress = lambda stage, done, total: None,
) -> Plan:
    """Plan the publication of a whole site; nothing is written.

    Raises SourceError where there is nothing to list (an empty `urlset` is no sitemap) and
    RenderError where a document would break the protocol.
    """
    listing = Lister(source, site, memory, progress).listing(ignored)
    if not listing.pages:
        raise SourceError(_nothing(listing))
    progress("rendering", 0, None)
    seen: dict[str, Remembered] = {}
    dated = _dated(site, memory, listing, seen)
    made = documents(listing.pages, site, renderer, lambda *file: at_precision(dated(*file), site.precision))
    if site.robots_sitemaps:
        made.append(plan.robots_document(made, site, renderer, store, source.find("robots.txt")))
    progress("comparing", 0, None)
    state = ledger.dump(Ledger(listing.seen, seen)) if site.lastmod == "content" else None
    return plan.plan(listing, made, site, store, state)


def _dated(
    site: Site, memory: Memory, listing: Listing, seen: dict[str, Remembered]
) -> Callable[[Shard, str, bytes], str | None]:
    """How to tell when a sitemap file last changed: by commits, or by what is remembered of it."""
    if site.lastmod == "content":

        def by_content(_: Shard, name: str, body: bytes) -> str | None:
            digest = blake2b(body, digest_size=16).hexdigest()
            seen[name] = ledger.remember(memory.ledger.sitemaps.get(name), digest, now=memory.now)
            return seen[name].lastmod

        return by_content
    if memory.commits is None:
        return lambda shard, name, body: None
    touches = memory.commits().touches(_placed(site, {page.key: page.group for page in listing.pages}))
    return lambda shard, name, body: touches.of(shard, listing.dates)


def _placed(site: Site, listed: Mapping[str, str]) -> Callable[[str], str | None]:
    """The group of a key that may be a page, listed or not: one that turned noindex has left its sitemap."""
    selection = Selection(site)

    def place(key: str) -> str | None:
        if key in listed:
            return listed[key]
        is_no_page = selection.reason(key) or isinstance(url.loc(key, site), Reason)
        return None if is_no_page else selection.group(key)

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
