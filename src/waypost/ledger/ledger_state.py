"""The one state of a ledger: whether its entries are complete, and whether its sitemaps are published.

A build in progress (`BuilderRole`) and a publication in progress (`PublisherRole`) are the state's data. All other
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


class BuilderRole(Struct, frozen=True):
    """A build in progress.

    `owner` is the execution of a distributed rebuild, and empty for a rebuild by calls that continue one another.
    `position` is the last key that the new entries include; None where the present entries stay complete until the
    build commits. `previous` names the archived manifest whose dates the build keeps. `deferred_keys` names files of
    keys for which events arrived; the build looks at these keys again before it commits.
    """

    owner: str = ""
    start_generation: int = 0
    position: str | None = None
    previous: str = ""
    deferred_keys: tuple[str, ...] = ()


class PublisherRole(Struct, frozen=True):
    """Sitemaps that a distributed rebuild has committed and that may not be published yet.

    `owner` is the execution whose workers publish them. It is empty once that execution has ended early: then the
    next rebuild publishes the rest.
    """

    owner: str = ""
    start_generation: int = 0


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
    """Many workers read the bucket again; meanwhile updates change and publish the present entries."""
    PUBLISHING = "publishing"
    """Many workers publish what their execution has committed."""
    UNPUBLISHED = "unpublished"
    """An execution ended after its commit and before all sitemaps were published."""


def ledger_state(config_digest: str, builder: BuilderRole | None, publisher: PublisherRole | None) -> LedgerState:
    """The state that these fields of a manifest mean; a build in progress goes before a publication."""
    if not config_digest:
        return LedgerState.EMPTY
    if builder and builder.position is not None:
        return LedgerState.SCANNING if builder.owner else LedgerState.BUILDING
    if builder and builder.owner:
        return LedgerState.RESCANNING
    if publisher:
        return LedgerState.PUBLISHING if publisher.owner else LedgerState.UNPUBLISHED
    return LedgerState.COMPLETE
