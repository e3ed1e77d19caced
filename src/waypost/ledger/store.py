"""The ledger in its store: a manifest that is replaced by compare-and-swap, and immutable files of records.

A manifest names only files that exist already. A writer can replace only the manifest that it has read, so of two
writers at once none loses anything: the later one starts again (S3, "Conditional writes").
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from waypost.core import concurrency
from waypost.core.dates import unix_time
from waypost.core.errors import (
    ConflictError,
    LedgerError,
    NewerVersionError,
    StoreError,
    UnreleasedFormatError,
    WrongSiteError,
)
from waypost.core.hashing import content_digest
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.stores.base import ConditionalStore

T = TypeVar("T")
MANIFEST_NAME = "manifest.json"
MAX_ATTEMPTS = 50
"""How often a writer starts again before it gives up."""
_FOLDERS = ("shards/", "manifests/", "runs/")
_MAX_DELETED = 500_000
"""How many files one pass deletes, so that garbage does not take a rebuild's whole time."""
_MIN_AGE = 86_400
"""Seconds after which an unnamed file is deleted: no writer lives that long."""
_REFUSED = (NewerVersionError, UnreleasedFormatError, WrongSiteError)
"""Errors of ledgers that must not be replaced because they cannot be read."""


class LedgerVersion(NamedTuple):
    """A manifest, and the ETag of its file; None if there is no file yet."""

    manifest: Manifest
    etag: str | None


class Ledger:
    """The ledger of the site at `site_uri`, in a store of its own.

    `warn` receives messages about damage that a run recovers from. `pause` is called with the number of failed
    attempts before a writer tries again.
    """

    def __init__(
        self,
        store: ConditionalStore,
        site_uri: str,
        warn: Callable[[str], None] = lambda message: None,
        pause: Callable[[int], None] = lambda attempts: None,
    ) -> None:
        self.store, self.site_uri, self._warn, self._pause = store, site_uri, warn, pause
        self._damaged: set[str] = set()

    def read(self) -> LedgerVersion:
        """The present manifest; raises LedgerError for a damaged one, and WrongSiteError."""
        stored = self.store.get(MANIFEST_NAME)
        manifest = manifests.load(stored.content if stored else None, MANIFEST_NAME)
        if manifest.site_uri not in ("", self.site_uri):
            raise WrongSiteError(f"this is the ledger of {manifest.site_uri}; {self.site_uri} needs one of its own")
        return LedgerVersion(manifest, stored.etag if stored else None)

    def read_or_recover(self) -> LedgerVersion:
        """The present manifest, or an empty one if it is damaged; the damaged file is kept under another name.

        Raises NewerVersionError, UnreleasedFormatError and WrongSiteError.
        """
        try:
            return self.read()
        except _REFUSED:
            raise
        except LedgerError as error:
            return self._keep_damaged(error)

    def _keep_damaged(self, error: LedgerError) -> LedgerVersion:
        """Copy a damaged manifest to a name of its own, so that a rebuild may replace it."""
        stored = self.store.get(MANIFEST_NAME)
        if stored is None:
            return LedgerVersion(Manifest(), None)
        name = f"damaged/manifest-{content_digest(stored.content)}.json"
        self.store.write(name, stored.content)
        self._warn(f"{error}; the damaged file is kept as {name}, and pages have no date until they change")
        return LedgerVersion(Manifest(), stored.etag)

    def is_current(self, version: LedgerVersion) -> bool:
        """Whether the manifest was not replaced since this version was read."""
        info = self.store.head(MANIFEST_NAME)
        return (info.etag if info else None) == version.etag

    def records(self, entry: ShardEntry) -> Sequence[Record]:
        """A shard's records; raises LedgerError if they are missing or damaged."""
        return records.load(self.store.read(entry.records_file), entry.records_file)

    def records_or_none(self, entry: ShardEntry) -> Sequence[Record]:
        """A shard's records, or no records if they are damaged; raises NewerVersionError and UnreleasedFormatError."""
        try:
            return self.records(entry)
        except _REFUSED:
            raise
        except LedgerError as error:
            self._warn(str(error))
            self._damaged.add(entry.records_file)
            return ()

    def commit(self, before: LedgerVersion, after: Manifest, files: Mapping[str, bytes]) -> LedgerVersion:
        """Write files of records, then replace a manifest by one that names them.

        Raises ConflictError if another writer was first; then only files were written that no manifest names.
        """
        self.write_records(files, before.manifest.entries)
        return LedgerVersion(after, self.store.put_if_match(MANIFEST_NAME, manifests.dump(after), before.etag))

    def commit_with_retry(self, attempt: Callable[[], T]) -> T:
        """Repeat `attempt`, which reads the manifest and commits, until no other writer is first.

        Raises ConflictError after `MAX_ATTEMPTS` attempts.
        """
        for attempts in range(1, MAX_ATTEMPTS + 1):
            try:
                return attempt()
            except ConflictError:
                self._pause(attempts)
        raise ConflictError(
            f"other runs changed the ledger or the sitemaps {MAX_ATTEMPTS} times while this run tried; run it again"
        )

    def write_records(self, files: Mapping[str, bytes], known: Iterable[ShardEntry] = ()) -> None:
        """Write files of records, whose names are derived from their content; those of sound known entries exist."""
        sound = {entry.records_file for entry in known} - self._damaged
        missing = [name for name in files if name not in sound]
        concurrency.map_concurrently(lambda name: self.store.write(name, files[name]), missing, self.store.width)
        self._damaged.difference_update(missing)

    def archive(self, manifest: Manifest) -> str:
        """Keep a manifest whose dates a build takes over; returns its name."""
        data = manifests.dump(manifest)
        self.store.write(manifests.archive_name(data), data)
        return manifests.archive_name(data)

    def read_archived(self, name: str) -> Manifest:
        """An archived manifest, or an empty one if it is damaged; raises NewerVersionError, UnreleasedFormatError."""
        try:
            return manifests.load(self.store.read(name), name)
        except _REFUSED:
            raise
        except LedgerError as error:
            self._warn(str(error))
            return Manifest()

    def collect_garbage(self, now: str) -> list[str]:
        """Delete files that no manifest has named for a day; returns their names. A failure is only a warning."""
        try:
            return self._delete_unnamed(unix_time(now) - _MIN_AGE)
        except (StoreError, LedgerError) as error:
            self._warn(f"files that no manifest names were not deleted; the next rebuild tries again: {error}")
            return []

    def _delete_unnamed(self, before: float) -> list[str]:
        old = [each for folder in _FOLDERS for each in self.store.list_files(folder) if each.modified < before]
        # The manifest is read last, so that files named in the meantime are kept.
        manifest = self.read().manifest if old else Manifest()
        named, run = set(self._named(manifest)), manifest.run
        garbage = [
            each.name for each in old if each.name not in named and not (run and each.name.startswith(run.prefix))
        ]
        self.store.delete_many(garbage[:_MAX_DELETED])
        return garbage[:_MAX_DELETED]

    def _named(self, manifest: Manifest) -> Iterable[str]:
        for each in (manifest, self.read_archived(manifest.previous)) if manifest.previous else (manifest,):
            yield each.previous
            yield from (entry.records_file for entry in each.entries)
        yield from manifest.builder.deferred_keys if manifest.builder else ()
