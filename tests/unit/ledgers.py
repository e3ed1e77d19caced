"""A bucket's ledger for unit tests: what is seen of objects, and what is remembered and published of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from unit.doubles import small_site

from waypost.core.hashing import content_digest
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdate, ManifestUpdater
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sitemaps.render import Renderer

RENDERER = Renderer()
NOW = "2026-11-21T12:00:00Z"
Seen = Mapping[str, ObjectSnapshot | None]


def snapshot(content: str = "x", *, noindex: bool = False, modified: str = "2026-01-01T00:00:00Z") -> ObjectSnapshot:
    return ObjectSnapshot(
        f"etag of {content}", PageFacts(Head("noindex" if noindex else ""), text_digest=content), modified
    )


def version(language: str = "", content: str = "x", *, noindex: bool = False, **named: str) -> ObjectSnapshot:
    """A page that names versions of it: `de="/b.html"`; `_` in a code is `-`."""
    alternates = tuple((code.replace("_", "-"), href) for code, href in named.items())
    head = Head("noindex" if noindex else "", language=language, alternates=alternates)
    return ObjectSnapshot(f"etag of {content} {head}", PageFacts(head, text_digest=content))


def article(published: str, headline: str = "It happened", *, noindex: bool = False) -> ObjectSnapshot:
    facts = PageFacts(
        Head("noindex" if noindex else ""), text_digest="x", media=Media(headline=headline, published=published)
    )
    return ObjectSnapshot(f"etag of {headline} {published} {noindex}", facts)


class Bucket:
    """What is remembered and published of a bucket, in memory; `loaded` and `made` count a revision's work."""

    def __init__(self, **values: Any) -> None:
        self.site = small_site(**values)
        self.manifest = Manifest()
        self.records: dict[str, bytes] = {}
        self.published: dict[str, bytes] = {}
        self.loaded: list[str] = []
        self.made: list[str] = []

    def see(self, seen: Seen, now: str = NOW) -> Bucket:
        return self._taken(self._manifest_updater(now).update(self.manifest, seen, self.load))

    def refresh(self, now: str) -> Bucket:
        """Let time go by, and nothing else."""
        return self._taken(self._manifest_updater(now).refresh_news(self.manifest, self.load))

    def _manifest_updater(self, now: str) -> ManifestUpdater:
        self.loaded = []
        return ManifestUpdater(self.site, RENDERER, now)

    def _taken(self, found: ManifestUpdate) -> Bucket:
        self.manifest = replace(manifests.load(manifests.dump(found.manifest), "manifest.json"), built_at=NOW)
        self.records |= found.records
        bodies = {name: document.body for name, document in found.documents.items()}
        self.made = [name for name, body in bodies.items() if self.published.get(name) != body]
        assert set(self.made) <= found.affected_files
        assert self.published.keys() ^ self.manifest.files.keys() <= {each.name for each in self.manifest.pending}
        before = self.published | bodies
        self.published = {name: before[name] for name in self.manifest.files}
        assert {name: content_digest(body) for name, body in self.published.items()} == self.digests()
        return self

    def digests(self) -> dict[str, str]:
        return {name: file.digest for name, file in self.manifest.files.items()}

    def load(self, entry: ShardEntry) -> Sequence[Record]:
        self.loaded.append(entry.records_file)
        return records.load(self.records[entry.records_file], entry.records_file)

    def known(self) -> dict[str, Record]:
        """All records by their keys."""
        return {record.key: record for entry in self.manifest.entries for record in self.load(entry)}

    def shards(self) -> list[tuple[Any, ...]]:
        """Each published shard's group, id, beginning and pages."""
        return [shape[:4] for shape in self.shapes() if shape[3]]

    def shapes(self) -> list[tuple[Any, ...]]:
        """Each shard's group, id, beginning, pages and records."""
        return [
            (entry.group, entry.shard_id, entry.first_key, entry.page_count, self.records[entry.records_file])
            for entry in self.manifest.entries
        ]
