"""What was committed, published: sitemaps by many workers, then what stands over them, then what leaves."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.ledger import Version
from waypost.manifest import Manifest
from waypost.outcome import Outcome
from waypost.publication import Settled
from waypost.rebuild import conclude
from waypost.upkeep import Upkeep


class Batch(Struct, frozen=True):
    """Some sitemaps to publish: the manifest of theirs alone, without robots.txt's rules, and the ETag of the whole."""

    manifest: Manifest
    etag: str


class Publishing:
    """Publishes one bucket's distributed builds."""

    def __init__(self, upkeep: Upkeep, is_over: Callable[[], bool]) -> None:
        self._upkeep, self._is_over = upkeep, is_over

    def publish(self, batch: Batch, rules: str) -> Settled:
        """Make a batch's sitemaps right, by what the ledger says of them now; raises StoreError."""
        manifest = replace(batch.manifest, robots=rules)
        names = {file.name for entry in manifest.entries for file in entry.files}
        return self._upkeep.publication(manifest).settle(Version(manifest, batch.etag), names, {})

    def conclude(self, version: Version) -> Outcome:
        """Publish what stands over and beside the sitemaps, have those go that no manifest names, and end the run.

        Its `rest` is not None where the time was over before. Raises StoreError.
        """
        return conclude(self._upkeep, version, (), self._is_over)


def batches(version: Version, size: int) -> list[Batch]:
    """All sitemaps in batches of so many shards."""
    entries = [entry for entry in version.manifest.entries if entry.files]
    about = replace(version.manifest, entries=(), indexes=(), beside=(), unsettled=(), robots="")
    starts: Sequence[int] = range(0, len(entries), size)
    return [Batch(replace(about, entries=tuple(entries[start : start + size])), version.etag or "") for start in starts]
