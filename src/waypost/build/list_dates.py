"""Dates lists by the newest of their entries, if the settings ask for it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property

from waypost.core.model import Item
from waypost.dates.entry_dates import EntryDates, NewestEntry, is_later_page
from waypost.dates.source_dates import SourceDates
from waypost.files.source import Source
from waypost.pages.main_links import main_links
from waypost.pages.page_url import SiteUrls
from waypost.settings.schema import Site


class ListDates:
    """The newest entries of lists: of the pages to which their main content links, or that their source names.

    `locs` has all pages of the site by key, and `sources` knows what they are made of.
    """

    def __init__(
        self,
        source: Source,
        site: Site,
        locs: Mapping[str, str],
        read_entries: Callable[[], EntryDates],
        sources: SourceDates | None,
    ) -> None:
        self._source, self._locs, self._read_entries, self._sources = source, locs, read_entries, sources
        self._urls, self._newest_of_source = SiteUrls(locs, site), cache(self._newest_of_entries)

    @cached_property
    def _entries(self) -> EntryDates:
        return self._read_entries()

    def newest(self, item: Item) -> NewestEntry | None:
        """The newest entry of a list; None for a later page of a pagination, or where entries are not known."""
        if is_later_page(item.key) or item.entries == ():
            return None
        if item.entries is not None:
            return self._newest_of_source(item.entries)
        return self._entries.newest(list(self._linked_files(item)))

    def _newest_of_entries(self, keys: tuple[str, ...]) -> NewestEntry | None:
        """The newest of the entries that a source names; many lists have the same."""
        return self._entries.newest(f"{self._entries.prefix}{key}" for key in keys)

    def _linked_files(self, item: Item) -> Iterator[str]:
        """The main sources of the pages to which a built list links; a page without one is no entry."""
        try:
            data = self._source.read(item).data
        except OSError:
            return
        keys = dict.fromkeys(map(self._urls.key, main_links(data, self._locs[item.key])))
        for key in keys:
            if key is not None and key != item.key and self._sources:
                yield from self._sources.sources(key).files[:1]
