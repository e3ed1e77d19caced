"""Pages of a bucket that are versions of one another, kept right by what changed of any of them.

Nobody may look through all records for who names a page, so here only those are versions that name one another:
each of them leads to all. (Readers ignore the others.)
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import Page
from waypost.ledger.records import Record
from waypost.ledger.shard_cache import RecordCache
from waypost.rules import page_url
from waypost.rules.hreflang import DeclaredAlternates, HreflangIssue, mutual_sets
from waypost.rules.html_head import alternates

Edits = Mapping[str, Record | None]


class HreflangClusters:
    """The families of one site's pages; `page` is the page to list for a record, or None."""

    def __init__(self, site: Site, page: Callable[[Record], Page | None]) -> None:
        self._site, self._page = site, page

    def apply_edits(self, edits: Edits, cache: RecordCache) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records whose alternates change with others, or with what their pages say; and what was doubtful."""
        concerned = {
            key for key, record in edits.items() if self._declared(cache.record(key)) != self._declared(record)
        }
        return self._recompute(concerned, edits, cache)

    def recompute(
        self, known: Mapping[str, Record], cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The same for all of these records, as they are on the shelf."""
        concerned = {key for key, record in known.items() if record.alternates or self._declared(record)}
        changed, issues = self._recompute(concerned, {}, cache)
        locs = {page_url.page_url(key, self._site) for key in concerned}
        own = {key: record for key, record in changed.items() if key in known}
        return own, [doubt for doubt in issues if doubt.loc in locs]

    def _recompute(
        self, concerned: set[str], edits: Edits, cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        found = self._connected_records(concerned, edits, cache)
        listed = {page.loc: key for key, record in found.items() if (page := self._page(record))}
        facts = {loc: self._declared_alternates(loc, found[key]) for loc, key in listed.items()}
        made, issues = mutual_sets(facts, self._is_of_site, needs_return=True)
        published = {key: made.get(loc, ()) for loc, key in listed.items()}
        changed = {
            key: published.get(key, ()) for key, record in found.items() if record.alternates != published.get(key, ())
        }
        return {key: replace(found[key], alternates=each) for key, each in changed.items()}, issues

    def _connected_records(self, keys: set[str], edits: Edits, cache: RecordCache) -> dict[str, Record]:
        """The records of these keys, and of all to which what they say, or what was settled before, leads."""
        found: dict[str, Record] = {}
        seen, level = set(keys), sorted(keys)
        while level:
            named: set[str] = set()
            for key in level:  # in order, so that a shelf which holds few shards loads each but once
                before, now = cache.record(key), edits[key] if key in edits else cache.record(key)
                if now:
                    found[key] = now
                named |= {loc for record in (before, now) if record for loc in self._named_urls(record)}
            beside = {key for loc in named for key in page_url.keys_serving(loc, self._site)}
            level = sorted(beside - seen)
            seen |= beside
        return found

    def _named_urls(self, record: Record) -> set[str]:
        """The site's locs that a record names as versions of its own, or was settled with."""
        loc = page_url.page_url(record.key, self._site)
        named = alternates(record.facts.head, loc) if isinstance(loc, str) else ()
        return {target for _, target in (*named, *record.alternates) if self._is_of_site(target)}

    def _declared(self, record: Record | None) -> tuple[object, ...]:
        """What a record has to say of versions; nothing where its page is not listed."""
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
