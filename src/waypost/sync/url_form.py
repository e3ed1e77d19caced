"""Finds the form of a bucket's URLs from the links on some of its pages."""

from waypost.core.model import OPEN_URL_FORM, Item, UrlForm
from waypost.rules import link_votes
from waypost.rules.site_links import links_of_sample
from waypost.sync.updater import Updater

_MAX_OBJECTS = 100_000
"""The pages are chosen among so many objects, the first of the bucket: each 1,000 cost a request."""


def find_url_form(updater: Updater) -> UrlForm:
    """The form that the site's links use now; pages that cannot be read show no links. Raises SourceError."""
    if not link_votes.needs_links(updater.site):
        return OPEN_URL_FORM
    items, last_key = _first_items(updater)

    def is_known(path: str) -> bool:
        return last_key is None or all(key <= last_key for key in link_votes.possible_targets(path, updater.site))

    return links_of_sample(updater.source, items, updater.site, is_known).form()


def _first_items(updater: Updater) -> tuple[dict[str, Item], str | None]:
    """The first possible pages by key, and the last key that was listed; None if that is all of the bucket."""
    items: dict[str, Item] = {}
    listed = 0
    for part in updater.source.list_items("", ()):
        for found in part:
            if isinstance(found, Item) and updater.exclusion_reason(found.key) is None:
                items[found.key] = found
        listed += len(part)
        if listed >= _MAX_OBJECTS:
            return items, part[-1].key
    return items, None
