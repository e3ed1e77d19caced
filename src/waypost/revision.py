"""From what changed in a bucket to what is remembered and published of it: the shards concerned, and no other.

A full build is a revision too, of everything. Because boundaries are a function of the keys, both
come to the same shards and bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost import manifest as manifests
from waypost import naming, records
from waypost.config import Site
from waypost.digest import digest_of
from waypost.documents import group_shards, indexes, sitemaps, span_shards
from waypost.manifest import Entry, File, Manifest
from waypost.model import Document, Page, Reason, Shard
from waypost.records import Record
from waypost.render import Renderer
from waypost.rules import url
from waypost.rules.lastmod import at_precision
from waypost.rules.select import Selection
from waypost.rules.verdict import Said, verdict

Load = Callable[[Entry], Sequence[Record]]
"""The records of an entry, from wherever they are kept."""


class Observed(Struct, frozen=True):
    """What an object is now: its ETag, what it says, and when it was uploaded."""

    etag: str
    said: Said
    modified: str


class Revision(Struct, frozen=True):
    """A new manifest with what it needs: files of records by name, documents to publish, and names to remove."""

    manifest: Manifest
    records: Mapping[str, bytes]
    documents: Sequence[Document]
    removed: Sequence[str]


class Revising:
    """The rules by which a revision is made; `is_disallowed` is robots.txt's word on a loc."""

    def __init__(
        self, site: Site, renderer: Renderer, now: str, is_disallowed: Callable[[str], bool] = lambda loc: False
    ) -> None:
        self._site, self._renderer, self._now, self._is_disallowed = site, renderer, now, is_disallowed
        self._selection = Selection(site)
        self._names = naming.names(site)

    def revision(self, before: Manifest, seen: Mapping[str, Observed | None], load: Load) -> Revision:
        """Revise a manifest by what was seen of keys: an object, or None where it is gone or can be no page."""
        touched = set(seen).union(*(url.rivals(key, self._site) for key in seen))
        parts = [part for group in self._groups() for part in self._parts(group, before, touched, load)]
        self._edit([part for part in parts if isinstance(part, _Opened)], before, seen, touched)
        files = {file.name: file for entry in before.entries for file in entry.files}
        files |= {file.name: file for file in before.indexes}
        made = [each for part in parts for each in self._made(part, files)]
        return self._published(before, made, files)

    def _groups(self) -> list[str]:
        return ["", *(name for name, _ in self._site.groups)]

    def _parts(self, group: str, before: Manifest, touched: Iterable[str], load: Load) -> Iterator["Entry | _Opened"]:
        """A group's entries in order: those to be made anew with their records, and the others as they are."""
        entries = [entry for entry in before.entries if entry.group == group]
        keys = [key for key in touched if self._selection.group(key) == group]
        at = 0
        for start, stop in manifests.spans(entries, keys, self._site.limit.urls) if keys else ():
            yield from entries[at:start]
            loaded = {record.key: record for entry in entries[start:stop] for record in load(entry)}
            ends = entries[stop].begins if stop < len(entries) else None
            begins = entries[start].begins if start else ""
            yield _Opened(group, loaded, begins, ends, is_whole=(start, stop) == (0, len(entries)))
            at = stop
        yield from entries[at:]

    def _edit(
        self, opened: Sequence["_Opened"], before: Manifest, seen: Mapping[str, Observed | None], touched: Iterable[str]
    ) -> None:
        """Bring what was seen into the records, and settle anew who gives a loc that it concerns."""
        homes = {key: part for part in opened for key in part.records}
        for key, observed in seen.items():
            home = homes.get(key) or next(part for part in opened if part.takes(key, self._selection.group(key)))
            if observed is None:
                home.records.pop(key, None)
            else:
                home.records[key] = self._remembered(key, home.records.get(key), observed, before)
                homes[key] = home
        for key in touched:
            family = [
                each for each in (key, *url.rivals(key, self._site)) if each in homes and each in homes[each].records
            ]
            first = min(family, key=lambda each: url.precedence(each, self._site), default="")
            for each in family:
                record = homes[each].records[each]
                homes[each].records[each] = replace(record, duplicate_of="" if each == first else first)

    def _remembered(self, key: str, record: Record | None, observed: Observed, before: Manifest) -> Record:
        """A record that keeps its date where the content is the same.

        A content that follows another has the time of its upload; so has a page that is new to a ledger which
        knows the bucket. At the ledger's own first sight nothing is known but what the page says.
        """
        said = observed.said
        if record and (record.said.digest or record.etag) == (said.digest or observed.etag):
            return Record(key, observed.etag, said, record.lastmod)
        loc = url.loc(key, self._site)
        own = None if isinstance(loc, Reason) else verdict(key, loc, said, self._site, self._now).own_date
        is_known = record is not None or before.generation > 0
        return Record(key, observed.etag, said, own or (observed.modified if is_known else None))

    def _made(self, part: "Entry | _Opened", files: Mapping[str, File]) -> Iterator["_Made"]:
        """A part's entries, with the records and documents of those that were made anew."""
        if isinstance(part, Entry):
            yield _Made(part)
            return
        known = [part.records[key] for key in sorted(part.records)]
        pages = [page for record in known if (page := self._page(record))]
        if part.is_whole:
            shards = group_shards(part.group, pages, self._site, self._renderer) if pages else iter(())
        else:
            shards = span_shards(part.group, pages, self._site, self._renderer, part.begins, part.ends)
        at = 0
        for shard, body in shards:
            stop = next((n for n in range(at, len(known)) if shard.ends and known[n].key >= shard.ends), len(known))
            yield self._anew(shard, body, known[at:stop], files)
            at = stop
        if at < len(known):
            data = records.dump(known[at:])
            yield _Made(Entry(part.group, None, "", 0, records.name(None, data)), data)

    def _anew(self, shard: Shard, body: bytes, known: Sequence[Record], files: Mapping[str, File]) -> "_Made":
        def changed(_: Shard, name: str, content: bytes) -> str | None:
            return at_precision(self._file(name, content, files).changed, self._site.precision)

        made = tuple(sitemaps(shard, body, self._site, self._names, self._renderer, changed))
        data = records.dump(known)
        published = tuple(self._file(document.name, document.body, files) for document in made)
        entry = Entry(shard.group, shard.id, shard.begins, len(shard.pages), records.name(shard.id, data), published)
        return _Made(entry, data, made)

    def _file(self, name: str, content: bytes, files: Mapping[str, File]) -> File:
        """The file with the time since when its bytes are so; None at first sight, and where no date is asked for."""
        digest, before = digest_of(content), files.get(name)
        if before is None:
            return File(name, digest)
        if before.digest == digest:
            return before
        return File(name, digest, self._now if self._site.lastmod == "content" else None)

    def _page(self, record: Record) -> Page | None:
        loc = url.loc(record.key, self._site)
        if record.duplicate_of or isinstance(loc, Reason) or self._is_disallowed(loc):
            return None
        if verdict(record.key, loc, record.said, self._site, self._now).skipped:
            return None
        key, date = record.key, record.lastmod if self._site.lastmod == "content" else None
        date = at_precision(date, self._site.precision)
        return Page(key, loc, self._selection.group(key), date, *self._selection.hints(key))

    def _published(self, before: Manifest, made: Sequence["_Made"], files: Mapping[str, File]) -> Revision:
        entries = tuple(each.entry for each in made)
        children = [self._child(entry) for entry in entries if entry.files]
        listing: list[Document] = []
        if children and (self._names.groups or len(children) > 1):
            listing = list(indexes(children, self._site, self._names, self._renderer))
        after = Manifest(
            before.configuration,
            before.generation + 1,
            entries,
            tuple(self._file(document.name, document.body, files) for document in listing),
        )
        documents = [document for each in made for document in each.documents] + listing
        standing = {file.name for entry in entries for file in entry.files} | {file.name for file in after.indexes}
        return Revision(
            after,
            {each.entry.records: each.data for each in made if each.data is not None},
            [document for document in documents if self._is_new(document, files)],
            sorted(files.keys() - standing),
        )

    def _child(self, entry: Entry) -> Document:
        """What an index says of a shard: its first file, which is its XML where it has one."""
        file = entry.files[0]
        changed = at_precision(file.changed, self._site.precision)
        return Document(file.name, "sitemap", b"", self._site.base_url + file.name, entry.pages, changed)

    def _is_new(self, document: Document, files: Mapping[str, File]) -> bool:
        before = files.get(document.name)
        return before is None or before.digest != self._file(document.name, document.body, files).digest


class _Opened(Struct):
    """Neighbouring entries of a group that are made anew from their records: the keys from `begins` up to `ends`."""

    group: str
    records: dict[str, Record]
    begins: str
    ends: str | None
    is_whole: bool

    def takes(self, key: str, group: str) -> bool:
        """Whether a key that is new belongs here."""
        return self.group == group and self.begins <= key and (self.ends is None or key < self.ends)


class _Made(NamedTuple):
    """An entry, and what was made for it anew."""

    entry: Entry
    data: bytes | None = None
    documents: Sequence[Document] = ()
