"""Updates the hreflang alternates in a bucket's records when some of its pages change.

Pages are alternates only if they name each other. So a change of one page can alter only its own alternates and those
of pages that it names, before or after the change.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import Page
from waypost.core.urls import path_on_site
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import Edits
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.hreflang import HreflangIssue, HreflangLinks, PageLinks, page_links
from waypost.rules.site_urls import SiteUrls
from waypost.rules.url_shapes import stem_of

_CACHED_URLS = 100_000
ListedPage = Callable[[Record], Page | None]
"""Returns the page to list for a record, or None."""


class _LinkedPage(NamedTuple):
    """A listed page: its loc, and its links."""

    loc: str
    links: PageLinks


class _Pages:
    """The records of a ledger at one time by key, and their listed pages; the links of each are read once."""

    def __init__(self, record: Callable[[str], Record | None], listed_page: ListedPage) -> None:
        self.record, self._listed_page = record, listed_page
        self._pages: dict[str, _LinkedPage | None] = {}

    def page(self, key: str) -> _LinkedPage | None:
        """The listed page of a key, if there is one."""
        if key not in self._pages:
            record = self.record(key)
            listed = self._listed_page(record) if record else None
            linked = _LinkedPage(listed.loc, page_links(record.facts.head, listed.loc)) if record and listed else None
            self._pages[key] = linked
        return self._pages[key]

    def pages(self, keys: Collection[str]) -> dict[str, _LinkedPage]:
        """The listed pages of these keys; in order, so that a cache of few shards loads each of them once."""
        return {key: page for key in sorted(keys) if (page := self.page(key))}


class HreflangUpdater:
    """Updates the records of one site."""

    def __init__(self, site: Site, listed_page: ListedPage) -> None:
        self._site, self._listed_page = site, listed_page
        self._keys_at = lru_cache(maxsize=_CACHED_URLS)(self._find_keys_at)

    def apply_edits(
        self, edits: Edits, cache: RecordCache, unverified: Collection[str] = ()
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records whose alternates change because of these edits, and the issues with the links of their pages.

        Also the records of `unverified` keys whose alternates name pages that are gone.
        """
        before = _Pages(cache.record, self._listed_page)
        now = _Pages(lambda key: edits[key] if key in edits else cache.record(key), self._listed_page)
        changed = self._changed_keys(edits, before, now)
        states = (each.pages(changed).values() for each in (before, now))
        named = {key for pages in states for key in self._keys_named_by(pages)} - changed
        named_back = {
            key for key, page in now.pages(named).items() if not changed.isdisjoint(self._keys_named_by([page]))
        }
        return self._recompute(changed.union(named_back, unverified), now)

    def recompute(
        self, known: Mapping[str, Record], cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records among these whose alternates are out of date, and the issues with the links of their pages."""
        keys = {key for key, record in known.items() if record.alternates or record.facts.head.alternates}
        return self._recompute(keys, _Pages(lambda key: known.get(key) or cache.record(key), self._listed_page))

    def _changed_keys(self, edits: Edits, before: _Pages, now: _Pages) -> set[str]:
        """The keys of pages whose links, or whose URLs, the edits change."""
        changed: set[str] = set()
        for key in edits:
            old, new = before.page(key), now.page(key)
            if old != new or before.record(key) is None:
                changed.add(key)
            if (old and old.loc) != (new and new.loc):  # another file may have answered at its URL, or does now
                locs = (each and each.loc for each in (old, new))
                changed.update(each for loc in locs for each in page_url.same_url_keys(key, loc, self._site))
        return changed

    def _recompute(self, keys: Collection[str], now: _Pages) -> tuple[dict[str, Record], list[HreflangIssue]]:
        pages = now.pages(keys)
        found = now.pages(self._needed_keys(pages) | pages.keys())
        site_urls = SiteUrls({key: page.loc for key, page in found.items()}, self._site)
        links = HreflangLinks({page.loc: page.links for page in found.values()}, site_urls)
        changed: dict[str, Record] = {}
        issues: list[HreflangIssue] = []
        for key in sorted(keys):
            alternates, more = links.alternates(pages[key].loc) if key in pages else ((), ())
            issues += more
            if (record := now.record(key)) and record.alternates != alternates:
                changed[key] = replace(record, alternates=alternates)
        return changed, issues

    def _needed_keys(self, pages: Mapping[str, _LinkedPage]) -> set[str]:
        """The keys on which the alternates depend: those that the pages name, and those that may have their URLs."""
        linked = ((key, page.loc) for key, page in pages.items() if page.links.urls)
        families = {each for key, loc in linked for each in page_url.same_url_keys(key, loc, self._site)}
        return families | self._keys_named_by(pages.values())

    def _keys_named_by(self, pages: Iterable[_LinkedPage]) -> set[str]:
        """The keys of the files that links of these pages may name."""
        return {key for page in pages for url in page.links.urls.values() for key in self._keys_at(url)}

    def _find_keys_at(self, url: str) -> list[str]:
        """The keys of the files that a URL may name; none for a URL of another site."""
        found = path_on_site(url, self._site.base_url)
        stem = stem_of(unquote(found.path)) if found and not found.query else None
        keys = [] if stem is None else sorted(page_url.keys_at(stem, self._site))
        return [*keys, page_url.entry_key(url, self._site)] if found and self._site.has_url_entries else keys
