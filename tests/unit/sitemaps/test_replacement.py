"""What is written under a published name while entries move from one file to another."""

from __future__ import annotations

from typing import Any

import pytest
from unit.sample_sites import pages, small_site

from waypost.build.publication import AT_ONCE, Replacement, replacement
from waypost.core.model import IndexChild
from waypost.settings import output_names
from waypost.sitemaps.documents import documents
from waypost.sitemaps.format_registry import format_of
from waypost.sitemaps.render import Renderer
from waypost.validate import sitemap_content

BASE = "https://example.org/"
RENDERER = Renderer()


def sitemap(*keys: str, **values: Any) -> bytes:
    (document,) = documents(pages(keys, **values), small_site(), RENDERER, lambda shard, document: None)
    return document.body


def index(*names: str) -> bytes:
    children = [IndexChild(BASE + name, None) for name in names]
    return RENDERER.index(children, "")


def replaced(target: bytes, published: bytes, name: str = "sitemap.xml", **values: Any) -> Replacement:
    return replacement(name, target, published, small_site(**values), RENDERER)


def listed(body: bytes | None, name: str = "sitemap.xml") -> list[tuple[str, str | None]]:
    """The locs and dates of a file, without the part that all locs have in common."""
    assert body is not None
    _, entries = sitemap_content.read_entries(name, body)
    return [((entry.loc or "").removeprefix(BASE), entry.lastmod) for entry in entries]


def test_a_file_that_loses_no_entry_is_replaced_at_once() -> None:
    assert replaced(sitemap("a.html", "b.html"), sitemap("a.html")) == AT_ONCE
    assert replaced(sitemap("a.html", lastmod="2026-01-01"), sitemap("a.html")) == AT_ONCE
    assert replaced(index("a.xml", "b.xml"), index("b.xml")) == AT_ONCE


def test_a_file_that_only_loses_entries_is_replaced_last() -> None:
    assert replaced(sitemap("a.html"), sitemap("a.html", "b.html")) == Replacement(is_last=True)
    assert replaced(index("a.xml"), index("a.xml", "b.xml")) == Replacement(is_last=True)


def test_of_a_file_that_gains_and_loses_entries_a_combined_file_is_written_first() -> None:
    found = replaced(sitemap("a.html", "c.html"), sitemap("a.html", "b.html", lastmod="2026-01-01"))
    assert found.is_last
    assert listed(found.combined) == [("a.html", None), ("c.html", None), ("b.html", "2026-01-01")]
    found = replaced(index("a.xml", "c.xml"), index("a.xml", "b.xml"))
    assert listed(found.combined) == [("a.xml", None), ("c.xml", None), ("b.xml", None)]
    assert b"<sitemapindex" in (found.combined or b"")


def test_a_combined_file_is_a_file_of_waypost_s_own() -> None:
    for found in (replaced(sitemap("a.html"), sitemap("b.html")), replaced(index("a.xml"), index("b.xml"))):
        assert found.combined is not None
        assert output_names.MARK.encode() in found.combined


def test_an_index_in_the_place_of_a_sitemap_is_written_last_and_a_sitemap_in_the_place_of_an_index_at_once() -> None:
    assert replaced(index("a.xml"), sitemap("a.html")) == Replacement(is_last=True)
    assert replaced(sitemap("a.html"), index("a.xml")) == AT_ONCE


@pytest.mark.parametrize(
    ("target", "published", "limits"),
    [
        (sitemap("a.html", "c.html"), sitemap("a.html", "b.html"), {"urls": 2}),
        (sitemap("a.html", "c.html"), sitemap("a.html", "b.html"), {"size": 250}),
        (index("a.xml", "c.xml"), index("a.xml", "b.xml"), {"sitemaps": 2}),
    ],
    ids=["too many URLs", "too many bytes", "too many sitemaps"],
)
def test_a_combined_file_may_be_over_a_limit_for_a_moment_so_that_no_entry_is_missing(
    target: bytes, published: bytes, limits: dict[str, Any]
) -> None:
    found = replaced(target, published, **limits)
    assert found.is_last
    assert len(listed(found.combined)) == 3


def test_a_text_sitemap_has_a_combined_file_too() -> None:
    name, text = "sitemap.txt", format_of("sitemap.txt")
    assert text is not None
    target, published = (f"{BASE}a.html\n{BASE}{other}.html\n".encode() for other in "cb")
    found = replaced(target, published, name, formats=["text"])
    assert listed(found.combined, name) == [("a.html", None), ("c.html", None), ("b.html", None)]


@pytest.mark.parametrize("published", [b"", b"<html><p>Written by hand", b"<urlset", b"\xff\xfe\x00"])
def test_a_published_file_that_is_no_sitemap_is_replaced_at_once(published: bytes) -> None:
    assert replaced(sitemap("a.html"), published) == AT_ONCE
