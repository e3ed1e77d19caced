"""What calls that are not run would have left in the ledger: with true keys and counts, and records made when needed.

Where segments begin is true of all keys. Names of records and digests of sitemaps that no call has made are of the true
length; a record that a sampled call is going to read is written first.
"""

import json
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import scale_client
import synthetic
from msgspec.structs import replace
from scale_worker import NOW, site

from waypost.core.model import Body, Item
from waypost.distributed import ranges
from waypost.distributed.artifacts import BuildResult, ScanResult, ScanTask, Segment
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import Manifest, PublishedFile, Run, ShardEntry
from waypost.ledger.merge_record import merge_record
from waypost.ledger.records import Record
from waypost.rules import page_facts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sitemaps.sharding import FIRST_SEGMENT, key_hash
from waypost.sources.parallel_listing import KeyRange
from waypost.sync.result import RunResult

MOST, READ = 108_000, 12_000
"""Objects behind which a call stops, and behind which one that is to leave the rest to others does: it takes them in
stretches of three times 4,000."""
_RESTS, _REST = 4, 10_000
"""In how many parts it proposes to go on, with how many objects (`gathering`)."""


class Ledger:
    """The ledger of one synthetic bucket, in a folder as `scale_client` has it."""

    def __init__(self, shape: str, size: int, folder: Path) -> None:
        self.shape, self.size, self.folder = shape, size, folder
        self.bucket = synthetic.bucket(shape, size)
        self.boundaries = synthetic.boundaries(shape, size)
        self.changed: tuple[int, ...] = ()
        self._chance = random.Random(size)
        self._site = site()
        self._fresh: set[str] = set()

    def put(self, name: str, value: object) -> None:
        """Write a file of the ledger."""
        file = self.folder / "state" / "ledger" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(value if isinstance(value, bytes) else msgspec.json.encode(value))

    def get(self, name: str) -> bytes:
        """A file of the ledger."""
        return (self.folder / "state" / "ledger" / name).read_bytes()

    def published(self, name: str) -> int:
        """The bytes of a file beside the site's objects."""
        return (self.folder / "site" / name).stat().st_size

    def manifest(self) -> Manifest:
        """The manifest as it is now."""
        return manifests.load(self.get("manifest.json"), "manifest.json")

    def items(self, name: str) -> list[dict[str, Any]]:
        """The payloads of a step's calls."""
        found: list[dict[str, Any]] = json.loads(self.get(name))
        return [self._whole(item) if item.get("is_apart") else item for item in found]

    def _whole(self, item: dict[str, Any]) -> dict[str, Any]:
        """A payload that is in a file of its own."""
        name = f"runs/{item['run']}-{item['begun']}-payload-{item['step']}-{item['n']:07}"
        found: dict[str, Any] = json.loads(self.get(name))
        return found

    def range(self, part: ScanTask) -> tuple[int, int]:
        """The numbers of the objects in a part, as far as one call comes."""
        start = synthetic.behind(self.bucket, part.start_after) if part.start_after else 0
        stop = self.size if part.through is None else synthetic.behind(self.bucket, part.through)
        return start, stop if part.base else min(stop, start + (MOST if part.max_reads is None else READ))

    def gathered(self, run: Run, part: ScanTask) -> None:
        """Leave what a call that gathers a part would have left."""
        start, stop = self.range(part)
        is_whole = part.through is None and stop == self.size
        end = self.size if part.through is None else synthetic.behind(self.bucket, part.through)
        upto = part.through if stop == end or is_whole else self.bucket.key(stop - 1)
        fragments = tuple(self._kept(part) if part.base else self._cut(start, stop))
        told = RunResult(stop - start, 0 if part.base else stop - start, 0 if part.base else stop - start)
        left = KeyRange(upto, part.through) if upto is not None and upto != part.through else None
        found = ScanResult(part.start_after, upto, fragments, (), told, self._cuts(left) if left else ())
        self.put(f"{run.prefix}scanned-{part.number:07}", found)

    def _cuts(self, rest: KeyRange) -> tuple[str, ...]:
        """Where a call proposes to part what it leaves."""
        felt = _Felt(self.bucket)
        parts = (
            ranges.split_by_probing([rest], felt, _RESTS, _REST) if ranges.estimate_exceeds(felt, _REST, rest) else []
        )
        return tuple(each.through for each in parts[:-1] if each.through is not None)

    def _cut(self, start: int, stop: int) -> Iterator[ShardEntry]:
        """The fragments of a range of which nothing was known."""
        first, last = bisect_left(self.boundaries, start), bisect_left(self.boundaries, stop)
        edges = sorted({start, *self.boundaries[first:last], stop}) if stop > start else []
        for begin, end in pairwise(edges):
            key = self.bucket.key(begin)
            is_boundary = first < last and begin >= self.boundaries[first]
            yield self._entry(f"{key_hash(key):016x}" if is_boundary else None, key, end - begin)

    def _kept(self, part: ScanTask) -> Iterator[ShardEntry]:
        """The shards of a range, which are as they were but for those with objects that were changed."""
        for entry in part.base:
            if (not entry.first_key and part.start_after) or (entry.first_key and entry.first_key <= part.start_after):
                continue
            begin, end = self.numbers(entry)
            if bisect_left(self.changed, begin) == bisect_left(self.changed, end):
                yield entry
                continue
            key = self.bucket.key(begin)
            id = f"{key_hash(key):016x}" if begin in self.boundaries else None
            fresh = self._entry(id, key, entry.page_count)
            self._fresh.add(fresh.records_file)
            yield fresh

    def shaped(self, run: Run, n: int, segments: Sequence[Segment]) -> None:
        """Leave what a call that shapes segments would have left."""
        entries = tuple(tuple(self._shards(segment)) for segment in segments)
        self.put(f"{run.prefix}built-{n:07}", BuildResult(entries))

    def _shards(self, segment: Segment) -> Iterator[ShardEntry]:
        begin = self.numbers(segment.fragments[0])[0]
        end = begin + sum(part.page_count for part in segment.fragments)
        if segment.is_whole_group:
            yield self._published(self._entry(None, "", end - begin))
            return
        id = segment.fragments[0].shard_id or FIRST_SEGMENT if segment.first_key else FIRST_SEGMENT
        cuts = sorted(self._halves(begin, end))
        for start, stop in pairwise([begin, *cuts, end]):
            key = segment.first_key if start == begin else self.bucket.key(start)
            shard = id if start == begin else f"{key_hash(key):016x}"
            entry = self._entry(shard, key, stop - start)
            self._fresh |= (
                {entry.records_file} if any(part.records_file in self._fresh for part in segment.fragments) else set()
            )
            yield self._published(entry)

    def _halves(self, begin: int, end: int) -> Iterator[int]:
        """Where a segment over the limit is split: its key of the lowest hash may be any."""
        if end - begin > synthetic.LIMIT:
            cut = random.Random(f"{begin}-{end}").randrange(begin + 1, end)
            yield cut
            yield from self._halves(begin, cut)
            yield from self._halves(cut, end)

    def numbers(self, entry: ShardEntry) -> tuple[int, int]:
        """The numbers of an entry's objects: all of them are pages."""
        begin = self.bucket.find(entry.first_key) if entry.first_key else 0
        assert begin is not None
        return begin, begin + entry.page_count

    def _entry(self, shard: str | None, begins: str, pages: int) -> ShardEntry:
        return ShardEntry("", shard, begins, pages, f"shards/{shard or 'whole'}-{self._digest()}")

    def _published(self, entry: ShardEntry) -> ShardEntry:
        name = f"sitemap-{entry.shard_id}.xml" if entry.shard_id else "sitemap.xml"
        return replace(entry, files=(PublishedFile(name, self._digest()),))

    def _digest(self) -> str:
        return f"{self._chance.getrandbits(128):032x}"

    def write(self, entries: Sequence[ShardEntry]) -> dict[str, str]:
        """Write the records of entries that no call has written; returns the names that their content gives them."""
        names: dict[str, str] = {}
        for entry in entries:
            if not (self.folder / "state" / "ledger" / entry.records_file).exists():
                data = records.dump(self._records(entry))
                self.put(entry.records_file, data)
                names[entry.records_file] = records.records_name(entry.shard_id, data)
        return names

    def rename(self, names: dict[str, str], files: Sequence[str]) -> None:
        """Have files of the ledger name records as their content does."""
        for name in files:
            data = self.get(name)
            for before, after in names.items():
                data = data.replace(before.encode(), after.encode())
            self.put(name, data)
        for before, after in names.items():
            self.put(after, self.get(before))

    def _records(self, entry: ShardEntry) -> list[Record]:
        begin, end = self.numbers(entry)
        changed = set(self.changed) if entry.records_file in self._fresh else set()
        first = self._read(begin, begin in changed)
        found = []
        for n, key in enumerate(self.bucket.keys(begin, end), begin):
            if n in changed:
                found.append(self._read(n, True))
                continue
            digest = blake2b(n.to_bytes(8), digest_size=16).hexdigest()
            head = replace(first.facts.head, canonicals=(f"https://example.org/{quote(key)}",))
            facts = replace(first.facts, head=head, text_digest=digest)
            found.append(Record(key, scale_client.object_etag(n, False), facts))
        return found

    def _read(self, n: int, is_changed: bool) -> Record:
        """The record of one object, as the product reads it."""
        key = self.bucket.key(n)
        body = Body(scale_client.page(n, key, is_changed), etag=scale_client.object_etag(n, is_changed))
        snapshot = ObjectSnapshot(body.etag, page_facts.read_item(_One(body), self._site, Item(key, key)).facts, NOW)
        return merge_record(key, None, snapshot, self._site, NOW, is_known=is_changed)

    def stand(self) -> None:
        """Have all sitemaps of the manifest stand, and their records."""
        entries = self.manifest().entries
        files = {file.name: file.digest for entry in entries for file in entry.files}
        (self.folder / "standing.json").write_text(json.dumps(files), encoding="utf-8")
        (self.folder / "ghosts.txt").write_text("\n".join(e.records_file[7:] for e in entries), encoding="utf-8")

    def typical(self) -> int:
        """The number of an object in a shard of about 25,000 pages, or the largest, that is a segment by itself."""
        entries = self.manifest().entries
        starts = {"", *(self.bucket.key(n) for n in self.boundaries)}
        alone = [e for n, e in enumerate(entries) if e.first_key in starts and _is_alone(entries, n, starts)]
        return self.numbers(min(alone, key=lambda entry: abs(entry.page_count - synthetic.LIMIT // 2)))[0] + 5

    def segment_of(self, manifest: Manifest, n: int) -> Sequence[ShardEntry]:
        """The shards of the segment that an object is in."""
        at = bisect_right(self.boundaries, n)
        start = self.bucket.key(self.boundaries[at - 1]) if at else ""
        stop = self.bucket.key(self.boundaries[at]) if at < len(self.boundaries) else None
        first = bisect_left(manifest.entries, start, key=lambda entry: entry.first_key)
        last = len(manifest.entries) if stop is None else bisect_left(manifest.entries, stop, key=lambda e: e.first_key)
        return manifest.entries[first:last] or manifest.entries[:1]


def _is_alone(entries: Sequence[ShardEntry], n: int, starts: set[str]) -> bool:
    """Whether a shard is all of its segment."""
    return n + 1 == len(entries) or entries[n + 1].first_key in starts


class _Felt:
    """A synthetic bucket whose key space is felt out, at no cost."""

    width = 1

    def __init__(self, bucket: synthetic.Bucket) -> None:
        self._bucket = bucket

    def first_key_after(self, key: str) -> str | None:
        """The first key behind another."""
        n = synthetic.behind(self._bucket, key)
        return self._bucket.key(n) if n < self._bucket.size else None

    def first_keys(self, after: str, upto: str | None, most: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys of a range."""
        start = synthetic.behind(self._bucket, after) if after else 0
        stop = self._bucket.size if upto is None else synthetic.behind(self._bucket, upto)
        return list(self._bucket.keys(start, min(stop, start + most))), stop - start <= most


class _One:
    """A source of one object."""

    width, has_etags = 1, True

    def __init__(self, body: Body) -> None:
        self._body = body

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object."""
        del item, size
        return self._body

    def find(self, key: str) -> bytes | None:
        """No other file."""

    def items(self, prunes: Any) -> Any:
        """Nobody asks."""
