"""Reads the links on some pages of a folder."""

from collections.abc import Iterable

from waypost.config.schema import Site
from waypost.core.model import Item
from waypost.rules.link_votes import needs_links
from waypost.rules.site_links import DRAFTS, SiteLinks, links_of_sample
from waypost.sources.base import Source


def read_site_links(source: Source, items: Iterable[Item], site: Site) -> SiteLinks:
    """What the site's links say of what the settings leave open; pages that cannot be read say nothing."""
    by_key = {item.key: item for item in items}
    if not needs_links(site) and not any(key.startswith(DRAFTS) for key in by_key):
        return SiteLinks()
    return links_of_sample(source, by_key, site)
