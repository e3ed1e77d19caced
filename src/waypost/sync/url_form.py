"""Finds the form of a bucket's URLs from the links on some of its pages."""

from waypost.core import concurrency
from waypost.core.model import OPEN_URL_FORM, Item, UrlForm
from waypost.rules import link_votes
from waypost.rules.site_links import LinkingPage, read_page, site_links
from waypost.sync.updater import Updater

_MAX_OBJECTS = 100_000
"""The pages are chosen among so many objects, the first of the bucket: each 1,000 cost a request."""


def find_url_form(updater: Updater) -> UrlForm:
    """The form that the site's links use now; pages that cannot be read show no links. Raises SourceError."""
    if not link_votes.needs_links(updater.site):
        return OPEN_URL_FORM
    items, last_key = _first_items(updater)
    sample = [items[key] for key in link_votes.sample(items)]
    if len(sample) < link_votes.MIN_PAGES:
        return OPEN_URL_FORM

    def read(item: Item) -> LinkingPage:
        try:
            page = read_page(item.key, updater.source.read(item, link_votes.MAX_BYTES).data, updater.site)
        except OSError:
            return LinkingPage(item.key, (), is_generated=False)
        known = (path for path in page.paths if _are_listed(link_votes.possible_targets(path, updater.site), last_key))
        return page._replace(paths=tuple(known))

    pages = concurrency.map_concurrently(read, sample, updater.source.width)
    return site_links(pages, items, updater.site).form()


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


def _are_listed(keys: list[str], last_key: str | None) -> bool:
    """Whether it is known of all of these keys if there is such an object."""
    return last_key is None or all(key <= last_key for key in keys)
