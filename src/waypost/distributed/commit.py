"""All shards of a distributed build into one manifest, with what happened to the bucket meanwhile."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.core.dates import later
from waypost.core.errors import BusyError, LedgerError
from waypost.core.model import Item
from waypost.distributed.artifacts import Dossier, Joined, Shaped
from waypost.ledger.manifest import Entry, File, Manifest, Run, Unsettled, dated
from waypost.ledger.manifest_update import Past
from waypost.ledger.record_cache import Recollection
from waypost.ledger.store import Version
from waypost.sync.result import Outcome
from waypost.sync.updater import Upkeep, doubted, portion, unreadable

_REVISED = "revised.json"
_DAY = 86_400


class Revised(Struct, frozen=True):
    """A manifest that is still to be committed, and which files of touched keys it takes into account.

    `after` is the last of their keys that was looked at, None where all were; `told` is what was done for it.
    """

    manifest: Manifest
    touched: tuple[str, ...] = ()
    after: str | None = None
    told: Outcome = Outcome()


class Committing:
    """Commits one build; what it has looked at is kept in case that another writer is first."""

    def __init__(self, upkeep: Upkeep, dossier: Dossier, is_over: Callable[[], bool]) -> None:
        self._upkeep, self._dossier, self._is_over = upkeep, dossier, is_over
        self._known: Revised | None = None

    @property
    def begun(self) -> int:
        """The generation at which the build began."""
        return self._dossier.run.begun

    def committed(self, version: Version, run: Run) -> tuple[Version | None, Outcome]:
        """Put the build's manifest in the place of the one that stands; None where the time is over before.

        Raises ConflictError where another writer was first, and LedgerError where a worker's word is missing.
        """
        current, past = version.manifest, self._upkeep.past(version.manifest)
        known = self._known or self._dossier.find(_REVISED, Revised) or Revised(self._assembled(current))
        self._known = known = self._revised(known, run, current, past)
        if known.after is not None:
            self._dossier.put(_REVISED, known)
            return None, known.told
        after = self._concluded(known.manifest, current, run, past)
        return self._upkeep.ledger.commit(version, after, {}), known.told

    def _assembled(self, current: Manifest) -> Manifest:
        """The manifest over the shards of all segments."""
        joined = self._dossier.get("joined.json", Joined)
        made = (entries for each in self._dossier.all("shaped-", Shaped) for entries in each.entries)
        entries: list[Entry] = []
        for segment in joined.segments:
            is_kept = segment.is_kept and not self._upkeep.site.alternates
            found = segment.parts if is_kept else next(made, None)
            if found is None:
                raise LedgerError("shards that a worker should have made are missing; start the rebuild again")
            entries += found
        return replace(current, entries=tuple(entries), indexes=(), beside=(), position="")

    def _revised(self, known: Revised, run: Run, current: Manifest, past: Past | None) -> Revised:
        """Look at the keys at which something happened since the build began, as they are now."""
        left = [key for key in self._keys(known.touched) if known.after is not None and key > known.after]
        keys = sorted({*left, *self._keys([name for name in run.touched if name not in known.touched])})
        manifest, told, last = known.manifest, known.told, ""
        while keys:
            if self._is_over():
                return Revised(manifest, run.touched, last, told)
            some = portion(keys, manifest)
            try:
                manifest, outcome = self._looked(manifest, some, current, past)
            except BusyError:
                if not last:
                    raise
                return Revised(manifest, run.touched, last, told)
            told += outcome
            keys, last = keys[len(some) :], some[-1]
        return Revised(manifest, run.touched, told=told)

    def _looked(
        self, manifest: Manifest, keys: Sequence[str], current: Manifest, past: Past | None
    ) -> tuple[Manifest, Outcome]:
        ledger = self._upkeep.ledger
        seen, failed = self._upkeep.look((Item(key, key) for key in keys), insists=True)
        revising = self._upkeep.revising(current)
        told = None if past else Recollection(current, ledger.salvaged_records).record
        revision = revising.revision(manifest, seen, ledger.salvaged_records, past, "", is_thorough=True, told=told)
        ledger.keep(revision.records)
        warned = (*self._upkeep.warned(seen), *doubted(revision.doubts), *unreadable(failed))
        return revision.manifest, Outcome(looked=len(seen), changed=len(revision.edited), warned=warned, failed=failed)

    def _keys(self, names: Sequence[str]) -> set[str]:
        """The keys that files name, as updates have noted them, which may be pages under the build's settings."""
        found = concurrency.each(self._upkeep.noted, names, self._upkeep.ledger.store.width)
        return {key for keys in found for key in keys if self._upkeep.reason(key) is None}

    def _concluded(self, made: Manifest, current: Manifest, run: Run, past: Past | None) -> Manifest:
        """The manifest to commit: with the files' dates, and what stands over and beside them."""
        now = self._upkeep.clock()
        known = past.files if past else current.files
        is_dated = self._upkeep.site.lastmod == "content" and bool(past or current.built)
        timed = replace(made, entries=tuple(_dated(entry, known, now if is_dated else None) for entry in made.entries))
        after = self._upkeep.revising(current).concluded(timed, known, self._upkeep.ledger.records).manifest
        before = known.keys() | {each.name for each in current.unsettled}
        gone = (Unsettled(name, later(now, _DAY)) for name in sorted(before - after.files.keys()))
        return replace(
            after,
            generation=current.generation + 1,
            built=now,
            previous="",
            unsettled=tuple(gone),
            run=replace(run, touched=(), is_publishing=True),
            is_unpublished=True,
        )


def _dated(entry: Entry, known: Mapping[str, File], changed: str | None) -> Entry:
    return replace(entry, files=tuple(dated(file, known, changed) for file in entry.files))
