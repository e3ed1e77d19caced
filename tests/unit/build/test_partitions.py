from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from waypost.build.partitions import divide, partition_of

SEGMENTS = st.text("ab-é/1", min_size=1, max_size=8)


def counts(keys: list[str], most: int) -> dict[str, int]:
    prefixes = divide(sorted(keys), most)
    found = Counter(partition_of(key, prefixes) for key in keys)
    assert set(prefixes) <= found.keys()
    return dict(found)


@given(st.sets(SEGMENTS, max_size=60), st.integers(8, 40))
def test_each_key_is_in_one_partition_and_none_has_more_than_the_most(keys: set[str], most: int) -> None:
    assert all(count <= most for count in counts(sorted(keys), most).values())


@given(st.lists(SEGMENTS, unique=True, max_size=40), st.integers(8, 40))
def test_the_division_depends_on_the_keys_alone(keys: list[str], most: int) -> None:
    assert divide(sorted(keys), most) == divide(iter(sorted(set(keys))), most)


def test_a_bucket_that_is_small_enough_is_not_divided() -> None:
    assert divide([f"docs/{n}.html" for n in range(10)], 10) == ()
    assert divide([], 10) == ()


def test_folders_are_borders_where_they_are_small_enough() -> None:
    keys = [f"{folder}/{n}.html" for folder in ("blog", "docs", "shop") for n in range(40)]
    assert counts([*keys, "index.html"], 50) == {"docs/": 40, "shop/": 40, "": 41}


def test_a_flat_folder_is_divided_by_the_beginnings_of_its_names() -> None:
    keys = [f"wiki/{letter}{n}" for letter in "ABCD" for n in range(30)]
    found = counts([*keys, "index.html"], 50)
    assert max(found.values()) <= 50
    assert all(prefix.startswith("wiki/") for prefix in found if prefix)


def test_a_new_key_belongs_to_the_longest_prefix_and_else_to_the_remainder() -> None:
    prefixes = ("docs/", "docs/a", "wiki/A")
    assert [partition_of(key, prefixes) for key in ("docs/b", "docs/ab", "wiki/B", "wiki/A", "x")] == [
        "docs/",
        "docs/a",
        "",
        "wiki/A",
        "",
    ]
