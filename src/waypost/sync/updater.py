"""Updates a bucket's ledger and sitemaps for the keys for which events arrived.

An event is only a hint that an object is worth looking at. Records follow from what objects are after the manifest
was read that is replaced, so of two writers the later one always has the later view.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from waypost.build.object_reader import Snapshots, read_objects
from waypost.core import reasons
from waypost.core.diff import count_changes
from waypost.core.errors import ConflictError, LostRecordsError, SettingsChangedError
from waypost.core.model import Item, SiteWarning
from waypost.core.retry import Retry
from waypost.ledger.ledger_state import LedgerState
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdate
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.removed_pages import with_removed_pages
from waypost.ledger.store import MAX_ATTEMPTS, LedgerVersion
from waypost.ledger.unreadable import with_unreadable
from waypost.sync.bucket_context import BucketContext
from waypost.sync.deferred_keys import with_deferred_keys
from waypost.sync.key_portions import MAX_SEGMENTS, in_order, portions
from waypost.sync.known_objects import changed_keys
from waypost.sync.output_repairs import repair_outputs
from waypost.sync.publisher import FileChanges
from waypost.sync.publisher_lease import PublisherLeaseHolder
from waypost.sync.publishing_work import PublishingWork
from waypost.sync.result import RunResult, total
from waypost.sync.site_warnings import hreflang_warnings, lost_warnings, page_warnings


class _Reading(NamedTuple):
    """How an update reads its keys: the `excluded` ones not at all, the `redelivered` ones only if they changed.

    All objects in the ranges of `lost` entries are read as well, and what the records of `unverified` keys say of other
    files is determined again.
    """

    excluded: Collection[str]
    redelivered: frozenset[str]
    retry: Retry
    refresh_etags: bool
    lost: Collection[ShardEntry] = ()
    unverified: Collection[str] = ()


class Updater(BucketContext):
    """Brings the ledger and the sitemaps of one site up to date for keys."""

    def update(
        self,
        keys: Collection[str],
        deadline_reached: Callable[[], bool] = lambda: False,
        *,
        refresh_etags: bool = False,
        redelivered: Collection[str] = (),
        patience: float | None = None,
        lost: Collection[ShardEntry] = (),
        unverified: Collection[str] = (),
    ) -> RunResult:
        """Bring the ledger and the sitemaps up to date for these keys; the key of an output restores that output.

        Keys for which there is no time left are among the failed. A rebuild sets `refresh_etags`: then known keys that
        now have a reason to be left out are removed, too. Of the `redelivered` keys only the objects with other ETags
        than the recorded ones are read. The run waits for another publisher up to `patience` seconds. `lost` are
        entries whose records are lost; their ranges are read, too. The records of `unverified` keys may name files that
        are gone.

        Raises SettingsChangedError if the ledger was built with other settings or other rules of robots.txt;
        LedgerError, SourceError, StoreError and RenderError; ConflictError if other writers are always first;
        OtherRunError if another run publishes for too long.
        """
        # First: sort the keys. Changed rules of robots.txt end the update, because all pages depend on them.
        work = PublishingWork(self.lease)
        if ROBOTS in keys:
            work.version = self.left_to_publish(self._require_robots_rules())
        reason_of = {key: self.exclusion_reason(key) for key in keys}
        outputs = {key for key, reason in reason_of.items() if reason == reasons.OUTPUT}
        excluded = {key for key, reason in reason_of.items() if reason} - outputs if refresh_etags else set[str]()
        ignored = Counter(str(reason) for key, reason in reason_of.items() if reason and key not in excluded)
        retry = Retry(deadline_reached, self.lease_clock.sleep)
        how = _Reading(excluded, frozenset(redelivered), retry, refresh_etags, lost, unverified)
        results = [RunResult(ignored=ignored)]
        # Second: restore our own files, before anything that is published for other reasons.
        if outputs:
            repairs = repair_outputs(self, outputs)
            work.version = repairs.version or work.version
            results.append(RunResult(warnings=repairs.warnings))
        # Third: the pages, in portions of neighbouring keys, each of which is one replacement of the manifest.
        pages = in_order({key for key, reason in reason_of.items() if reason is None} | excluded, self.group)
        manifest = self.ledger.read().manifest if len(pages) > MAX_SEGMENTS else Manifest()
        for some in self.portions(pages, manifest) if pages or not (lost or unverified) else [()]:
            if deadline_reached():
                results.append(RunResult(failed=dict.fromkeys(some, "the deadline was reached before it was read")))
            else:
                results.append(self._update_keys(some, how, work))
        if work.version:
            results.append(self.publish(work.version, work, deadline_reached, patience=patience).as_result())
        return total(results)

    def portions(self, keys: Iterable[str], manifest: Manifest) -> Iterator[Sequence[str]]:
        """Keys, which are in order, in portions that are updated together."""
        return portions(keys, manifest, self.group, self.site.file_limits.urls)

    def _update_keys(self, keys: Collection[str], how: _Reading, work: PublishingWork) -> RunResult:
        """Read and commit these keys, and those again that changed in the meantime."""
        results: list[RunResult] = []
        for _ in range(MAX_ATTEMPTS):
            keys = self.ledger.commit_with_retry(partial(self._attempt_update, keys, how, work, results))
            if not keys:
                return total(results)
        raise ConflictError(f"objects changed {MAX_ATTEMPTS} times while this run read them; run it again")

    def _attempt_update(
        self, keys: Collection[str], how: _Reading, work: PublishingWork, results: list[RunResult]
    ) -> list[str]:
        """One attempt of an update; appends to `results` what it did, and returns the keys that changed since."""
        version = self.ledger.read()
        self.require_built(version.manifest)
        if how.refresh_etags:
            self.require_same_urls(version.manifest)
        if version.manifest.state == LedgerState.SCANNING:
            results.append(RunResult(manifest=self._defer(version, keys).manifest))
            return []
        wanted = [Item(key, key) for key in self._unknown_keys(version, keys, how)]
        seen, failed = read_objects(self.source, self.site, wanted, retry=how.retry)
        seen |= {key: None for key in keys if key in how.excluded}
        if not how.refresh_etags:
            seen |= self._uncovered(version.manifest, seen)
        warnings = page_warnings(seen, self.site_of(version.manifest.url_form), self.clock())
        read = RunResult(objects_read=len(wanted), failed=failed, warnings=warnings, unreadable=len(failed))
        results.append(read)
        try:
            update, version = self._commit(version, keys, seen, failed, work, how)
        except ConflictError:
            results.append(RunResult(conflicts=1))
            raise
        results.append(_update_result(update, version, seen))
        return self._changed_again(update.changed_etags)

    def _uncovered(self, manifest: Manifest, seen: Snapshots) -> Snapshots:
        """The URLs without an object that a ledger remembers and that have the keys of objects that are gone."""
        gone = [Item(key, key) for key, snapshot in seen.items() if snapshot is None]
        if not (gone and manifest.url_list):
            return {}
        with self.urls_of(manifest):
            listed = [item for item in gone if item.key in self.source.entries]
            return read_objects(self.source, self.site, listed)[0]

    def _unknown_keys(self, version: LedgerVersion, keys: Collection[str], how: _Reading) -> list[str]:
        """The keys whose objects must be read: not those that are recorded as they are now, if that is likely.

        What could not be read before is read in any case: its metadata may have changed.
        """
        possible = [key for key in keys if key not in how.excluded]
        unreadable = {each.key for each in version.manifest.unreadable}
        if not how.redelivered.intersection(possible):
            return possible
        cache = RecordCache(version.manifest, self.selection, self.loader(version))
        recorded = {key: (record.etag if record else None) for key in possible for record in [cache.record(key)]}
        changed = set(changed_keys(self.source, {key: recorded[key] for key in how.redelivered & recorded.keys()}))
        return [key for key in possible if key in changed or key in unreadable or key not in how.redelivered]

    def _require_robots_rules(self) -> LedgerVersion:
        """The current manifest.

        Raises SettingsChangedError if robots.txt has other rules than it, or if a build may still end early.
        """
        version = self.ledger.read()
        if not version.manifest.is_complete:
            raise SettingsChangedError("a build is in progress, and robots.txt may have changed since it began")
        if self.robots_rules() != version.manifest.robots_rules:
            raise SettingsChangedError("robots.txt has other rules than when the ledger was built; start a rebuild")
        return version

    def _commit(
        self,
        version: LedgerVersion,
        keys: Collection[str],
        seen: Snapshots,
        failed: Mapping[str, str],
        work: PublishingWork,
        how: _Reading,
    ) -> tuple[ManifestUpdate, LedgerVersion]:
        """Update the manifest, and replace it if anything changed.

        It is replaced in any case during a build, which then knows that this run may have read an object later, and
        after a replacement of which it is not known whether it took effect, so that it no longer can. A distributed
        rebuild must read all `keys`, also those that need no reading here: its workers may have read other contents.
        It must also read those whose records changed because of others: what it finds may undo their changes.
        """
        before = version.manifest
        update = self._updated(version, seen, how)
        after, deferred = with_deferred_keys(update.manifest, update.changed_keys.union(keys))
        after = with_unreadable(after, seen.keys(), failed)
        if not how.refresh_etags:  # a rebuild has counted before what it removes
            after = with_removed_pages(before, after, self.lease_clock.time())
        if after is not before or not before.is_complete or self.ledger.has_uncertain_commit:
            version = self.commit(version, after, {**update.records, **deferred}, update.changes)
            work.note_commit(before, version, update)
        work.version = version
        return update, version

    def _updated(self, version: LedgerVersion, seen: Snapshots, how: _Reading) -> ManifestUpdate:
        """The manifest after these objects, with the ranges of lost entries read again."""
        before, load = version.manifest, self.loader(version)
        updater, previous = self.manifest_updater(before), self.previous_ledger(before)

        def make(all_seen: Snapshots, all_lost: Collection[ShardEntry]) -> ManifestUpdate:
            return updater.update(
                before,
                all_seen,
                load,
                previous,
                before.builder,
                refresh_etags=how.refresh_etags,
                lost=all_lost,
                unverified=how.unverified,
            )

        return self.repaired(before, seen, make, how.lost, how.retry)

    def publish(
        self,
        version: LedgerVersion,
        work: PublishingWork | None = None,
        deadline_reached: Callable[[], bool] = lambda: False,
        *,
        collects: bool = False,
        lease: PublisherLeaseHolder | None = None,
        patience: float | None = None,
    ) -> FileChanges:
        """Publish what is pending; records that are needed for that and are lost are made again first."""
        warnings: tuple[SiteWarning, ...] = ()
        retry = Retry(deadline_reached, self.lease_clock.sleep)
        while True:
            try:
                found = self.publish_once(
                    version, work, deadline_reached, collects=collects, lease=lease, patience=patience
                )
                return replace(found, warnings=(*warnings, *found.warnings))
            except LostRecordsError as error:
                version, found_warnings = self._repair(error.records_file, retry)
                warnings, work = (*warnings, *found_warnings), None

    def _repair(self, records_file: str, retry: Retry) -> tuple[LedgerVersion, tuple[SiteWarning, ...]]:
        """Make the records of an entry again; returns the current manifest, and warnings if the entry was in that."""

        def attempt() -> tuple[LedgerVersion, tuple[SiteWarning, ...]]:
            version = self.ledger.read()
            lost = [entry for entry in version.manifest.entries if entry.records_file == records_file]
            warnings: tuple[SiteWarning, ...] = ()
            if lost:
                update = self._updated(version, {}, _Reading((), frozenset(), retry, refresh_etags=False, lost=lost))
                warnings = lost_warnings(update)
                after, deferred = with_deferred_keys(update.manifest, update.changed_keys)
                after, outbox = self.outbox.with_urls(after, update.changes)
                version = self.ledger.commit(version, after, {**update.records, **deferred, **outbox})
            return version, warnings

        return self.ledger.commit_with_retry(attempt)

    def defer(self, keys: Collection[str]) -> bool:
        """Leave keys to the distributed rebuild, whatever its settings are; False if none would read them."""

        def attempt() -> bool:
            version = self.ledger.read()
            builder = version.manifest.builder
            if builder is None or not builder.is_run:
                return False
            self._defer(version, keys)
            return True

        return self.ledger.commit_with_retry(attempt)

    def _defer(self, version: LedgerVersion, keys: Collection[str]) -> LedgerVersion:
        after, deferred = with_deferred_keys(version.manifest, keys)
        return self.ledger.commit(version, after, deferred)

    def _changed_again(self, etags: Mapping[str, str | None]) -> list[str]:
        """The keys whose objects are no longer those that were committed.

        Without this, a slow writer could commit an object that a faster one has seen replaced by an earlier content,
        which changed nothing for that one.
        """
        now = self.source.etags(key for key in etags if self.exclusion_reason(key) is None)
        return [key for key in now if now[key] != etags[key]]


def _update_result(update: ManifestUpdate, version: LedgerVersion, seen: Snapshots) -> RunResult:
    changed = update.changed_etags
    return RunResult(
        records_changed=len(changed),
        warnings=(*hreflang_warnings(update.hreflang_issues), *lost_warnings(update)),
        changes=count_changes(update.counted_changes),
        same_facts=update.same_facts,
        not_found=tuple(key for key, snapshot in seen.items() if snapshot is None and key not in changed),
        manifest=version.manifest,
    )
