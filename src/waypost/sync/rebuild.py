"""Brings a bucket's ledger and sitemaps up to date by a listing of the bucket, and builds them if there are none.

A build under changed settings starts with an empty manifest, of which nothing is published before the whole bucket is
in it. It adds one range of keys at a time, so it can be stopped and continued, and updates work on it meanwhile.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec.structs import replace

from waypost.core.errors import ConflictError, RemovalError, SettingsChangedError
from waypost.core.model import Item, SiteWarning, UrlForm
from waypost.ledger.ledger_state import BuilderRole
from waypost.ledger.manifest import Manifest
from waypost.ledger.manifest_update import ManifestUpdate
from waypost.ledger.pending_files import with_pending_files
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.records import Record
from waypost.ledger.store import MAX_ATTEMPTS, LedgerVersion
from waypost.rules import page_facts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sources.parallel_listing import LAST_KEY
from waypost.sync.builder_lease import LONGEST_STOP, BuilderLease
from waypost.sync.drift import DriftCheck, Judgement, differences
from waypost.sync.listing_chunks import ListingChunk, is_as_recorded, iter_chunks, split_chunk
from waypost.sync.object_reader import Snapshots, read_objects
from waypost.sync.publishing_work import PublishingWork
from waypost.sync.removal_check import RemovalCheck
from waypost.sync.result import RunResult
from waypost.sync.site_warnings import (
    form_warnings,
    hreflang_warnings,
    lost_records_warning,
    page_warnings,
    unreadable_warning,
)
from waypost.sync.updater import Updater
from waypost.sync.url_form import find_url_form

_CHECKED = " "
"""Where a rebuild starts that need not count removals first: no page's key sorts before it, or is equal to it."""
DeadlineReached = Callable[[], bool]
"""Whether the run has too little time left to start anything more."""


def update(updater: Updater, keys: Collection[str], deadline_reached: DeadlineReached = lambda: False) -> RunResult:
    """Bring the sitemaps up to date for these keys, by a rebuild if the ledger was built with other settings.

    Raises as `Updater.update`, but never SettingsChangedError.
    """
    started = updater.role_clock.time()
    try:
        return updater.update(keys, deadline_reached)
    except SettingsChangedError:
        done = Rebuild(updater, deadline_reached, started=started).run()
        # The rebuild may have continued another process's after these keys, which changed since.
        if done.resume_after is not None:
            return done
        return done + updater.update(keys, deadline_reached, redelivered=keys)


def rebuild(
    updater: Updater,
    deadline_reached: DeadlineReached = lambda: False,
    start_after: str = "",
    max_removed: int | None = None,
    stopped_at: float | None = None,
    drift_check: DriftCheck | None = None,
) -> RunResult:
    """Bring the ledger and the sitemaps up to date by a listing of the bucket, or of the keys after `start_after`.

    Records that are still right are kept. `max_removed` replaces the setting of that name. A rebuild that was
    `stopped_at` a time (Unix seconds) is continued after `start_after`, or begun again if that is long ago. With a
    `drift_check` the result counts the objects whose events were lost. Raises
    SourceError, RemovalError if too many of the listed pages would be removed, OutdatedSettingsError if the ledger has
    newer settings, OtherRunError if another run builds, and as `update`.
    """
    started = updater.role_clock.time()
    if stopped_at is not None and started - stopped_at > LONGEST_STOP:
        start_after = ""
    return Rebuild(updater, deadline_reached, max_removed, started, drift_check).run(start_after)


class Rebuild:
    """One rebuild; it keeps what it has read for a range that it must repeat.

    `started` is when the run read its settings, in Unix seconds.
    """

    def __init__(
        self,
        updater: Updater,
        deadline_reached: DeadlineReached,
        max_removed: int | None = None,
        started: float = 0,
        drift_check: DriftCheck | None = None,
    ) -> None:
        self._updater, self._ledger, self._deadline_reached = updater, updater.ledger, deadline_reached
        most = updater.site.max_removed if max_removed is None else max_removed
        self._removal_check = RemovalCheck(updater, most, deadline_reached)
        self._builder, self._started = BuilderLease(updater, started), started
        self._drift_check, self._work = drift_check, PublishingWork(updater.lease)
        self._read: dict[str, ObjectSnapshot] = {}
        self._found_form: UrlForm | None = None

    def run(self, start_after: str = "") -> RunResult:
        """Do all of it, or as much as there is time for; `resume_after` of the result is where to continue."""
        done, attempts, position, is_checked = RunResult(), 0, "", start_after != ""
        while attempts < MAX_ATTEMPTS:
            version = self._builder.wait(self._ledger.read_or_recover())
            rules = self._updater.robots_rules()  # read after the manifest, so that they are not older
            # Attempts count only while the build makes no progress.
            attempts = attempts + 1 if _position(version.manifest) == position else 1
            position = _position(version.manifest) or ""
            if not is_checked and not self._is_removal_allowed(version.manifest, rules):
                return done + RunResult(resume_after=_CHECKED)
            is_checked = True
            try:
                is_current = self._updater.is_built_with(version.manifest, rules)
                if not is_current or self._has_other_urls(version.manifest, start_after):
                    done += RunResult(warnings=self._form_warnings(version.manifest))
                    version = self._begin(version, rules, self._url_form())
                if version.manifest.is_complete:
                    return done + self._reconcile(version, start_after, rules)
                version = self._builder.take(version)
                step, is_finished = self._advance(version, rules)
                done += step
                if is_finished or step.resume_after is not None:
                    return done
            except (ConflictError, SettingsChangedError):
                done += RunResult(conflicts=1)
        raise ConflictError(f"other runs changed the ledger {MAX_ATTEMPTS} times while this run tried; run it again")

    def _is_removal_allowed(self, manifest: Manifest, rules: str) -> bool:
        """False if there is no time to count what the rebuild would remove; raises RemovalError if that is too much."""
        if manifest.is_complete:
            return self._removal_check.check(manifest, rules)
        if self._updater.is_built_with(manifest, rules) or not manifest.previous:
            return True  # a build that continues was checked when it began
        return self._removal_check.check(self._ledger.read_archived(manifest.previous), rules)

    def _url_form(self) -> UrlForm:
        """The form that the site's links use; they are read once."""
        if self._found_form is None:
            self._found_form = find_url_form(self._updater)
        return self._found_form

    def _has_other_urls(self, manifest: Manifest, start_after: str) -> bool:
        """Whether a complete ledger lists pages in another form than the site's links use when a rebuild begins."""
        return start_after in ("", _CHECKED) and manifest.is_complete and self._url_form() != manifest.url_form

    def _form_warnings(self, manifest: Manifest) -> tuple[SiteWarning, ...]:
        found = self._url_form()
        return form_warnings(manifest.url_form, found) if manifest.built_at else ()

    def _begin(self, version: LedgerVersion, rules: str, url_form: UrlForm) -> LedgerVersion:
        """Replace a manifest of other settings or URLs by an empty one, and archive it for the dates that it holds."""
        before = version.manifest
        if not self._updater.is_built_with(before, before.robots_rules):
            self._builder.require_newer_settings(before)
        previous = self._ledger.archive(before) if before.built_at else before.previous
        after = self._builder.confirm_settings(self._updater.empty_manifest(before, rules, url_form))
        role = self._builder.role(BuilderRole(position="", previous=previous))
        return self._ledger.commit(version, replace(after, builder=role), {})

    def _advance(self, version: LedgerVersion, rules: str) -> tuple[RunResult, bool]:
        """Continue a build until it is complete, the deadline is reached, or another writer commits first.

        While nobody else commits, the listing of a range remains valid, however long ago it was made.
        """
        done, manifest = RunResult(), version.manifest
        previous = self._updater.previous_ledger(manifest)
        start_after = _position(manifest) or ""
        for chunk in iter_chunks(self._updater.source, manifest, start_after, self._updater.exclusion_reason):
            if self._deadline_reached():
                self._builder.give_back(version)
                return replace(done, resume_after=chunk.start_after), False
            seen, failed = self._snapshots(version.manifest, chunk, previous)
            if chunk.through is None and self._updater.robots_rules() != rules:
                raise SettingsChangedError("robots.txt has changed since the build began")
            try:
                version, update = self._commit(version, chunk, seen, previous)
            except ConflictError:
                return done + RunResult(conflicts=1), False
            except RemovalError:
                self._builder.give_back(version)
                raise
            done += self._result(version, chunk, seen, failed, update)
            self._read.clear()
        if self._updater.robots_rules() != rules:
            raise SettingsChangedError("robots.txt has changed since the build began")
        return done + self._publish(version), True

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
            *lost_records_warning(update.lost_entries),
        )
        return RunResult(
            chunk.objects_listed, len(seen), len(seen), ignored=chunk.ignored, warnings=warnings, failed=failed
        )

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
        found, failed = read_objects(self._updater.source, self._updater.site, unread)
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
        self, version: LedgerVersion, chunk: ListingChunk, seen: Snapshots, previous: PreviousLedger | None
    ) -> tuple[LedgerVersion, ManifestUpdate]:
        before, manifest_updater = version.manifest, self._updater.manifest_updater(version.manifest)
        is_last = chunk.through is None
        role = self._builder.role(before.builder or BuilderRole())
        builder = None if is_last else replace(role, position=chunk.through)
        load = self._updater.loader(version)
        update = self._updater.repaired(
            before,
            seen,
            lambda all_seen, lost: manifest_updater.update(
                before, all_seen, load, previous, builder, refresh_etags=True, lost=lost
            ),
        )
        after = update.manifest
        if is_last:
            after = replace(after, built_at=self._updater.clock(), listed_since=before.config_since)
        if is_last and previous:
            self._removal_check.check_counts(previous.page_count, after.page_count)
        version = self._updater.commit(version, after, update.records)
        if is_last:
            self._work.note_commit(before, version, update)
        return version, update

    def _reconcile(self, version: LedgerVersion, start_after: str, rules: str) -> RunResult:
        """Update the keys for which a listing and a complete ledger differ."""
        done = RunResult()
        for chunk in self._chunks(version.manifest, start_after):
            if self._deadline_reached():
                return replace(done, resume_after=chunk.start_after or _CHECKED)
            done += RunResult(chunk.objects_listed, ignored=chunk.ignored)
            for part in split_chunk(chunk, version.manifest):
                found = differences(self._ledger, self._ledger.read().manifest, part)
                keys, drift = self._drift_check.judge(found) if self._drift_check else Judgement(found.keys, [])
                if keys or found.lost:
                    repaired = self._updater.update(keys, self._deadline_reached, refresh_etags=True, lost=found.lost)
                    done += replace(repaired, drift=len(set(drift) - repaired.failed.keys()))
                if self._deadline_reached():
                    return replace(done, failed={}, resume_after=part.start_after or _CHECKED)
        if self._updater.robots_rules() != rules:
            raise SettingsChangedError("robots.txt has changed since the rebuild began")
        return done + self._publish(self._mark_built(is_whole=start_after in ("", _CHECKED)))

    def _chunks(self, manifest: Manifest, start_after: str) -> Iterable[ListingChunk]:
        """A listing of the bucket; that of the check, if it listed all of it in one chunk."""
        listed, self._removal_check.only_chunk = self._removal_check.only_chunk, None
        if listed:
            return [listed]
        return iter_chunks(self._updater.source, manifest, start_after, self._updater.exclusion_reason)

    def _mark_built(self, *, is_whole: bool) -> LedgerVersion:
        """Record that a listing has just confirmed the ledger, and which published files are wrong.

        A listing that this call began as a whole is as old as the call; else it is newer than the one before.
        """

        def attempt() -> LedgerVersion:
            version = self._ledger.read()
            if not self._updater.is_built_with(version.manifest, version.manifest.robots_rules):
                raise SettingsChangedError("another run has begun a build with other settings")
            if not version.manifest.is_complete:
                return version
            now, after = self._updater.clock(), version.manifest
            if self._updater.site.news:
                after = (
                    self._updater.manifest_updater(after).refresh_news(after, self._updater.loader(version)).manifest
                )
            wrong = self._updater.published_files(after).wrong_files(after) if after.is_publishable else {}
            after = replace(after, generation=version.manifest.generation + 1, repaired=())
            after = with_pending_files(after, version.manifest.files, wrong)
            after = self._builder.confirm_settings(self._builder.without_ended_run(after))
            listed_since = self._started if is_whole else version.manifest.config_since
            return self._updater.commit(version, replace(after, built_at=now, listed_since=listed_since), {})

        return self._ledger.commit_with_retry(attempt)

    def _publish(self, version: LedgerVersion) -> RunResult:
        """Publish all that is pending, and delete what nothing has named for a day."""
        found = self._updater.publish(version, self._work, self._deadline_reached, collects=True)
        result = found.as_result()
        return result if found.is_complete else replace(result, resume_after=LAST_KEY)


def without_run(manifest: Manifest) -> Manifest:
    """The manifest after a distributed rebuild was ended: a build remains for others, its other data goes."""
    builder = None if manifest.is_complete else BuilderRole(position=_position(manifest), previous=manifest.previous)
    publisher = None if manifest.publisher and manifest.publisher.is_run else manifest.publisher
    return replace(manifest, builder=builder, publisher=publisher)


def _position(manifest: Manifest) -> str | None:
    return manifest.builder.position if manifest.builder else None


def _previous_record(item: Item, previous: PreviousLedger | None) -> Record | None:
    return previous.record(item.key) if previous else None
