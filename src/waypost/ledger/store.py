"""The ledger in its store: a manifest that is replaced by compare-and-swap, and immutable files of records.

A manifest names only files that exist already. A writer can replace only the manifest that it has read, so of two
writers at once none loses anything: the later one starts again (S3, "Conditional writes"). The names of files of
records are random and are never used again.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.core.errors import (
    ConflictError,
    LedgerError,
    NewerVersionError,
    StoreError,
    UncertainError,
    UnreleasedFormatError,
    WrongSiteError,
)
from waypost.core.hashing import content_digest
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger import url_list as url_lists
from waypost.ledger.ledger_state import PublisherLease
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.ledger.url_list import UrlList
from waypost.stores import ConditionalStore

T = TypeVar("T")
MANIFEST_NAME = "manifest.json"
UNREFERENCED_SECONDS = 72_000
"""How long nothing names a file before it is deleted: shorter than a day, which passes between scheduled rebuilds."""
MAX_ATTEMPTS = 50
"""How often a writer starts again before it gives up."""
_FOLDERS = ("shards/", "manifests/", "runs/", "outbox/", "url-lists/")
_NOTED_NAME = "unreferenced.json"
_PROBE = "shards/conditional-write"
"""Begins the name of a file that is written to find out whether the store has conditional writes.

It lies among records, so that a pass deletes it if the process dies before that.
"""
_CONDITIONS = {"If-None-Match": None, "If-Match": '"0"'}
"""What is false for that file, as an ETag that it should have, or None where there should be no file."""
_MAX_DELETED = 500_000
"""How many files one pass deletes, so that garbage does not take a rebuild's whole time."""
_LEDGER, _OWNER, _EXPIRES = "waypost-ledger", "waypost-publisher", "waypost-publisher-expires"
"""The manifest's metadata, by which a waiting writer learns with a HEAD request who publishes."""
_REFUSED = (NewerVersionError, UnreleasedFormatError, WrongSiteError)
"""Errors of ledgers that must not be replaced because they cannot be read."""


class LedgerVersion(NamedTuple):
    """A manifest, and the ETag of its file; None if there is no file yet."""

    manifest: Manifest
    etag: str | None


class NotedFiles(Struct, frozen=True):
    """Files of the ledger that a pass found unnamed, and when (Unix seconds); a pass 20 hours later deletes them."""

    noted_at: float = 0.0
    names: tuple[str, ...] = ()


class Ledger:
    """The ledger of the site at `site_uri`, in a store of its own.

    `warn` receives messages about damage that a run recovers from. `pause` is called with the number of failed
    attempts before a writer tries again. `new_id` returns a random id.
    """

    def __init__(
        self,
        store: ConditionalStore,
        site_uri: str,
        warn: Callable[[str], None] = lambda message: None,
        pause: Callable[[int], None] = lambda attempts: None,
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self.store, self.site_uri, self._warn, self._pause, self.new_id = store, site_uri, warn, pause, new_id
        self.has_uncertain_commit = False

    def read(self) -> LedgerVersion:
        """The current manifest; raises LedgerError for a damaged one, and WrongSiteError."""
        version = self.read_of_any_site()
        if version.manifest.site_uri not in ("", self.site_uri):
            raise WrongSiteError(
                f"this is the ledger of {version.manifest.site_uri}; {self.site_uri} needs one of its own, which may "
                'adopt this one: `waypost build --adopt LEDGER`, or {"action": "rebuild", "adopt": "LEDGER"}'
            )
        return version

    def read_of_any_site(self) -> LedgerVersion:
        """The current manifest, whatever site it is of; raises LedgerError for a damaged one."""
        stored = self.store.get(MANIFEST_NAME)
        manifest = manifests.load(stored.content if stored else None, MANIFEST_NAME)
        return LedgerVersion(manifest, stored.etag if stored else None)

    def read_or_recover(self) -> LedgerVersion:
        """The current manifest, or an empty one if it is damaged; the damaged file is kept under another name.

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
        info = self.store.head(MANIFEST_NAME)
        return LedgerVersion(Manifest(ledger_id=info.metadata.get(_LEDGER, "") if info else ""), stored.etag)

    def publisher(self) -> tuple[str | None, PublisherLease | None]:
        """The ETag of the current manifest, and who publishes by it; a HEAD request where the store keeps metadata."""
        info = self.store.head(MANIFEST_NAME)
        if info is None or _EXPIRES not in info.metadata:
            version = self.read()
            return version.etag, version.manifest.publisher
        owner, expires = info.metadata[_OWNER], float(info.metadata[_EXPIRES])
        return info.etag, PublisherLease(owner, expires) if owner else None

    def has_records(self) -> bool:
        """Whether there are files of records, so that a missing manifest was lost (a LIST request)."""
        return any(not name.startswith(_PROBE) for name in self.store.list_files("shards/"))

    def is_current(self, version: LedgerVersion) -> bool:
        """Whether the manifest was not replaced since this version was read."""
        info = self.store.head(MANIFEST_NAME)
        return (info.etag if info else None) == version.etag

    def records(self, entry: ShardEntry) -> Sequence[Record]:
        """A shard's records; raises LedgerError if they are missing or damaged."""
        return records.load(self.store.read(entry.records_file), entry.records_file)

    def records_or_none(self, entry: ShardEntry) -> Sequence[Record] | None:
        """A shard's records, or None if they are lost; raises NewerVersionError and UnreleasedFormatError."""
        try:
            return self.records(entry)
        except _REFUSED:
            raise
        except LedgerError as error:
            self._warn(str(error))
            return None

    def url_list(self, manifest: Manifest) -> UrlList | None:
        """The URLs without an object that a manifest remembers, or None if their file is lost."""
        if not manifest.url_list:
            return UrlList()
        try:
            return url_lists.load(self.store.read(manifest.url_list), manifest.url_list)
        except _REFUSED:
            raise
        except LedgerError as error:
            self._warn(str(error))
            return None

    def commit(self, before: LedgerVersion, after: Manifest, files: Mapping[str, bytes]) -> LedgerVersion:
        """Write files of records, then replace a manifest by one that names them.

        The manifest gets the next generation and a random revision. Raises ConflictError if another writer was first;
        then only files were written that no manifest names. After an answer was lost, the manifest is read: if this
        replacement is not in it, ConflictError is raised, and `has_uncertain_commit` is true until the next one.
        Before the first manifest is written, StoreError is raised for a store that ignores conditions.
        """
        if before.etag is None:
            self._require_conditional_writes()
        self.write_records(files)
        generation = before.manifest.generation + 1
        after = replace(
            after, generation=generation, revision=self.new_id(), ledger_id=after.ledger_id or self.new_id()
        )
        lease = after.publisher or PublisherLease()
        metadata = {_LEDGER: after.ledger_id, _OWNER: lease.owner, _EXPIRES: str(lease.expires)}
        try:
            etag = self.store.put_if_match(MANIFEST_NAME, manifests.dump(after), before.etag, metadata)
        except UncertainError as error:
            return self._after_uncertain_commit(after.revision, error)
        self.has_uncertain_commit = False
        return LedgerVersion(after, etag)

    def _require_conditional_writes(self) -> None:
        """Raise StoreError if the store writes over a file though the write asks for none there, or for another."""
        name = f"{_PROBE}-{self.new_id()}"
        try:
            self.store.put_if_match(name, b"", None)
            ignored = [header for header, etag in _CONDITIONS.items() if self._is_written(name, etag)]
        except UncertainError:
            ignored = []
        self.store.delete_many([name])
        if ignored:
            raise StoreError(
                f"the store of the ledger ignores conditional writes ({' and '.join(ignored)}), so runs at the same "
                "time would lose what others wrote; keep the ledger in one that has them, such as Amazon S3"
            )

    def _is_written(self, name: str, etag: str | None) -> bool:
        """Whether the store writes over a file under a condition that is false."""
        try:
            self.store.put_if_match(name, b"", etag)
        except ConflictError:
            return False
        return True

    def _after_uncertain_commit(self, revision: str, error: Exception) -> LedgerVersion:
        present = self.read()
        if present.manifest.revision == revision:
            self.has_uncertain_commit = False
            return present
        self.has_uncertain_commit = True
        raise ConflictError(f"it is not known whether the manifest was replaced: {error}") from error

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

    def write_records(self, files: Mapping[str, bytes]) -> None:
        """Write files of records; their names are new."""
        concurrency.map_concurrently(lambda name: self.store.write(name, files[name]), files, self.store.width)

    def archive(self, manifest: Manifest) -> str:
        """Keep a manifest whose dates a build takes over; returns its name."""
        name = f"manifests/{manifest.generation}-{self.new_id()}.json"
        self.store.write(name, manifests.dump(manifest))
        return name

    def read_archived(self, name: str) -> Manifest:
        """An archived manifest, or an empty one if it is damaged; raises NewerVersionError, UnreleasedFormatError."""
        try:
            return manifests.load(self.store.read(name), name)
        except _REFUSED:
            raise
        except LedgerError as error:
            self._warn(str(error))
            return Manifest()

    def collect_garbage(self, manifest: Manifest, now: float) -> None:
        """Delete files that a pass has found unnamed 20 hours ago, and note those that nothing names now.

        Nothing is deleted while a build is in progress. A failure is only a warning.
        """
        try:
            self._delete_noted(manifest, now)
        except StoreError as error:
            self._warn(f"files of the ledger that nothing names were not deleted; a later rebuild tries again: {error}")

    def _delete_noted(self, manifest: Manifest, now: float) -> None:
        noted = self._noted_files()
        if manifest.builder or now - noted.noted_at < UNREFERENCED_SECONDS:
            return
        named = {entry.records_file for entry in manifest.entries} | {file.name for file in manifest.outbox}
        named.add(manifest.url_list)
        unnamed = [name for folder in _FOLDERS for name in self.store.list_files(folder) if name not in named]
        old = sorted(set(unnamed).intersection(noted.names))[:_MAX_DELETED]
        self.store.delete_many(old)
        left = NotedFiles(now, tuple(sorted(set(unnamed).difference(old))))
        self.store.write(_NOTED_NAME, msgspec.json.encode(left))

    def _noted_files(self) -> NotedFiles:
        try:
            return msgspec.json.decode(self.store.read(_NOTED_NAME) or b"{}", type=NotedFiles)
        except msgspec.MsgspecError:
            return NotedFiles()
