"""Publishes the sitemaps that a run has committed, by many workers."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.sync.publisher import FileChanges
from waypost.sync.updater import Updater


class PublishBatch(Struct, frozen=True):
    """Some sitemaps to publish: a manifest of these alone, without robots.txt's rules, and the whole one's ETag."""

    manifest: Manifest
    etag: str


def publish_batch(updater: Updater, batch: PublishBatch, rules: str) -> FileChanges:
    """Publish a batch's sitemaps by the present manifest; `rules` are those of robots.txt. Raises StoreError."""
    manifest = replace(batch.manifest, robots_rules=rules)
    names = {file.name for entry in manifest.entries for file in entry.files}
    published = updater.publisher(manifest).publish(LedgerVersion(manifest, batch.etag), names, {})
    return replace(published, version=None)


def publish_batches(version: LedgerVersion, size: int) -> list[PublishBatch]:
    """All sitemaps in batches of `size` shards."""
    entries = [entry for entry in version.manifest.entries if entry.files]
    common = replace(version.manifest, entries=(), indexes=(), auxiliary_files=(), pending=(), robots_rules="")
    starts: Sequence[int] = range(0, len(entries), size)
    return [
        PublishBatch(replace(common, entries=tuple(entries[start : start + size])), version.etag or "")
        for start in starts
    ]
