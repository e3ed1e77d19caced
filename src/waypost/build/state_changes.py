"""Counts what changed since the last run by the state, where no sitemap of that run is left.

A site that every build makes again, and that is published as an artifact, has no sitemap in its folder yet.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from waypost.build.lister import Listing
from waypost.build.state import ContentDate
from waypost.config.schema import Site
from waypost.core.model import Changes, Plan
from waypost.rules import page_url

_COMPARED = "the state of the last run"


def with_changes_since(known: Mapping[str, ContentDate], plan: Plan, listing: Listing, site: Site) -> Plan:
    """The plan with the changes since the pages that a state knows, by key, unless it was compared with sitemaps."""
    if plan.listed_before or not known:
        return plan
    locs = {page.key: page.loc for page in listing.pages}
    gone = (page_url.page_url(key, site) for key in known.keys() - locs.keys())
    changes = Changes(
        added=tuple(sorted(locs[key] for key in locs.keys() - known.keys())),
        removed=tuple(sorted({loc for loc in gone if isinstance(loc, str)} - set(locs.values()))),
        lastmod_changed=tuple(
            sorted(locs[key] for key in locs.keys() & known.keys() if _has_another_date(key, known, listing))
        ),
    )
    return replace(plan, changes=changes, listed_before=len(known), compared_with=_COMPARED)


def _has_another_date(key: str, known: Mapping[str, ContentDate], listing: Listing) -> bool:
    found = listing.contents.get(key)
    return found is not None and found.lastmod != known[key].lastmod
