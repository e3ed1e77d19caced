from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import Gate, Shelf

from waypost.errors import SourceError
from waypost.model import Item
from waypost.sources import runs
from waypost.sources.runs import Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TIME = "2026-03-01T12:00:00Z"
KEYS = st.text(st.sampled_from("ab/é\uffff😀"), min_size=1, max_size=4)
ITEMS = st.lists(
    st.builds(
        lambda key, size, day: Item(key, key, size, f'"{size}"', f"2026-03-0{day}T00:00:00Z"),
        KEYS,
        st.integers(0, 9),
        st.integers(1, 3),
    ),
    max_size=60,
)
SIZES = st.integers(1, 20)


def shelf() -> Shelf:
    return Shelf(Gate(), "state")


def item(key: str) -> Item:
    return Item(key, key, 5, '"etag"', TIME)


def numbered(count: int, step: int = 7) -> list[Item]:
    """Items in no order; `count` has no divisor in common with `step`."""
    return [item(f"{n * step % count:06}") for n in range(count)]


def latest(items: Sequence[Item]) -> list[Item]:
    """Every key's latest item, in the order of the keys' bytes."""
    by_age = sorted(items, key=lambda item: (item.modified, item.etag, item.size))
    return sorted({item.key: item for item in by_age}.values(), key=lambda item: item.key.encode())


@given(ITEMS, SIZES, SIZES, KEYS | st.just(""), KEYS | st.none())
def test_a_range_is_merged_as_if_all_had_been_sorted(
    items: list[Item], most: int, block: int, after: str, upto: str | None
) -> None:
    store = shelf()
    written = runs.write(items, store.write, "run", most, block)
    wanted = [each for each in latest(items) if each.key > after and (upto is None or each.key <= upto)]
    assert list(runs.merged(written, store.part, after, upto)) == wanted


@given(ITEMS, SIZES, SIZES)
def test_the_order_of_rows_and_runs_changes_nothing(items: list[Item], most: int, block: int) -> None:
    store = shelf()
    there = runs.write(items, store.write, "run", most, block)
    back = runs.write(reversed(items), store.write, "back", block, most)
    assert list(runs.merged(there, store.part)) == list(runs.merged(reversed(back), store.part))


@given(ITEMS, SIZES, SIZES)
def test_ranges_between_edges_hold_everything_once(items: list[Item], most: int, block: int) -> None:
    store = shelf()
    written = runs.write(items, store.write, "run", most, block)
    cuts = runs.edges(written, 10)
    ranges = zip(["", *cuts], [*cuts, None], strict=True)
    found = [each for after, upto in ranges for each in runs.merged(written, store.part, after, upto)]
    assert found == latest(items)


@pytest.mark.parametrize("most", [100, 400, 1_000])
def test_edges_part_the_whole_into_ranges_of_about_as_many_items(most: int) -> None:
    store = shelf()
    written = runs.write(numbered(5_000), store.write, "run", most=1_000, block=20)
    cuts = runs.edges(written, most)
    counts = [
        sum(1 for _ in runs.merged(written, store.part, after, upto))
        for after, upto in zip(["", *cuts], [*cuts, None], strict=True)
    ]
    assert sum(counts) == 5_000
    assert max(counts) <= most + 20 * len(written)
    assert min(counts[:-1]) >= most - 20 * (len(written) + 1)


def test_edges_ask_the_store_for_nothing() -> None:
    store = shelf()
    written = runs.write(numbered(100), store.write, "run", 30, 5)
    store.gate.requests.clear()
    assert runs.edges(written, 10)
    assert store.gate.requests == []


def test_runs_are_objects_named_by_their_number() -> None:
    store = shelf()
    written = runs.write(numbered(25), store.write, "report/a", most=10, block=3)
    assert [(run.name, run.count, len(run.blocks)) for run in written] == [
        ("report/a-0", 10, 4),
        ("report/a-1", 10, 4),
        ("report/a-2", 5, 2),
    ]
    assert sorted(store.files) == ["report/a-0", "report/a-1", "report/a-2"]


def test_nothing_gives_no_run() -> None:
    store = shelf()
    assert runs.write([], store.write, "run") == []
    assert list(runs.merged([], store.part)) == []
    assert runs.edges([], 10) == []
    assert store.files == {}


def test_no_more_items_than_a_run_takes_are_collected_before_one_is_written() -> None:
    store, waiting = shelf(), list[int]()

    def counted() -> Iterator[Item]:
        for n, each in enumerate(numbered(1_000), 1):
            waiting.append(n - 100 * len(store.files))
            yield each

    runs.write(counted(), store.write, "run", most=100, block=10)
    assert max(waiting) == 100


class Reads:
    """Reads parts, and counts the items of the blocks that were."""

    def __init__(self, store: Shelf, written: Sequence[Run]) -> None:
        self._store = store
        self._counts = {(run.name, block.offset): block.count for run in written for block in run.blocks}
        self.items = 0

    def part(self, name: str, start: int, stop: int) -> bytes | None:
        self.items += self._counts[name, start]
        return self._store.part(name, start, stop)


def test_a_merge_has_two_blocks_of_every_run_in_memory_at_most() -> None:
    store = shelf()
    written = runs.write(numbered(2_000), store.write, "run", most=200, block=10)
    reads, held = Reads(store, written), list[int]()
    for n, _ in enumerate(runs.merged(written, reads.part)):
        held.append(reads.items - n)
    assert max(held) <= 10 * 10 * 2 + 10  # what was taken for its neighbours, to tell whether a key comes again


def test_runs_that_follow_each_other_are_read_one_by_one() -> None:
    store = shelf()
    first = runs.write(numbered(2_000), store.write, "first", most=200, block=10)
    second = runs.write(runs.merged(first, store.part), store.write, "second", most=200, block=10)
    reads, held = Reads(store, second), list[int]()
    for n, each in enumerate(runs.merged(second, reads.part)):
        held.append(reads.items - n)
        assert each.key == f"{n:06}"
    assert max(held) <= 10 * 2 + 10


def test_a_range_reads_the_blocks_that_overlap_it_alone() -> None:
    store = shelf()
    written = runs.write(numbered(1_000), store.write, "run", most=1_000, block=10)
    store.gate.requests.clear()
    found = list(runs.merged(written, store.part, "000500", "000509"))
    assert [each.key for each in found] == [f"{n:06}" for n in range(501, 510)]
    assert store.gate.requests == ["GET state/run-0"]


def test_a_merge_that_is_given_up_reads_no_further() -> None:
    store = shelf()
    written = runs.write(numbered(1_000), store.write, "run", most=1_000, block=10)
    store.gate.requests.clear()
    merge = runs.merged(written, store.part)
    next(merge)
    merge.close()  # type: ignore[attr-defined]
    assert len(store.gate.requests) <= 2


def test_an_index_is_read_as_it_was_written() -> None:
    store = shelf()
    written = runs.write([item("a"), item("é"), item("😀")], store.write, "run", 2, 1)
    assert runs.load(runs.dump(written), "index") == written


@pytest.mark.parametrize("data", [b"", b"x", runs.dump([])[:-1]])
def test_a_damaged_index_is_named(data: bytes) -> None:
    with pytest.raises(SourceError, match=r"report/index is damaged .*; sort the report again"):
        runs.load(data, "report/index")


def test_a_run_that_is_gone_or_damaged_is_named() -> None:
    store = shelf()
    written = runs.write(numbered(10), store.write, "run", 10, 10)
    store.write("run-0", b"x" * 1_000)
    with pytest.raises(SourceError, match=r"run-0 is damaged at byte 0 .*; sort the report again"):
        list(runs.merged(written, store.part))
    store.remove("run-0")
    with pytest.raises(SourceError, match="run-0 is missing; sort the report again"):
        list(runs.merged(written, store.part))
