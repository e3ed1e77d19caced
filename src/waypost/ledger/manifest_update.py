"""From what changed in a bucket to what is remembered and published of it: the shards concerned, and no other.

A full build is revisions too, of all keys. Because boundaries are a function of the keys, however the
changes come they lead to the same shards and bytes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core import diff
from waypost.core.dates import add_seconds
from waypost.core.model import Changes, Document, Page
from waypost.ledger import manifest as manifests
from waypost.ledger.classify import PageClassifier
from waypost.ledger.hreflang_clusters import HreflangClusters
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry
from waypost.ledger.merge_record import merge_record
from waypost.ledger.published_documents import PublishedDocuments
from waypost.ledger.records import Record
from waypost.ledger.shard_builder import ShardBuilder
from waypost.ledger.shard_cache import BuiltShard, DirtySegment, Load, RecordCache
from waypost.rules import page_url
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer

ROBOTS = "robots.txt"
_UNSETTLED = 86_400
"""For a day every writer sees to files that came or went: longer than a message waits to be tried again."""


def _no_record(key: str) -> Record | None:
    """No record, of any key."""


class PreviousLedger(Struct, frozen=True):
    """What is remembered from the ledger that a build replaces: its published files, and records by their keys.

    `reading` names the facts that those records hold.
    """

    files: Mapping[str, PublishedFile] = {}
    record: Callable[[str], Record | None] = _no_record
    recorded_facts: str = ""


class ManifestUpdate(Struct, frozen=True):
    """A new manifest, or the one before where nothing changed, with what belongs to it.

    `records` are files of records by name, `documents` what was rendered anew by name, `concerned` the names of
    published files that may have to change, and `edited` the keys whose records did, with their ETags; `doubts` are
    about versions of pages in other languages. `changes` are what readers see change.
    """

    manifest: Manifest
    records: Mapping[str, bytes] = {}
    documents: Mapping[str, Document] = {}
    affected_files: frozenset[str] = frozenset()
    changed_etags: Mapping[str, str | None] = {}
    hreflang_issues: tuple[HreflangIssue, ...] = ()
    changes: Changes = Changes()


class ManifestUpdater:
    """The rules by which a revision is made; `is_disallowed` is robots.txt's word on a loc."""

    def __init__(
        self, site: Site, renderer: Renderer, now: str, is_disallowed: Callable[[str], bool] = lambda loc: False
    ) -> None:
        self._site, self._renderer, self._now = site, renderer, now
        self._selection = Selection(site)
        self.classifier = PageClassifier(site, now, is_disallowed)
        self.documents = PublishedDocuments(site, renderer, self.classifier)
        self._versions = HreflangClusters(site, self.classifier.page)

    def update(
        self,
        before: Manifest,
        seen: Mapping[str, ObjectSnapshot | None],
        load: Load,
        previous: PreviousLedger | None = None,
        position: str | None = None,
        *,
        refresh_etags: bool = False,
        event_records: Callable[[str], Record | None] | None = None,
    ) -> ManifestUpdate:
        """Revise a manifest by what was seen of keys: an object, or None where it is gone or can be no page.

        During a build `past` is what it remembers and `position` where it has come to. Unless `is_thorough`, an
        upload that says what the one before said changes nothing, not even the ETag that is remembered. Where events
        were followed beside a build, what they have `told` of a key dates it.
        """
        cache = RecordCache(before, self._selection, load)
        changed = self._changed_records(before, seen, cache, previous, is_thorough=refresh_etags)
        edits = dict(
            changed if event_records is None else self._changed_records_by_events(before, seen, cache, event_records)
        )
        looked_at = {file.name for entry in cache.loaded_entries for file in entry.files}
        if not edits and position == before.position:
            over = {file.name for file in (*before.indexes, *before.auxiliary_files)}
            return ManifestUpdate(before, affected_files=frozenset(looked_at | over))
        moving, still, settling = self._moved_keys(edits, cache)
        published = {**edits, **self._resolve_duplicates(edits, settling, cache)}
        described, issues = self._versions.apply_edits(published, cache) if self._site.alternates else ({}, [])
        still |= described.keys() - moving
        moves, stays = self._by_group(moving), self._by_group(still)
        groups = self._groups()
        parts = [part for group in groups for part in self._dirty_segments(group, moves[group], stays[group], cache)]
        self._apply([part for part in parts if isinstance(part, DirtySegment)], {**published, **described})
        known = previous.files if previous else before.files if before.position is None else {}
        builder = self._shard_builder(is_first=not (previous or before.built_at))
        made = [
            each
            for part in parts
            for each in ([BuiltShard(part)] if isinstance(part, ShardEntry) else builder.build(part, known))
        ]
        found = self._finish(before, made, known, position, load)
        names = looked_at | {name for part in parts if isinstance(part, DirtySegment) for name in part.published_names}
        edited = {key: record.etag if record else None for key, record in edits.items()}
        changes = (
            self._changes({**published, **described}, cache) if before.built_at and previous is None else Changes()
        )
        return replace(
            found,
            affected_files=found.affected_files | names,
            changed_etags=edited,
            hreflang_issues=tuple(issues),
            changes=changes,
        )

    def _changes(self, edits: Mapping[str, Record | None], cache: RecordCache) -> Changes:
        """What readers see change of pages whose records did."""
        pairs = [(cache.record(key), record) for key, record in edits.items()]
        pages = [tuple(self.classifier.page(record) if record else None for record in pair) for pair in pairs]
        old, new = ({page.loc: _comparable(page) for page in side if page} for side in zip(*pages, strict=True))
        return diff.compare(old, new)

    def refresh_news(self, before: Manifest, load: Load) -> ManifestUpdate:
        """Revise what time alone changes: what was news is none any more."""
        return self._finish(
            before, [BuiltShard(entry) for entry in before.entries], before.files, before.position, load
        )

    def finish(self, before: Manifest, files: Mapping[str, PublishedFile], load: Load) -> ManifestUpdate:
        """Settle what stands over and beside the entries of a build that is whole; `files` are the published ones."""
        return self._finish(before, [BuiltShard(entry) for entry in before.entries], files, None, load)

    def undated_shard_builder(self) -> ShardBuilder:
        """What makes shards of records, and leaves it to a commit to say since when their files are so."""
        return ShardBuilder(self._site, self._renderer, self.classifier, None)

    def _shard_builder(self, *, is_first: bool) -> ShardBuilder:
        """A file's date is None at first sight, and where no date is asked for."""
        changed = self._now if self._site.lastmod == "content" and not is_first else None
        return ShardBuilder(self._site, self._renderer, self.classifier, changed)

    def _groups(self) -> list[str]:
        return ["", *(name for name, _ in self._site.groups)]

    def _changed_records(
        self,
        before: Manifest,
        seen: Mapping[str, ObjectSnapshot | None],
        cache: RecordCache,
        past: PreviousLedger | None,
        *,
        is_thorough: bool,
    ) -> Iterator[tuple[str, Record | None]]:
        """The records that change: a new one, or None for one that goes."""
        for key, snapshot in seen.items():
            record = cache.record(key)
            if snapshot is None:
                if record:
                    yield key, None
                continue
            is_same = record is not None and record.facts == snapshot.facts
            if not is_same or (is_thorough and record and record.etag != snapshot.etag):
                known = record or (past or PreviousLedger()).record(key)
                is_known = past is not None or bool(before.built_at)
                yield key, merge_record(key, known, snapshot, self._site, self._now, is_known=is_known)

    def _changed_records_by_events(
        self,
        before: Manifest,
        seen: Mapping[str, ObjectSnapshot | None],
        cache: RecordCache,
        told: Callable[[str], Record | None],
    ) -> Iterator[tuple[str, Record | None]]:
        """The same where events may know better than a build since when a content is there."""
        for key, snapshot in seen.items():
            record, known = cache.record(key), told(key)
            if record and known:
                known = replace(known, duplicate_of=record.duplicate_of, alternates=record.alternates)
            after: Record | None = None
            if snapshot:
                is_known = bool(before.built_at)
                after = merge_record(key, known or record, snapshot, self._site, self._now, is_known=is_known)
            if after != record:
                yield key, after

    def _moved_keys(
        self, edits: Mapping[str, Record | None], cache: RecordCache
    ) -> tuple[set[str], set[str], dict[str, list[str]]]:
        """The keys that may begin or cease to be listed, those that do neither, and who may give the same loc as which.

        Only files that come or go concern their rivals.
        """
        moving: set[str] = set()
        settling: dict[str, list[str]] = {}
        for key, record in edits.items():
            before = cache.record(key)
            if (before is None) != (record is None):
                settling[key] = [each for each in self._same_url_keys(key) if each in edits or cache.record(each)]
                moving |= {key, *settling[key]}
            elif (
                before
                and record
                and self.classifier.exclusion_reason(before) != self.classifier.exclusion_reason(record)
            ):
                moving.add(key)
        return moving, edits.keys() - moving, settling

    def _same_url_keys(self, key: str) -> list[str]:
        return [
            each for each in page_url.same_url_keys(key, self._site) if self._selection.exclusion_reason(each) is None
        ]

    def _by_group(self, keys: Iterable[str]) -> Mapping[str, Sequence[str]]:
        groups: dict[str, list[str]] = defaultdict(list)
        for key in keys:
            groups[self._selection.group(key)].append(key)
        return groups

    def _dirty_segments(
        self, group: str, moves: Sequence[str], stays: Sequence[str], cache: RecordCache
    ) -> Iterator[ShardEntry | DirtySegment]:
        """A group's entries in order: those to be made anew with their records, and the others as they are."""
        entries = cache.entries(group)
        done = 0
        concerned = (
            manifests.affected_ranges(entries, moves, self._site.file_limits.urls, stays) if moves or stays else ()
        )
        for start, stop in concerned:
            yield from entries[done:start]
            loaded = {key: record for entry in entries[start:stop] for key, record in cache.records(entry).items()}
            ends = entries[stop].first_key if stop < len(entries) else None
            names = [file.name for entry in entries[start:stop] for file in entry.files]
            begins = entries[start].first_key if start else ""
            yield DirtySegment(group, loaded, begins, ends, names, is_whole_group=(start, stop) == (0, len(entries)))
            done = stop
        yield from entries[done:]

    def _resolve_duplicates(
        self, edits: Mapping[str, Record | None], settling: Mapping[str, Sequence[str]], cache: RecordCache
    ) -> dict[str, Record]:
        """Who gives each loc that files which came or went concern, settled anew."""
        published: dict[str, Record] = {}
        for key, rivals in settling.items():
            known = {each: edits[each] if each in edits else cache.record(each) for each in (key, *rivals)}
            family = {each: record for each, record in known.items() if record}
            first = min(family, key=lambda each: page_url.duplicate_rank(each, self._site), default="")
            for each, record in family.items():
                published[each] = replace(record, duplicate_of="" if each == first else first)
        return published

    def _apply(self, opened: Sequence[DirtySegment], edits: Mapping[str, Record | None]) -> None:
        """Bring the edits into the records."""
        homes = {key: part for part in opened for key in part.records}
        for key, record in edits.items():
            home = homes.get(key) or next(part for part in opened if part.contains(key, self._selection.group(key)))
            if record is None:
                home.records.pop(key, None)
            else:
                home.records[key] = record
                homes[key] = home

    def _finish(
        self,
        before: Manifest,
        made: Sequence[BuiltShard],
        known: Mapping[str, PublishedFile],
        position: str | None,
        load: Load,
    ) -> ManifestUpdate:
        """The manifest over all entries; indexes and what leaves are settled once a build is whole."""
        after = replace(
            before,
            generation=before.generation + 1,
            entries=tuple(each.entry for each in made),
            position=position,
            indexes=(),
            auxiliary_files=(),
            news_evaluated_at=self._now if self._site.news else "",
        )
        documents = [document for each in made for document in each.documents]
        kept = {each.entry.records_file: each.data for each in made if each.data is not None}
        if position is None:
            file = self._shard_builder(is_first=False).published_file
            beside = self.documents.auxiliary(
                after, load, {e.entry.records_file: e.news for e in made if e.news is not None}
            )
            after = replace(after, auxiliary_files=tuple(file(each, known) for each in beside))
            listing = self.documents.indexes(after.entries, after.news_files)
            after = replace(after, indexes=tuple(file(each, known) for each in listing))
            after = replace(after, pending=tuple(self._pending(before, after, known)))
            documents += [*beside, *listing]
        over = (*before.indexes, *before.auxiliary_files)
        names = {file.name for file in over} | {document.name for document in documents}
        return ManifestUpdate(after, kept, {document.name: document for document in documents}, frozenset(names))

    def _pending(self, before: Manifest, after: Manifest, known: Mapping[str, PublishedFile]) -> Iterator[PendingFile]:
        """What must be seen to beside the files that are concerned, and until when."""
        until = add_seconds(self._now, _UNSETTLED)
        names = set(known.keys() ^ after.files.keys())
        if self._site.robots_sitemaps and self.documents.root_sitemaps(before) != self.documents.root_sitemaps(after):
            names.add(ROBOTS)
        yield from (PendingFile(name, until) for name in sorted(names))
        changed = _changed_sitemaps(before, after) - names if before.position is None else set()
        yield from (PendingFile(name) for name in sorted(changed))
        is_standing = before.is_publishable and not before.is_unpublished  # or else nobody could see to it until now
        known_already = (each for each in before.pending if each.name not in names | changed)
        yield from (each for each in known_already if not (is_standing and each.until and each.until <= self._now))


def _changed_sitemaps(before: Manifest, after: Manifest) -> set[str]:
    """The sitemaps whose bytes are others; what stands over and beside them is looked at by every writer anyway."""
    known = {file.name: file.digest for entry in before.entries for file in entry.files}
    now = {file.name: file.digest for entry in after.entries for file in entry.files}
    return {name for name in known.keys() & now.keys() if known[name] != now[name]}


def _comparable(page: Page) -> tuple[str, object]:
    """A page as the comparison of lists has it."""
    described = (page.changefreq, page.priority, page.alternates, page.images, page.videos)
    return page.lastmod or "", described
