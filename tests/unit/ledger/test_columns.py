"""Values as columns: defaults take no space, and no value is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from waypost.ledger.columns import check_lengths, columns_of, value_count


class Fruit(Struct, frozen=True):
    name: str | None
    colour: str = "green"
    seeds: int | None = None
    prices: Mapping[str, int] = {}


class Fruits(Struct, frozen=True):
    name: list[str | None]
    colour: list[str | None] = []
    seeds: list[int | None] = []
    prices: list[Mapping[str, int] | None] = []


def stored_columns(values: Sequence[Fruit]) -> Fruits:
    return Fruits(**{each.name: each.of(values) for each in columns_of(Fruit)})


def values_of(stored: Fruits) -> list[Fruit]:
    return list(map(Fruit, *(each.values(getattr(stored, each.name), len(stored.name)) for each in columns_of(Fruit))))


def test_a_default_is_stored_as_none_and_not_at_all_if_all_values_have_it() -> None:
    stored = stored_columns([Fruit("apple", "red"), Fruit(None, prices={"Bern": 2}), Fruit("pear")])
    assert stored == Fruits(["apple", None, "pear"], ["red", None, None], [], [None, {"Bern": 2}, None])


TEXTS = st.sampled_from(["green", "red", ""])
FRUITS = st.builds(
    Fruit, st.none() | TEXTS, TEXTS, st.none() | st.integers(), st.dictionaries(TEXTS, st.integers(), max_size=1)
)


@given(st.lists(FRUITS, max_size=4))
def test_all_values_come_back_from_their_columns(values: list[Fruit]) -> None:
    stored = stored_columns(values)
    check_lengths(stored)
    assert value_count(stored) == len(values)
    assert values_of(stored) == values


@pytest.mark.parametrize(
    "stored",
    [Fruits([], ["red"]), Fruits(["a"], ["red", "red"]), Fruits(["a", "b"], seeds=[1])],
    ids=["no names", "too many colours", "too few seeds"],
)
def test_columns_of_different_lengths_are_an_error(stored: Fruits) -> None:
    with pytest.raises(ValueError, match="different numbers of values"):
        check_lengths(stored)
