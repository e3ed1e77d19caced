"""Compares a complete ledger with a listing of the bucket, and repairs what differs."""

from collections.abc import Iterable

from msgspec.structs import replace

from waypost.core.errors import LostRecordsError, SettingsChangedError
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import with_pending_files
from waypost.ledger.store import LedgerVersion
from waypost.sync.drift import Judgement, differences
from waypost.sync.listing_chunks import ListingChunk, iter_chunks, split_chunk
from waypost.sync.rebuild_context import CHECKED, RebuildContext
from waypost.sync.result import RunResult


class Reconciliation:
    """The comparison of one rebuild."""

    def __init__(self, context: RebuildContext) -> None:
        self._context, self._updater, self._ledger = context, context.updater, context.updater.ledger

    def run(self, version: LedgerVersion, start_after: str, rules: str) -> RunResult:
        """Update the keys for which a listing and a complete ledger differ.

        If records were lost meanwhile, the ledger is compared once more, since others may depend on them.
        """
        done, lost_at = RunResult(), version.manifest.records_lost_at
        for chunk in self._chunks(version.manifest, start_after):
            if self._context.deadline_reached():
                return replace(done, resume_after=chunk.start_after or CHECKED)
            done += RunResult(chunk.objects_listed, ignored=chunk.ignored)
            for part in split_chunk(chunk, version.manifest):
                done += self._repair(part)
                if self._context.deadline_reached():
                    return replace(done, failed={}, resume_after=part.start_after or CHECKED)
        if self._updater.robots_rules() != rules:
            raise SettingsChangedError("robots.txt has changed since the rebuild began")
        try:
            marked = self._mark_built(lost_at, is_whole=start_after in ("", CHECKED))
        except LostRecordsError as error:  # records of articles, which only the news sitemap needs now
            done += self._repair_records(error.records_file)
            marked = None
        if marked is None:
            return done + self.run(self._ledger.read(), start_after, rules)
        return done + self._context.publish(marked)

    def _repair_records(self, records_file: str) -> RunResult:
        lost = [entry for entry in self._ledger.read().manifest.entries if entry.records_file == records_file]
        return self._updater.update((), self._context.deadline_reached, lost=lost)

    def _repair(self, chunk: ListingChunk) -> RunResult:
        """Update the keys of a range that differ, and count those whose events were lost."""
        manifest = self._ledger.read().manifest
        found = differences(self._ledger, manifest, chunk, self._updater.clock())
        check = self._context.drift_check
        keys, drift = check.judge(found) if check else Judgement(found.keys, [])
        keys = sorted({*keys, *(each.key for each in manifest.unreadable if chunk.holds(each.key))})
        done = RunResult()
        if keys or found.lost:
            done += self._updater.update(keys, self._context.deadline_reached, refresh_etags=True, lost=found.lost)
        if found.dependent:
            done += self._updater.update((), self._context.deadline_reached, unverified=found.dependent)
        # An event of an upload that says the same may have come: it changes nothing, not even the recorded ETag.
        unreported = set(drift) - done.failed.keys() - done.same_facts
        return replace(done, drift=len(unreported), same_facts=frozenset())

    def _chunks(self, manifest: Manifest, start_after: str) -> Iterable[ListingChunk]:
        """A listing of the bucket; the check's listing, if it listed all of it in one chunk."""
        listed, self._context.removal_check.only_chunk = self._context.removal_check.only_chunk, None
        if listed:
            return [listed]
        return iter_chunks(self._updater.source, manifest, start_after, self._updater.exclusion_reason)

    def _mark_built(self, lost_at: int, *, is_whole: bool) -> LedgerVersion | None:
        """Record that a listing has just confirmed the ledger, and which published files are wrong.

        A listing that this call began as a whole is as old as the call; else it is newer than the one before. None if
        records were lost since `lost_at`, so that it may not have found all that depends on them. Raises
        LostRecordsError if records of news are lost.
        """

        def attempt() -> LedgerVersion | None:
            version = self._ledger.read()
            if not self._updater.is_built_with(version.manifest, version.manifest.robots_rules):
                raise SettingsChangedError("another run has begun a build with other settings")
            if not version.manifest.is_complete:
                return version
            self._updater.require_same_urls(version.manifest)
            if is_whole and version.manifest.records_lost_at != lost_at:
                return None
            now, after = self._updater.clock(), version.manifest
            if self._updater.site.news:
                after = self._updater.manifest_updater(after).refresh(after, self._updater.loader(version)).manifest
            wrong = self._updater.published_files(after).wrong_files(after) if after.is_publishable else {}
            after = replace(after, generation=version.manifest.generation + 1, repaired=())
            after = with_pending_files(after, version.manifest.files, wrong)
            after = self._context.builder.confirm_settings(self._context.builder.without_ended_run(after))
            listed_since = self._context.started if is_whole else version.manifest.config_since
            after = replace(after, built_at=now, listed_since=listed_since)
            return self._updater.commit(version, replace(after, records_lost_at=0) if is_whole else after, {})

        return self._ledger.commit_with_retry(attempt)
