"""The sitemaps that were committed, published by many workers."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.ledger.manifest import Manifest
from waypost.ledger.store import Version
from waypost.sync.publisher import Settled
from waypost.sync.updater import Upkeep


class Batch(Struct, frozen=True):
    """Some sitemaps to publish: the manifest of theirs alone, without robots.txt's rules, and the ETag of the whole."""

    manifest: Manifest
    etag: str


def published(upkeep: Upkeep, batch: Batch, rules: str) -> Settled:
    """Make a batch's sitemaps right, by what the ledger says of them now; raises StoreError."""
    manifest = replace(batch.manifest, robots=rules)
    names = {file.name for entry in manifest.entries for file in entry.files}
    return replace(upkeep.publication(manifest).settle(Version(manifest, batch.etag), names, {}), version=None)


def batches(version: Version, size: int) -> list[Batch]:
    """All sitemaps in batches of so many shards."""
    entries = [entry for entry in version.manifest.entries if entry.files]
    about = replace(version.manifest, entries=(), indexes=(), beside=(), unsettled=(), robots="")
    starts: Sequence[int] = range(0, len(entries), size)
    return [Batch(replace(about, entries=tuple(entries[start : start + size])), version.etag or "") for start in starts]
