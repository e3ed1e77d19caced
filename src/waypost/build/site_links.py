"""Reads the links on some pages of a folder."""

from collections.abc import Iterable

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.model import Item
from waypost.rules import link_votes
from waypost.rules.site_links import DRAFTS, LinkingPage, SiteLinks, read_page, site_links
from waypost.sources.base import Source


def read_site_links(source: Source, items: Iterable[Item], site: Site) -> SiteLinks:
    """What the site's links say of what the settings leave open; pages that cannot be read say nothing."""
    by_key = {item.key: item for item in items}
    if not link_votes.needs_links(site) and not any(key.startswith(DRAFTS) for key in by_key):
        return SiteLinks()
    sample = [by_key[key] for key in link_votes.sample(by_key)]
    if len(sample) < link_votes.MIN_PAGES:
        return SiteLinks()

    def read(item: Item) -> LinkingPage:
        try:
            return read_page(item.key, source.read(item, link_votes.MAX_BYTES).data, site)
        except OSError:
            return LinkingPage(item.key, (), is_generated=False)

    found = site_links(concurrency.map_concurrently(read, sample, source.width), by_key, site)
    # Only if all pages were read, it is known that none links to the drafts.
    return found if len(sample) < link_votes.MAX_PAGES else found._replace(has_unlinked_drafts=False)
