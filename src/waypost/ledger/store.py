"""What is remembered of a bucket between runs: a manifest, replaced by compare-and-swap, and immutable records.

Whatever a manifest names is there before it is. A writer that has read one manifest can replace only that
one, so two writers at once lose nothing: the later one begins again (S3, "Conditional writes").
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from waypost.core import concurrency
from waypost.core.dates import unix_time
from waypost.core.errors import LedgerError, NewerVersionError, StoreError, WrongSiteError
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.stores.base import ConditionalStore

MANIFEST_NAME = "manifest.json"
_FOLDERS = ("shards/", "manifests/", "runs/")
_MAX_DELETED = 500_000
"""How many files are removed at a time, so that what many updates leave behind does not take a rebuild's time."""
_MIN_AGE = 86_400
"""Seconds after which a file that no manifest names is removed: no writer lives as long as a day."""


TRIES = 50
NEVER = f"other runs have changed the ledger {TRIES} times while this one tried; run it again"
"""How often a writer begins again before it gives up, and what it says then."""


class LedgerVersion(NamedTuple):
    """A manifest, and the ETag of its file; None where there is none yet."""

    manifest: Manifest
    etag: str | None


class Ledger:
    """The ledger of the site at a place, in a store of its own; `warn` is told of damage that was passed over."""

    def __init__(self, store: ConditionalStore, place: str, warn: Callable[[str], None] = lambda message: None) -> None:
        self.store, self.site_uri, self._warn = store, place, warn
        self._damaged: set[str] = set()

    def read(self) -> LedgerVersion:
        """The manifest as it is now; raises LedgerError where it is damaged, and ForeignError."""
        stored = self.store.get(MANIFEST_NAME)
        manifest = manifests.load(stored.content if stored else None, MANIFEST_NAME)
        if manifest.site_uri not in ("", self.site_uri):
            raise WrongSiteError(f"this ledger is that of {manifest.site_uri}; {self.site_uri} needs one of its own")
        return LedgerVersion(manifest, stored.etag if stored else None)

    def read_or_recover(self) -> LedgerVersion:
        """The manifest as it is now, or an empty one for one that is damaged; raises NewerError and ForeignError."""
        try:
            return self.read()
        except (NewerVersionError, WrongSiteError):
            raise
        except LedgerError as error:
            self._warn(str(error))
            stored = self.store.get(MANIFEST_NAME)
            return LedgerVersion(Manifest(), stored.etag if stored else None)

    def is_current(self, version: LedgerVersion) -> bool:
        """Whether no other manifest has taken the place of this one."""
        info = self.store.head(MANIFEST_NAME)
        return (info.etag if info else None) == version.etag

    def records(self, entry: ShardEntry) -> Sequence[Record]:
        """A shard's records; raises LedgerError where they are missing or damaged."""
        return records.load(self.store.read(entry.records_file), entry.records_file)

    def records_or_none(self, entry: ShardEntry) -> Sequence[Record]:
        """A shard's records, or none in the place of damaged ones; raises NewerError."""
        try:
            return self.records(entry)
        except NewerVersionError:
            raise
        except LedgerError as error:
            self._warn(str(error))
            self._damaged.add(entry.records_file)
            return ()

    def commit(self, before: LedgerVersion, after: Manifest, files: Mapping[str, bytes]) -> LedgerVersion:
        """Put a manifest in the place of another, after the records that it names.

        Raises ConflictError where another writer was first; only records that nothing names were written then.
        """
        self.write_records(files, before.manifest.entries)
        return LedgerVersion(after, self.store.put_if_match(MANIFEST_NAME, manifests.dump(after), before.etag))

    def write_records(self, files: Mapping[str, bytes], known: Iterable[ShardEntry] = ()) -> None:
        """Write files of records, which are named by their content, but for those of known entries that are sound."""
        sound = {entry.records_file for entry in known} - self._damaged
        missing = [name for name in files if name not in sound]
        concurrency.map_concurrently(lambda name: self.store.write(name, files[name]), missing, self.store.width)
        self._damaged.difference_update(missing)

    def archive(self, manifest: Manifest) -> str:
        """Keep a manifest whose dates a build shall remember; returns its name."""
        data = manifests.dump(manifest)
        self.store.write(manifests.archive_name(data), data)
        return manifests.archive_name(data)

    def read_archived(self, name: str) -> Manifest:
        """A manifest that was set aside; an empty one where it is damaged."""
        try:
            return manifests.load(self.store.read(name), name)
        except NewerVersionError:
            raise
        except LedgerError as error:
            self._warn(str(error))
            return Manifest()

    def collect_garbage(self, now: str) -> list[str]:
        """Remove what no manifest has named for a day; returns the names. That it cannot be done costs nothing else."""
        try:
            return self._delete_unnamed(unix_time(now) - _MIN_AGE)
        except (StoreError, LedgerError) as error:
            self._warn(f"what no manifest names is left for the next rebuild to remove: {error}")
            return []

    def _delete_unnamed(self, then: float) -> list[str]:
        aged = [each for folder in _FOLDERS for each in self.store.list_files(folder) if each.modified < then]
        manifest = self.read().manifest if aged else Manifest()  # read last: what was named meanwhile stays
        named, run = set(self._named(manifest)), manifest.run
        old = [each.name for each in aged if each.name not in named and not (run and each.name.startswith(run.prefix))]
        self.store.delete_many(old[:_MAX_DELETED])
        return old[:_MAX_DELETED]

    def _named(self, manifest: Manifest) -> Iterable[str]:
        for each in (manifest, self.read_archived(manifest.previous)) if manifest.previous else (manifest,):
            yield each.previous
            yield from (entry.records_file for entry in each.entries)
        yield manifest.previous
        yield from manifest.run.deferred_keys if manifest.run else ()
