"""What all parts of one rebuild share."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from waypost.core.retry import Retry
from waypost.ledger.store import LedgerVersion
from waypost.sources.parallel_listing import LAST_KEY
from waypost.sync.builder_lease import BuilderLeaseHolder
from waypost.sync.drift import DriftCheck
from waypost.sync.publishing_work import PublishingWork
from waypost.sync.removal_check import RemovalCheck
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

CHECKED = " "
"""Where a rebuild starts that need not count removals first: no page's key sorts before it, or is equal to it."""
DeadlineReached = Callable[[], bool]
"""Whether the run has too little time left to start anything more."""


class RebuildContext(NamedTuple):
    """One rebuild of a site, which read its settings at `started` (Unix seconds)."""

    updater: Updater
    deadline_reached: DeadlineReached
    started: float
    builder: BuilderLeaseHolder
    removal_check: RemovalCheck
    work: PublishingWork
    drift_check: DriftCheck | None = None

    @property
    def retry(self) -> Retry:
        """When reads of pages are repeated."""
        return Retry(self.deadline_reached, self.updater.lease_clock.sleep)

    def publish(self, version: LedgerVersion) -> RunResult:
        """Publish all that is pending, and delete what nothing has named for 20 hours."""
        found = self.updater.publish(version, self.work, self.deadline_reached, collects=True)
        result = found.as_result()
        return result if found.is_complete else replace(result, resume_after=LAST_KEY)


def rebuild_context(
    updater: Updater,
    deadline_reached: DeadlineReached,
    started: float,
    max_removed: int | None = None,
    drift_check: DriftCheck | None = None,
) -> RebuildContext:
    """A new rebuild, which may remove `max_removed` percent of the pages; None is what the settings say."""
    most = updater.site.max_removed if max_removed is None else max_removed
    return RebuildContext(
        updater,
        deadline_reached,
        started,
        BuilderLeaseHolder(updater, started),
        RemovalCheck(updater, most, deadline_reached),
        PublishingWork(updater.lease),
        drift_check,
    )
