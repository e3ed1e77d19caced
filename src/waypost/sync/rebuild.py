"""Brings a bucket's ledger and sitemaps up to a listing of it, and builds them where there are none.

A build under other settings than the ledger's begins an empty manifest, of which nothing is published until the
whole bucket is in it; it advances a range of keys at a time, so that it can be stopped and gone on with, and
events find their keys in it meanwhile.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from waypost.core.errors import ConflictError, SettingsChangedError
from waypost.core.model import Item
from waypost.ledger.manifest import Manifest
from waypost.ledger.manifest_update import ROBOTS, PreviousLedger
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.ledger.store import NEVER, TRIES, Ledger, LedgerVersion
from waypost.rules import page_facts
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sources.parallel_listing import LAST_KEY
from waypost.sync.listing_chunks import ListingChunk, compare_with_records, iter_chunks, split_chunk
from waypost.sync.result import RunResult
from waypost.sync.updater import Snapshots, Updater, hreflang_warnings, unreadable_warning

DeadlineReached = Callable[[], bool]
"""Whether the time that a run may take is nearly over."""


def update(updater: Updater, keys: Collection[str], deadline_reached: DeadlineReached = lambda: False) -> RunResult:
    """Bring the sitemaps up to what has become of these keys; with a rebuild where the ledger is not of these settings.

    Raises as `Upkeep.update`, but never StaleError.
    """
    try:
        return updater.update(keys, deadline_reached)
    except SettingsChangedError:
        return rebuild(updater, deadline_reached)


def rebuild(updater: Updater, deadline_reached: DeadlineReached = lambda: False, after: str = "") -> RunResult:
    """Bring the ledger and the sitemaps up to a listing of the whole bucket, or of what is behind a key.

    What is remembered is kept where it is still right. Raises SourceError, and as `update`.
    """
    return Rebuild(updater, deadline_reached).run(after)


class Rebuild:
    """One rebuild; what it has read is kept in case that a range must be gone over again."""

    def __init__(self, updater: Updater, deadline_reached: DeadlineReached) -> None:
        self._updater, self._ledger, self._deadline_reached = updater, updater.ledger, deadline_reached
        self._read: dict[str, ObjectSnapshot] = {}

    def run(self, after: str = "") -> RunResult:
        """Do it, and say what was done."""
        done, tries, came_to = RunResult(), 0, ""
        while tries < TRIES:
            rules = self._updater.robots_rules()
            version = self._ledger.read_or_recover()
            tries, came_to = (tries + 1 if version.manifest.position == came_to else 1), version.manifest.position or ""
            try:
                if not self._updater.is_built_with(version.manifest, rules):
                    version = self._begin(version, rules)
                if version.manifest.position is None:
                    return done + self._reconcile(version, after)
                if version.manifest.run:  # it has no entries yet: what it has gathered is in files of its own
                    version = self._ledger.commit(version, without_run(version.manifest), {})
                step, is_whole = self._advance(version)
                done += step
                if is_whole or step.resume_after is not None:
                    return done
            except (ConflictError, SettingsChangedError):
                done += RunResult(conflicts=1)
        raise ConflictError(NEVER)

    def _begin(self, version: LedgerVersion, rules: str) -> LedgerVersion:
        """Put an empty manifest in the place of one of other settings, which is remembered until a new one is whole."""
        before = version.manifest
        previous = self._ledger.archive(before) if before.built_at else before.previous
        after = replace(self._updater.empty_manifest(before, rules), previous=previous)
        return self._ledger.commit(version, after, {})

    def _advance(self, version: LedgerVersion) -> tuple[RunResult, bool]:
        """Go on with a build, until it is whole, the time is over, or another writer's commit is in the way.

        While nobody else commits, a listing's view of a range holds, however long ago it was listed.
        """
        done, manifest = RunResult(), version.manifest
        past = self._updater.previous_ledger(manifest)
        for chunk in iter_chunks(
            self._updater.source, manifest, manifest.position or "", self._updater.exclusion_reason
        ):
            if self._deadline_reached():
                return replace(done, resume_after=chunk.start_after, manifest=version.manifest), False
            seen, failed = self._snapshots(version.manifest, chunk, past)
            try:
                version, issues = self._commit(version, chunk, seen, past)
            except ConflictError:
                return done + RunResult(conflicts=1), False
            warned = (*self._updater.page_warnings(seen), *hreflang_warnings(issues), *unreadable_warning(failed))
            done += RunResult(chunk.objects_listed, len(seen), len(seen), ignored=chunk.ignored, warnings=warned)
            done += RunResult(failed=failed)
            self._read.clear()
        return done + self._publish(version, past.files if past else ()), True

    def _snapshots(
        self, manifest: Manifest, chunk: ListingChunk, past: PreviousLedger | None
    ) -> tuple[dict[str, ObjectSnapshot | None], Mapping[str, str]]:
        """What is new in a range: as it is remembered of the same upload, or as it is read now."""
        records_in_order = OrderedRecords(manifest, self._ledger.records_or_none)
        known = {record.key: record for record in records_in_order.between(chunk.start_after, chunk.through)}
        seen: dict[str, ObjectSnapshot | None] = dict.fromkeys(known.keys() - {item.key for item in chunk.items})
        unread = []
        for item in chunk.items:
            if item.key in known and known[item.key].etag == item.etag:
                continue
            if remembered := self._known_snapshot(item, past):
                seen[item.key] = remembered
            else:
                unread.append(item)
        found, failed = self._updater.read_objects(unread)
        self._read |= {key: each for key, each in found.items() if each}
        kept = {item.key: record for item in unread if item.key in failed and (record := _previous_record(item, past))}
        return seen | found | {key: ObjectSnapshot("", record.facts, "") for key, record in kept.items()}, failed

    def _known_snapshot(self, item: Item, past: PreviousLedger | None) -> ObjectSnapshot | None:
        """What is known of the upload that was listed, if anything is."""
        read = self._read.get(item.key)
        if read and read.etag == item.etag:
            return read
        record = (
            past.record(item.key)
            if past and past.recorded_facts == page_facts.recorded_facts(self._updater.site)
            else None
        )
        return ObjectSnapshot(item.etag, record.facts, item.modified) if record and record.etag == item.etag else None

    def _commit(
        self, version: LedgerVersion, chunk: ListingChunk, seen: Snapshots, past: PreviousLedger | None
    ) -> tuple[LedgerVersion, Sequence[HreflangIssue]]:
        before, manifest_updater = version.manifest, self._updater.manifest_updater(version.manifest)
        revision = manifest_updater.update(
            before, seen, self._ledger.records_or_none, past, chunk.through, refresh_etags=True
        )
        after = revision.manifest
        if chunk.through is None:
            after = replace(after, built_at=self._updater.clock(), previous="")
        # pages that a build has not come to yet are no doubt
        issues = revision.hreflang_issues if chunk.through is None else ()
        return self._ledger.commit(version, after, revision.records), issues

    def _reconcile(self, version: LedgerVersion, after: str) -> RunResult:
        """Look at whatever a listing and a whole ledger do not agree on."""
        done = RunResult()
        for chunk in iter_chunks(self._updater.source, version.manifest, after, self._updater.exclusion_reason):
            if self._deadline_reached():
                return replace(done, resume_after=chunk.start_after)
            done += RunResult(chunk.objects_listed, ignored=chunk.ignored)
            for part in split_chunk(chunk, version.manifest):
                keys = changed_keys(self._updater, self._ledger.read().manifest, part)
                done += self._updater.update(keys, self._deadline_reached, refresh_etags=True) if keys else RunResult()
                if self._deadline_reached():
                    return replace(done, failed={}, resume_after=part.start_after)
        return done + self._publish(self._mark_built(), ())

    def _mark_built(self) -> LedgerVersion:
        """Note in the manifest that a listing has just found it right, unless a build has begun meanwhile."""
        for _ in range(TRIES):
            version = self._ledger.read()
            if version.manifest.position is not None:
                return version
            now, after = self._updater.clock(), version.manifest
            if self._updater.site.news:
                after = self._updater.manifest_updater(after).refresh_news(after, self._ledger.records).manifest
            after = replace(without_run(after), built_at=now)
            with suppress(ConflictError):
                return self._ledger.commit(version, after, {})
        raise ConflictError(NEVER)

    def _publish(self, version: LedgerVersion, earlier: Collection[str]) -> RunResult:
        """Make all published files right."""
        return publish_all(self._updater, version, version.manifest.files.keys() | earlier, self._deadline_reached)


def publish_all(
    updater: Updater, version: LedgerVersion, sitemaps: Collection[str], deadline_reached: DeadlineReached
) -> RunResult:
    """Make these right, and what stands over and beside them; have those go that are Waypost's own and not named.

    The ledger says then that all stands as it should, and a distributed build ends, unless another took its place.
    """
    done, run = RunResult(manifest=version.manifest), version.manifest.run
    names = {*sitemaps, *updater.publisher(version.manifest, is_final_step=True).orphaned_files(version)}
    for _ in range(TRIES):
        if version.manifest.position is not None or version.manifest.run != run:
            break
        publication = updater.publisher(version.manifest, is_final_step=True)
        published = publication.publish(version, names | _index_names(updater, version.manifest), {}, deadline_reached)
        done += RunResult(0, 0, 0, published.written, published.removed, published.conflicts, manifest=version.manifest)
        if not published.is_complete:
            return replace(
                done, resume_after=LAST_KEY
            )  # what is listed from there on is nothing, and only this is left to do
        with suppress(ConflictError):
            done = replace(done, manifest=_mark_published(updater.ledger, published.version or version).manifest)
            break
        if not version.manifest.is_unpublished:
            break  # who was first has seen to all that it changed
        version, names = updater.ledger.read(), set()
    else:
        raise ConflictError(NEVER)
    updater.ledger.collect_garbage(updater.clock())
    return done


def _index_names(updater: Updater, manifest: Manifest) -> set[str]:
    """What stands over and beside a manifest's sitemaps."""
    robots_txt = {ROBOTS} if updater.site.robots_sitemaps else set()
    return manifest.index_and_auxiliary_names | robots_txt


def _mark_published(ledger: Ledger, version: LedgerVersion) -> LedgerVersion:
    """Say in the ledger that all stands and is gone as it should be; while nothing is listed, what is gone stands."""
    unsettled = () if version.manifest.is_publishable else version.manifest.pending
    after = replace(version.manifest, pending=unsettled, run=None, is_unpublished=False)
    if after == version.manifest:
        return version
    return ledger.commit(version, replace(after, generation=after.generation + 1), {})


def without_run(manifest: Manifest) -> Manifest:
    """The manifest as it is after a distributed build whose place another takes."""
    previous = manifest.previous if manifest.position is not None else ""
    return replace(manifest, run=None, previous=previous, generation=manifest.generation + 1)


def _previous_record(item: Item, past: PreviousLedger | None) -> Record | None:
    return past.record(item.key) if past else None


def changed_keys(updater: Updater, manifest: Manifest, chunk: ListingChunk) -> list[str]:
    """The keys of a range whose objects are not those that the ledger knows, in order."""
    records_in_order = OrderedRecords(manifest, updater.ledger.records_or_none)
    return sorted(key for keys in compare_with_records(records_in_order, chunk) for key in keys)
