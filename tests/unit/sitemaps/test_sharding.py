from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import pairwise
from math import log2

import pytest
import quick
from chosen_keys import DEEPEST, keys_of_falling_hashes, keys_of_rising_hashes
from hypothesis import given
from hypothesis import strategies as st

from waypost.sitemaps.sharding import FIRST_SEGMENT, Span, key_hash, segments, split_until, within

LIMIT = 10

keys = st.one_of(
    st.integers(0, 400).map("page-{:03}.html".format),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6),
)
key_sets = st.sets(keys, max_size=150)


def shards(chosen: Sequence[str], limit: int = LIMIT) -> list[tuple[str, tuple[str, ...]]]:
    return [(span.id, tuple(chosen[span.start : span.stop])) for span in segments(chosen, limit)]


def in_order(chosen: set[str]) -> list[str]:
    return sorted(chosen, key=str.encode)


def segment_around(chosen: set[str], key: str, limit: int = LIMIT) -> set[str]:
    """The keys from the last boundary up to the key, to the next boundary behind it."""

    def is_boundary(other: str) -> bool:
        return key_hash(other) % (limit // 2) == 0

    ordered = in_order(chosen)
    before = [other for other in ordered if other.encode() < key.encode()]
    behind = [other for other in ordered if other.encode() > key.encode()]
    start = next((n for n in range(len(before) - 1, -1, -1) if is_boundary(before[n])), 0)
    stop = next((n for n, other in enumerate(behind) if is_boundary(other)), len(behind))
    return {*before[start:], key, *behind[:stop]}


def test_the_hash_is_that_of_the_key_s_utf_8_bytes_for_ever() -> None:
    assert key_hash("index.html") == int.from_bytes(blake2b(b"index.html", digest_size=8).digest(), "big")
    assert key_hash("ü.html") == int.from_bytes(blake2b(b"\xc3\xbc.html", digest_size=8).digest(), "big")
    assert f"{key_hash('index.html'):016x}" == blake2b(b"index.html", digest_size=8).hexdigest()


@given(key_sets, st.integers(1, 30))
def test_every_key_is_in_exactly_one_span_in_order_and_no_span_is_over_the_limit(chosen: set[str], limit: int) -> None:
    ordered = in_order(chosen)
    spans = list(segments(ordered, limit))
    assert [key for span in spans for key in ordered[span.start : span.stop]] == ordered
    assert all(before.stop == behind.start for before, behind in pairwise(spans))
    assert all(1 <= len(span) <= limit for span in spans)


@given(key_sets)
def test_a_shard_is_named_by_its_first_key_but_for_the_one_that_begins_before_every_key(chosen: set[str]) -> None:
    made = shards(in_order(chosen))
    assert len({id for id, _ in made}) == len(made)
    for n, (id, members) in enumerate(made):
        own = f"{key_hash(members[0]):016x}"
        assert id == own or (n == 0 and id == FIRST_SEGMENT)


@given(key_sets, keys)
def test_a_new_key_changes_no_shard_outside_its_own_segment(chosen: set[str], key: str) -> None:
    chosen -= {key}
    before, after = shards(in_order(chosen)), shards(in_order(chosen | {key}))
    own = segment_around(chosen, key)
    for changed in set(before) ^ set(after):
        assert set(changed[1]) <= own


@given(key_sets, st.data())
def test_a_range_s_boundaries_are_found_from_the_range_alone(chosen: set[str], data: st.DataObject) -> None:
    ordered = in_order(chosen)
    boundaries = [n for n, key in enumerate(ordered) if key_hash(key) % (LIMIT // 2) == 0]
    edges = [0, *boundaries, len(ordered)]
    start, stop = sorted((data.draw(st.sampled_from(edges)), data.draw(st.sampled_from(edges))))
    apart = shards(ordered[:start]) + shards(ordered[start:stop]) + shards(ordered[stop:])
    assert apart == shards(ordered)


def halved(span: Span, chosen: Sequence[str], weights: Sequence[int], limit: int) -> list[Span]:
    """The parts of a span by the definition: while one weighs too much, it is split before its lowest hash."""
    if span.stop - span.start == 1 or sum(weights[span.start : span.stop]) <= limit:
        return [span]
    lowest, n = min((key_hash(chosen[n]), n) for n in range(span.start + 1, span.stop))
    halves = Span(span.id, span.start, n), Span(f"{lowest:016x}", n, span.stop)
    return [part for half in halves for part in halved(half, chosen, weights, limit)]


@given(st.lists(keys, unique=True, min_size=1, max_size=60).map(sorted), st.data())
def test_a_span_is_split_before_its_lowest_hash_until_each_part_fits(chosen: list[str], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 9), min_size=len(chosen), max_size=len(chosen)))
    span = Span("name", 0, len(chosen))

    def weigh(part: Span) -> int | None:
        weight = sum(weights[part.start : part.stop])
        return weight if weight <= 9 else None

    parts = split_until(span, chosen, weigh)
    assert [part for part, _ in parts] == halved(span, chosen, weights, 9)
    assert [made for _, made in parts] == [weigh(part) for part, _ in parts]


@given(st.lists(keys, unique=True, min_size=4, max_size=60).map(sorted), st.data())
def test_a_part_of_a_list_is_split_as_it_is_alone(chosen: list[str], data: st.DataObject) -> None:
    start, stop = sorted(data.draw(st.lists(st.integers(0, len(chosen)), min_size=2, max_size=2, unique=True)))
    inside = within(Span("name", start, stop), chosen, 3)
    alone = within(Span("name", 0, stop - start), chosen[start:stop], 3)
    assert [(part.id, part.start - start, part.stop - start) for part in inside] == [
        (part.id, part.start, part.stop) for part in alone
    ]


class CountedKey(str):
    """A key that counts in `hashed` how often it is hashed."""

    hashed = 0

    def encode(self, *arguments: str) -> bytes:
        self.hashed += 1
        return super().encode(*arguments)


@pytest.mark.parametrize("limit", [1, 10])
@pytest.mark.parametrize("number", [200, pytest.param(DEEPEST, marks=pytest.mark.slow)])
@pytest.mark.parametrize("chosen", [keys_of_rising_hashes, keys_of_falling_hashes])
def test_keys_with_hashes_in_order_are_split_and_each_is_hashed_a_few_times(
    chosen: Callable[[int], Sequence[str]], number: int, limit: int
) -> None:
    counted = [CountedKey(key) for key in chosen(number)]
    parts = list(within(Span("name", 0, number), counted, limit))
    assert len(parts) == number - limit + 1
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert sum(key.hashed for key in counted) <= 4 * number


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 10, 600])
@pytest.mark.parametrize("chosen", quick.every(2, [keys_of_rising_hashes, keys_of_falling_hashes]))
def test_not_each_part_of_keys_with_hashes_in_order_is_tried(chosen: Callable[[], Sequence[str]], most: int) -> None:
    tried: list[int] = []

    def make(part: Span) -> Span | None:
        tried.append(len(part))
        return part if len(part) <= most else None

    assert len(split_until(Span("name", 0, DEEPEST), chosen(), make)) == DEEPEST - most + 1
    assert sum(tried) <= DEEPEST * 2 * log2(DEEPEST)


def test_a_limit_of_one_key_gives_each_its_shard() -> None:
    ordered = in_order({f"page-{n}.html" for n in range(30)})
    for limit, most in ((1, 1), (2, 1), (3, 1), (4, 4)):
        assert max(len(members) for _, members in shards(ordered, limit)) <= most


def test_the_real_limit_makes_segments_of_about_half_its_size() -> None:
    ordered = sorted(f"p/{n}" for n in range(150_000))
    sizes = [len(span) for span in segments(ordered, 25_000)]
    assert max(sizes) <= 25_000
    assert 6 <= len(sizes) <= 25
