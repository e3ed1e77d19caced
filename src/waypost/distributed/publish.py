"""The sitemaps that were committed, published by many workers."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.sync.publisher import PublishResult
from waypost.sync.updater import Updater


class PublishBatch(Struct, frozen=True):
    """Some sitemaps to publish: the manifest of theirs alone, without robots.txt's rules, and the ETag of the whole."""

    manifest: Manifest
    etag: str


def publish_batch(updater: Updater, batch: PublishBatch, rules: str) -> PublishResult:
    """Make a batch's sitemaps right, by what the ledger says of them now; raises StoreError."""
    manifest = replace(batch.manifest, robots_rules=rules)
    names = {file.name for entry in manifest.entries for file in entry.files}
    return replace(updater.publisher(manifest).publish(LedgerVersion(manifest, batch.etag), names, {}), version=None)


def publish_batches(version: LedgerVersion, size: int) -> list[PublishBatch]:
    """All sitemaps in batches of so many shards."""
    entries = [entry for entry in version.manifest.entries if entry.files]
    about = replace(version.manifest, entries=(), indexes=(), auxiliary_files=(), pending=(), robots_rules="")
    starts: Sequence[int] = range(0, len(entries), size)
    return [
        PublishBatch(replace(about, entries=tuple(entries[start : start + size])), version.etag or "")
        for start in starts
    ]
