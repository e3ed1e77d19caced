"""Updates the hreflang alternates in a bucket's records when some of its pages change.

Pages are alternates only if they name each other. So a change of one page can alter only its own alternates and those
of pages that it names, before or after the change.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import Page
from waypost.core.urls import path_on_site
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import Edits
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.hreflang import HreflangIssue, HreflangLinks, named_urls
from waypost.rules.site_urls import SiteUrls
from waypost.rules.url_shapes import stem_of

_CACHED_URLS = 100_000
FindRecord = Callable[[str], Record | None]


class HreflangUpdater:
    """Updates the records of one site; `page` returns the page to list for a record, or None."""

    def __init__(self, site: Site, page: Callable[[Record], Page | None]) -> None:
        self._site, self._page = site, page
        self._keys_at = lru_cache(maxsize=_CACHED_URLS)(self._find_keys_at)

    def apply_edits(self, edits: Edits, cache: RecordCache) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records whose alternates change because of these edits, and the issues with the links of their pages."""

        def find_record(key: str) -> Record | None:
            return edits[key] if key in edits else cache.record(key)

        changed = self._changed_keys(edits, cache)
        known = (record for key in sorted(changed) for record in (cache.record(key), find_record(key)) if record)
        named = self._keys_named_by(known) - changed
        named_back = {key for key in sorted(named) if self._names_any(find_record(key), changed)}
        return self._recompute(changed | named_back, find_record)

    def recompute(
        self, known: Mapping[str, Record], cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records among these whose alternates are out of date, and the issues with the links of their pages."""
        keys = {key for key, record in known.items() if _has_links(record)}
        return self._recompute(keys, lambda key: known.get(key) or cache.record(key))

    def _changed_keys(self, edits: Edits, cache: RecordCache) -> set[str]:
        """The keys of pages whose links, or whose URLs, the edits change."""
        changed: set[str] = set()
        for key, record in edits.items():
            old = cache.record(key)
            before, now = self._loc_and_links(old), self._loc_and_links(record)
            if before != now or old is None:
                changed.add(key)
            if before[:1] != now[:1]:  # another file may have answered at its URL, or does now
                changed.update(page_url.family(key, self._site))
        return changed

    def _loc_and_links(self, record: Record | None) -> tuple[object, ...]:
        """The loc of a record's page, and what its links depend on; nothing if the page is not listed."""
        page = self._page(record) if record else None
        return (page.loc, record.facts.head.alternates, record.facts.head.base) if record and page else ()

    def _recompute(
        self, keys: Collection[str], find_record: FindRecord
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        records = _find_all(keys, find_record)
        found = records | _find_all(self._needed_keys(records) - records.keys(), find_record)
        locs = {key: page.loc for key, record in found.items() if (page := self._page(record))}
        links = HreflangLinks({loc: found[key].facts.head for key, loc in locs.items()}, SiteUrls(locs, self._site))
        changed: dict[str, Record] = {}
        issues: list[HreflangIssue] = []
        for key, record in records.items():
            alternates, more = links.alternates(locs[key]) if key in locs else ((), ())
            issues += more
            if alternates != record.alternates:
                changed[key] = replace(record, alternates=alternates)
        return changed, issues

    def _needed_keys(self, records: Mapping[str, Record]) -> set[str]:
        """The keys on which the alternates depend: those that the pages name, and those that may have their URLs."""
        families = {each for key, record in records.items() if _has_links(record) for each in self._family(key)}
        return families | self._keys_named_by(records.values())

    def _keys_named_by(self, records: Iterable[Record]) -> set[str]:
        """The keys of the files that links of these records' pages may name."""
        return {key for record in records for url in self._urls_named_by(record) for key in self._keys_at(url)}

    def _names_any(self, record: Record | None, keys: Collection[str]) -> bool:
        urls = self._urls_named_by(record) if record else ()
        return any(key in keys for url in urls for key in self._keys_at(url))

    def _urls_named_by(self, record: Record) -> Iterable[str]:
        """The URLs that links of a record's page name; none if the page is not listed."""
        page = self._page(record) if record.facts.head.alternates else None
        return set(named_urls(record.facts.head, page.loc)[0].values()) if page else ()

    def _family(self, key: str) -> list[str]:
        return page_url.family(key, self._site)

    def _find_keys_at(self, url: str) -> list[str]:
        """The keys of the files that a URL may name; none for a URL of another site."""
        found = path_on_site(url, self._site.base_url)
        return page_url.keys_at(stem_of(unquote(found.path)), self._site) if found and not found.query else []


def _has_links(record: Record) -> bool:
    return bool(record.alternates or record.facts.head.alternates)


def _find_all(keys: Collection[str], find_record: FindRecord) -> dict[str, Record]:
    """The records of these keys; in order, so that a cache of few shards loads each of them once."""
    return {key: record for key in sorted(keys) if (record := find_record(key))}
