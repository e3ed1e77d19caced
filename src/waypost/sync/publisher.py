"""Publishes files as the manifest describes them, while other writers may publish too.

A file is replaced only if it is still what was seen of it before the manifest was found to be current, so an older
sitemap never replaces a newer one. A writer that finds another manifest at its end continues with that.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.errors import ConflictError, LedgerError, StoreError
from waypost.core.gzip import compress, decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.core.model import Document
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.manifest_update import ROBOTS
from waypost.ledger.published_documents import PublishedDocuments
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.sitemaps.documents import robots_body
from waypost.sitemaps.formats.registry import is_own_file
from waypost.sitemaps.render import Renderer
from waypost.stores.base import ConditionalStore, PublishMetadata, StoredFile
from waypost.sync.result import RunResult

_BATCH = 500
"""How many files are compared and written together; with more of them another writer interferes more often."""


class FileChanges(Struct, frozen=True):
    """The files that were written and removed, and how often another writer was first.

    `is_complete` is false if the deadline was reached before all files were right; `version` is the last manifest by
    which files were published.
    """

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: int = 0
    is_complete: bool = True
    version: LedgerVersion | None = None

    def as_result(self) -> RunResult:
        """The same as a part of a run's result."""
        return RunResult(written=self.written, removed=self.removed, conflicts=self.conflicts)


class _DeadlineReachedError(Exception):
    """The run has no time left."""


@dataclass
class _Progress:
    """One publication: its rendered documents, its deadline and rules, and what it has done."""

    documents: Mapping[str, Document]
    deadline_reached: Callable[[], bool]
    rules: tuple[str, str]
    written: dict[str, None] = field(default_factory=dict)
    removed: dict[str, None] = field(default_factory=dict)
    conflicts: int = 0

    def check_deadline(self) -> None:
        if self.deadline_reached():
            raise _DeadlineReachedError


class _WrongFile(NamedTuple):
    """A published file that is not as it should be, and its present ETag.

    `body` is what it should hold, if that is known already; `entry` is the shard that it belongs to.
    """

    name: str
    etag: str | None
    body: bytes | None = None
    entry: ShardEntry | None = None
    is_wanted: bool = True


class Publisher:
    """Publishes one site's files; `robots_txt` reads the site's own if the sitemaps are published elsewhere.

    While sitemaps of a distributed rebuild may be missing, only its last step (`is_final_step`), which has checked
    all of them, writes indexes and removes files.
    """

    def __init__(
        self,
        ledger: Ledger,
        store: ConditionalStore,
        site: Site,
        renderer: Renderer,
        documents: PublishedDocuments,
        robots_txt: Callable[[], bytes | None] | None = None,
        *,
        is_final_step: bool = False,
    ) -> None:
        self._ledger, self._store, self._site, self._renderer = ledger, store, site, renderer
        self._documents, self._robots_txt = documents, robots_txt
        self._is_final_step = is_final_step
        self._rendered: tuple[Manifest, Sequence[Document]] | None = None

    def publish(
        self,
        version: LedgerVersion,
        names: Collection[str],
        documents: Mapping[str, Document],
        deadline_reached: Callable[[], bool] = lambda: False,
    ) -> FileChanges:
        """Publish the files of these names and all pending files.

        `documents` were rendered already. Nothing is published by a manifest that is not complete or lists nothing, or
        once a manifest of other settings or another robots.txt has replaced it: its writer publishes then.
        Raises ConflictError if other writers are always first, and StoreError.
        """
        progress, is_complete = _Progress(documents, deadline_reached, _rules(version.manifest)), True
        names = {*names, *(each.name for each in version.manifest.pending)}
        ordered = _publish_order(version.manifest, names)
        try:
            for start in range(0, len(ordered), _BATCH):
                version = self._publish_some(version, set(ordered[start : start + _BATCH]), names, progress)
        except _DeadlineReachedError:
            is_complete = False
        written, removed = tuple(progress.written), tuple(progress.removed)
        return FileChanges(written, removed, progress.conflicts, is_complete, version)

    def _publish_some(
        self, version: LedgerVersion, names: set[str], known: Collection[str], progress: _Progress
    ) -> LedgerVersion:
        """Publish some files by the present manifest, which is returned; its new pending files are added to them."""
        versions = chain((version,), iter(self._ledger.read, None))

        def attempt() -> LedgerVersion:
            present = next(versions)
            names.update({each.name for each in present.manifest.pending}.difference(known))
            try:
                self._publish_once(present, names, progress)
            except ConflictError:
                progress.conflicts += 1
                raise
            return present

        return self._ledger.commit_with_retry(attempt)

    def _publish_once(self, version: LedgerVersion, names: Collection[str], progress: _Progress) -> None:
        """Raises ConflictError if the manifest or one of the files was replaced meanwhile."""
        manifest = version.manifest
        if not manifest.is_publishable or _rules(manifest) != progress.rules:
            return
        wrong = self._wrong(manifest, self._allowed_names(manifest, names))
        if not wrong:
            return
        self._require_current(version)
        self._apply(manifest, wrong, progress)
        self._require_current(version)

    def _require_current(self, version: LedgerVersion) -> None:
        if not self._ledger.is_current(version):
            raise ConflictError("another run replaced the manifest while this run published")

    def _allowed_names(self, manifest: Manifest, names: Collection[str]) -> Collection[str]:
        """Those of the names that this writer may publish."""
        if self._is_final_step or manifest.is_published:
            return names
        return {file.name for entry in manifest.entries for file in entry.files}.intersection(names)

    def orphaned_files(self, version: LedgerVersion) -> set[str]:
        """The names of published files that Waypost made and that are neither in the manifest nor pending.

        Such a file is recognised by its metadata or its mark; a text sitemap, which has no mark, by its name.
        """
        names = output_names.output_names(self._site)
        known = version.manifest.files.keys() | {each.name for each in version.manifest.pending}
        unknown = [n for n in self._store.names(self._site.name) if n not in known and names.could_be_ours(n)]
        has_metadata = concurrency.map_concurrently(self._has_metadata, unknown, self._store.width)
        return {
            name
            for name, is_ours in zip(unknown, has_metadata, strict=True)
            if is_ours or names.is_ours_by_name(name) or self._is_own_file(name)
        }

    def _has_metadata(self, name: str) -> bool:
        """Whether a file's metadata holds the generation that wrote it; not every store keeps metadata."""
        info = self._store.head(name)
        return info is not None and info.metadata.generation > 0

    def _is_own_file(self, name: str) -> bool:
        body = decompress_if_gzip(name, self._store.read(name) or b"")
        return is_own_file(name, body, output_names.output_names(self._site))

    def wrong_files(self, manifest: Manifest, names: Collection[str] | None = None) -> dict[str, str]:
        """The published files, or those of these names, that are not as they should be, and what is wrong with each."""
        every = manifest.files.keys() | {each.name for each in manifest.pending} if names is None else names
        wrong = self._wrong(manifest, every)
        return {each.name: _problem(each) for each in wrong}

    def _wrong(self, manifest: Manifest, names: Collection[str]) -> list[_WrongFile]:
        files = manifest.files
        entries = {file.name: entry for entry in manifest.entries for file in entry.files}

        def compare(name: str) -> _WrongFile | None:
            if name == ROBOTS:
                return self._compare_robots(manifest)
            return self._compare_file(name, files.get(name), entries.get(name))

        found = concurrency.map_concurrently(compare, sorted(names), self._store.width)
        return [each for each in found if each]

    def _compare_file(self, name: str, file: PublishedFile | None, entry: ShardEntry | None) -> _WrongFile | None:
        info = self._store.head(name)
        etag = info.etag if info else None
        if file is None:
            return _WrongFile(name, etag, is_wanted=False) if info else None
        if info and info.metadata.digest == file.digest:
            return None
        return _WrongFile(name, etag, entry=entry)

    def _compare_robots(self, manifest: Manifest) -> _WrongFile | None:
        stored = self._store.get(ROBOTS)
        own = self._robots_txt() if self._robots_txt else None
        text = own if own is not None else _content(stored)
        removed = {each.name for each in manifest.pending} - manifest.files.keys()
        body = robots_body(text, self._documents.root_sitemaps(manifest), self._site, self._renderer, removed)
        return None if stored and stored.content == body else _WrongFile(ROBOTS, stored.etag if stored else None, body)

    def _apply(self, manifest: Manifest, wrong: Sequence[_WrongFile], progress: _Progress) -> None:
        """Write sitemaps, then the indexes that name them, then robots.txt; then remove indexes, at last sitemaps."""

        def put(each: _WrongFile) -> None:
            progress.check_deadline()
            self._put(manifest, each, progress.documents)
            progress.written[each.name] = None

        def delete(each: _WrongFile) -> None:
            progress.check_deadline()
            self._store.delete_if_match(each.name, each.etag or "")
            progress.removed[each.name] = None

        concurrency.map_concurrently(put, (each for each in wrong if each.entry), self._store.width)
        for each in sorted((e for e in wrong if e.is_wanted and not e.entry), key=lambda e: e.name == ROBOTS):
            put(each)
        unwanted = [each for each in wrong if not each.is_wanted]
        for is_shard in (False, True):
            some = (each for each in unwanted if output_names.is_shard_name(each.name) == is_shard)
            concurrency.map_concurrently(delete, some, self._store.width)

    def _put(self, manifest: Manifest, wrong: _WrongFile, documents: Mapping[str, Document]) -> None:
        if wrong.etag and not output_names.is_for_crawlers(wrong.name) and not self._is_own_file(wrong.name):
            raise StoreError(f"Waypost did not create the present {wrong.name}; move that file, or set another `name`")
        body = wrong.body if wrong.body is not None else self._body(manifest, wrong, documents.get(wrong.name))
        content = compress(body) if wrong.name.endswith(".gz") else body
        self._store.put_if_match(
            wrong.name, content, wrong.etag, PublishMetadata(content_digest(body), manifest.generation)
        )

    def _body(self, manifest: Manifest, wrong: _WrongFile, rendered: Document | None) -> bytes:
        """A file's bytes as the manifest has them; what was not rendered yet is rendered from the records."""
        files = wrong.entry.files if wrong.entry else (*manifest.indexes, *manifest.auxiliary_files)
        digest = next(file.digest for file in files if file.name == wrong.name)
        if rendered and content_digest(rendered.body) == digest:
            return rendered.body
        documents: Sequence[Document]
        if wrong.entry:
            documents = self._documents.shard(wrong.entry, self._ledger.records(wrong.entry))
        else:
            documents = self._index_and_auxiliary(manifest)
        for document in documents:
            if document.name == wrong.name and content_digest(document.body) == digest:
                return document.body
        raise LedgerError(f"{wrong.name} cannot be rendered from the ledger's records; start a rebuild to make it anew")

    def _index_and_auxiliary(self, manifest: Manifest) -> Sequence[Document]:
        """The indexes and auxiliary documents of a manifest, rendered once."""
        if self._rendered is None or self._rendered[0] is not manifest:
            indexes = self._documents.indexes(manifest.entries, manifest.news_files)
            self._rendered = manifest, [*indexes, *self._documents.auxiliary(manifest, self._ledger.records)]
        return self._rendered[1]


def _publish_order(manifest: Manifest, names: Collection[str]) -> list[str]:
    """Names in the order of publishing: sitemaps, indexes and auxiliary files, robots.txt, then removed files."""
    ranks = {file.name: 0 for entry in manifest.entries for file in entry.files}
    ranks |= dict.fromkeys(manifest.index_and_auxiliary_names, 1) | {ROBOTS: 2}
    return sorted(names, key=lambda name: (ranks.get(name, 3 + output_names.is_shard_name(name)), name))


def _rules(manifest: Manifest) -> tuple[str, str]:
    """What decides how records are rendered."""
    return manifest.config_digest, manifest.robots_rules


def _problem(wrong: _WrongFile) -> str:
    if not wrong.is_wanted:
        return "should be removed"
    return "differs from what the ledger describes" if wrong.etag else "is missing"


def _content(stored: StoredFile | None) -> bytes:
    return stored.content if stored else b""
