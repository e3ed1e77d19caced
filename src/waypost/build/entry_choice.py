"""Chooses among the URLs without a file those that are listed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.build.listing_notes import ListingNotes
from waypost.build.page_choice import IsDisallowed
from waypost.build.page_reader import ReadPage
from waypost.core import reasons
from waypost.core.model import UrlEntry
from waypost.pages.page_url import SiteUrls, entry_key
from waypost.pages.url_entries import EntryChoice
from waypost.settings.schema import Site


def chosen_entries(
    entries: Iterable[UrlEntry],
    read: Sequence[ReadPage],
    site: Site,
    is_disallowed: IsDisallowed | None,
    notes: ListingNotes,
) -> Mapping[str, UrlEntry]:
    """The URLs that are listed, by their keys."""
    keys = {each.item.key for each in read}
    chosen = ((entry_key(each.loc, site), each) for each in _chosen(entries, read, site, is_disallowed, notes))
    return {each.loc if key in keys else key: each for key, each in chosen}


def _chosen(
    entries: Iterable[UrlEntry],
    read: Sequence[ReadPage],
    site: Site,
    is_disallowed: IsDisallowed | None,
    notes: ListingNotes,
) -> Iterator[UrlEntry]:
    """The URLs that nothing leaves out: neither a file of the site, nor a setting, nor robots.txt; each once."""
    site_urls = SiteUrls({each.item.key: each.loc for each in read}, site)
    choice = EntryChoice(site)
    for entry in entries:
        if skipped := choice.skipped(entry):
            notes.leave_out(skipped.key, skipped.reason, skipped.detail)
        elif file := site_urls.key(entry.loc):
            notes.leave_out(entry.loc, reasons.OWN_FILE, file)
        elif is_disallowed and is_disallowed(entry.loc):
            notes.leave_out(entry.loc, reasons.ROBOTS_TXT)
        else:
            yield entry
