"""Compares the published files with the manifest, and renders what they should hold."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.errors import LedgerError, LostRecordsError
from waypost.core.gzip import decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.core.model import Document, printable
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.published_documents import PublishedDocuments
from waypost.ledger.records import Record
from waypost.ledger.store import Ledger
from waypost.sitemaps.documents import robots_body
from waypost.sitemaps.formats.registry import is_own_file
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.replacement import Replacement, replacement
from waypost.stores import DIGEST, ConditionalStore, FileInfo
from waypost.validate import sitemap_content

LEDGER_ID, SETTINGS_ID = "waypost-ledger", "waypost-settings"
"""Metadata of a published file: the ledger that it is from, and what it was rendered with."""


class PresentFile(NamedTuple):
    """What is published under a name: the ETag, None if there is no file, and the digest of its bytes, if it is known.

    `range_end` is where its range ends, and `is_sitemap` says that it is a sitemap and not an index, if a manifest
    describes exactly what is published. `has_same_settings` if it may have been rendered with the current settings.
    `is_unreferenced` if no published index names it.
    """

    etag: str | None
    digest: str = ""
    range_end: str | None = None
    is_sitemap: bool = False
    is_ours: bool = True
    has_same_settings: bool = True
    is_unreferenced: bool = False


NO_FILE = PresentFile(None)
MISSING, FOREIGN = "is missing", "was written by another writer"
DIFFERS = "differs from what the ledger describes"
"""What may be wrong with a published file."""


class RobotsChange(NamedTuple):
    """What robots.txt should hold, and the ETag of the current one; `body` is None if it is right."""

    etag: str | None
    body: bytes | None


class PublishedFiles:
    """The published files of one site, and what a manifest makes of them.

    `robots_txt` reads the site's own if the sitemaps are published elsewhere.
    """

    def __init__(
        self,
        ledger: Ledger,
        store: ConditionalStore,
        site: Site,
        renderer: Renderer,
        documents: PublishedDocuments,
        robots_txt: Callable[[], bytes | None] | None = None,
    ) -> None:
        self._ledger, self.store, self._site, self._renderer = ledger, store, site, renderer
        self._documents, self._robots_txt = documents, robots_txt
        self._rendered: tuple[Manifest, Sequence[Document]] | None = None

    def present(self, name: str, manifest: Manifest, known_etag: str = "") -> PresentFile:
        """What is published under a name now (a HEAD request).

        Tools that edit or copy a file may keep its metadata. So what these say of its bytes is believed only if it has
        the ETag with which it was written last, or if that is not known; else the bytes are read (a GET request).
        """
        info = self.store.head(name)
        if info is None:
            return NO_FILE
        settings, digest = info.metadata.get(SETTINGS_ID), info.metadata.get(DIGEST, "")
        if digest and known_etag not in ("", info.etag):
            digest = content_digest(decompress_if_gzip(name, self.store.read(name) or b""))
        return PresentFile(
            info.etag,
            digest,
            is_ours=self._is_ours(name, info, manifest.ledger_id),
            has_same_settings=settings in (None, settings_id(manifest)),
        )

    def replacement(self, name: str, target: bytes) -> Replacement:
        """How what is published under a name is replaced (a GET request)."""
        published = decompress_if_gzip(name, self.store.read(name) or b"")
        return replacement(name, target, published, self._site, self._renderer)

    def listed_by(self, name: str) -> str:
        """What the file that is published under a name lists, for people (a GET request)."""
        _, entries = sitemap_content.read_entries(name, decompress_if_gzip(name, self.store.read(name) or b""))
        listed = [entry.loc for entry in entries if entry.loc]
        return f"it listed {len(listed):,} URLs, the first {printable(listed[0])}" if listed else "it listed nothing"

    def _is_ours(self, name: str, info: FileInfo, ledger_id: str) -> bool:
        """Whether this ledger's runs wrote a file; where its metadata says nothing, a file with Waypost's mark is."""
        found = info.metadata.get(LEDGER_ID)
        return found == ledger_id if found else self.is_own_file(name)

    def is_own_file(self, name: str) -> bool:
        """Whether Waypost wrote a file, by its content."""
        body = decompress_if_gzip(name, self.store.read(name) or b"")
        return is_own_file(name, body, output_names.output_names(self._site))

    def wrong_files(self, manifest: Manifest, names: Collection[str] | None = None) -> dict[str, str]:
        """The published files, or files of these names, that are not as they should be, and what is wrong with each."""
        files = manifest.files
        wanted = {*files, *([ROBOTS] if self._site.robots_sitemaps else [])} if names is None else names

        def problem(name: str) -> str:
            if name == ROBOTS:
                return DIFFERS if self.robots_change(manifest).body else ""
            present = self.present(name, manifest, files[name].etag)
            if present.etag is None:
                return MISSING
            if not (present.is_ours and present.digest):  # all that runs write has a digest
                return FOREIGN
            return "" if present.digest == files[name].digest else DIFFERS

        found = concurrency.map_concurrently(problem, sorted(wanted), self.store.width)
        return {name: text for name, text in zip(sorted(wanted), found, strict=True) if text}

    def robots_change(self, manifest: Manifest) -> RobotsChange:
        """What robots.txt should hold, with the `Sitemap:` lines of this manifest."""
        stored = self.store.get(ROBOTS)
        present = stored.content if stored else b""
        own = self._robots_txt() if self._robots_txt else None
        removed = {each.name for each in manifest.unreferenced}
        roots = self._documents.root_sitemaps(manifest)
        body = robots_body(present if own is None else own, roots, self._site, self._renderer, removed)
        return RobotsChange(stored.etag if stored else None, None if stored and present == body else body)

    def body(self, manifest: Manifest, file: PublishedFile, entry: ShardEntry | None, known: Document | None) -> bytes:
        """A file's bytes as the manifest has them; what is not `known` is rendered from the records.

        Raises LostRecordsError if the records are lost, and LedgerError if they do not give these bytes.
        """
        if known and content_digest(known.body) == file.digest:
            return known.body
        rendered = self._documents.shard(entry, self._records(entry)) if entry else self._index_and_auxiliary(manifest)
        for document in rendered:
            if document.name == file.name and content_digest(document.body) == file.digest:
                return document.body
        raise LedgerError(f"{file.name} cannot be rendered from the ledger's records; start a rebuild to make it again")

    def _records(self, entry: ShardEntry) -> Sequence[Record]:
        found = self._ledger.records_or_none(entry)
        if found is None:
            raise LostRecordsError(entry.records_file)
        return found

    def _index_and_auxiliary(self, manifest: Manifest) -> Sequence[Document]:
        """The indexes and auxiliary documents of a manifest, rendered once."""
        if self._rendered is None or self._rendered[0] is not manifest:
            indexes = [each for each, _ in self._documents.indexes(manifest)]
            self._rendered = manifest, [*indexes, *self._documents.auxiliary(manifest, self._records)]
        return self._rendered[1]


def file_metadata(manifest: Manifest, digest: str) -> Mapping[str, str]:
    """The metadata of a published file."""
    return {LEDGER_ID: manifest.ledger_id, SETTINGS_ID: settings_id(manifest), DIGEST: digest}


def settings_id(manifest: Manifest) -> str:
    """What a manifest's files are rendered with: its settings, and the rules of robots.txt."""
    return content_digest(f"{manifest.config_digest} {manifest.recorded_facts} {manifest.robots_rules}".encode())
