"""Counts, before a rebuild changes anything, how many URLs it would move, and refuses too many.

The form of a bucket's URLs follows from the links on its pages: a few pages must not move the URLs of many. So a URL
that moves counts as one that is removed.
"""

from collections.abc import Iterator

from waypost.core import removals
from waypost.core.model import UrlForm
from waypost.ledger.manifest import Manifest
from waypost.rules import page_url
from waypost.rules.url_shapes import form_change
from waypost.sync.updater import Updater


def check_moved_urls(updater: Updater, before: Manifest, after: UrlForm, max_removed: int) -> None:
    """Raise RemovalError if a rebuild in another form would move more than this percentage of the listed URLs."""
    is_known = bool(before.built_at) and before.is_complete and before.page_count >= removals.MIN_LISTED
    if before.url_form == after or not is_known or max_removed == 100:
        return
    moved = list(_moved(updater, before, after))
    if removals.is_too_much(len(moved), before.page_count, max_removed):
        changes = form_change(before.url_form, after)
        advice = (
            f"the site's links use another form of URLs than before: {changes}; if the site answers at these URLs, "
            'send {"action": "rebuild", "max_removed": 100} once, or run `waypost build` with --set max_removed=100',
            "if it does not, find the pages with such links, or set drop_html and trailing_slash",
        )
        count = before.page_count
        raise removals.removal_error("listed URLs", len(moved), count, max_removed, moved, advice=advice)


def _moved(updater: Updater, before: Manifest, after: UrlForm) -> Iterator[str]:
    """The keys of the listed pages that have another URL in another form."""
    classifier = updater.manifest_updater(before).classifier
    old, new = updater.site_of(before.url_form), updater.site_of(after)
    for entry in before.entries:
        for record in updater.ledger.records_or_none(entry) or ():
            if classifier.exclusion_reason(record) is None:
                urls = (page_url.recorded_url(record.key, site, record.facts) for site in (old, new))
                if len(set(map(str, urls))) > 1:
                    yield record.key
