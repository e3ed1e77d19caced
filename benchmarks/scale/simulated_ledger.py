"""Writes what the calls that are not run would have left in the ledger: true keys and counts, and records on demand.

The boundaries of segments are those of the real keys. The names of records and the digests of sitemaps that no call has
made have the right length and random content. The records that a sampled call will read are written before it runs.
"""

import json
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from scale import assumed_files, s3_client, synthetic_bucket
from scale.assumed_files import AssumedFile, AssumedFiles
from scale.free_sources import FreeKeyListing, OneObjectSource
from scale.worker import NOW, make_site
from waypost.core.hashing import content_digest
from waypost.core.model import Body, Item
from waypost.distributed import ranges
from waypost.distributed.artifacts import BuildResult, ScanResult, ScanTask, Segment
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.ledger_state import Run
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.merge_record import merge_record
from waypost.ledger.records import Record
from waypost.rules import page_facts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sitemaps.sharding import FIRST_SEGMENT, key_hash
from waypost.sources.parallel_listing import KeyRange
from waypost.sync.published_files import LEDGER_ID, SETTINGS_ID, settings_id
from waypost.sync.result import RunResult

MAX_OBJECTS, MAX_READS = 108_000, 12_000
"""Objects after which a scan ends, and after which one ends that leaves the rest to other workers: the limits are
100,000 and 10,000, and objects come in chunks of three times 4,000."""
_REMAINDER_TASKS, _REMAINDER_OBJECTS = 4, 10_000
"""In how many tasks a scan proposes to continue, and with how many objects each (`distributed.scan`)."""


class SimulatedLedger:
    """The ledger of one synthetic bucket, in the folder that a SimulatedS3Client uses."""

    def __init__(self, shape: str, size: int, folder: Path) -> None:
        self.shape, self.size, self.folder = shape, size, folder
        self.bucket = synthetic_bucket.make_bucket(shape, size)
        self.boundaries = synthetic_bucket.boundaries(shape, size)
        self.changed: tuple[int, ...] = ()
        self._rng = random.Random(size)
        self._site = make_site()
        self._records_to_read: set[str] = set()
        self._fragments: set[str] = set()

    def put(self, name: str, value: object) -> None:
        """Write a file of the ledger: bytes as they are, anything else as JSON."""
        file = self.folder / "state" / "ledger" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(value if isinstance(value, bytes) else msgspec.json.encode(value))

    def get(self, name: str) -> bytes:
        """The bytes of a file of the ledger."""
        return (self.folder / "state" / "ledger" / name).read_bytes()

    def published_bytes(self, name: str) -> int:
        """The size of a published file."""
        return (self.folder / "site" / name).stat().st_size

    def manifest(self) -> Manifest:
        """The manifest as it is now."""
        return manifests.load(self.get("manifest.json"), "manifest.json")

    def payloads(self, name: str) -> list[dict[str, Any]]:
        """The payloads of a step's calls, including those that are in files of their own."""
        payloads: list[dict[str, Any]] = json.loads(self.get(name))
        return [self._payload_from_file(each) if each.get("is_in_file") else each for each in payloads]

    def _payload_from_file(self, reference: dict[str, Any]) -> dict[str, Any]:
        run = Run(reference["run"], reference["start_generation"])
        payload: dict[str, Any] = json.loads(
            self.get(f"{run.prefix}payload-{reference['step']}-{reference['number']:07}")
        )
        return payload

    def scanned_numbers(self, task: ScanTask) -> tuple[int, int]:
        """The numbers of the objects that one call scans: all of the task's, or as many as a call takes."""
        start = synthetic_bucket.first_number_after(self.bucket, task.start_after) if task.start_after else 0
        end = self._end_number(task)
        return start, end if task.base else min(end, start + (MAX_OBJECTS if task.max_reads is None else MAX_READS))

    def _end_number(self, task: ScanTask) -> int:
        return self.size if task.through is None else synthetic_bucket.first_number_after(self.bucket, task.through)

    def write_scan_result(self, run: Run, task: ScanTask) -> None:
        """Write the result that a scan of this task would have written."""
        start, stop = self.scanned_numbers(task)
        through = task.through if stop == self._end_number(task) else self.bucket.key(stop - 1)
        fragments = tuple(self._fragments_of_base(task) if task.base else self._new_fragments(start, stop))
        self._fragments |= {each.records_file for each in fragments}
        reads = 0 if task.base else stop - start
        rest = KeyRange(through, task.through) if through is not None and through != task.through else None
        result = RunResult(stop - start, reads, reads)
        split_points = self._split_points(rest) if rest else ()
        found = ScanResult(task.start_after, through, fragments, (), result, split_points)
        self.put(f"{run.prefix}scanned-{task.number:07}", found)

    def _split_points(self, rest: KeyRange) -> tuple[str, ...]:
        """The keys at which a scan would propose to split what it leaves."""
        listing = FreeKeyListing(self.bucket)
        if not ranges.estimate_exceeds(listing, _REMAINDER_OBJECTS, rest):
            return ()
        parts = ranges.split_by_probing([rest], listing, _REMAINDER_TASKS, _REMAINDER_OBJECTS)
        return tuple(part.through for part in parts[:-1] if part.through is not None)

    def _new_fragments(self, start: int, stop: int) -> Iterator[ShardEntry]:
        """The fragments of a range that the ledger did not know."""
        first, last = bisect_left(self.boundaries, start), bisect_left(self.boundaries, stop)
        edges = sorted({start, *self.boundaries[first:last], stop}) if stop > start else []
        for begin, end in pairwise(edges):
            key = self.bucket.key(begin)
            is_boundary = first < last and begin >= self.boundaries[first]
            yield self._entry(f"{key_hash(key):016x}" if is_boundary else None, key, end - begin)

    def _fragments_of_base(self, task: ScanTask) -> Iterator[ShardEntry]:
        """The known shards of a range; those with changed objects have new records."""
        for entry in task.base:
            if (not entry.first_key and task.start_after) or (entry.first_key and entry.first_key <= task.start_after):
                continue
            begin, end = self.numbers(entry)
            if bisect_left(self.changed, begin) == bisect_left(self.changed, end):
                yield entry
                continue
            key = self.bucket.key(begin)
            shard_id = f"{key_hash(key):016x}" if begin in self.boundaries else None
            changed_entry = self._entry(shard_id, key, entry.page_count)
            self._records_to_read.add(changed_entry.records_file)
            yield changed_entry

    def write_build_result(self, run: Run, number: int, segments: Sequence[Segment]) -> None:
        """Write the result that a build of these segments would have written."""
        entries = tuple(tuple(self._shards(segment)) for segment in segments)
        self.put(f"{run.prefix}built-{number:07}", BuildResult(entries))

    def _shards(self, segment: Segment) -> Iterator[ShardEntry]:
        """The shards of a segment, which has several if it is over the limit."""
        begin = self.numbers(segment.fragments[0])[0]
        end = begin + sum(part.page_count for part in segment.fragments)
        if segment.is_whole_group:
            yield self._with_file(self._entry(None, "", end - begin))
            return
        segment_id = (segment.fragments[0].shard_id if segment.first_key else None) or FIRST_SEGMENT
        is_changed = any(part.records_file in self._records_to_read for part in segment.fragments)
        for start, stop in pairwise([begin, *sorted(self._splits(begin, end)), end]):
            key = segment.first_key if start == begin else self.bucket.key(start)
            shard_id = segment_id if start == begin else f"{key_hash(key):016x}"
            entry = self._entry(shard_id, key, stop - start)
            if is_changed:
                self._records_to_read.add(entry.records_file)
            yield self._with_file(entry)

    def _splits(self, begin: int, end: int) -> Iterator[int]:
        """Where a segment over the limit is split: the key with the lowest hash may be any, so it is random here."""
        if end - begin > synthetic_bucket.MAX_URLS:
            split = random.Random(f"{begin}-{end}").randrange(begin + 1, end)
            yield split
            yield from self._splits(begin, split)
            yield from self._splits(split, end)

    def numbers(self, entry: ShardEntry) -> tuple[int, int]:
        """The numbers of an entry's objects, all of which are pages: the first, and the one after the last."""
        begin = self.bucket.number_of(entry.first_key) if entry.first_key else 0
        assert begin is not None
        return begin, begin + entry.page_count

    def _entry(self, shard_id: str | None, first_key: str, page_count: int) -> ShardEntry:
        name = f"shards/{shard_id or 'whole'}-{self._random_id()}-{self._random_id()}"
        return ShardEntry("", shard_id, first_key, page_count, name)

    def _with_file(self, entry: ShardEntry) -> ShardEntry:
        name = f"sitemap-{entry.shard_id}.xml" if entry.shard_id else "sitemap.xml"
        return replace(entry, files=(PublishedFile(name, self._random_digest()),))

    def _random_digest(self) -> str:
        return f"{self._rng.getrandbits(128):032x}"

    def _random_id(self) -> str:
        return f"{self._rng.getrandbits(64):016x}"

    def write_records(self, entries: Sequence[ShardEntry]) -> dict[str, str]:
        """Write the records of entries that no call has written; returns names with the digests of their content."""
        names: dict[str, str] = {}
        for entry in entries:
            if not (self.folder / "state" / "ledger" / entry.records_file).exists():
                data = records.dump(self._records(entry))
                self.put(entry.records_file, data)
                names[entry.records_file] = records.records_name(entry.shard_id, data, (), self._random_id)
        return names

    def rename_records(self, names: dict[str, str], tasks_file: str) -> None:
        """Rename files of records: in the ledger, in the tasks of a scan, and in the manifests of the run."""
        tasks = self.get(tasks_file)
        for before, after in names.items():
            tasks = tasks.replace(before.encode(), after.encode())
            self.put(after, self.get(before))
        self.put(tasks_file, tasks)
        for file in filter(None, ("manifest.json", self.manifest().previous)):
            known = manifests.load(self.get(file), file)
            renamed = (
                replace(each, records_file=names.get(each.records_file, each.records_file)) for each in known.entries
            )
            self.put(file, manifests.dump(replace(known, entries=tuple(renamed))))

    def _records(self, entry: ShardEntry) -> list[Record]:
        begin, end = self.numbers(entry)
        changed = set(self.changed) if entry.records_file in self._records_to_read else set()
        first = self._record(begin, begin in changed)
        shard_records = []
        for number, key in enumerate(self.bucket.keys(begin, end), begin):
            if number in changed:
                shard_records.append(self._record(number, True))
                continue
            digest = blake2b(number.to_bytes(8), digest_size=8).hexdigest()
            head = replace(first.facts.head, canonicals=(f"https://example.org/{quote(key)}",))
            facts = replace(first.facts, head=head, text_digest=digest)
            shard_records.append(Record(key, s3_client.object_etag(number, False), facts))
        return shard_records

    def _record(self, number: int, is_changed: bool) -> Record:
        """The record that Waypost makes of one object."""
        key = self.bucket.key(number)
        content = s3_client.page_content(number, key, is_changed)
        body = Body(content, etag=s3_client.object_etag(number, is_changed))
        facts = page_facts.read_item(OneObjectSource(body), self._site, Item(key, key)).facts
        snapshot = ObjectSnapshot(body.etag, facts, NOW)
        return merge_record(key, None, snapshot, self._site, NOW, is_known=is_changed)

    def assume_published(self) -> None:
        """Make all sitemaps and records of the manifest exist for later calls, without writing them."""
        manifest = self.manifest()
        files = {
            file.name: AssumedFile(file.digest, *self.numbers(entry))
            for entry in manifest.entries
            for file in entry.files
        }
        metadata = {LEDGER_ID: manifest.ledger_id, SETTINGS_ID: settings_id(manifest)}
        assumed_files.write(self.folder, metadata, files)
        self._remove_other_versions(files)
        names = {*self._fragments, *(entry.records_file for entry in manifest.entries)}
        text = "\n".join(name.removeprefix("shards/") for name in names)
        (self.folder / s3_client.ASSUMED_RECORDS).write_text(text, encoding="utf-8")

    def _remove_other_versions(self, files: Mapping[str, AssumedFile]) -> None:
        """Remove what calls have published before under these names, which calls that are not run have replaced."""
        site = self.folder / "site"
        for file in site.iterdir() if site.exists() else ():
            if file.name in files and content_digest(file.read_bytes()) != files[file.name].digest:
                file.unlink()

    def assumed_digests(self) -> dict[str, str]:
        """The digests of the published files that no call has written."""
        return AssumedFiles(self.folder).digests()

    def average_object(self) -> int:
        """The number of an object in a shard that is a whole segment and has about 25,000 pages."""
        entries = self.manifest().entries
        starts = {"", *(self.bucket.key(number) for number in self.boundaries)}
        whole = [
            entry
            for entry, following in zip(entries, [*entries[1:], None], strict=True)
            if entry.first_key in starts and (following is None or following.first_key in starts)
        ]
        return self.numbers(min(whole, key=lambda entry: abs(entry.page_count - synthetic_bucket.MAX_URLS // 2)))[0] + 5

    def shards_of_segment(self, manifest: Manifest, number: int) -> Sequence[ShardEntry]:
        """The shards of the segment that an object is in."""
        at = bisect_right(self.boundaries, number)
        start = self.bucket.key(self.boundaries[at - 1]) if at else ""
        stop = self.bucket.key(self.boundaries[at]) if at < len(self.boundaries) else None
        first = bisect_left(manifest.entries, start, key=lambda entry: entry.first_key)
        last = len(manifest.entries) if stop is None else bisect_left(manifest.entries, stop, key=lambda e: e.first_key)
        return manifest.entries[first:last] or manifest.entries[:1]
