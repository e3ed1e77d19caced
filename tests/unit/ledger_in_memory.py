"""A ledger in memory that a `ManifestUpdater` updates: no store, no bucket, only snapshots of objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from unit.sample_sites import small_site

from waypost.core.hashing import content_digest
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import Manifest, PendingFile, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdate, ManifestUpdater
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.html_head import Head
from waypost.rules.media import Media
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sitemaps.render import Renderer

RENDERER = Renderer()
NOW = "2026-11-21T12:00:00Z"
Snapshots = Mapping[str, ObjectSnapshot | None]


def snapshot(content: str = "x", *, noindex: bool = False, modified: str = "2026-01-01T00:00:00Z") -> ObjectSnapshot:
    return ObjectSnapshot(
        f"etag of {content}", PageFacts(Head("noindex" if noindex else ""), text_digest=content), modified
    )


def localized(
    *links: tuple[str, str], content: str = "x", noindex: bool = False, base: str = "", **hrefs: str
) -> ObjectSnapshot:
    """A page that names hreflang alternates: `de="/b.html"`; `_` in a code means `-`."""
    alternates = (*links, *((code.replace("_", "-"), href) for code, href in hrefs.items()))
    head = Head("noindex" if noindex else "", base=base, alternates=alternates)
    return ObjectSnapshot(f"etag of {content} {head}", PageFacts(head, text_digest=content))


def article(published: str, headline: str = "It happened", *, noindex: bool = False) -> ObjectSnapshot:
    facts = PageFacts(
        Head("noindex" if noindex else ""), text_digest="x", media=Media(headline=headline, published=published)
    )
    return ObjectSnapshot(f"etag of {headline} {published} {noindex}", facts)


class LedgerInMemory:
    """A manifest, its files of records and the published files; every update is published at once.

    `loaded_files` names the files of records that the last update loaded, `changed_files` the published files that it
    changed: these, and no others, are pending after it. `pending` has them as the manifest did, `hreflang_issues` are
    those that the last update found.
    """

    def __init__(self, **values: Any) -> None:
        self.site = small_site(**values)
        self.manifest = Manifest()
        self.record_files: dict[str, bytes] = {}
        self.published: dict[str, bytes] = {}
        self._names: set[str] = set()
        self.loaded_files: list[str] = []
        self.changed_files: list[str] = []
        self.pending: dict[str, PendingFile] = {}
        self.hreflang_issues: Sequence[HreflangIssue] = ()

    def update(self, seen: Snapshots, now: str = NOW, previous: PreviousLedger | None = None) -> LedgerInMemory:
        return self._apply(self._manifest_updater(now).update(self.manifest, seen, self.load, previous))

    def refresh(self, now: str) -> LedgerInMemory:
        return self._apply(self._manifest_updater(now).refresh(self.manifest, self.load))

    def _manifest_updater(self, now: str) -> ManifestUpdater:
        self.loaded_files = []
        return ManifestUpdater(self.site, RENDERER, now)

    def _apply(self, update: ManifestUpdate) -> LedgerInMemory:
        self.manifest = replace(manifests.load(manifests.dump(update.manifest), "manifest.json"), built_at=NOW)
        self.record_files |= update.records
        self.hreflang_issues = update.hreflang_issues
        bodies = {name: document.body for name, document in update.documents.items()}
        self.changed_files = [name for name, body in bodies.items() if self.published.get(name) != body]
        self.pending = {each.name: each for each in self.manifest.pending}
        assert set(self.changed_files) == self.pending.keys()
        before = self.published | bodies
        self.published = {name: before[name] for name in self.manifest.files}
        self._names |= self.published.keys()
        assert {name: content_digest(body) for name, body in self.published.items()} == self._digests()
        assert {each.name for each in self.manifest.unreferenced} == self._names - self.published.keys()
        self.manifest = replace(self.manifest, pending=())
        return self

    def _digests(self) -> dict[str, str]:
        return {name: file.digest for name, file in self.manifest.files.items()}

    def load(self, entry: ShardEntry) -> Sequence[Record]:
        self.loaded_files.append(entry.records_file)
        return records.load(self.record_files[entry.records_file], entry.records_file)

    def records_by_key(self) -> dict[str, Record]:
        return {record.key: record for entry in self.manifest.entries for record in self.load(entry)}

    def published_shards(self) -> list[tuple[Any, ...]]:
        """The group, id, first key and page count of each shard that lists a page."""
        return [shard[:4] for shard in self.shards() if shard[3]]

    def shards(self) -> list[tuple[Any, ...]]:
        """The group, id, first key, page count and records of each shard."""
        return [
            (entry.group, entry.shard_id, entry.first_key, entry.page_count, self.record_files[entry.records_file])
            for entry in self.manifest.entries
        ]
