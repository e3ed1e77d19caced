"""From the objects that changed in a bucket to the next manifest: only the affected shards are built again.

A full build is a sequence of such updates over all keys. Boundaries depend on the keys alone, so any order of
updates leads to the same shards and the same bytes.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core import diff
from waypost.core.model import Changes, Document, Page
from waypost.ledger.classify import PageClassifier
from waypost.ledger.dirty_segments import DirtySegment, DirtySegments
from waypost.ledger.hreflang_update import HreflangUpdater
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.pending_files import ROBOTS, with_pending_files
from waypost.ledger.published_documents import PublishedDocuments
from waypost.ledger.record_cache import Load, RecordCache
from waypost.ledger.record_changes import Edits, PreviousLedger, RecordChanges
from waypost.ledger.records import Record
from waypost.ledger.same_urls import SameUrls
from waypost.ledger.shard_builder import BuiltShard, ShardBuilder
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sitemaps.render import Renderer


class ManifestUpdate(Struct, frozen=True):
    """A new manifest, or the one before where nothing changed, with what belongs to it.

    `records` holds files of records by name, `documents` newly rendered documents by name. `changed_etags` has the keys
    of the update whose records changed, with their ETags (None: removed); `changed_keys` are these and those whose
    records changed because of them: files with the same URLs, and alternates. `lost_entries` are the entries whose
    records were needed and are lost, `unreadable` has the errors of objects in their ranges that could not be read, by
    key. `files_of_moved_urls` has the files between which URLs of duplicates moved. `changes` are what readers of the
    sitemaps may see, and `counted_changes` what they certainly do. Of `same_facts` only the ETag is another.
    """

    manifest: Manifest
    records: Mapping[str, bytes] = {}
    documents: Mapping[str, Document] = {}
    changed_etags: Mapping[str, str | None] = {}
    changed_keys: frozenset[str] = frozenset()
    lost_entries: tuple[ShardEntry, ...] = ()
    unreadable: Mapping[str, str] = {}
    files_of_moved_urls: frozenset[str] = frozenset()
    hreflang_issues: tuple[HreflangIssue, ...] = ()
    changes: Changes = Changes()
    counted_changes: Changes = Changes()
    same_facts: frozenset[str] = frozenset()


class _AllEdits(NamedTuple):
    """The edits of one update: its `own`, and `all` with the edits of other files with the same URLs and of alternates.

    `moving` keys may become listed or unlisted, `unmoved` ones only change.
    """

    own: Edits
    all: Edits
    moving: Collection[str]
    unmoved: Collection[str]
    issues: tuple[HreflangIssue, ...] = ()


class ManifestUpdater:
    """Updates the manifest of one site; `is_disallowed` says whether robots.txt disallows a URL.

    `new_id` returns a random id, for the names of files of records.
    """

    def __init__(
        self,
        site: Site,
        renderer: Renderer,
        now: str,
        is_disallowed: Callable[[str], bool] = lambda loc: False,
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self._site, self._renderer, self._now, self._new_id = site, renderer, now, new_id
        self.site = site
        self.classifier = PageClassifier(site, now, is_disallowed)
        self._selection = self.classifier.selection
        self._same_urls, self._segments = SameUrls(site, self.classifier), DirtySegments(site, self._selection)
        self.documents = PublishedDocuments(site, renderer, self.classifier)
        self._hreflang = HreflangUpdater(site, self.classifier.page)

    def update(
        self,
        before: Manifest,
        seen: Mapping[str, ObjectSnapshot | None],
        load: Load,
        previous: PreviousLedger | None = None,
        builder: BuilderLease | None = None,
        *,
        refresh_etags: bool = False,
        event_records: Callable[[str], Record | None] | None = None,
        lost: Collection[ShardEntry] = (),
        unverified: Collection[str] = (),
    ) -> ManifestUpdate:
        """The manifest after the objects in `seen`; None means an object that is gone or can be no page.

        During a build, `previous` is what it remembers, and `builder` how far it is after this update. Without
        `refresh_etags`, an upload with the same facts as the one before changes nothing, not even the recorded ETag.
        `event_records` returns the records that updates made while a build was reading; they date their keys. `lost`
        are entries whose records are known to be lost: `seen` has all objects of their ranges, and they are built
        again. If others are found to be lost, nothing changes, and the result has them as its `lost_entries`. The
        records of `unverified` keys may depend on pages whose records were lost.
        """
        # First: what changes, for the objects that were seen and for the pages that name them or share their URLs.
        cache = RecordCache(before, self._selection, load)
        changes = RecordChanges(before, cache, self._site, self._now, previous)
        if event_records:
            own = changes.since_events(seen, event_records)
        else:
            own = changes.of(seen, refresh_etags=refresh_etags)
        edits = self._edits(dict(own), cache, unverified)
        if not edits.all and not lost and builder == before.builder:
            return ManifestUpdate(before, lost_entries=tuple(cache.lost_entries))
        # Second: which segments have these keys. A segment whose records are lost has to be read again before anything.
        parts = self._segments.parts(edits.moving, edits.unmoved, cache, lost)
        if found_lost := cache.newly_lost(lost):
            return ManifestUpdate(before, lost_entries=found_lost)
        self._segments.apply([part for part in parts if isinstance(part, DirtySegment)], edits.all)
        # Third: build the shards of these segments; all other shards keep their files.
        known = previous.files if previous else before.files if before.is_complete else {}
        shards = list(self._build(parts, known, is_first=not (previous or before.built_at)))
        found = self._finish(before, shards, known, builder, lambda entry: list(cache.records(entry).values()))
        if found_lost := cache.newly_lost(lost):  # records of news that only the news sitemap needs
            return ManifestUpdate(before, lost_entries=found_lost)
        # Last: what subscribers are told. During a build nothing is published, so nothing has changed for readers.
        manifest = found.manifest
        # What lost records listed before is not known: subscribers are notified of all their pages, and none counts.
        is_seen_by_readers = before.built_at and previous is None
        counted = {key: record for key, record in edits.all.items() if not cache.is_lost(key)}
        return replace(
            found,
            manifest=replace(manifest, records_lost_at=manifest.generation) if lost else manifest,
            changed_etags={key: record.etag if record else None for key, record in edits.own.items()},
            changed_keys=frozenset(edits.all),
            hreflang_issues=edits.issues,
            files_of_moved_urls=self._same_urls.files_of_moved_urls(edits.all, cache, (each.entry for each in shards)),
            changes=self._changes(edits.all, cache) if is_seen_by_readers else Changes(),
            counted_changes=self._changes(counted, cache) if is_seen_by_readers else Changes(),
            same_facts=frozenset(key for key in edits.own if _has_same_facts(cache.record(key), edits.own[key])),
        )

    def _edits(self, own: Edits, cache: RecordCache, unverified: Collection[str]) -> _AllEdits:
        """What changes because of these edits, and because the records of `unverified` keys are out of date."""
        own = {**own, **self._same_urls.outdated_duplicates(unverified, own, cache)}
        moved = self._same_urls.moved_keys(own, cache)
        found = {**own, **self._same_urls.resolved_duplicates(own, moved.same_url, cache)}
        if not self._site.alternates:
            return _AllEdits(own, found, moved.moving, moved.unmoved)
        alternates, issues = self._hreflang.apply_edits(found, cache, unverified)
        unmoved = moved.unmoved | (alternates.keys() - moved.moving)
        return _AllEdits(own, {**found, **alternates}, moved.moving, unmoved, tuple(issues))

    def refresh(self, before: Manifest, load: Load) -> ManifestUpdate:
        """The manifest as of now: articles that are no longer new leave the news sitemap; indexes have its children."""
        return self._finish(before, _kept(before.entries), before.files, before.builder, load)

    def finish(
        self, before: Manifest, files: Mapping[str, PublishedFile], load: Load, *, is_from_build: bool
    ) -> ManifestUpdate:
        """The manifest of a distributed rebuild, with indexes and auxiliary files; `files` are the published ones.

        `is_from_build` if these were published under other settings, or by nobody.
        """
        return self._finish(before, _kept(before.entries), files, None, load, is_from_build=is_from_build)

    def undated_shard_builder(self) -> ShardBuilder:
        """A builder of shards whose files get their dates later, when they are committed."""
        return ShardBuilder(self._site, self._renderer, self.classifier, None, self._new_id)

    def _shard_builder(self, *, is_first: bool) -> ShardBuilder:
        """A file has no date in a ledger's first build, and where the settings ask for no dates."""
        changed_at = self._now if self._site.lastmod == "content" and not is_first else None
        return ShardBuilder(self._site, self._renderer, self.classifier, changed_at, self._new_id)

    def _changes(self, edits: Edits, cache: RecordCache) -> Changes:
        """What readers of the sitemaps see of these edits."""
        return self.changes(map(cache.record, edits), edits.values())

    def changes(self, before: Iterable[Record | None], after: Iterable[Record | None]) -> Changes:
        """What readers of the sitemaps see if some records replace others; a URL has changed if its object is another.

        A URL must not be left out because it moved: an update may have removed it in between, and notified of that.
        """
        pages = ((self.classifier.page(record) for record in side if record) for side in (before, after))
        old, new = ({page.loc: page for page in side if page} for side in pages)
        found = diff.compare(*({loc: _comparable(page) for loc, page in side.items()} for side in (old, new)))
        moved = {loc for loc in old.keys() & new.keys() if old[loc].key != new[loc].key}
        return replace(found, lastmod_changed=tuple(sorted(moved.union(found.lastmod_changed))))

    def _build(
        self, parts: Iterable[ShardEntry | DirtySegment], known: Mapping[str, PublishedFile], *, is_first: bool
    ) -> Iterator[BuiltShard]:
        builder = self._shard_builder(is_first=is_first)
        for part in parts:
            if isinstance(part, DirtySegment):
                yield from builder.build(part, known)
            else:
                yield BuiltShard(part)

    def _finish(
        self,
        before: Manifest,
        shards: Sequence[BuiltShard],
        known: Mapping[str, PublishedFile],
        builder: BuilderLease | None,
        load: Load,
        *,
        is_from_build: bool | None = None,
    ) -> ManifestUpdate:
        """The manifest over these shards; indexes and auxiliary files are made once the build is complete."""
        after = replace(
            before,
            generation=before.generation + 1,
            entries=tuple(each.entry for each in shards),
            builder=builder,
            indexes=(),
            auxiliary_files=(),
            news_evaluated_at=self._now if self._site.news else "",
        )
        documents = [document for each in shards for document in each.documents]
        kept = {entry.records_file for entry in before.entries}
        records = {
            each.entry.records_file: each.data
            for each in shards
            if each.data is not None and each.entry.records_file not in kept
        }
        if after.is_complete:
            news = {each.entry.records_file: each.news for each in shards if each.news is not None}
            after, more = self._with_indexes(after, known, load, news)
            is_from_build = not before.is_complete if is_from_build is None else is_from_build
            after = with_pending_files(after, known, self._pending_names(before, after), is_from_build=is_from_build)
            documents += more
        return ManifestUpdate(after, records, {document.name: document for document in documents})

    def _with_indexes(
        self, manifest: Manifest, known: Mapping[str, PublishedFile], load: Load, news: Mapping[str, Sequence[Page]]
    ) -> tuple[Manifest, list[Document]]:
        """The manifest with its indexes and auxiliary files, and their documents."""
        is_first = not (known or manifest.built_at)
        published_file = self._shard_builder(is_first=is_first).published_file
        auxiliary = self.documents.auxiliary(manifest, load, news)
        manifest = replace(manifest, auxiliary_files=tuple(published_file(each, known) for each in auxiliary))
        indexes = self.documents.indexes(manifest)
        manifest = replace(
            manifest, indexes=tuple(replace(published_file(each, known), end=end) for each, end in indexes)
        )
        return manifest, [*auxiliary, *(each for each, _ in indexes)]

    def _pending_names(self, before: Manifest, after: Manifest) -> set[str]:
        """The files to publish besides those that changed: after a build all, since nothing is known of them."""
        names = set() if before.is_complete else set(after.files)
        roots = (self.documents.root_sitemaps(each) for each in (before, after))
        if self._site.robots_sitemaps and (not before.is_complete or next(roots) != next(roots)):
            names.add(ROBOTS)
        return names


def _kept(entries: Iterable[ShardEntry]) -> list[BuiltShard]:
    return [BuiltShard(entry) for entry in entries]


def _has_same_facts(before: Record | None, after: Record | None) -> bool:
    return bool(before and after and before.facts == after.facts)


def _comparable(page: Page) -> tuple[str, object]:
    """A page in the form in which lists are compared: its date, and its metadata."""
    metadata = (page.changefreq, page.priority, page.alternates, page.images, page.videos)
    return page.lastmod or "", metadata
