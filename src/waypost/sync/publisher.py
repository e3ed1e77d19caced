"""Publishes the pending files of a manifest, under the lease of its only publisher.

A publication writes what one manifest names in three phases: sitemaps that are new or gain pages; then indexes,
auxiliary files and robots.txt; then sitemaps that lose pages to others. So every page that stays listed is in a
published sitemap at all times, and no published index names a file that does not exist.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import ConflictError, LedgerError, StoreError
from waypost.core.model import Document, SiteWarning
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import range_ends, with_dated_unreferenced_files
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.sync.outbox import Outbox
from waypost.sync.publication_writer import (
    KnownFiles,
    PlannedFile,
    Progress,
    PublicationWriter,
    published_names,
    with_unverified_files,
)
from waypost.sync.published_files import PublishedFiles
from waypost.sync.publisher_lease import LeaseExpiredError, PublisherLeaseHolder, has_pending
from waypost.sync.result import RunResult
from waypost.sync.unreferenced_files import delete_unreferenced

_BATCH = 50
"""How many files are written before the lease and the deadline are looked at again: a large one takes 0.6 seconds."""


class FileChanges(Struct, frozen=True):
    """The files that were written and removed; `is_complete` is false if the deadline was reached before the last.

    `version` is the manifest at the end. In `notify_after` seconds subscribers may be notified that could not be.
    """

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    warnings: tuple[SiteWarning, ...] = ()
    is_complete: bool = True
    version: LedgerVersion | None = None
    notify_after: float | None = None

    def as_result(self) -> RunResult:
        """The same as a part of a run's result."""
        manifest = self.version.manifest if self.version else None
        return RunResult(
            written=self.written,
            removed=self.removed,
            warnings=self.warnings,
            manifest=manifest,
            is_all_published=self.is_complete,
            notify_after=self.notify_after,
        )


class Publisher:
    """Publishes one site's files; `files_of` gives what compares and renders them by a manifest.

    `can_publish` says whether a manifest is to be published, and was made with the settings of this process. A run
    waits for another publisher up to `patience` seconds. The `outbox` gets what was published; where subscribers wait
    to be notified, the last manifest leaves that to this process.
    """

    def __init__(
        self,
        ledger: Ledger,
        lease: PublisherLeaseHolder,
        files_of: Callable[[Manifest], PublishedFiles],
        can_publish: Callable[[Manifest], bool],
        outbox: Outbox,
        before_taking_lease: Callable[[], None] = lambda: None,
        patience: float | None = None,
    ) -> None:
        self._ledger, self._lease, self._files_of, self._can_publish = ledger, lease, files_of, can_publish
        self._outbox = outbox
        self._before_taking_lease, self._patience = before_taking_lease, patience

    def publish(
        self,
        version: LedgerVersion,
        known: KnownFiles | None = None,
        documents: Mapping[str, Document] | None = None,
        deadline_reached: Callable[[], bool] = lambda: False,
        *,
        collects: bool = False,
    ) -> FileChanges:
        """Publish all pending files, or wait until another publisher has.

        `documents` were rendered already. With `collects`, files that nothing has named for 20 hours are deleted after
        that. Nothing is published or deleted by a manifest that is not complete, lists nothing or has other settings
        than this process: a process with those publishes then. Raises OtherRunError if another run publishes for too
        long, and StoreError; what was published before that is recorded.
        """
        progress = Progress(documents or {}, deadline_reached)
        try:
            version = self._publish(version, known or {}, progress, collects=collects)
        except Exception:
            with suppress(StoreError, LedgerError):
                self._give_back(self._ledger.read())
            raise
        return _changes(progress, self._give_back(version))

    def _publish(
        self, version: LedgerVersion, known: KnownFiles, progress: Progress, *, collects: bool
    ) -> LedgerVersion:
        """Take steps until nothing is left to do and the lease is given back, or the deadline is reached."""
        generation = version.manifest.generation
        while progress.is_complete:
            manifest = version.manifest
            if not self._lease.is_held(manifest):
                if not self._has_work(manifest, generation, collects=collects):
                    break
                version, known = self._take_or_wait(version, generation), {}
            elif self._can_publish(manifest) and manifest.pending:
                version, known = self._round(version, known, progress, keeps_lease=collects), {}
                if not self._lease.is_held(version.manifest):
                    generation = version.manifest.generation  # what this process wrote is pending again
            elif self._can_publish(manifest) and collects:
                version, collects = self._collect(version, progress), False
            else:
                version = self._end(version)
        return version

    def _has_work(self, manifest: Manifest, generation: int, *, collects: bool) -> bool:
        """Whether a process without the lease must take it, or wait for it.

        A distributed rebuild that publishes continues until nothing is pending. Collecting can wait for another day,
        and notifying for the next publication.
        """
        is_free = self._lease.is_free(manifest)
        if not self._can_publish(manifest) or (not is_free and manifest.publisher and manifest.publisher.is_run):
            return False
        has_notifications = self._outbox.has_work(manifest, self._lease.owner)
        return has_pending(manifest, generation) or (is_free and (collects or has_notifications))

    def _end(self, version: LedgerVersion) -> LedgerVersion:
        """Give the lease back, unless another process has committed something that may have to be published."""
        try:
            return self._ledger.commit(version, self._without_lease(version.manifest), {})
        except ConflictError:
            return self._ledger.read()

    def _without_lease(self, manifest: Manifest) -> Manifest:
        """The manifest without a publisher; this process is to notify subscribers of what is published."""
        return replace(self._outbox.claimed(manifest, self._lease.owner), publisher=None)

    def _take_or_wait(self, version: LedgerVersion, generation: int) -> LedgerVersion:
        if not self._lease.is_free(version.manifest):
            return self._lease.wait(version, generation, self._patience)
        self._before_taking_lease()
        try:
            return self._lease.take(version)
        except ConflictError:
            return self._ledger.read()

    def _round(
        self, version: LedgerVersion, known: KnownFiles, progress: Progress, *, keeps_lease: bool
    ) -> LedgerVersion:
        """Publish one manifest's pending files; returns the manifest that records it."""
        self._lease.note_expiry(version.manifest)
        manifest = version.manifest
        ends = range_ends(manifest.entries, manifest.indexes)
        writer = PublicationWriter(manifest, ends, self._files_of(manifest), self._lease, progress)
        try:
            for phase in writer.phases(writer.plan(known, self._renew)):
                self._write(writer, phase, progress)
        except LeaseExpiredError:
            pass  # the replacement that follows renews the lease, unless another process has it by then
        except Exception:
            self._record(version, writer, progress, keeps_lease=False, is_over=True)
            raise
        return self._record(version, writer, progress, keeps_lease=keeps_lease, is_over=not progress.is_complete)

    def _write(self, writer: PublicationWriter, phase: Sequence[PlannedFile], progress: Progress) -> None:
        """Write the files of a phase; after some files, none is written once the deadline is reached."""
        for start in range(0, len(phase), _BATCH):
            if len(progress.attempted) >= _BATCH and progress.deadline_reached():
                progress.is_complete = False
            if progress.is_complete:
                writer.write(phase[start : start + _BATCH])
                self._renew()

    def _renew(self) -> None:
        """Renew the lease if half of its time is over; raises LeaseExpiredError if another process has it."""
        while self._lease.is_renewal_due():
            version = self._ledger.read()
            if not self._lease.is_held(version.manifest):
                raise LeaseExpiredError
            with suppress(ConflictError):
                self._lease.take(version)

    def _record(
        self, version: LedgerVersion, writer: PublicationWriter, progress: Progress, *, keeps_lease: bool, is_over: bool
    ) -> LedgerVersion:
        """Replace the manifest by one without the finished files among its pending ones.

        The lease is given back if nothing is pending, unless it is kept, or if the publication `is_over`; else it is
        renewed. Where another process has the lease by now, all files that this one wrote become pending again.
        """

        def attempt(version: LedgerVersion) -> LedgerVersion:
            manifest = version.manifest
            if not self._lease.is_held(manifest):
                unverified = with_unverified_files(manifest, progress.attempted)
                return version if unverified is manifest else self._ledger.commit(version, unverified, {})
            after = writer.without_finished(manifest)
            is_last = is_over or not (keeps_lease or after.pending)
            after = with_dated_unreferenced_files(after, self._lease.now())
            after, files = self._outbox.with_files(after, published_names(writer.finished))
            after = self._without_lease(after) if is_last else self._lease.with_lease(after)
            return self._ledger.commit(version, after, files)

        return self._replace(version, attempt)

    def _collect(self, version: LedgerVersion, progress: Progress) -> LedgerVersion:
        """Delete the files that nothing has named for 20 hours: published ones, and the ledger's own."""
        self._lease.note_expiry(version.manifest)
        files = self._files_of(version.manifest)
        deleted, refused = delete_unreferenced(version.manifest, files, self._lease)
        progress.removed |= dict.fromkeys(each.name for each in deleted)
        for name, problem in refused.items():
            progress.warn("output-left", name, problem)
        self._ledger.collect_garbage(version.manifest, self._lease.now())

        def attempt(version: LedgerVersion) -> LedgerVersion:
            left = tuple(each for each in version.manifest.unreferenced if each not in deleted)
            after = with_dated_unreferenced_files(replace(version.manifest, unreferenced=left), self._lease.now())
            if not self._lease.is_held(version.manifest) or after == version.manifest:
                return version
            after, files = self._outbox.with_files(after, removed=(each.name for each in deleted))
            return self._ledger.commit(version, after, files)

        return self._replace(version, attempt)

    def _give_back(self, version: LedgerVersion) -> LedgerVersion:
        def attempt(version: LedgerVersion) -> LedgerVersion:
            if not self._lease.is_held(version.manifest):
                return version
            return self._ledger.commit(version, replace(version.manifest, publisher=None), {})

        return self._replace(version, attempt)

    def _replace(self, version: LedgerVersion, attempt: Callable[[LedgerVersion], LedgerVersion]) -> LedgerVersion:
        """The result of an attempt with this version, or with the current one if another writer was first."""
        versions = chain((version,), iter(self._ledger.read, None))
        return self._ledger.commit_with_retry(lambda: attempt(next(versions)))


def _changes(progress: Progress, version: LedgerVersion) -> FileChanges:
    written, removed = tuple(progress.written), tuple(progress.removed)
    return FileChanges(written, removed, progress.warnings(), progress.is_complete, version)
