"""The one state of a ledger: whether its entries are complete, and whether its sitemaps are published.

A build in progress (`BuilderLease`) and a publication in progress (`PublisherLease`) are the state's data. All other
modules ask for the `LedgerState`, or use what `Manifest` derives from it.
"""

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct


class Run(NamedTuple):
    """A distributed rebuild: the name of its execution, and the generation at which it started."""

    owner: str
    start_generation: int

    @property
    def prefix(self) -> str:
        """What the names of its files in the ledger's store begin with."""
        return f"runs/{self.owner}-{self.start_generation}-"


class BuilderLease(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A build in progress.

    `owner` is unique for each process, or the execution of a distributed rebuild (`is_run`); it is empty while the
    build waits for a process that continues it. After `expires` (Unix seconds) nobody is the owner; without an owner
    that is when the last one ended.
    `position` is the last key that the new entries include; None where the current entries stay complete until the
    build commits. `previous` names the archived manifest whose dates the build keeps. `deferred_keys` names files of
    keys for which events arrived; the build looks at these keys again before it commits.
    """

    owner: str = ""
    expires: float = 0.0
    is_run: bool = False
    start_generation: int = 0
    position: str | None = None
    previous: str = ""
    deferred_keys: tuple[str, ...] = ()

    def is_live(self, now: float) -> bool:
        """Whether its owner is at work."""
        return bool(self.owner) and now < self.expires


class PublisherLease(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The only process that may write below the site until `expires` (Unix seconds); after that nobody is.

    `owner` is unique for each process, or the execution of a distributed rebuild (`is_run`). After a build of other
    settings has replaced that rebuild, its lease lasts until it ends or gives that back, but is no run's any more.
    """

    owner: str = ""
    expires: float = 0.0
    is_run: bool = False
    start_generation: int = 0

    def is_live(self, now: float) -> bool:
        """Whether the lease is taken."""
        return bool(self.owner) and now < self.expires


class LedgerState(StrEnum):
    """What a ledger can be used for; the values are part of the answers that people read."""

    EMPTY = "empty"
    """There is no ledger yet."""
    COMPLETE = "complete"
    """The entries hold the whole bucket, and updates keep them so."""
    BUILDING = "building"
    """Calls build new entries one after another; nothing of them is published before the last one."""
    SCANNING = "scanning"
    """Many workers build new entries; updates only defer their keys to them."""
    RESCANNING = "rescanning"
    """Many workers read the bucket again; meanwhile updates change and publish the current entries."""
    PUBLISHING = "publishing"
    """Many workers publish what their execution has committed."""


def ledger_state(config_digest: str, builder: BuilderLease | None, publisher: PublisherLease | None) -> LedgerState:
    """The state that these fields of a manifest mean; a build in progress goes before a publication."""
    if not config_digest:
        return LedgerState.EMPTY
    if builder and builder.position is not None:
        return LedgerState.SCANNING if builder.is_run else LedgerState.BUILDING
    if builder and builder.is_run:
        return LedgerState.RESCANNING
    if publisher and publisher.is_run:
        return LedgerState.PUBLISHING
    return LedgerState.COMPLETE
