"""Keeps the hreflang alternates of a bucket's pages up to date when some of them change.

Finding every page that names a page would take all records. So only pages that name one another are alternates here:
from each of them all others can be reached. (Search engines ignore one-sided links.)
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import Page
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import Edits
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.hreflang import DeclaredAlternates, HreflangIssue, mutual_sets
from waypost.rules.html_head import alternates


class HreflangClusters:
    """The clusters of one site's pages; `page` returns the page to list for a record, or None."""

    def __init__(self, site: Site, page: Callable[[Record], Page | None]) -> None:
        self._site, self._page = site, page

    def apply_edits(self, edits: Edits, cache: RecordCache) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records whose alternates change because of these edits, and the links that were not accepted."""
        affected = {key for key, record in edits.items() if self._declared(cache.record(key)) != self._declared(record)}
        return self._recompute(affected, edits, cache)

    def recompute(
        self, known: Mapping[str, Record], cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records among these whose alternates are out of date, and the links that were not accepted."""
        affected = {key for key, record in known.items() if record.alternates or self._declared(record)}
        changed, issues = self._recompute(affected, {}, cache)
        locs = {page_url.page_url(key, self._site) for key in affected}
        own = {key: record for key, record in changed.items() if key in known}
        return own, [issue for issue in issues if issue.loc in locs]

    def _recompute(
        self, affected: set[str], edits: Edits, cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        found = self._connected_records(affected, edits, cache)
        listed = {page.loc: key for key, record in found.items() if (page := self._page(record))}
        declared = {loc: self._declared_alternates(loc, found[key]) for loc, key in listed.items()}
        made, issues = mutual_sets(declared, self._is_of_site, needs_return=True)
        new = {key: made.get(loc, ()) for loc, key in listed.items()}
        changed = {key: new.get(key, ()) for key, record in found.items() if record.alternates != new.get(key, ())}
        return {key: replace(found[key], alternates=each) for key, each in changed.items()}, issues

    def _connected_records(self, keys: set[str], edits: Edits, cache: RecordCache) -> dict[str, Record]:
        """The records of these keys, and all that can be reached from them by alternates, declared or recorded."""
        found: dict[str, Record] = {}
        seen, level = set(keys), sorted(keys)
        while level:
            named: set[str] = set()
            for key in level:  # sorted, so that a cache of few shards loads each of them once
                before, now = cache.record(key), edits[key] if key in edits else cache.record(key)
                if now:
                    found[key] = now
                named |= {loc for record in (before, now) if record for loc in self._named_urls(record)}
            reached = {key for loc in named for key in page_url.keys_serving(loc, self._site)}
            level = sorted(reached - seen)
            seen |= reached
        return found

    def _named_urls(self, record: Record) -> set[str]:
        """The site's URLs among the alternates that a record declares or has recorded."""
        loc = page_url.page_url(record.key, self._site)
        named = alternates(record.facts.head, loc) if isinstance(loc, str) else ()
        return {target for _, target in (*named, *record.alternates) if self._is_of_site(target)}

    def _declared(self, record: Record | None) -> tuple[object, ...]:
        """What a record declares about alternates; nothing if its page is not listed."""
        page = self._page(record) if record else None
        return (
            (record.facts.head.alternates, record.facts.head.language, record.facts.head.base)
            if record and page
            else ()
        )

    def _declared_alternates(self, loc: str, record: Record) -> DeclaredAlternates:
        return DeclaredAlternates(tuple(alternates(record.facts.head, loc)), record.facts.head.language)

    def _is_of_site(self, loc: str) -> bool:
        return loc.startswith(self._site.base_url)
