"""Commits all shards of a distributed rebuild as one manifest, with changes that events reported meanwhile."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.build.object_reader import read_objects
from waypost.core import concurrency
from waypost.core.diff import all_changes
from waypost.core.errors import BusyError, LedgerError
from waypost.core.model import Changes, Item
from waypost.distributed.artifacts import BuildResult, MergeResult, RunArtifacts
from waypost.distributed.base_manifest import base_manifest
from waypost.ledger import shard_entries
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest, OutboxFile, PublishedFile, ShardEntry, with_change_date
from waypost.ledger.record_cache import OrderedRecords, RecordCache
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.store import LedgerVersion
from waypost.ledger.unreadable import with_unreadable
from waypost.sync.deferred_keys import read_deferred_keys
from waypost.sync.key_portions import in_order
from waypost.sync.publisher_lease import PublisherLeaseHolder
from waypost.sync.removal_check import RemovalCheck
from waypost.sync.result import RunResult
from waypost.sync.site_warnings import hreflang_warnings, lost_warnings, page_warnings, unreadable_warning
from waypost.sync.updater import Updater

_DRAFT = "commit-draft.json"
_NOT_COMPLETE = BuilderLease(position="")
"""What a draft has as its builder: no indexes are made of a manifest that is not complete."""


class CommitDraft(Struct, frozen=True):
    """A manifest that is not committed yet, and the files of deferred keys that it takes into account.

    `resume_after` is the last of these keys that was read; None if all were. `result` is what was done for them.
    `outbox` has what subscribers must be notified of.
    """

    manifest: Manifest
    deferred_keys: tuple[str, ...] = ()
    resume_after: str | None = None
    result: RunResult = RunResult()
    outbox: tuple[OutboxFile, ...] = ()


class RunCommit:
    """Commits one run; its draft is kept for the case that another writer is first."""

    def __init__(
        self,
        updater: Updater,
        artifacts: RunArtifacts,
        deadline_reached: Callable[[], bool],
        max_removed: int | None = None,
    ) -> None:
        self._updater, self._artifacts, self._deadline_reached = updater, artifacts, deadline_reached
        most = updater.site.max_removed if max_removed is None else max_removed
        self._removal_check = RemovalCheck(updater, most, deadline_reached)
        self._draft: CommitDraft | None = None

    @property
    def start_generation(self) -> int:
        """The generation at which the run started."""
        return self._artifacts.run.start_generation

    def commit(self, version: LedgerVersion, lease: PublisherLeaseHolder) -> tuple[LedgerVersion | None, RunResult]:
        """Replace the current manifest by the run's, and take the publisher's lease; None if the deadline is first.

        Raises ConflictError if another writer was first, LedgerError if a worker's result is missing, and RemovalError
        if too many listed pages would be removed.
        """
        current, previous = version.manifest, self._updater.previous_ledger(version.manifest)
        draft = self._draft or self._artifacts.find(_DRAFT, CommitDraft) or self._new_draft(current)
        self._draft = draft = self._apply_deferred(draft, current, previous)
        if draft.resume_after is not None:
            self._artifacts.put(_DRAFT, draft)
            return None, draft.result
        after = self._finish(draft, current, previous)
        if listed := previous.page_count if previous else current.page_count:
            self._removal_check.check_counts(listed, after.page_count)
        else:
            self._removal_check.check_first(after)
        self._updater.before_taking_lease()
        return self._updater.ledger.commit(version, lease.with_lease(after), {}), draft.result

    def _new_draft(self, current: Manifest) -> CommitDraft:
        results = self._artifacts.read_all("built-", BuildResult)
        manifest = self._assemble(current, results)
        gone, files = self._updater.outbox.with_urls(Manifest(), self._gone(current, manifest))
        self._updater.ledger.write_records(files)
        outbox = (*(file for each in results for file in each.outbox), *gone.outbox)
        return CommitDraft(manifest, outbox=outbox)

    def _gone(self, current: Manifest, draft: Manifest) -> Changes:
        """The pages of vanished shards whose keys now belong to shards that no worker built again."""
        if not (self._updater.outbox.wants_urls and current.built_at):
            return Changes()
        base = base_manifest(self._updater.ledger, current)
        kept = {entry.records_file for entry in base.entries}
        drafted, groups = {entry.records_file for entry in draft.entries}, shard_entries.by_group(draft.entries)

        def is_kept(group: str, key: str) -> bool:
            members = groups.get(group, ())
            return not members or members[shard_entries.entry_index(members, key)].records_file in kept

        vanished = [each for each in base.entries if each.records_file not in drafted]
        gone = [each for each in vanished if is_kept(each.group, each.first_key)]
        ledger = self._updater.ledger
        found = concurrency.map_concurrently(ledger.records_or_none, gone, ledger.store.width)
        records = (
            record
            for entry, some in zip(gone, found, strict=True)
            for record in some or ()
            if is_kept(entry.group, record.key)
        )
        return self._updater.manifest_updater(current).changes(records, ())

    def _assemble(self, current: Manifest, results: Sequence[BuildResult]) -> Manifest:
        """The manifest over the shards of all segments."""
        merged = self._artifacts.get("merged.json", MergeResult)
        built = (entries for each in results for entries in each.entries)
        entries: list[ShardEntry] = []
        for segment in merged.segments:
            is_kept = segment.is_unchanged and not self._updater.site.alternates
            found = segment.fragments if is_kept else next(built, None)
            if found is None:
                raise LedgerError("the shards of a worker are missing; start the rebuild again")
            entries += found
        shards = tuple(entries)
        assembled = replace(
            current, entries=shards, indexes=(), auxiliary_files=(), builder=_NOT_COMPLETE, unreadable=()
        )
        return with_unreadable(assembled, (), merged.result.failed)

    def _apply_deferred(self, draft: CommitDraft, current: Manifest, previous: PreviousLedger | None) -> CommitDraft:
        """Read the keys for which events arrived since the run started, as they are now."""
        names = current.builder.deferred_keys if current.builder else ()
        keys = self._unread_keys(draft, names)
        manifest, result, outbox, last = draft.manifest, draft.result, draft.outbox, ""
        for some in self._updater.portions(keys, manifest):
            if self._deadline_reached():
                return CommitDraft(manifest, names, last, result, outbox)
            try:
                manifest, done, more = self._apply_portion(manifest, some, current, previous)
            except BusyError:
                if not last:
                    raise
                return CommitDraft(manifest, names, last, result, outbox)
            result += done
            outbox += more
            last = some[-1]
        return CommitDraft(manifest, names, result=result, outbox=outbox)

    def _unread_keys(self, draft: CommitDraft, names: Sequence[str]) -> list[str]:
        """The deferred keys that the draft does not take into account yet, in order."""
        group, left = self._updater.group, list[str]()
        if draft.resume_after is not None:
            left = in_order(self._possible_pages(draft.deferred_keys), group, draft.resume_after)
        new = self._possible_pages([name for name in names if name not in draft.deferred_keys])
        return in_order({*left, *new}, group)

    def _possible_pages(self, names: Sequence[str]) -> set[str]:
        """The keys in these files that may be pages under the run's settings."""
        ledger = self._updater.ledger
        files = concurrency.map_concurrently(lambda name: read_deferred_keys(ledger, name), names, ledger.store.width)
        return {key for keys in files for key in keys if self._updater.exclusion_reason(key) is None}

    def _apply_portion(
        self, manifest: Manifest, keys: Sequence[str], current: Manifest, previous: PreviousLedger | None
    ) -> tuple[Manifest, RunResult, tuple[OutboxFile, ...]]:
        ledger, site = self._updater.ledger, self._updater.site_of(current.url_form)
        # First: read the objects as they are now; the scan may have seen older ones.
        items = (Item(key, key) for key in keys)
        with self._updater.urls_of(current):
            seen, failed = read_objects(self._updater.source, site, items, raise_when_busy=True)
        # Second: put them into the run's manifest. Dates come from the records of updates, if there is no older build.
        updater = self._updater.manifest_updater(current)
        event_records = None if previous else OrderedRecords(current, ledger.records_or_none).record
        update = self._updater.repaired(
            manifest,
            seen,
            lambda all_seen, lost: updater.update(
                manifest,
                all_seen,
                ledger.records_or_none,
                previous,
                _NOT_COMPLETE,
                refresh_etags=True,
                event_records=event_records,
                lost=lost,
            ),
        )
        # Third: note what subscribers have to be told, and save the files before any manifest names them.
        missed = self._changes_since(current, manifest, keys) if current.built_at and not previous else Changes()
        notified, files = self._updater.outbox.with_urls(Manifest(), all_changes([missed, update.changes]))
        ledger.write_records({**update.records, **files})
        warnings = (
            *page_warnings(seen, site, self._updater.clock()),
            *hreflang_warnings(update.hreflang_issues),
            *unreadable_warning(failed),
            *lost_warnings(update),
        )
        changed = len(update.changed_etags)
        result = RunResult(
            objects_read=len(seen),
            records_changed=changed,
            warnings=warnings,
            failed=failed,
            unreadable=len(failed),
        )
        return with_unreadable(update.manifest, seen.keys(), failed), result, notified.outbox

    def _changes_since(self, current: Manifest, draft: Manifest, keys: Sequence[str]) -> Changes:
        """What updates have published of these keys meanwhile, and the draft does not have: it may never get it."""
        if not self._updater.outbox.wants_urls:
            return Changes()
        load, selection = self._updater.ledger.records_or_none, self._updater.selection
        published, drafted = (RecordCache(each, selection, load) for each in (current, draft))
        updater = self._updater.manifest_updater(current)
        return updater.changes(map(published.record, keys), map(drafted.record, keys))

    def _finish(self, draft: CommitDraft, current: Manifest, previous: PreviousLedger | None) -> Manifest:
        """The manifest to commit: with the dates of its files, its indexes and its auxiliary files."""
        now = self._updater.clock()
        known = previous.files if previous else current.files
        has_other_settings = bool(previous) or not current.built_at
        is_dated = self._updater.site.lastmod == "content" and bool(previous or current.built_at)
        entries = tuple(_with_change_dates(entry, known, now if is_dated else None) for entry in draft.manifest.entries)
        with_dates = replace(current, entries=entries, indexes=(), auxiliary_files=(), builder=_NOT_COMPLETE)
        manifest_updater, records = self._updater.manifest_updater(current), self._updater.ledger.records
        after = manifest_updater.finish(with_dates, known, records, is_from_build=has_other_settings).manifest
        outbox = (*current.outbox, *draft.outbox)
        unreadable = draft.manifest.unreadable
        return replace(after, built_at=now, listed_since=current.config_since, outbox=outbox, unreadable=unreadable)


def _with_change_dates(entry: ShardEntry, known: Mapping[str, PublishedFile], changed_at: str | None) -> ShardEntry:
    return replace(entry, files=tuple(with_change_date(file, known, changed_at) for file in entry.files))
