"""Publishes the sitemaps that a run has committed, by many workers; the last step writes everything else.

The run holds the publisher's lease. All its files are written by the manifest of its commit, in three phases: workers
write sitemaps that are new or get pages, the last step writes indexes, auxiliary files and robots.txt, and workers
write sitemaps again of which pages go to others.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from waypost.ledger.ledger_state import PublisherLease, Run
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import ROBOTS
from waypost.sync.publication_writer import Progress, PublicationWriter
from waypost.sync.publisher_lease import LeaseExpiredError, PublisherLeaseHolder, Timing
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

MAP_LEASE = 3_600
"""Seconds that all workers of a phase may take together; what is left after that is handed out again."""


class PublishBatch(Struct, frozen=True):
    """Some sitemaps to publish: a manifest of these alone, without robots.txt's rules.

    `expires` is the end of the run's lease (Unix seconds). `is_last_phase` if the indexes are written already.
    """

    manifest: Manifest
    expires: float
    is_last_phase: bool = False


class PublishedBatch(Struct, frozen=True):
    """What a worker did: the ETags of the files that are right, and the names that are left for the last phase.

    The rest of its files, if its lease ended too early, is handed out again.
    """

    etags: Mapping[str, str] = {}
    left: tuple[str, ...] = ()
    result: RunResult = RunResult()


class Publication(Struct, frozen=True):
    """A publication of a run: the archived manifest that it publishes, and the number of its first task.

    `is_last_phase` if the indexes are written already, `is_over` once the ledger has recorded what was published: later
    manifests may be published by then. `etags` are of all files that are right.
    """

    manifest: str
    first_task: int
    is_last_phase: bool = False
    is_over: bool = False
    etags: Mapping[str, str] = {}


def run_lease(updater: Updater, run: Run) -> PublisherLeaseHolder:
    """The publisher's lease of a run."""
    lease = PublisherLease(run.owner, is_run=True, start_generation=run.start_generation)
    timing: Timing = updater.timing._replace(lease=MAP_LEASE + updater.timing.margin)
    return updater.publisher_lease(lease, timing)


def publish_batch(updater: Updater, batch: PublishBatch, run: Run, rules: str) -> PublishedBatch:
    """Publish a batch's sitemaps; `rules` are robots.txt's. Raises StoreError."""
    manifest = replace(batch.manifest, robots_rules=rules)
    lease = run_lease(updater, run)
    lease.expires = batch.expires
    progress = Progress({}, lambda: False)
    writer = PublicationWriter(manifest, {}, updater.published_files(manifest), lease, progress)
    left: tuple[str, ...] = ()
    with suppress(LeaseExpiredError):
        first, *_, last = writer.phases(writer.plan({}))
        writer.write(first)
        if batch.is_last_phase:
            writer.write(last)
        else:
            left = tuple(each.file.name for each in last)
    result = RunResult(written=tuple(progress.written), warnings=progress.warnings())
    return PublishedBatch(writer.finished, left, result)


def publish_batches(
    manifest: Manifest, names: Collection[str], size: int, *, is_last_phase: bool = False
) -> list[PublishBatch]:
    """The pending sitemaps of these names, in batches of `size` shards."""
    pending = {each.name: each for each in manifest.pending if each.name in names}
    entries = [entry for entry in manifest.entries if any(file.name in pending for file in entry.files)]
    expires = manifest.publisher.expires if manifest.publisher else 0
    common = replace(manifest, entries=(), indexes=(), auxiliary_files=(), pending=(), unreferenced=(), robots_rules="")
    starts: Sequence[int] = range(0, len(entries), size)
    batches = []
    for start in starts:
        some = tuple(entries[start : start + size])
        own = {file.name for entry in some for file in entry.files}
        part = replace(common, entries=some, pending=tuple(pending[name] for name in sorted(own & pending.keys())))
        batches.append(PublishBatch(part, expires, is_last_phase))
    return batches


def unfinished(names: Collection[str], done: Iterable[PublishedBatch]) -> set[str]:
    """The names among these that no worker has finished, nor left for the last phase."""
    found = list(done)
    return set(names) - {name for each in found for name in (*each.etags, *each.left)}


def publish_rest(
    updater: Updater, manifest: Manifest, lease: PublisherLeaseHolder
) -> tuple[Mapping[str, str], RunResult]:
    """Write the indexes, auxiliary files and robots.txt, once all sitemaps that gain pages are right.

    Raises LeaseExpiredError, and StoreError.
    """
    names = manifest.index_and_auxiliary_names | {ROBOTS}
    part = replace(manifest, pending=tuple(each for each in manifest.pending if each.name in names))
    progress = Progress({}, lambda: False)
    writer = PublicationWriter(part, {}, updater.published_files(manifest), lease, progress)
    for phase in writer.phases(writer.plan({})):
        writer.write(phase)
    return writer.finished, RunResult(written=tuple(progress.written), warnings=progress.warnings())
