"""Makes published files what the ledger says they are, whoever else is publishing.

Each file is replaced only while it is what was seen of it before the manifest was found to be current, so an
older sitemap never covers a newer one. A writer that finds another manifest when it is done goes on with that.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct

from waypost.config import output_names
from waypost.config.load import Site
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

_TRIES = 20
_TOGETHER = 500
"""How many files are looked at and made right together: the more, the likelier that another writer comes between."""


class PublishResult(Struct, frozen=True):
    """What was written and removed until the published files were right, and how often another writer was first.

    Not `is_whole` where the time was over before they were; `version` is the last that they were made right by.
    """

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: int = 0
    is_complete: bool = True
    version: LedgerVersion | None = None


class _DeadlineReachedError(Exception):
    """The time that a run may take is over."""


@dataclass
class _Progress:
    """What one writer has to go by, and has done."""

    made: Mapping[str, Document]
    deadline_reached: Callable[[], bool]
    rules: tuple[str, str]
    written: dict[str, None] = field(default_factory=dict)
    removed: dict[str, None] = field(default_factory=dict)
    conflicts: int = 0


class _WrongFile(NamedTuple):
    """A published file that is not what it should be: the ETag it has now, and what it should say; None to remove."""

    name: str
    etag: str | None
    body: bytes | None = None
    entry: ShardEntry | None = None
    is_wanted: bool = True


class Publisher:
    """One site's published files; `robots_txt` reads the site's own where it is kept elsewhere than the outputs.

    Where many sitemaps may not stand yet, what stands over them and what goes is left to the one who `is_last`: who has
    seen to all of them.
    """

    def __init__(
        self,
        ledger: Ledger,
        store: ConditionalStore,
        site: Site,
        renderer: Renderer,
        documents_of_ledger: PublishedDocuments,
        robots_txt: Callable[[], bytes | None] | None = None,
        *,
        is_final_step: bool = False,
    ) -> None:
        self._ledger, self._store, self._site, self._renderer = ledger, store, site, renderer
        self._documents_of_ledger, self._robots_txt = documents_of_ledger, robots_txt
        self._is_last = is_final_step
        self._rendered: tuple[Manifest, Sequence[Document]] | None = None

    def publish(
        self,
        version: LedgerVersion,
        names: Collection[str],
        made: Mapping[str, Document],
        deadline_reached: Callable[[], bool] = lambda: False,
    ) -> PublishResult:
        """Make the files of these names right, and those that came or went lately.

        `made` are documents rendered already. Nothing is touched while a manifest is not whole or lists nothing, nor
        where one of other settings or another robots.txt has come: who built that publishes it.
        Raises ConflictError where other writers never cease, and StoreError.
        """
        work, is_whole = _Progress(made, deadline_reached, _rules(version.manifest)), True
        names = {*names, *(each.name for each in version.manifest.pending)}
        ordered = _publish_order(version.manifest, names)
        try:
            for start in range(0, len(ordered), _TOGETHER):
                version = self._publish_some(version, set(ordered[start : start + _TOGETHER]), names, work)
        except _DeadlineReachedError:
            is_whole = False
        return PublishResult(tuple(work.written), tuple(work.removed), work.conflicts, is_whole, version)

    def _publish_some(
        self, version: LedgerVersion, names: set[str], known: Collection[str], work: "_Progress"
    ) -> LedgerVersion:
        """Make some files right, by the manifest as it is; returns that. What others bring meanwhile joins them."""
        for _ in range(_TRIES):
            if not version.manifest.is_publishable or _rules(version.manifest) != work.rules:
                return version
            names |= {each.name for each in version.manifest.pending}.difference(known)
            wrong = self._wrong(version.manifest, self._allowed_names(version.manifest, names))
            if not wrong:
                return version
            if self._ledger.is_current(version):
                with suppress(ConflictError):
                    self._apply(version.manifest, wrong, work)
                    if self._ledger.is_current(version):
                        return version
            work.conflicts += 1
            version = self._ledger.read()
        raise ConflictError(f"other runs have published {_TRIES} times while this one tried; run it again")

    def _allowed_names(self, manifest: Manifest, names: Collection[str]) -> Collection[str]:
        """Those of the names that are this writer's to make right."""
        if self._is_last or not manifest.is_unpublished:
            return names
        return {file.name for entry in manifest.entries for file in entry.files}.intersection(names)

    def orphaned_files(self, version: LedgerVersion) -> set[str]:
        """The names of files that stand, are Waypost's own, and that the manifest neither names nor has on its way out.

        A text sitemap is known by its name, where the settings could give it; what is not, by its stamp or its mark.
        """
        ours, unsettled = output_names.output_names(self._site), {each.name for each in version.manifest.pending}
        known = version.manifest.files.keys() | unsettled
        strange = [n for n in self._store.names(self._site.name) if n not in known and ours.could_be_ours(n)]
        stamped = dict(
            zip(strange, concurrency.map_concurrently(self._has_metadata, strange, self._store.width), strict=True)
        )
        return {n for n in strange if ours.is_ours_by_name(n) or stamped[n] or self._is_own_file(n)}

    def _has_metadata(self, name: str) -> bool:
        """Whether a file tells the generation that wrote it, for which not every store has room."""
        info = self._store.head(name)
        return info is not None and info.metadata.generation > 0

    def _is_own_file(self, name: str) -> bool:
        body = decompress_if_gzip(name, self._store.read(name) or b"")
        return is_own_file(name, body, output_names.output_names(self._site))

    def wrong_files(self, manifest: Manifest, names: Collection[str] | None = None) -> dict[str, str]:
        """The published files, or those of these names, that are not right, and what is wrong with each."""
        every = manifest.files.keys() | {each.name for each in manifest.pending} if names is None else names
        wrong = self._wrong(manifest, every)
        return {each.name: _problem(each) for each in wrong}

    def _wrong(self, manifest: Manifest, names: Collection[str]) -> list[_WrongFile]:
        files = manifest.files
        homes = {file.name: entry for entry in manifest.entries for file in entry.files}

        def judged(name: str) -> _WrongFile | None:
            return (
                self._compare_robots(manifest)
                if name == ROBOTS
                else self._compare_file(name, files.get(name), homes.get(name))
            )

        found = concurrency.map_concurrently(judged, sorted(names), self._store.width)
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
        site_s = self._robots_txt() if self._robots_txt else None
        text = site_s if site_s is not None else _content(stored)
        gone = {each.name for each in manifest.pending} - manifest.files.keys()
        body = robots_body(text, self._documents_of_ledger.root_sitemaps(manifest), self._site, self._renderer, gone)
        return None if stored and stored.content == body else _WrongFile(ROBOTS, stored.etag if stored else None, body)

    def _apply(self, manifest: Manifest, wrong: Sequence[_WrongFile], work: _Progress) -> None:
        """Sitemaps first, then the indexes that name them, then robots.txt; what leaves goes last, indexes first."""

        def put(each: _WrongFile) -> None:
            if work.deadline_reached():
                raise _DeadlineReachedError
            self._put(manifest, each, work.made)
            work.written[each.name] = None

        def drop(each: _WrongFile) -> None:
            if work.deadline_reached():
                raise _DeadlineReachedError
            self._store.delete_if_match(each.name, each.etag or "")
            work.removed[each.name] = None

        concurrency.map_concurrently(put, (each for each in wrong if each.entry), self._store.width)
        for each in sorted((e for e in wrong if e.is_wanted and not e.entry), key=lambda e: e.name == ROBOTS):
            put(each)
        leaving = [each for each in wrong if not each.is_wanted]
        for is_last in (False, True):
            some = (each for each in leaving if output_names.is_shard_name(each.name) == is_last)
            concurrency.map_concurrently(drop, some, self._store.width)

    def _put(self, manifest: Manifest, wrong: _WrongFile, made: Mapping[str, Document]) -> None:
        if wrong.etag and not output_names.is_for_crawlers(wrong.name) and not self._is_own_file(wrong.name):
            raise StoreError(f"{wrong.name} is there and is not Waypost's; move it, or set `name` to another")
        body = wrong.body if wrong.body is not None else self._body(manifest, wrong, made.get(wrong.name))
        content = compress(body) if wrong.name.endswith(".gz") else body
        self._store.put_if_match(
            wrong.name, content, wrong.etag, PublishMetadata(content_digest(body), manifest.generation)
        )

    def _body(self, manifest: Manifest, wrong: _WrongFile, made: Document | None) -> bytes:
        """A file's bytes as the manifest has them: from what was rendered already, or from the records anew."""
        files = wrong.entry.files if wrong.entry else (*manifest.indexes, *manifest.auxiliary_files)
        digest = next(file.digest for file in files if file.name == wrong.name)
        if made and content_digest(made.body) == digest:
            return made.body
        documents: Sequence[Document]
        if wrong.entry:
            documents = self._documents_of_ledger.shard(wrong.entry, self._ledger.records(wrong.entry))
        else:
            documents = self._index_and_auxiliary(manifest)
        for document in documents:
            if document.name == wrong.name and content_digest(document.body) == digest:
                return document.body
        raise LedgerError(f"{wrong.name} does not follow from the ledger's records; a rebuild makes it anew")

    def _index_and_auxiliary(self, manifest: Manifest) -> Sequence[Document]:
        """What stands over and beside the sitemaps of a manifest, rendered once for all that are wrong."""
        if self._rendered is None or self._rendered[0] is not manifest:
            indexes = self._documents_of_ledger.indexes(manifest.entries, manifest.news_files)
            self._rendered = manifest, [*indexes, *self._documents_of_ledger.auxiliary(manifest, self._ledger.records)]
        return self._rendered[1]


def _publish_order(manifest: Manifest, names: Collection[str]) -> list[str]:
    """Names in the order of publishing: sitemaps, what stands over them, robots.txt, and what leaves, indexes first."""
    ranks = {file.name: 0 for entry in manifest.entries for file in entry.files}
    ranks |= dict.fromkeys(manifest.index_and_auxiliary_names, 1) | {ROBOTS: 2}
    return sorted(names, key=lambda name: (ranks.get(name, 3 + output_names.is_shard_name(name)), name))


def _rules(manifest: Manifest) -> tuple[str, str]:
    """What decides how a manifest's records are rendered."""
    return manifest.config_digest, manifest.robots_rules


def _problem(wrong: _WrongFile) -> str:
    if not wrong.is_wanted:
        return "should be gone"
    return "is not what it should be" if wrong.etag else "is missing"


def _content(stored: StoredFile | None) -> bytes:
    return stored.content if stored else b""
