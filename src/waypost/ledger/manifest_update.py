"""From what changed in a bucket to what is remembered and published of it: the shards concerned, and no other.

A full build is revisions too, of all keys. Because boundaries are a function of the keys, however the
changes come they lead to the same shards and bytes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.load import Site
from waypost.core import diff
from waypost.core.dates import later
from waypost.core.model import Changes, Document, Page
from waypost.ledger import manifest as manifests
from waypost.ledger.classify import Judge
from waypost.ledger.hreflang_clusters import Families
from waypost.ledger.manifest import Entry, File, Manifest, Unsettled
from waypost.ledger.merge_record import recorded
from waypost.ledger.published_documents import Rendition
from waypost.ledger.records import Record
from waypost.ledger.shard_builder import Shaping
from waypost.ledger.shard_cache import Load, Made, Opened, Shelf
from waypost.rules import page_url
from waypost.rules.hreflang import Doubt
from waypost.rules.page_facts import Observed
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer

ROBOTS = "robots.txt"
_UNSETTLED = 86_400
"""For a day every writer sees to files that came or went: longer than a message waits to be tried again."""


def _unknown(key: str) -> Record | None:
    """No record, of any key."""


class Past(Struct, frozen=True):
    """What is remembered from the ledger that a build replaces: its published files, and records by their keys.

    `reading` names the facts that those records hold.
    """

    files: Mapping[str, File] = {}
    record: Callable[[str], Record | None] = _unknown
    reading: str = ""


class Revision(Struct, frozen=True):
    """A new manifest, or the one before where nothing changed, with what belongs to it.

    `records` are files of records by name, `documents` what was rendered anew by name, `concerned` the names of
    published files that may have to change, and `edited` the keys whose records did, with their ETags; `doubts` are
    about versions of pages in other languages. `changes` are what readers see change.
    """

    manifest: Manifest
    records: Mapping[str, bytes] = {}
    documents: Mapping[str, Document] = {}
    concerned: frozenset[str] = frozenset()
    edited: Mapping[str, str | None] = {}
    doubts: tuple[Doubt, ...] = ()
    changes: Changes = Changes()


class Revising:
    """The rules by which a revision is made; `is_disallowed` is robots.txt's word on a loc."""

    def __init__(
        self, site: Site, renderer: Renderer, now: str, is_disallowed: Callable[[str], bool] = lambda loc: False
    ) -> None:
        self._site, self._renderer, self._now = site, renderer, now
        self._selection = Selection(site)
        self.judge = Judge(site, now, is_disallowed)
        self.rendition = Rendition(site, renderer, self.judge)
        self._versions = Families(site, self.judge.page)

    def revision(
        self,
        before: Manifest,
        seen: Mapping[str, Observed | None],
        load: Load,
        past: Past | None = None,
        position: str | None = None,
        *,
        is_thorough: bool = False,
        told: Callable[[str], Record | None] | None = None,
    ) -> Revision:
        """Revise a manifest by what was seen of keys: an object, or None where it is gone or can be no page.

        During a build `past` is what it remembers and `position` where it has come to. Unless `is_thorough`, an
        upload that says what the one before said changes nothing, not even the ETag that is remembered. Where events
        were followed beside a build, what they have `told` of a key dates it.
        """
        shelf = Shelf(before, self._selection, load)
        changed = self._edits(before, seen, shelf, past, is_thorough=is_thorough)
        edits = dict(changed if told is None else self._retold(before, seen, shelf, told))
        looked_at = {file.name for entry in shelf.opened for file in entry.files}
        if not edits and position == before.position:
            over = {file.name for file in (*before.indexes, *before.beside)}
            return Revision(before, concerned=frozenset(looked_at | over))
        moving, still, settling = self._moved(edits, shelf)
        settled = {**edits, **self._settled(edits, settling, shelf)}
        described, doubts = self._versions.edits(settled, shelf) if self._site.alternates else ({}, [])
        still |= described.keys() - moving
        moves, stays = self._by_group(moving), self._by_group(still)
        groups = self._groups()
        parts = [part for group in groups for part in self._parts(group, moves[group], stays[group], shelf)]
        self._edit([part for part in parts if isinstance(part, Opened)], {**settled, **described})
        known = past.files if past else before.files if before.position is None else {}
        shaping = self._shaping(is_first=not (past or before.built))
        made = [
            each for part in parts for each in ([Made(part)] if isinstance(part, Entry) else shaping.made(part, known))
        ]
        found = self._concluded(before, made, known, position, load)
        names = looked_at | {name for part in parts if isinstance(part, Opened) for name in part.names}
        edited = {key: record.etag if record else None for key, record in edits.items()}
        changes = self._changes({**settled, **described}, shelf) if before.built and past is None else Changes()
        return replace(found, concerned=found.concerned | names, edited=edited, doubts=tuple(doubts), changes=changes)

    def _changes(self, edits: Mapping[str, Record | None], shelf: Shelf) -> Changes:
        """What readers see change of pages whose records did."""
        pairs = [(shelf.record(key), record) for key, record in edits.items()]
        pages = [tuple(self.judge.page(record) if record else None for record in pair) for pair in pairs]
        old, new = ({page.loc: _listed(page) for page in side if page} for side in zip(*pages, strict=True))
        return diff.changes(old, new)

    def refreshed(self, before: Manifest, load: Load) -> Revision:
        """Revise what time alone changes: what was news is none any more."""
        return self._concluded(before, [Made(entry) for entry in before.entries], before.files, before.position, load)

    def concluded(self, before: Manifest, files: Mapping[str, File], load: Load) -> Revision:
        """Settle what stands over and beside the entries of a build that is whole; `files` are the published ones."""
        return self._concluded(before, [Made(entry) for entry in before.entries], files, None, load)

    def shaping(self) -> Shaping:
        """What makes shards of records, and leaves it to a commit to say since when their files are so."""
        return Shaping(self._site, self._renderer, self.judge, None)

    def _shaping(self, *, is_first: bool) -> Shaping:
        """A file's date is None at first sight, and where no date is asked for."""
        changed = self._now if self._site.lastmod == "content" and not is_first else None
        return Shaping(self._site, self._renderer, self.judge, changed)

    def _groups(self) -> list[str]:
        return ["", *(name for name, _ in self._site.groups)]

    def _edits(
        self,
        before: Manifest,
        seen: Mapping[str, Observed | None],
        shelf: Shelf,
        past: Past | None,
        *,
        is_thorough: bool,
    ) -> Iterator[tuple[str, Record | None]]:
        """The records that change: a new one, or None for one that goes."""
        for key, observed in seen.items():
            record = shelf.record(key)
            if observed is None:
                if record:
                    yield key, None
                continue
            is_same = record is not None and record.said == observed.said
            if not is_same or (is_thorough and record and record.etag != observed.etag):
                known = record or (past or Past()).record(key)
                is_known = past is not None or bool(before.built)
                yield key, recorded(key, known, observed, self._site, self._now, is_known=is_known)

    def _retold(
        self,
        before: Manifest,
        seen: Mapping[str, Observed | None],
        shelf: Shelf,
        told: Callable[[str], Record | None],
    ) -> Iterator[tuple[str, Record | None]]:
        """The same where events may know better than a build since when a content is there."""
        for key, observed in seen.items():
            record, known = shelf.record(key), told(key)
            if record and known:
                known = replace(known, duplicate_of=record.duplicate_of, alternates=record.alternates)
            after: Record | None = None
            if observed:
                is_known = bool(before.built)
                after = recorded(key, known or record, observed, self._site, self._now, is_known=is_known)
            if after != record:
                yield key, after

    def _moved(
        self, edits: Mapping[str, Record | None], shelf: Shelf
    ) -> tuple[set[str], set[str], dict[str, list[str]]]:
        """The keys that may begin or cease to be listed, those that do neither, and who may give the same loc as which.

        Only files that come or go concern their rivals.
        """
        moving: set[str] = set()
        settling: dict[str, list[str]] = {}
        for key, record in edits.items():
            before = shelf.record(key)
            if (before is None) != (record is None):
                settling[key] = [each for each in self._rivals(key) if each in edits or shelf.record(each)]
                moving |= {key, *settling[key]}
            elif before and record and self.judge.reason(before) != self.judge.reason(record):
                moving.add(key)
        return moving, edits.keys() - moving, settling

    def _rivals(self, key: str) -> list[str]:
        return [each for each in page_url.rivals(key, self._site) if self._selection.reason(each) is None]

    def _by_group(self, keys: Iterable[str]) -> Mapping[str, Sequence[str]]:
        groups: dict[str, list[str]] = defaultdict(list)
        for key in keys:
            groups[self._selection.group(key)].append(key)
        return groups

    def _parts(self, group: str, moves: Sequence[str], stays: Sequence[str], shelf: Shelf) -> Iterator[Entry | Opened]:
        """A group's entries in order: those to be made anew with their records, and the others as they are."""
        entries = shelf.entries(group)
        done = 0
        concerned = manifests.spans(entries, moves, self._site.limit.urls, stays) if moves or stays else ()
        for start, stop in concerned:
            yield from entries[done:start]
            loaded = {key: record for entry in entries[start:stop] for key, record in shelf.records(entry).items()}
            ends = entries[stop].begins if stop < len(entries) else None
            names = [file.name for entry in entries[start:stop] for file in entry.files]
            begins = entries[start].begins if start else ""
            yield Opened(group, loaded, begins, ends, names, is_whole=(start, stop) == (0, len(entries)))
            done = stop
        yield from entries[done:]

    def _settled(
        self, edits: Mapping[str, Record | None], settling: Mapping[str, Sequence[str]], shelf: Shelf
    ) -> dict[str, Record]:
        """Who gives each loc that files which came or went concern, settled anew."""
        settled: dict[str, Record] = {}
        for key, rivals in settling.items():
            known = {each: edits[each] if each in edits else shelf.record(each) for each in (key, *rivals)}
            family = {each: record for each, record in known.items() if record}
            first = min(family, key=lambda each: page_url.precedence(each, self._site), default="")
            for each, record in family.items():
                settled[each] = replace(record, duplicate_of="" if each == first else first)
        return settled

    def _edit(self, opened: Sequence[Opened], edits: Mapping[str, Record | None]) -> None:
        """Bring the edits into the records."""
        homes = {key: part for part in opened for key in part.records}
        for key, record in edits.items():
            home = homes.get(key) or next(part for part in opened if part.takes(key, self._selection.group(key)))
            if record is None:
                home.records.pop(key, None)
            else:
                home.records[key] = record
                homes[key] = home

    def _concluded(
        self, before: Manifest, made: Sequence[Made], known: Mapping[str, File], position: str | None, load: Load
    ) -> Revision:
        """The manifest over all entries; indexes and what leaves are settled once a build is whole."""
        after = replace(
            before,
            generation=before.generation + 1,
            entries=tuple(each.entry for each in made),
            position=position,
            indexes=(),
            beside=(),
            told=self._now if self._site.news else "",
        )
        documents = [document for each in made for document in each.documents]
        kept = {each.entry.records: each.data for each in made if each.data is not None}
        if position is None:
            file = self._shaping(is_first=False).file
            beside = self.rendition.beside(after, load, {e.entry.records: e.news for e in made if e.news is not None})
            after = replace(after, beside=tuple(file(each, known) for each in beside))
            listing = self.rendition.indexes(after.entries, after.news)
            after = replace(after, indexes=tuple(file(each, known) for each in listing))
            after = replace(after, unsettled=tuple(self._unsettled(before, after, known)))
            documents += [*beside, *listing]
        over = (*before.indexes, *before.beside)
        names = {file.name for file in over} | {document.name for document in documents}
        return Revision(after, kept, {document.name: document for document in documents}, frozenset(names))

    def _unsettled(self, before: Manifest, after: Manifest, known: Mapping[str, File]) -> Iterator[Unsettled]:
        """What must be seen to beside the files that are concerned, and until when."""
        until = later(self._now, _UNSETTLED)
        names = set(known.keys() ^ after.files.keys())
        if self._site.robots_sitemaps and self.rendition.entrances(before) != self.rendition.entrances(after):
            names.add(ROBOTS)
        yield from (Unsettled(name, until) for name in sorted(names))
        changed = _changed(before, after) - names if before.position is None else set()
        yield from (Unsettled(name) for name in sorted(changed))
        is_standing = before.is_publishable and not before.is_unpublished  # or else nobody could see to it until now
        known_already = (each for each in before.unsettled if each.name not in names | changed)
        yield from (each for each in known_already if not (is_standing and each.until and each.until <= self._now))


def _changed(before: Manifest, after: Manifest) -> set[str]:
    """The sitemaps whose bytes are others; what stands over and beside them is looked at by every writer anyway."""
    known = {file.name: file.digest for entry in before.entries for file in entry.files}
    now = {file.name: file.digest for entry in after.entries for file in entry.files}
    return {name for name in known.keys() & now.keys() if known[name] != now[name]}


def _listed(page: Page) -> tuple[str, object]:
    """A page as the comparison of lists has it."""
    described = (page.changefreq, page.priority, page.alternates, page.images, page.videos)
    return page.lastmod or "", described
