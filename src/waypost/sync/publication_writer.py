"""Writes the pending files of one manifest in an order in which no page is missing in between."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from typing import NamedTuple

from msgspec.structs import replace

from waypost.config import output_names
from waypost.core import concurrency
from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.core.gzip import compress_if_gzip
from waypost.core.hashing import content_digest
from waypost.core.model import Document, Example, SiteWarning
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry
from waypost.ledger.pending_files import ROBOTS, gains_range
from waypost.sitemaps.replacement import AT_ONCE, Replacement
from waypost.sync.published_files import NO_FILE, PresentFile, PublishedFiles, file_metadata
from waypost.sync.publisher_lease import PublisherLeaseHolder
from waypost.sync.site_warnings import warnings_of

_ATTEMPTS = 5
"""How often a file is written while others replace it."""
_LARGE, _MAX_LARGE = 5_000, 4
"""At most so many sitemaps of more pages are rendered at the same time: each may take 60 MB, and a processor."""
_LAST = Replacement(is_last=True)
KnownFiles = Mapping[str, PresentFile]
"""What is published under some names, as a manifest knew it before they became pending."""


class PlannedFile(NamedTuple):
    """A pending file: what it should be, what is published under its name, and how that is replaced."""

    pending: PendingFile
    file: PublishedFile
    entry: ShardEntry | None
    present: PresentFile
    replacement: Replacement = AT_ONCE


@dataclass
class Progress:
    """What one publication has done so far, and its rendered documents.

    `attempted` has all files that it may have written.
    """

    documents: Mapping[str, Document]
    deadline_reached: Callable[[], bool]
    written: dict[str, None] = field(default_factory=dict)
    removed: dict[str, None] = field(default_factory=dict)
    warned: dict[str, list[Example]] = field(default_factory=dict)
    attempted: set[str] = field(default_factory=set)
    is_complete: bool = True

    def warn(self, code: str, name: str, detail: str = "") -> None:
        """Add a file to those that a warning names."""
        self.warned.setdefault(code, []).append(Example(name, detail))

    def warnings(self) -> tuple[SiteWarning, ...]:
        """The warnings so far."""
        return warnings_of(self.warned)


class PublicationWriter:
    """Writes the pending files of one manifest, or of a part of one; `range_ends` are where their ranges end.

    `finished` has the ETags of files that are right, and `""` where a file of another writer was left.
    """

    def __init__(
        self,
        manifest: Manifest,
        range_ends: Mapping[str, str],
        files: PublishedFiles,
        lease: PublisherLeaseHolder,
        progress: Progress,
    ) -> None:
        self._manifest, self._range_ends, self._files = manifest, range_ends, files
        self._lease, self._progress = lease, progress
        self.finished: dict[str, str] = {}
        self._rendering_large = BoundedSemaphore(_MAX_LARGE)
        self._combined_files: dict[str, PresentFile] = {}

    def plan(self, known: KnownFiles, renew: Callable[[], None] = lambda: None) -> list[PlannedFile]:
        """The pending files that are not right already; these are finished.

        Comparing many large files may take longer than a lease: `renew` is called after each.
        """
        files = self._manifest.files
        entries = {file.name: entry for entry in self._manifest.entries for file in entry.files}
        wanted = [each for each in self._manifest.pending if each.name in files or each.name == ROBOTS]

        def planned(pending: PendingFile) -> PlannedFile | None:
            file = files.get(pending.name) or PublishedFile(pending.name, "")
            present = self._present(file, known)
            if present.etag and present.is_ours and present.digest == file.digest:
                self.finished[file.name] = present.etag
                return None
            found = PlannedFile(pending, file, entries.get(file.name), present)
            return found._replace(replacement=self._replacement(found, is_known=file.name in known))

        width, found = self._files.store.width, []
        for each in concurrency.map_in_batches(planned, wanted, width, width):
            if each:
                found.append(each)
            renew()
        return found

    def phases(self, planned: Sequence[PlannedFile]) -> Iterator[list[PlannedFile]]:
        """The files in phases: each must be written before the next begins."""
        sitemaps = [each for each in planned if each.entry]
        indexes = [each for each in planned if each.file in self._manifest.indexes]
        auxiliary = [each for each in planned if not each.entry and each not in indexes]
        yield _first(sitemaps)
        yield [each for each in auxiliary if each.file.name != ROBOTS]
        yield _first(indexes)
        yield [each for each in auxiliary if each.file.name == ROBOTS]
        yield _last(indexes)
        yield _last(sitemaps)

    def write(self, planned: Sequence[PlannedFile]) -> None:
        """Write some files at the same time.

        Raises LeaseExpiredError, StoreError, and LedgerError if a file cannot be rendered.
        """
        concurrency.map_concurrently(self._write, planned, self._files.store.width)

    def without_finished(self, present: Manifest) -> Manifest:
        """A later manifest, without the files that this publication has finished among its pending ones."""
        return without_finished_files(present, self._manifest, self.finished)

    def _replacement(self, planned: PlannedFile, *, is_known: bool) -> Replacement:
        """How a file is replaced: by its range where that is known, else by comparing what both list."""
        file, present = planned.file, planned.present
        is_index = file in self._manifest.indexes
        has_other_settings = planned.pending.is_from_build and not present.has_same_settings
        is_listed = present.etag is not None and not present.is_unreferenced and bool(planned.entry or is_index)
        if not is_listed or has_other_settings:
            return AT_ONCE
        if not is_known:
            return self._files.replacement(file.name, self._body(planned))
        if present.is_sitemap == is_index:
            return Replacement(is_last=is_index)
        loses = gains_range(present.range_end or "", self._range_ends.get(file.name, ""))
        return Replacement(is_last=loses)

    def _present(self, file: PublishedFile, known: KnownFiles) -> PresentFile:
        if file.name == ROBOTS:
            return NO_FILE  # it is read when it is its turn
        return known[file.name] if file.name in known else self._files.present(file.name, self._manifest, file.etag)

    def _body(self, planned: PlannedFile) -> bytes:
        known = self._progress.documents.get(planned.file.name)
        return self._files.body(self._manifest, planned.file, planned.entry, known)

    def _write(self, planned: PlannedFile) -> None:
        name = planned.file.name
        present = self._combined_files.get(name, planned.present)
        for _ in range(_ATTEMPTS):
            try:
                etag = self._write_robots() if name == ROBOTS else self._put(planned, present)
            except UncertainError:
                self._lease.wait_out_margin()
            except ConflictError:
                pass
            else:
                if planned.replacement.combined is None:
                    self.finished[name] = etag
                else:
                    self._combined_files[name] = PresentFile(etag)
                return
            present = self._present(planned.file, {})
        raise StoreError(f"{name} could not be written: others replaced it {_ATTEMPTS} times; run this again")

    def _write_robots(self) -> str:
        change = self._files.robots_change(self._manifest)
        return "" if change.body is None else self._store(ROBOTS, change.body, change.etag, {})

    def _put(self, planned: PlannedFile, present: PresentFile) -> str:
        """Write a file, unless it is right; returns its ETag, or `""` if a file of another writer is in its place."""
        name, combined = planned.file.name, planned.replacement.combined
        digest = planned.file.digest if combined is None else content_digest(combined)
        if present.etag and present.is_ours and present.digest == digest:
            return present.etag
        if present.etag and not present.is_ours:
            if not output_names.is_for_crawlers(name):
                self._progress.warn("output-blocked", name)
                return ""
            self._progress.warn("foreign-replaced", name, self._files.listed_by(name))
        is_large = planned.entry is not None and planned.entry.page_count > _LARGE
        with self._rendering_large if is_large else nullcontext():
            body = self._body(planned) if combined is None else combined
            return self._store(name, body, present.etag, file_metadata(self._manifest, digest))

    def _store(self, name: str, body: bytes, etag: str | None, metadata: Mapping[str, str]) -> str:
        content = compress_if_gzip(name, body)
        self._lease.require()
        self._progress.attempted.add(name)
        stored = self._files.store.put_if_match(name, content, etag, metadata)
        self._progress.written[name] = None
        return stored


def _first(planned: Iterable[PlannedFile]) -> list[PlannedFile]:
    """The files that are written before others, which may need what is new in them."""
    return [each for each in planned if each.replacement.combined is not None or not each.replacement.is_last]


def _last(planned: Iterable[PlannedFile]) -> list[PlannedFile]:
    """The files whose entries may go once all others are written, now without them."""
    return [each._replace(replacement=_LAST) for each in planned if each.replacement.is_last]


def published_names(etags: Mapping[str, str]) -> list[str]:
    """The finished files that subscribers are notified of: they hold what is to be published, whoever wrote that."""
    return [name for name, etag in etags.items() if etag or name == ROBOTS]


def without_finished_files(present: Manifest, planned: Manifest, etags: Mapping[str, str]) -> Manifest:
    """A later manifest than the `planned` one, with the ETags of finished files.

    These are no longer pending, unless a commit since then has changed them again.
    """
    generations = {each.name: each.generation for each in planned.pending}
    left = (each for each in present.pending if each.name not in etags or each.generation != generations[each.name])
    return _with_etags(replace(present, pending=tuple(left)), etags)


def with_unverified_files(manifest: Manifest, names: Iterable[str]) -> Manifest:
    """The manifest with files pending that a process has written without the publisher's lease."""
    wanted = {*manifest.files, ROBOTS}.intersection(names)
    if not wanted:
        return manifest
    known = {each.name: each for each in manifest.pending}
    unverified = {name: PendingFile(name, 0) for name in wanted} | {n: p for n, p in known.items() if n in wanted}
    pending = known | {name: replace(each, generation=manifest.generation + 1) for name, each in unverified.items()}
    return replace(manifest, pending=tuple(pending[name] for name in sorted(pending)))


def _with_etags(manifest: Manifest, etags: Mapping[str, str]) -> Manifest:
    """The manifest with the ETags of these published files."""

    def with_etag(file: PublishedFile) -> PublishedFile:
        return replace(file, etag=etags[file.name]) if file.name in etags else file

    entries = tuple(
        replace(entry, files=tuple(map(with_etag, entry.files)))
        if any(file.name in etags for file in entry.files)
        else entry
        for entry in manifest.entries
    )
    indexes, auxiliary = (tuple(map(with_etag, files)) for files in (manifest.indexes, manifest.auxiliary_files))
    return replace(manifest, entries=entries, indexes=indexes, auxiliary_files=auxiliary)
