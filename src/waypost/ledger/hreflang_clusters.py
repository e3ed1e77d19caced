"""Keeps the hreflang alternates of a bucket's pages up to date when some of them change.

Finding every page that names a page would take all records. So only pages that name one another are alternates here:
from each of them all others can be reached. (Search engines ignore one-sided links.)
"""

from collections.abc import Callable, Mapping
from urllib.parse import unquote

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import Page
from waypost.core.urls import path_on_site
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import Edits
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.hreflang import DeclaredAlternates, HreflangIssue, mutual_sets
from waypost.rules.html_head import alternates
from waypost.rules.site_urls import SiteUrls
from waypost.rules.url_shapes import stem_of


class HreflangClusters:
    """The clusters of one site's pages; `page` returns the page to list for a record, or None."""

    def __init__(self, site: Site, page: Callable[[Record], Page | None]) -> None:
        self._site, self._page = site, page

    def apply_edits(self, edits: Edits, cache: RecordCache) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records whose alternates change because of these edits, and the links that were not accepted."""
        affected: set[str] = set()
        for key, record in edits.items():
            before, now = self._declared(cache.record(key)), self._declared(record)
            if before != now:
                affected.add(key)
            if before[:1] != now[:1]:  # another file may have answered at its URL, or does now
                affected.update(page_url.family(key, self._site))
        return self._recompute(affected, edits, cache)

    def recompute(
        self, known: Mapping[str, Record], cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        """The records among these whose alternates are out of date, and the links that were not accepted."""
        affected = {key for key, record in known.items() if record.alternates or self._declared(record)}
        changed, issues = self._recompute(affected, {}, cache)
        locs = {page_url.page_url(key, self._site, known[key].facts.head) for key in affected}
        own = {key: record for key, record in changed.items() if key in known}
        return own, [issue for issue in issues if issue.loc in locs]

    def _recompute(
        self, affected: set[str], edits: Edits, cache: RecordCache
    ) -> tuple[dict[str, Record], list[HreflangIssue]]:
        found = self._connected_records(affected, edits, cache)
        listed = {page.loc: key for key, record in found.items() if (page := self._page(record))}
        site_urls = SiteUrls({key: loc for loc, key in listed.items()}, self._site)
        declared = {loc: _declared_alternates(loc, found[key], site_urls) for loc, key in listed.items()}
        made, issues = mutual_sets(declared, site_urls.is_on_site, needs_return=True)
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
            reached = {key for loc in named for key in self._keys_at(loc)}
            level = sorted(reached - seen)
            seen |= reached
        return found

    def _named_urls(self, record: Record) -> set[str]:
        """The URLs of the alternates that a record declares or has recorded."""
        loc = page_url.page_url(record.key, self._site, record.facts.head)
        named = alternates(record.facts.head, loc) if isinstance(loc, str) else ()
        return {target for _, target in (*named, *record.alternates)}

    def _keys_at(self, url: str) -> list[str]:
        """The keys of the files that a URL may name; none for a URL of another site."""
        found = path_on_site(url, self._site.base_url)
        return page_url.keys_at(stem_of(unquote(found.path)), self._site) if found and not found.query else []

    def _declared(self, record: Record | None) -> tuple[object, ...]:
        """The loc of a record's page, and what it declares about alternates; nothing if its page is not listed."""
        page = self._page(record) if record else None
        return (
            (page.loc, record.facts.head.alternates, record.facts.head.language, record.facts.head.base)
            if record and page
            else ()
        )


def _declared_alternates(loc: str, record: Record, site_urls: SiteUrls) -> DeclaredAlternates:
    """What a record declares, with URLs of this site in the form in which they are listed."""
    named = ((hreflang, site_urls.loc(url)) for hreflang, url in alternates(record.facts.head, loc))
    return DeclaredAlternates(tuple(named), record.facts.head.language)
