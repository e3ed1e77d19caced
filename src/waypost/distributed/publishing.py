"""What was committed, published: sitemaps by many workers, then what stands over them, then what leaves."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from waypost.errors import ConflictError
from waypost.ledger import NEVER, TRIES, Version
from waypost.manifest import Manifest
from waypost.outcome import Outcome
from waypost.publication import Settled
from waypost.revision import ROBOTS
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
        done = Outcome()
        for _ in range(TRIES):
            manifest = version.manifest
            publication = self._upkeep.publication(manifest, is_last=True)
            sitemaps = {file.name for entry in manifest.entries for file in entry.files}
            names = (manifest.files.keys() - sitemaps) | publication.orphans(version)
            names |= {ROBOTS} if self._upkeep.site.robots_sitemaps else set()
            settled = publication.settle(version, names, {}, self._is_over)
            done += Outcome(0, 0, 0, settled.written, settled.removed, settled.conflicts, manifest=manifest)
            if not settled.is_whole:
                return replace(done, rest="")
            with suppress(ConflictError):
                after = replace(manifest, run=None, unsettled=(), generation=manifest.generation + 1)
                version = self._upkeep.ledger.commit(version, after, {})
                self._upkeep.ledger.tidy(self._upkeep.clock())
                return replace(done, manifest=version.manifest)
            version = self._upkeep.ledger.current()
            if version.manifest.run is None or version.manifest.run.id != (manifest.run and manifest.run.id):
                return done
        raise ConflictError(NEVER)


def batches(version: Version, size: int) -> list[Batch]:
    """All sitemaps in batches of so many shards."""
    entries = [entry for entry in version.manifest.entries if entry.files]
    about = replace(version.manifest, entries=(), indexes=(), beside=(), unsettled=(), robots="")
    starts: Sequence[int] = range(0, len(entries), size)
    return [Batch(replace(about, entries=tuple(entries[start : start + size])), version.etag or "") for start in starts]
