"""All shards of a distributed build into one manifest, with what happened to the bucket meanwhile."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.core.dates import add_seconds
from waypost.core.errors import BusyError, LedgerError
from waypost.core.model import Item
from waypost.distributed.artifacts import BuildResult, MergeResult, RunArtifacts
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, Run, ShardEntry, with_change_date
from waypost.ledger.manifest_update import PreviousLedger
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.store import LedgerVersion
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater, first_portion, hreflang_warnings, unreadable_warning

_REVISED = "commit-draft.json"
_DAY = 86_400


class CommitDraft(Struct, frozen=True):
    """A manifest that is still to be committed, and which files of touched keys it takes into account.

    `after` is the last of their keys that was looked at, None where all were; `told` is what was done for it.
    """

    manifest: Manifest
    deferred_keys: tuple[str, ...] = ()
    resume_after: str | None = None
    result: RunResult = RunResult()


class RunCommit:
    """Commits one build; what it has looked at is kept in case that another writer is first."""

    def __init__(self, updater: Updater, artifacts: RunArtifacts, deadline_reached: Callable[[], bool]) -> None:
        self._updater, self._artifacts, self._deadline_reached = updater, artifacts, deadline_reached
        self._known: CommitDraft | None = None

    @property
    def start_generation(self) -> int:
        """The generation at which the build began."""
        return self._artifacts.run.start_generation

    def commit(self, version: LedgerVersion, run: Run) -> tuple[LedgerVersion | None, RunResult]:
        """Put the build's manifest in the place of the one that stands; None where the time is over before.

        Raises ConflictError where another writer was first, and LedgerError where a worker's word is missing.
        """
        current, past = version.manifest, self._updater.previous_ledger(version.manifest)
        known = self._known or self._artifacts.find(_REVISED, CommitDraft) or CommitDraft(self._assemble(current))
        self._known = known = self._apply_deferred(known, run, current, past)
        if known.resume_after is not None:
            self._artifacts.put(_REVISED, known)
            return None, known.result
        after = self._finish(known.manifest, current, run, past)
        return self._updater.ledger.commit(version, after, {}), known.result

    def _assemble(self, current: Manifest) -> Manifest:
        """The manifest over the shards of all segments."""
        joined = self._artifacts.get("merged.json", MergeResult)
        made = (entries for each in self._artifacts.read_all("built-", BuildResult) for entries in each.entries)
        entries: list[ShardEntry] = []
        for segment in joined.segments:
            is_kept = segment.is_unchanged and not self._updater.site.alternates
            found = segment.fragments if is_kept else next(made, None)
            if found is None:
                raise LedgerError("shards that a worker should have made are missing; start the rebuild again")
            entries += found
        return replace(current, entries=tuple(entries), indexes=(), auxiliary_files=(), position="")

    def _apply_deferred(
        self, known: CommitDraft, run: Run, current: Manifest, past: PreviousLedger | None
    ) -> CommitDraft:
        """Look at the keys at which something happened since the build began, as they are now."""
        left = [
            key
            for key in self._read_deferred(known.deferred_keys)
            if known.resume_after is not None and key > known.resume_after
        ]
        keys = sorted(
            {*left, *self._read_deferred([name for name in run.deferred_keys if name not in known.deferred_keys])}
        )
        manifest, told, last = known.manifest, known.result, ""
        while keys:
            if self._deadline_reached():
                return CommitDraft(manifest, run.deferred_keys, last, told)
            some = first_portion(keys, manifest)
            try:
                manifest, result = self._apply_portion(manifest, some, current, past)
            except BusyError:
                if not last:
                    raise
                return CommitDraft(manifest, run.deferred_keys, last, told)
            told += result
            keys, last = keys[len(some) :], some[-1]
        return CommitDraft(manifest, run.deferred_keys, result=told)

    def _apply_portion(
        self, manifest: Manifest, keys: Sequence[str], current: Manifest, past: PreviousLedger | None
    ) -> tuple[Manifest, RunResult]:
        ledger = self._updater.ledger
        seen, failed = self._updater.read_objects((Item(key, key) for key in keys), raise_when_busy=True)
        manifest_updater = self._updater.manifest_updater(current)
        told = None if past else OrderedRecords(current, ledger.records_or_none).record
        update = manifest_updater.update(
            manifest, seen, ledger.records_or_none, past, "", refresh_etags=True, event_records=told
        )
        ledger.write_records(update.records)
        warned = (
            *self._updater.page_warnings(seen),
            *hreflang_warnings(update.hreflang_issues),
            *unreadable_warning(failed),
        )
        return update.manifest, RunResult(
            objects_read=len(seen), records_changed=len(update.changed_etags), warnings=warned, failed=failed
        )

    def _read_deferred(self, names: Sequence[str]) -> set[str]:
        """The keys that files name, as updates have noted them, which may be pages under the build's settings."""
        found = concurrency.map_concurrently(self._updater.deferred_keys, names, self._updater.ledger.store.width)
        return {key for keys in found for key in keys if self._updater.exclusion_reason(key) is None}

    def _finish(self, made: Manifest, current: Manifest, run: Run, past: PreviousLedger | None) -> Manifest:
        """The manifest to commit: with the files' dates, and what stands over and beside them."""
        now = self._updater.clock()
        known = past.files if past else current.files
        is_dated = self._updater.site.lastmod == "content" and bool(past or current.built_at)
        timed = replace(
            made, entries=tuple(_with_change_dates(entry, known, now if is_dated else None) for entry in made.entries)
        )
        after = self._updater.manifest_updater(current).finish(timed, known, self._updater.ledger.records).manifest
        before = known.keys() | {each.name for each in current.pending}
        gone = (PendingFile(name, add_seconds(now, _DAY)) for name in sorted(before - after.files.keys()))
        return replace(
            after,
            generation=current.generation + 1,
            built_at=now,
            previous="",
            pending=tuple(gone),
            run=replace(run, deferred_keys=(), is_publishing=True),
            is_unpublished=True,
        )


def _with_change_dates(entry: ShardEntry, known: Mapping[str, PublishedFile], changed: str | None) -> ShardEntry:
    return replace(entry, files=tuple(with_change_date(file, known, changed) for file in entry.files))
