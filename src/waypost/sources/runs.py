"""Items in no order, sorted by their keys in memory that does not grow with their number.

They are cut into runs, each sorted and written as an object of compressed blocks, whose index tells what to read
of it for a range of keys. Any range is then merged from all runs. Python orders texts by code points, which is the
order of their UTF-8 bytes (RFC 3629, 1), and so S3's.
"""

import zlib
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from heapq import heappop, heappush, merge
from itertools import islice, pairwise
from operator import attrgetter

import msgspec
from msgspec import Struct

from waypost.errors import SourceError
from waypost.model import Item

Write = Callable[[str, bytes], None]
"""Keeps an object under a name (`Store.write`)."""
ReadPart = Callable[[str, int, int], bytes | None]
"""The bytes of an object from one place up to another (`SwapStore.part`)."""
_Table = tuple[list[str], list[int], list[str], list[str]]
"""A block's items as columns, which pack better and are read faster than rows: key, size, ETag, modified."""
_REMEDY = "sort the report again"


class Block(Struct, frozen=True, array_like=True):
    """Some items of a run that follow each other: the first one's key, how many, and where they lie."""

    first: str
    count: int
    offset: int
    length: int


class Run(Struct, frozen=True):
    """Sorted items in an object of this name, from the first block's first key up to and with `last`."""

    name: str
    count: int
    last: str
    blocks: tuple[Block, ...]


def write(items: Iterable[Item], keep: Write, name: str, most: int = 500_000, block: int = 10_000) -> list[Run]:
    """Items of a bucket as runs of at most so many, in objects named `<name>-<n>`; no more of them are in memory.

    Items that come sorted give runs that follow each other, and which cost no more to merge than one: merging some
    and writing them again makes few out of many.
    """
    source, runs = iter(items), list[Run]()
    while run := _written(list(islice(source, most)), keep, f"{name}-{len(runs)}", block):
        runs.append(run)  # no name holds the items here, which would still be there while the next are collected
    return runs


def merged(
    runs: Iterable[Run], read_part: ReadPart, after: str = "", upto: str | None = None, width: int = 8
) -> Iterator[Item]:
    """The items behind a key, up to and with another (None: no end), in order, each key once.

    Of several rows of a key the latest upload's counts. A block of every run that overlaps is in memory, and the
    next one as it is stored, read meanwhile by `width` threads. Raises SourceError where a run is gone or damaged.
    """
    with ThreadPoolExecutor(width) as readers:
        try:
            lanes = [_Lane(readers, read_part, lane, after, upto) for lane in _lanes(runs)]
            yield from _latest(merge(*lanes, key=attrgetter("key")))
        finally:
            readers.shutdown(wait=False, cancel_futures=True)


def edges(runs: Iterable[Run], most: int) -> list[str]:
    """Keys that part the whole into ranges of about `most` items, each up to and with its key, told from the index.

    A range has at most a block of every run more.
    """
    found, size, last = list[str](), 0, ""
    for first, count in sorted((block.first, block.count) for run in runs for block in run.blocks):
        if size and size + count > most and first > last:
            found.append(first)
            size, last = 0, first
        size += count
    return found


def within(runs: Iterable[Run], after: str, upto: str | None = None) -> list[Run]:
    """What of runs tells of the keys behind one, up to and with another (None: no end)."""
    found = [(run, _inside(run, after, upto)) for run in runs if run.last > after]
    return [Run(run.name, sum(b.count for b in blocks), run.last, tuple(blocks)) for run, blocks in found if blocks]


def _inside(run: Run, after: str, upto: str | None) -> Sequence[Block]:
    """The blocks of a run that may tell of a range: from the last on that begins before it."""
    first = max(bisect_right(run.blocks, after, key=attrgetter("first")) - 1, 0)
    return run.blocks[first : None if upto is None else bisect_right(run.blocks, upto, key=attrgetter("first"))]


def dump(runs: Sequence[Run]) -> bytes:
    """The index of runs as a file's bytes."""
    return zlib.compress(msgspec.msgpack.encode(runs), 1)


def load(data: bytes, where: str) -> list[Run]:
    """Read an index of runs; raises SourceError where it is damaged."""
    try:
        return msgspec.msgpack.decode(zlib.decompress(data), type=list[Run])
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SourceError(f"{where} is damaged ({error}); {_REMEDY}") from None


def _written(items: list[Item], keep: Write, name: str, size: int) -> Run | None:
    """Sort items and write them; None where there are none."""
    items.sort(key=attrgetter("key"))
    parts, blocks, offset = list[bytes](), list[Block](), 0
    for begin in range(0, len(items), size):
        some = items[begin : begin + size]
        parts.append(_packed(some))
        blocks.append(Block(some[0].key, len(some), offset, len(parts[-1])))
        offset += len(parts[-1])
    if not blocks:
        return None
    keep(name, b"".join(parts))
    return Run(name, len(items), items[-1].key, tuple(blocks))


def _packed(items: Sequence[Item]) -> bytes:
    table = (
        [item.key for item in items],
        [item.size for item in items],
        [item.etag for item in items],
        [item.modified for item in items],
    )
    return zlib.compress(msgspec.msgpack.encode(table), 1)


def _lanes(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs in as few rows as can be of which each has the next one wholly behind it; those are read one by one."""
    lanes = list[list[Run]]()
    ends = list[tuple[str, int]]()
    for run in sorted(runs, key=lambda run: (run.blocks[0].first, run.name)):
        if ends and ends[0][0] < run.blocks[0].first:
            lane = heappop(ends)[1]
            lanes[lane].append(run)
        else:
            lane = len(lanes)
            lanes.append([run])
        heappush(ends, (run.last, lane))
    return lanes


class _Lane:
    """The items of a range in runs that follow each other, a block at a time; the first block is asked for at once."""

    def __init__(
        self, readers: ThreadPoolExecutor, read_part: ReadPart, runs: Sequence[Run], after: str, upto: str | None
    ) -> None:
        self._readers, self._read_part, self._after, self._upto = readers, read_part, after, upto
        self._left = (
            (run, block) for run in runs for block, last in _spans(run) if last > after and _is_within(block, upto)
        )
        self._asked = deque[tuple[Run, Block, Future[bytes | None]]]()
        self._ask()

    def __iter__(self) -> Iterator[Item]:
        while self._asked:
            run, block, reading = self._asked.popleft()
            packed = reading.result()
            self._ask()
            yield from _unpacked(packed, run, block, self._after, self._upto)

    def _ask(self) -> None:
        for run, block in islice(self._left, 1):
            end = block.offset + block.length
            self._asked.append((run, block, self._readers.submit(self._read_part, run.name, block.offset, end)))


def _spans(run: Run) -> Iterator[tuple[Block, str]]:
    """The blocks of a run, and keys that theirs do not go behind: where rows repeat a key, blocks may share it."""
    for block, following in pairwise(run.blocks):
        yield block, following.first
    yield run.blocks[-1], run.last


def _is_within(block: Block, upto: str | None) -> bool:
    return upto is None or block.first <= upto


def _unpacked(packed: bytes | None, run: Run, block: Block, after: str, upto: str | None) -> Iterator[Item]:
    """The items of a block that belong to a range."""
    if packed is None:
        raise SourceError(f"{run.name} is missing; {_REMEDY}")
    try:
        keys, sizes, etags, times = msgspec.msgpack.decode(zlib.decompress(packed), type=_Table)
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SourceError(f"{run.name} is damaged at byte {block.offset} ({error}); {_REMEDY}") from None
    end = len(keys) if upto is None else bisect_right(keys, upto)
    part = slice(bisect_right(keys, after), end)
    return map(Item, keys[part], keys[part], sizes[part], etags[part], times[part])


def _latest(items: Iterable[Item]) -> Iterator[Item]:
    """Of the items of one key, which follow each other, the latest; of several as late always the same."""
    last: Item | None = None
    for item in items:
        if last is None or item.key != last.key:
            if last is not None:
                yield last
            last = item
        elif (item.modified, item.etag, item.size) > (last.modified, last.etag, last.size):
            last = item
    if last is not None:
        yield last
