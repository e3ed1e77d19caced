from collections import Counter

import pytest
from fake_stores import MemoryBucket, RequestGate
from hypothesis import given
from hypothesis import strategies as st

from waypost.build.divided_bucket import PartitionSource
from waypost.build.partitions import Division, Partition, divide, dump, load, name_of_output
from waypost.core.errors import NewerVersionError, StateError
from waypost.core.model import Item

SEGMENTS = st.text("ab-é/1", min_size=1, max_size=8)
KEYS = st.text("ab-é/1\ue000", min_size=1, max_size=6)


def counts(keys: list[str], most: int) -> dict[str, int]:
    prefixes = divide(sorted(keys), most)
    division = Division().with_prefixes(Division().parts[0], prefixes)
    found = Counter(division.part_of(key).prefix for key in keys)
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
    division = Division(partitions=tuple(map(Partition, ("docs/", "docs/a", "wiki/A"))))
    keys = ("docs/b", "docs/ab", "wiki/B", "wiki/A", "x")
    assert [division.part_of(key).prefix for key in keys] == ["docs/", "docs/a", "", "wiki/A", ""]
    assert [division.part_of(key).name for key in keys] == ["part1", "part2", "", "part3", ""]


def test_partitions_keep_their_names_when_one_is_divided_again() -> None:
    first = Division().with_prefixes(Division().parts[0], ["docs/", "wiki/"])
    second = first.with_prefixes(first.parts[0], ["docs/a", "docs/"])
    assert [(each.name, each.prefix) for each in second.parts] == [
        ("part1", "docs/"),
        ("part2", "wiki/"),
        ("part3", "docs/a"),
        ("", ""),
    ]
    assert [each.name for each in second.below(second.parts[0])] == ["part3"]
    assert load(dump(second), "here") == second


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}x", b'{"format":"other"}', b'{"partitions":[{"prefix":""}]}', b'{"partitions":[{"prefix":1}]}'],
)
def test_a_damaged_division_is_no_division(data: bytes) -> None:
    with pytest.raises(StateError, match="here "):
        load(data, "here")


def test_a_division_of_a_newer_release_is_left_to_that() -> None:
    with pytest.raises(NewerVersionError, match="update Waypost"):
        load(b'{"format":"waypost-partitions","version":2}', "here")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("sitemap-part12.xml", "part12"),
        ("sitemap-part3-00ff00ff00ff00ff.xml.gz", "part3"),
        ("sitemap.xml", ""),
        ("sitemap-part.xml", ""),
        ("sitemap-blog.xml", ""),
        ("docs/sitemap-part1.xml", ""),
    ],
)
def test_an_output_s_name_says_whose_it_is(name: str, part: str) -> None:
    assert name_of_output(name, "sitemap") == part


def source(keys: set[str]) -> MemoryBucket:
    bucket = MemoryBucket(RequestGate())
    bucket.objects = dict.fromkeys(keys, (b"x", "2026-11-21T00:00:00Z"))
    return bucket


def division(*prefixes: str) -> Division:
    return Division(partitions=tuple(map(Partition, prefixes)))


def listed(part: PartitionSource) -> list[str]:
    return [each.key for some in part.list_items("", ()) for each in some]


@given(st.sets(KEYS, max_size=40), st.sets(KEYS, max_size=6))
def test_each_key_is_listed_by_the_part_to_which_it_belongs_and_by_no_other(keys: set[str], prefixes: set[str]) -> None:
    divided = division(*sorted(prefixes))
    found = {part.name: listed(PartitionSource(source(keys), part)) for part in divided.parts}
    assert sorted(key for some in found.values() for key in some) == sorted(keys)
    assert all(divided.part_of(key).name == name for name, some in found.items() for key in some)
    assert all(some == sorted(some) for some in found.values())


def test_a_part_reads_only_its_own_objects_and_finds_the_files_of_all() -> None:
    part = PartitionSource(source({"docs/a.html", "index.html"}), division("docs/").parts[0])
    assert part.read(Item("docs/a.html", "docs/a.html")).data == b"x"
    with pytest.raises(FileNotFoundError):
        part.read(Item("index.html", "index.html"))
    assert part.find("index.html") == b"x"
    assert [key for key, etag in part.etags(["docs/a.html", "index.html"]).items() if etag] == ["docs/a.html"]
    assert [each.key for each in part.items(lambda key: None)] == ["docs/a.html"]
    assert part.first_key_after("docs/a.html") == "index.html"
