"""Decides what comes next while a run publishes what it has committed."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from waypost.distributed.artifacts import RunArtifacts
from waypost.distributed.publish import (
    Publication,
    PublishBatch,
    PublishedBatch,
    publish_batches,
    publish_rest,
    run_lease,
    unfinished,
)
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.sync.publication_writer import published_names, without_finished_files
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

_PUBLICATION, _REST = "publication.json", "rest.json"


class RunPublisher:
    """The publication of one run, by workers of `files_per_batch` shards each."""

    def __init__(self, updater: Updater, artifacts: RunArtifacts, files_per_batch: int) -> None:
        self._updater, self._ledger, self._artifacts = updater, updater.ledger, artifacts
        self._files_per_batch = files_per_batch
        self.lease = run_lease(updater, artifacts.run)

    def begin(self, version: LedgerVersion) -> list[PublishBatch]:
        """The batches of the first phase: all pending sitemaps of this manifest."""
        name = self._ledger.archive(version.manifest)
        return self._assign(Publication(name, 0), version.manifest, version.manifest.sitemap_names)

    def proceed(self, version: LedgerVersion) -> list[PublishBatch]:
        """The batches that come next; none once all of the run's files are published, which the manifest then records.

        Raises ConflictError, LeaseExpiredError and StoreError.
        """
        found = self._artifacts.find(_PUBLICATION, Publication)
        if found is None:
            return self.begin(version)
        if found.is_over:
            return []
        version = self.lease.take(version)
        committed = self._ledger.read_archived(found.manifest)
        planned = replace(committed, publisher=version.manifest.publisher)
        done = self._published_since(found.first_task)
        etags = {name: etag for each in done for name, etag in each.etags.items()}
        found = replace(found, etags={**found.etags, **etags})
        names = planned.sitemap_names - found.etags.keys()
        if left := names if found.is_last_phase else unfinished(names, done):
            return self._assign(found, planned, left)
        if not found.is_last_phase:
            found = self._publish_rest(planned, found)
            if names:
                return self._assign(found, planned, names)
        self._record(version, committed, found.etags)
        self._artifacts.put(_PUBLICATION, replace(found, is_over=True))
        return []

    def results(self) -> list[RunResult]:
        """What the workers and the last step have published."""
        batches = self._artifacts.read_all("published-", PublishedBatch)
        return [*(each.result for each in batches), self._artifacts.find(_REST, RunResult) or RunResult()]

    def finish(self, version: LedgerVersion, deadline_reached: Callable[[], bool]) -> tuple[RunResult, bool]:
        """Publish what updates have committed meanwhile, and give the lease back; false if there is no time left."""
        done = self._updater.publish(version, None, deadline_reached, collects=True, lease=self.lease)
        return done.as_result(), done.is_complete

    def _assign(self, current: Publication, manifest: Manifest, names: set[str]) -> list[PublishBatch]:
        first = self._artifacts.task_count("publish")
        self._artifacts.put(_PUBLICATION, replace(current, first_task=first))
        return publish_batches(manifest, names, self._files_per_batch, is_last_phase=current.is_last_phase)

    def _published_since(self, first_task: int) -> Sequence[PublishedBatch]:
        names = self._artifacts.names("published-")
        return self._artifacts.read_each(
            [name for name in names if int(name.rpartition("-")[2]) >= first_task], PublishedBatch
        )

    def _publish_rest(self, manifest: Manifest, current: Publication) -> Publication:
        etags, result = publish_rest(self._updater, manifest, self.lease)
        self._artifacts.put(_REST, result)
        return replace(current, is_last_phase=True, etags={**current.etags, **etags})

    def _record(self, version: LedgerVersion, committed: Manifest, etags: Mapping[str, str]) -> None:
        """Replace the manifest by one without the run's finished files among its pending ones."""
        after = without_finished_files(version.manifest, committed, etags)
        after, files = self._updater.outbox.with_files(after, published_names(etags))
        self._ledger.commit(version, after, files)
