"""A listing in parts is the listing as it is, whatever the keys are and however the parts are cut."""

from __future__ import annotations

from threading import Event

from hypothesis import given
from hypothesis import strategies as st

from waypost.files.parallel_listing import KeyRange, ListedPart, list_in_order, split_at

KEYS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6),
        st.integers(0, 3_000).map(lambda n: f"catalogue/item-{n:05}.html"),
        st.text("ab/", min_size=1, max_size=8),
    ),
    max_size=50,
    unique=True,
)


class Shop:
    """Keys that are listed a few at a time; `probed` counts the questions asked to split a range."""

    def __init__(self, keys: list[str], some: int) -> None:
        self.keys, self._some, self.probed, self.listed = sorted(keys), some, 0, 0

    def some(self, part: KeyRange) -> ListedPart[str]:
        self.listed += 1
        found = [key for key in self.keys if key > part.start_after and (part.through is None or key <= part.through)]
        if len(found) <= self._some:
            return ListedPart(found)
        return ListedPart(found[: self._some], (found[0], found[self._some // 2], found[self._some - 1]))

    def next(self, key: str) -> str | None:
        self.probed += 1
        return next((each for each in self.keys if each > key), None)


@given(keys=KEYS, cuts=KEYS, after=st.text(max_size=3), some=st.integers(1, 7), width=st.integers(1, 5))
def test_every_key_is_listed_once_and_in_order(
    keys: list[str], cuts: list[str], after: str, some: int, width: int
) -> None:
    shop = Shop(keys, some)
    found = list_in_order(split_at(sorted(cuts), after), shop.some, shop.next, width)
    assert [key for part in found for key in part] == [key for key in shop.keys if key > after]


def test_a_large_range_of_which_nothing_is_known_is_split_where_its_keys_branch() -> None:
    shop = Shop([f"catalogue/item-{n:05}.html" for n in range(5_000)], 50)
    sizes = [len(part) for part in list_in_order([KeyRange("")], shop.some, shop.next, 4)]
    assert sum(sizes) == 5_000
    assert len(sizes) < 1.5 * 5_000 / 50
    assert shop.probed < 5_000 / 50


def test_a_listing_that_nobody_reads_on_ends() -> None:
    shop = Shop([f"{n:05}" for n in range(5_000)], 10)
    listing = list_in_order([KeyRange("")], shop.some, shop.next, 4)
    next(listing)
    listing.close()  # type: ignore[attr-defined]
    assert shop.listed < 50


def test_a_small_bucket_is_listed_with_one_request() -> None:
    shop = Shop(["a", "b"], 5_000)
    assert [list(part) for part in list_in_order([KeyRange("")], shop.some, shop.next, 16)] == [["a", "b"]]
    assert (shop.listed, shop.probed) == (1, 0)


def test_the_next_keys_are_listed_while_the_caller_works_with_the_first_ones() -> None:
    shop = Shop([f"catalogue/item-{n:05}.html" for n in range(5_000)], 50)
    has_begun = Event()

    def some(part: KeyRange) -> ListedPart[str]:
        if part.start_after:
            has_begun.set()
        return shop.some(part)

    listing = list_in_order([KeyRange("")], some, shop.next, 4)
    next(listing)
    assert has_begun.wait(60)
    listing.close()  # type: ignore[attr-defined]
