"""The publisher's lease: who may write below the site, and until when.

The lease is in the manifest, and changes hands only by replacing that. It ends by the clock, so a process that
has ended without giving it back holds up the others only until then.
"""

from typing import NamedTuple

from msgspec.structs import replace

from waypost.core.clock import Clock
from waypost.core.errors import OtherRunError
from waypost.ledger.ledger_state import PublisherLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import Ledger, LedgerVersion


class Timing(NamedTuple):
    """How long leases last, in seconds.

    A publisher starts no write later than `margin` before its `lease` ends: that covers the difference of clocks and
    the longest time that a request may still take effect, together. A build's lease is `build_lease`. `clock_skew` is
    by how much clocks may differ. A run waits for another publisher or builder up to `patience`.
    """

    lease: float = 90
    margin: float = 30
    build_lease: float = 300
    clock_skew: float = 2
    patience: float = 120


_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 4.0


class LeaseExpiredError(Exception):
    """Too little of the lease is left to start another write."""


class PublisherLeaseHolder:
    """The lease of one process, as it appears in the manifest; `expires` is until when it is held, in Unix seconds."""

    def __init__(self, ledger: Ledger, clock: Clock, timing: Timing, lease: PublisherLease) -> None:
        self._ledger, self._clock, self._timing, self._lease = ledger, clock, timing, lease
        self.owner, self.expires = lease.owner, 0.0

    def now(self) -> float:
        """The present in Unix seconds."""
        return self._clock.time()

    def is_held(self, manifest: Manifest) -> bool:
        """Whether this process is the publisher by a manifest."""
        return manifest.publisher is not None and manifest.publisher.owner == self.owner

    def note_expiry(self, manifest: Manifest) -> None:
        """Go by the lease that a manifest gives this process."""
        self.expires = manifest.publisher.expires if manifest.publisher and self.is_held(manifest) else 0.0

    def is_free(self, manifest: Manifest) -> bool:
        """Whether this process may take the lease, or has it."""
        lease = manifest.publisher
        return lease is None or lease.owner == self.owner or not lease.is_live(self._clock.time())

    def with_lease(self, manifest: Manifest) -> Manifest:
        """The manifest with this process as its publisher for a lease's whole time, if nobody else has it."""
        if not self.is_free(manifest):
            return manifest
        return replace(manifest, publisher=replace(self._lease, expires=self._clock.time() + self._timing.lease))

    def take(self, version: LedgerVersion) -> LedgerVersion:
        """Take the lease, or renew it, by a replacement; raises ConflictError if another writer was first."""
        taken = self._ledger.commit(version, self.with_lease(version.manifest), {})
        self.note_expiry(taken.manifest)
        return taken

    def has_time(self) -> bool:
        """Whether a write that starts now takes effect before the lease ends."""
        return self._clock.time() < self.expires - self._timing.margin

    def require(self) -> None:
        """Raise LeaseExpiredError unless a write that starts now takes effect before the lease ends."""
        if not self.has_time():
            raise LeaseExpiredError

    def is_renewal_due(self) -> bool:
        """Whether half of the lease is over."""
        return self._clock.time() >= self.expires - self._timing.lease / 2

    def wait_out_margin(self) -> None:
        """Wait until a write without an answer can no longer take effect."""
        self._clock.sleep(self._timing.margin)

    def wait(self, version: LedgerVersion, generation: int, patience: float | None = None) -> LedgerVersion:
        """Wait until another publisher has published what was pending in this generation, or the lease is free.

        Nobody waits for a distributed rebuild.
        Raises OtherRunError if neither happens within the patience (seconds; by default the timing's patience).
        """
        end = self._clock.time() + (self._timing.patience if patience is None else patience)
        pause, known = _FIRST_PAUSE, version.etag
        while self._is_awaited(version.manifest, generation):
            if self._clock.time() >= end:
                raise self._busy_error(version.manifest)
            self._clock.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            etag, lease = self._ledger.publisher()
            if etag != known or lease is None or not lease.is_live(self._clock.time()):
                version = self._ledger.read()
                known = version.etag
        return version

    def _is_awaited(self, manifest: Manifest, generation: int) -> bool:
        """Whether another process publishes what is pending, but for a distributed rebuild, which may take hours."""
        if self.is_free(manifest) or (manifest.publisher and manifest.publisher.is_run):
            return False
        return has_pending(manifest, generation)

    def _busy_error(self, manifest: Manifest) -> OtherRunError:
        lease = manifest.publisher or PublisherLease()
        left = max(0.0, lease.expires - self._clock.time())
        return OtherRunError(f"another run publishes now; run this again in {left:.0f} seconds", left)


def has_pending(manifest: Manifest, generation: int) -> bool:
    """Whether files are pending that became so in this generation or before."""
    return any(each.generation <= generation for each in manifest.pending)
