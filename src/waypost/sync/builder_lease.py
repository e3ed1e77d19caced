"""The builder's lease: which process builds a ledger under new settings, and until when."""

from msgspec.structs import replace

from waypost.core.errors import OtherRunError, OutdatedSettingsError
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.sync.updater import Updater

_PAUSE = 1.0
LONGEST_STOP = 3_600
"""Seconds: a build that is continued later than this lists the bucket from its beginning again."""


class BuilderLeaseHolder:
    """The lease of one rebuild, whose settings were read at `started` (Unix seconds)."""

    def __init__(self, updater: Updater, started: float) -> None:
        self._ledger, self._clock, self._timing = updater.ledger, updater.lease_clock, updater.timing
        self._owner, self._started = updater.lease.owner, started

    def lease(self, builder: BuilderLease) -> BuilderLease:
        """A build with this process as its owner for a whole lease."""
        expires = self._clock.time() + self._timing.build_lease
        return replace(builder, owner=self._owner, is_run=False, start_generation=0, expires=expires, deferred_keys=())

    def require_newer_settings(self, before: Manifest) -> None:
        """Raise OutdatedSettingsError if the ledger may have been built with newer settings than this run has."""
        if before.config_digest and self._started < before.config_since + self._timing.clock_skew:
            raise OutdatedSettingsError(
                "another run has begun to build the ledger with other settings, after this run had read its own; "
                "run this again if your settings are the newer ones"
            )

    def confirm_settings(self, manifest: Manifest) -> Manifest:
        """The manifest as one of settings that hold since this run has read its own, at least."""
        return replace(manifest, config_since=max(manifest.config_since, self._started))

    def wait_for_process(self, version: LedgerVersion) -> LedgerVersion:
        """Wait until no process builds; a distributed rebuild is replaced by another one. Raises OtherRunError."""
        return version if version.manifest.run else self.wait(version)

    def wait(self, version: LedgerVersion) -> LedgerVersion:
        """Wait until nobody else builds; raises OtherRunError if another run does for too long."""
        end = self._clock.time() + self._timing.patience
        while (builder := version.manifest.builder) and builder.owner != self._owner:
            left = builder.expires - self._clock.time()
            if not builder.is_live(self._clock.time()):
                break
            if self._clock.time() >= end:
                message = f"another rebuild is under way; it has at least {left:.0f} seconds to continue"
                raise OtherRunError(message, left)
            self._clock.sleep(_PAUSE)
            version = self._ledger.read_or_recover()
        return version

    def take(self, version: LedgerVersion) -> LedgerVersion:
        """Continue the build of a manifest; raises ConflictError if another writer was first.

        After a long stop the bucket is listed from its beginning: an event may not have arrived meanwhile.
        """
        builder = version.manifest.builder
        if builder is None or (builder.owner == self._owner and not builder.is_run):
            return version
        is_stale = self._clock.time() - builder.expires > LONGEST_STOP
        lease = self.lease(replace(builder, position="" if is_stale or builder.is_run else builder.position))
        return self._ledger.commit(version, replace(version.manifest, builder=lease), {})

    def without_ended_run(self, manifest: Manifest) -> Manifest:
        """A complete manifest without a distributed rebuild that nobody continues."""
        is_ended = manifest.builder and not manifest.builder.is_live(self._clock.time())
        return replace(manifest, builder=None) if is_ended else manifest

    def give_back(self, version: LedgerVersion) -> None:
        """Let another process continue the build from its current position; raises ConflictError."""
        builder = version.manifest.builder
        if builder and builder.owner == self._owner:
            free = replace(builder, owner="", expires=self._clock.time())
            self._ledger.commit(version, replace(version.manifest, builder=free), {})
