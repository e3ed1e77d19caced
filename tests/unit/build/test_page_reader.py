from typing import Any

from unit.build.test_lister import NOW, MemorySource
from unit.sample_sites import site

from waypost.build.page_reader import PageReader, ReadPage
from waypost.core import reasons
from waypost.core.model import Item, Skipped


def read(files: dict[str, str | OSError], **settings: Any) -> list[ReadPage | Skipped]:
    items = [Item(key, key) for key in files]
    reader = PageReader(MemorySource(files), site(lastmod="none", **settings), NOW, lambda stage, done, total: None)
    return list(reader.pages(items))


def test_pages_are_read_in_order_with_their_locs_and_what_decided_them() -> None:
    first, second = read({"b.html": '<link rel="canonical" href="/b">', "a.html": "x"})
    assert isinstance(first, ReadPage)
    assert isinstance(second, ReadPage)
    assert (first.loc, first.path.decided_by, first.canonicals) == ("https://example.org/b", "canonical", ("/b",))
    assert (second.loc, second.path.decided_by, second.canonicals) == ("https://example.org/a.html", "default", ())


def test_pages_of_the_same_bytes_have_the_same_checksum_and_one_of_another_length_has_not() -> None:
    pages = read({"a.html": "x", "b.html": "x", "c.html": "longer"})
    checksums = [page.checksum for page in pages if isinstance(page, ReadPage)]
    assert checksums[0] == checksums[1] != checksums[2]


def test_a_loc_that_is_too_long_leaves_the_page_out() -> None:
    assert read({"x" * 2_100 + ".html": "x"}) == [Skipped("x" * 2_100 + ".html", reasons.LOC_TOO_LONG)]


def test_of_a_page_only_what_is_needed_later_is_kept() -> None:
    link = '<link rel="alternate" hreflang="de" href="/de">'
    (page,), (kept,) = read({"a.html": link}), read({"a.html": link}, alternates=True)
    assert isinstance(page, ReadPage)
    assert isinstance(kept, ReadPage)
    assert page.facts.head.alternates == ()
    assert kept.facts.head.alternates == (("de", "/de"),)
