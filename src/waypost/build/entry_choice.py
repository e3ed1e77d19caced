"""Chooses among the URLs without a file those that are listed, and makes pages of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.build.listing_notes import ListingNotes
from waypost.build.page_choice import IsDisallowed
from waypost.build.page_reader import ReadPage
from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.dates import at_precision
from waypost.core.model import Page, UrlEntry
from waypost.core.urls import LOC_LIMIT
from waypost.rules.hreflang import Alternates
from waypost.rules.selection import Selection
from waypost.rules.site_urls import SiteUrls
from waypost.rules.url_entries import key_of, place


def chosen_entries(
    entries: Iterable[UrlEntry],
    read: Sequence[ReadPage],
    site: Site,
    is_disallowed: IsDisallowed | None,
    notes: ListingNotes,
) -> Mapping[str, UrlEntry]:
    """The URLs that are listed, by their keys."""
    keys = {each.item.key for each in read}
    chosen = ((key_of(each.loc, site), each) for each in _chosen(entries, read, site, is_disallowed, notes))
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
    seen: dict[str, UrlEntry] = {}
    for entry in entries:
        if not entry.loc.startswith(site.base_url):
            notes.leave_out(entry.loc, reasons.FOREIGN_URL, place(entry))
        elif len(entry.loc) >= LOC_LIMIT:
            notes.leave_out(entry.loc, reasons.LOC_TOO_LONG, place(entry))
        elif (first := seen.setdefault(entry.loc, entry)) is not entry:
            notes.leave_out(entry.loc, reasons.LISTED_TWICE, f"{place(entry)}, after {place(first)}")
        elif file := site_urls.key(entry.loc):
            notes.leave_out(entry.loc, reasons.OWN_FILE, file)
        elif site.exclude.decision(key_of(entry.loc, site)):
            notes.leave_out(entry.loc, reasons.EXCLUDED)
        elif is_disallowed and is_disallowed(entry.loc):
            notes.leave_out(entry.loc, reasons.ROBOTS_TXT)
        else:
            yield entry


def entry_page(key: str, entry: UrlEntry, alternates: Alternates, selection: Selection, site: Site) -> Page:
    """The page that lists a URL: what the list does not say, the settings may."""
    changefreq, priority = selection.changefreq_and_priority(key)
    return Page(
        key,
        entry.loc,
        entry.group or selection.group(key),
        at_precision(entry.lastmod, site.precision),
        entry.changefreq or changefreq,
        entry.priority or priority,
        alternates,
        entry.images if site.images else (),
    )
