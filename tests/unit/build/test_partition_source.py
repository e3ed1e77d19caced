"""The objects of one part: each belongs to one part alone, and is listed, read and asked for there."""

import pytest
from fake_stores import MemoryBucket, RequestGate
from hypothesis import given
from hypothesis import strategies as st

from waypost.build.divided_bucket import PartitionSource
from waypost.build.partitions import Division, Partition
from waypost.core.model import Item

KEYS = st.text("ab-é/1\ue000", min_size=1, max_size=6)


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
