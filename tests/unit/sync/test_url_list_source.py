"""A bucket's objects together with URLs that have no object."""

from __future__ import annotations

import pytest
from fake_stores import MemoryBucket, RequestGate
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.sample_sites import site

from waypost.core.model import Item, UrlEntry
from waypost.ledger.url_list import ListedSource, UrlList
from waypost.sync.url_list_source import UrlListSource, entries_by_key, entry_etag

NAMES = st.sampled_from(["a.html", "b", "b.html", "c/", "d", "é.html", "z"])


def source_of(objects: set[str], entries: set[str], page_size: int = 2) -> UrlListSource:
    bucket = MemoryBucket(RequestGate())
    bucket.page_size = page_size
    bucket.objects = dict.fromkeys(objects, (b"x", "2026-01-01T00:00:00Z"))
    source = UrlListSource(bucket, lambda key: key.endswith(".html"))
    source.entries = {key: UrlEntry(f"https://example.org/{key}") for key in entries}
    return source


@given(st.sets(NAMES), st.sets(NAMES), st.sampled_from(["", "b", "c/x"]), st.sampled_from([None, "b.html", "d"]))
def test_objects_and_urls_are_listed_in_the_order_of_their_keys_each_once(
    objects: set[str], entries: set[str], start_after: str, through: str | None
) -> None:
    source = source_of(objects, entries)
    listed = [each.key for chunk in source.list_items(start_after, (), through) for each in chunk]
    wanted = {key for key in objects | entries if key > start_after and (through is None or key <= through)}
    assert listed == sorted(wanted)


def test_an_object_that_may_be_a_page_comes_before_a_url_and_any_other_after_it() -> None:
    source = source_of({"a.html", "b"}, {"a.html", "b", "c"})
    assert source.read(Item("a.html", "a.html")).data == b"x"
    assert (entry := source.read(Item("b", "b")).entry)
    assert entry.loc == "https://example.org/b"
    etags = source.etags(["a.html", "b", "c", "d"])
    assert [etags[key] == entry_etag(UrlEntry(f"https://example.org/{key}")) for key in etags] == [
        False,
        True,
        True,
        False,
    ]
    assert etags["d"] is None
    with pytest.raises(FileNotFoundError):
        source.read(Item("d.html", "d.html"))


def test_a_url_has_the_same_etag_wherever_its_list_names_it() -> None:
    entry = UrlEntry("https://example.org/a", "2026-01-01", where="urls.txt", line=7)
    assert entry_etag(entry) == entry_etag(replace(entry, line=8, where="other.txt"))
    assert entry_etag(entry) != entry_etag(replace(entry, lastmod="2026-01-02"))


def test_of_two_urls_the_first_is_listed_and_what_is_left_out_is_counted() -> None:
    first, again = UrlEntry("https://example.org/", "2026-01-01"), UrlEntry("https://example.org/")
    far = UrlEntry("https://example.com/")
    sources = (ListedSource("urls", (first,)), ListedSource("blog.xml", (again, far)))
    assert entries_by_key(UrlList(sources), site()) == ({"/": first}, {"foreign-url": 1, "listed-twice": 1})
