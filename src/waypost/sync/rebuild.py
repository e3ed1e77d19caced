"""Brings a bucket's ledger and sitemaps up to a listing of it, and builds them where there are none.

A build under other settings than the ledger's begins an empty manifest, of which nothing is published until the
whole bucket is in it; it advances a range of keys at a time, so that it can be stopped and gone on with, and
events find their keys in it meanwhile.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from waypost.core.errors import ConflictError, StaleError
from waypost.core.model import Item
from waypost.ledger.manifest import Manifest
from waypost.ledger.manifest_update import ROBOTS, Past
from waypost.ledger.record_cache import Recollection
from waypost.ledger.records import Record
from waypost.ledger.store import NEVER, TRIES, Ledger, Version
from waypost.rules import page_facts
from waypost.rules.hreflang import Doubt
from waypost.rules.page_facts import Observed
from waypost.sources.parallel_listing import LAST
from waypost.sync.listing_chunks import Stretch, compared, parts, stretches
from waypost.sync.result import Outcome
from waypost.sync.updater import Seen, Upkeep, doubted, unreadable

IsOver = Callable[[], bool]
"""Whether the time that a run may take is nearly over."""


def update(upkeep: Upkeep, keys: Collection[str], is_over: IsOver = lambda: False) -> Outcome:
    """Bring the sitemaps up to what has become of these keys; with a rebuild where the ledger is not of these settings.

    Raises as `Upkeep.update`, but never StaleError.
    """
    try:
        return upkeep.update(keys, is_over)
    except StaleError:
        return rebuild(upkeep, is_over)


def rebuild(upkeep: Upkeep, is_over: IsOver = lambda: False, after: str = "") -> Outcome:
    """Bring the ledger and the sitemaps up to a listing of the whole bucket, or of what is behind a key.

    What is remembered is kept where it is still right. Raises SourceError, and as `update`.
    """
    return Rebuild(upkeep, is_over).outcome(after)


class Rebuild:
    """One rebuild; what it has read is kept in case that a range must be gone over again."""

    def __init__(self, upkeep: Upkeep, is_over: IsOver) -> None:
        self._upkeep, self._ledger, self._is_over = upkeep, upkeep.ledger, is_over
        self._read: dict[str, Observed] = {}

    def outcome(self, after: str = "") -> Outcome:
        """Do it, and say what was done."""
        done, tries, came_to = Outcome(), 0, ""
        while tries < TRIES:
            rules = self._upkeep.robots()
            version = self._ledger.salvaged()
            tries, came_to = (tries + 1 if version.manifest.position == came_to else 1), version.manifest.position or ""
            try:
                if not self._upkeep.is_ready(version.manifest, rules):
                    version = self._begun(version, rules)
                if version.manifest.position is None:
                    return done + self._reconciled(version, after)
                if version.manifest.run:  # it has no entries yet: what it has gathered is in files of its own
                    version = self._ledger.commit(version, alone(version.manifest), {})
                step, is_whole = self._advanced(version)
                done += step
                if is_whole or step.rest is not None:
                    return done
            except (ConflictError, StaleError):
                done += Outcome(conflicts=1)
        raise ConflictError(NEVER)

    def _begun(self, version: Version, rules: str) -> Version:
        """Put an empty manifest in the place of one of other settings, which is remembered until a new one is whole."""
        before = version.manifest
        previous = self._ledger.set_aside(before) if before.built else before.previous
        after = replace(self._upkeep.empty(before, rules), previous=previous)
        return self._ledger.commit(version, after, {})

    def _advanced(self, version: Version) -> tuple[Outcome, bool]:
        """Go on with a build, until it is whole, the time is over, or another writer's commit is in the way.

        While nobody else commits, a listing's view of a range holds, however long ago it was listed.
        """
        done, manifest = Outcome(), version.manifest
        past = self._upkeep.past(manifest)
        for stretch in stretches(self._upkeep.source, manifest, manifest.position or "", self._upkeep.reason):
            if self._is_over():
                return replace(done, rest=stretch.after, manifest=version.manifest), False
            seen, failed = self._seen(version.manifest, stretch, past)
            try:
                version, doubts = self._committed(version, stretch, seen, past)
            except ConflictError:
                return done + Outcome(conflicts=1), False
            warned = (*self._upkeep.warned(seen), *doubted(doubts), *unreadable(failed))
            done += Outcome(stretch.listed, len(seen), len(seen), passed_over=stretch.passed_over, warned=warned)
            done += Outcome(failed=failed)
            self._read.clear()
        return done + self._published(version, past.files if past else ()), True

    def _seen(
        self, manifest: Manifest, stretch: Stretch, past: Past | None
    ) -> tuple[dict[str, Observed | None], Mapping[str, str]]:
        """What is new in a range: as it is remembered of the same upload, or as it is read now."""
        recollection = Recollection(manifest, self._ledger.salvaged_records)
        known = {record.key: record for record in recollection.between(stretch.after, stretch.upto)}
        seen: dict[str, Observed | None] = dict.fromkeys(known.keys() - {item.key for item in stretch.items})
        unread = []
        for item in stretch.items:
            if item.key in known and known[item.key].etag == item.etag:
                continue
            if remembered := self._remembered(item, past):
                seen[item.key] = remembered
            else:
                unread.append(item)
        found, failed = self._upkeep.look(unread)
        self._read |= {key: each for key, each in found.items() if each}
        kept = {item.key: record for item in unread if item.key in failed and (record := _recalled(item, past))}
        return seen | found | {key: Observed("", record.said, "") for key, record in kept.items()}, failed

    def _remembered(self, item: Item, past: Past | None) -> Observed | None:
        """What is known of the upload that was listed, if anything is."""
        read = self._read.get(item.key)
        if read and read.etag == item.etag:
            return read
        record = past.record(item.key) if past and past.reading == page_facts.facts(self._upkeep.site) else None
        return Observed(item.etag, record.said, item.modified) if record and record.etag == item.etag else None

    def _committed(
        self, version: Version, stretch: Stretch, seen: Seen, past: Past | None
    ) -> tuple[Version, Sequence[Doubt]]:
        before, revising = version.manifest, self._upkeep.revising(version.manifest)
        revision = revising.revision(before, seen, self._ledger.salvaged_records, past, stretch.upto, is_thorough=True)
        after = revision.manifest
        if stretch.upto is None:
            after = replace(after, built=self._upkeep.clock(), previous="")
        # pages that a build has not come to yet are no doubt
        doubts = revision.doubts if stretch.upto is None else ()
        return self._ledger.commit(version, after, revision.records), doubts

    def _reconciled(self, version: Version, after: str) -> Outcome:
        """Look at whatever a listing and a whole ledger do not agree on."""
        done = Outcome()
        for stretch in stretches(self._upkeep.source, version.manifest, after, self._upkeep.reason):
            if self._is_over():
                return replace(done, rest=stretch.after)
            done += Outcome(stretch.listed, passed_over=stretch.passed_over)
            for part in parts(stretch, version.manifest):
                keys = drift(self._upkeep, self._ledger.current().manifest, part)
                done += self._upkeep.update(keys, self._is_over, is_thorough=True) if keys else Outcome()
                if self._is_over():
                    return replace(done, failed={}, rest=part.after)
        return done + self._published(self._stamped(), ())

    def _stamped(self) -> Version:
        """Note in the manifest that a listing has just found it right, unless a build has begun meanwhile."""
        for _ in range(TRIES):
            version = self._ledger.current()
            if version.manifest.position is not None:
                return version
            now, after = self._upkeep.clock(), version.manifest
            if self._upkeep.site.news:
                after = self._upkeep.revising(after).refreshed(after, self._ledger.records).manifest
            after = replace(alone(after), built=now)
            with suppress(ConflictError):
                return self._ledger.commit(version, after, {})
        raise ConflictError(NEVER)

    def _published(self, version: Version, earlier: Collection[str]) -> Outcome:
        """Make all published files right."""
        return conclude(self._upkeep, version, version.manifest.files.keys() | earlier, self._is_over)


def conclude(upkeep: Upkeep, version: Version, sitemaps: Collection[str], is_over: IsOver) -> Outcome:
    """Make these right, and what stands over and beside them; have those go that are Waypost's own and not named.

    The ledger says then that all stands as it should, and a distributed build ends, unless another took its place.
    """
    done, run = Outcome(manifest=version.manifest), version.manifest.run
    names = {*sitemaps, *upkeep.publication(version.manifest, is_last=True).orphans(version)}
    for _ in range(TRIES):
        if version.manifest.position is not None or version.manifest.run != run:
            break
        publication = upkeep.publication(version.manifest, is_last=True)
        settled = publication.settle(version, names | _beside(upkeep, version.manifest), {}, is_over)
        done += Outcome(0, 0, 0, settled.written, settled.removed, settled.conflicts, manifest=version.manifest)
        if not settled.is_whole:
            return replace(done, rest=LAST)  # what is listed from there on is nothing, and only this is left to do
        with suppress(ConflictError):
            done = replace(done, manifest=_settled(upkeep.ledger, settled.version or version).manifest)
            break
        if not version.manifest.is_unpublished:
            break  # who was first has seen to all that it changed
        version, names = upkeep.ledger.current(), set()
    else:
        raise ConflictError(NEVER)
    upkeep.ledger.tidy(upkeep.clock())
    return done


def _beside(upkeep: Upkeep, manifest: Manifest) -> set[str]:
    """What stands over and beside a manifest's sitemaps."""
    robots_txt = {ROBOTS} if upkeep.site.robots_sitemaps else set()
    return manifest.over | robots_txt


def _settled(ledger: Ledger, version: Version) -> Version:
    """Say in the ledger that all stands and is gone as it should be; while nothing is listed, what is gone stands."""
    unsettled = () if version.manifest.is_publishable else version.manifest.unsettled
    after = replace(version.manifest, unsettled=unsettled, run=None, is_unpublished=False)
    if after == version.manifest:
        return version
    return ledger.commit(version, replace(after, generation=after.generation + 1), {})


def alone(manifest: Manifest) -> Manifest:
    """The manifest as it is after a distributed build whose place another takes."""
    previous = manifest.previous if manifest.position is not None else ""
    return replace(manifest, run=None, previous=previous, generation=manifest.generation + 1)


def _recalled(item: Item, past: Past | None) -> Record | None:
    return past.record(item.key) if past else None


def drift(upkeep: Upkeep, manifest: Manifest, stretch: Stretch) -> list[str]:
    """The keys of a range whose objects are not those that the ledger knows, in order."""
    recollection = Recollection(manifest, upkeep.ledger.salvaged_records)
    return sorted(key for keys in compared(recollection, stretch) for key in keys)
