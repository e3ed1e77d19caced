"""Builds a ledger's entries again under changed settings.

A build starts with an empty manifest, of which nothing is published before the whole bucket is in it. It adds one range
of keys at a time, so it can be stopped and continued, and updates work on it meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from waypost.build.object_reader import Snapshots, read_objects
from waypost.core.errors import ConflictError, RemovalError, SettingsChangedError
from waypost.core.model import Item, UrlForm
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdate
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.records import Record
from waypost.ledger.store import LedgerVersion
from waypost.ledger.unreadable import with_unreadable
from waypost.rules import page_facts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sync.listing_chunks import ListingChunk, is_as_recorded, iter_chunks
from waypost.sync.rebuild_context import RebuildContext
from waypost.sync.result import RunResult
from waypost.sync.site_warnings import (
    hreflang_warnings,
    lost_records_warning,
    lost_warnings,
    page_warnings,
    unreadable_warning,
)

Remembered = Callable[[LedgerVersion, Manifest], tuple[Manifest, Mapping[str, bytes]]]
"""Adds to a manifest that replaces a version what it remembers besides; with it come files to write."""


class BuildStep(NamedTuple):
    """What a build did, and whether it is finished; if not, another writer was first, or the deadline was reached."""

    result: RunResult
    is_finished: bool


class Build:
    """The build of one rebuild; it keeps what it has read for a range that it must repeat."""

    def __init__(self, context: RebuildContext) -> None:
        self._context, self._updater, self._ledger = context, context.updater, context.updater.ledger
        self._read: dict[str, ObjectSnapshot] = {}
        self._reported_lost: list[ShardEntry] = []

    def begin(self, version: LedgerVersion, rules: str, url_form: UrlForm, remembered: Remembered) -> LedgerVersion:
        """Replace a manifest of other settings or URLs by an empty one, and archive it for the dates that it holds.

        `remembered` adds the URLs without an object that it remembers, with their file.
        """
        before = version.manifest
        if not self._updater.is_built_with(before, before.robots_rules):
            self._context.builder.require_newer_settings(before)
        previous = self._ledger.archive(before) if before.built_at else before.previous
        after = self._context.builder.confirm_settings(self._updater.empty_manifest(before, rules, url_form))
        lease = self._context.builder.lease(BuilderLease(position="", previous=previous))
        return self._ledger.commit(version, *remembered(version, replace(after, builder=lease)))

    def advance(self, version: LedgerVersion, rules: str) -> BuildStep:
        """Continue a build until it is complete, the deadline is reached, or another writer commits first.

        While nobody else commits, the listing of a range remains valid, however long ago it was made.
        """
        done, manifest = RunResult(), version.manifest
        previous = self._updater.previous_ledger(manifest)
        start_after = position(manifest) or ""
        for chunk in iter_chunks(self._updater.source, manifest, start_after, self._updater.exclusion_reason):
            # Between two chunks the build can stop: the manifest says how far it is.
            if self._context.deadline_reached():
                self._context.builder.give_back(version)
                return BuildStep(replace(done, resume_after=chunk.start_after), is_finished=False)
            seen, failed = self._snapshots(version.manifest, chunk, previous)
            # The last chunk makes the ledger complete: it must be by the rules that all chunks were read under.
            if chunk.through is None and self._updater.robots_rules() != rules:
                raise SettingsChangedError("robots.txt has changed since the build began")
            # One replacement of the manifest for each chunk; whoever loses the race starts again from the newer one.
            try:
                version, update = self._commit(version, chunk, seen, failed, previous)
            except ConflictError:
                return BuildStep(done + RunResult(conflicts=1), is_finished=False)
            except RemovalError:
                self._context.builder.give_back(version)
                raise
            done += self._result(version, chunk, seen, failed, update)
            done += RunResult(warnings=lost_records_warning(self._newly_lost(previous)))
            self._read.clear()
        return BuildStep(done + self._context.publish(version), is_finished=True)

    def _result(
        self,
        version: LedgerVersion,
        chunk: ListingChunk,
        seen: Snapshots,
        failed: Mapping[str, str],
        update: ManifestUpdate,
    ) -> RunResult:
        """What the build did for a range; before the last one, links to pages that are not in it yet are no issues."""
        issues = update.hreflang_issues if chunk.through is None else ()
        warnings = (
            *page_warnings(seen, self._updater.site_of(version.manifest.url_form), self._updater.clock()),
            *hreflang_warnings(issues),
            *unreadable_warning(failed),
            *lost_warnings(update),
        )
        return RunResult(
            chunk.objects_listed,
            len(seen),
            len(seen),
            ignored=chunk.ignored,
            warnings=warnings,
            failed=failed,
            unreadable=len(failed),
        )

    def _newly_lost(self, previous: PreviousLedger | None) -> Sequence[ShardEntry]:
        """The entries of the replaced ledger whose records are lost and were needed, except earlier calls' entries."""
        found = [entry for entry in previous.lost_entries if entry not in self._reported_lost] if previous else []
        self._reported_lost += found
        return found

    def _snapshots(
        self, manifest: Manifest, chunk: ListingChunk, previous: PreviousLedger | None
    ) -> tuple[dict[str, ObjectSnapshot | None], Mapping[str, str]]:
        """What changed in a range: an object of the same upload as recorded is not read again."""
        ordered = OrderedRecords(manifest, self._ledger.records_or_none)
        known = {record.key: record for record in ordered.between(chunk.start_after, chunk.through)}
        seen: dict[str, ObjectSnapshot | None] = dict.fromkeys(known.keys() - {item.key for item in chunk.items})
        unread = []
        for item in chunk.items:
            if item.key in known and known[item.key].etag == item.etag:
                continue
            if snapshot := self._known_snapshot(item, previous):
                seen[item.key] = snapshot
            else:
                unread.append(item)
        found, failed = read_objects(self._updater.source, self._updater.site, unread, retry=self._context.retry)
        self._read |= {key: each for key, each in found.items() if each}
        failed_records = (_previous_record(item, previous) for item in unread if item.key in failed)
        return seen | found | {each.key: ObjectSnapshot("", each.facts, "") for each in failed_records if each}, failed

    def _known_snapshot(self, item: Item, previous: PreviousLedger | None) -> ObjectSnapshot | None:
        """What is known already of the upload that was listed."""
        read = self._read.get(item.key)
        if read and read.etag == item.etag:
            return read
        has_same_facts = previous and previous.recorded_facts == page_facts.recorded_facts(self._updater.site)
        record = previous.record(item.key) if previous and has_same_facts else None
        if not (previous and record and is_as_recorded(record, item, previous.listed_since)):
            return None
        return ObjectSnapshot(item.etag, record.facts, item.modified)

    def _commit(
        self,
        version: LedgerVersion,
        chunk: ListingChunk,
        seen: Snapshots,
        failed: Mapping[str, str],
        previous: PreviousLedger | None,
    ) -> tuple[LedgerVersion, ManifestUpdate]:
        before, manifest_updater = version.manifest, self._updater.manifest_updater(version.manifest)
        is_last = chunk.through is None
        lease = self._context.builder.lease(before.builder or BuilderLease())
        builder = None if is_last else replace(lease, position=chunk.through)
        load = self._updater.loader(version)
        update = self._updater.repaired(
            before,
            seen,
            lambda all_seen, lost: manifest_updater.update(
                before, all_seen, load, previous, builder, refresh_etags=True, lost=lost
            ),
            retry=self._context.retry,
        )
        after = with_unreadable(update.manifest, seen.keys(), failed)
        if is_last:
            after = replace(after, built_at=self._updater.clock(), listed_since=before.config_since)
        if is_last and previous:
            self._context.removal_check.check_counts(previous.page_count, after.page_count)
        elif is_last:
            self._context.removal_check.check_first(after)
        version = self._updater.commit(version, after, update.records)
        if is_last:
            self._context.work.note_commit(before, version, update)
        return version, update


def position(manifest: Manifest) -> str | None:
    """The last key that a build in progress has reached."""
    return manifest.builder.position if manifest.builder else None


def _previous_record(item: Item, previous: PreviousLedger | None) -> Record | None:
    return previous.record(item.key) if previous else None
