"""The form of a site's URLs in its sitemaps."""

from __future__ import annotations

import pytest
from unit.sample_sites import site

from waypost.core.model import LinkedShapes
from waypost.pages.link_votes import locs_in, shapes_of_locs

KEYS = {"index.html", "a.html", "b.html", "c.html", "d.html", "e.html", "f/index.html"}
BASE = "https://example.org/"


def test_the_locs_of_a_sitemap_are_found() -> None:
    text = b"<urlset><url><loc> https://a.dev/?x=1&amp;y </loc></url><url><loc>https://a.dev/b</loc></url></urlset>"
    assert list(locs_in(text)) == ["https://a.dev/?x=1&y", "https://a.dev/b"]


@pytest.mark.parametrize(
    ("paths", "shapes"),
    [
        (["", "a", "f/"], LinkedShapes("slash", "slash", "bare")),
        (["a.html", "f/index.html"], LinkedShapes(None, "file", "file")),
        (["index.html"], LinkedShapes()),
        (["a", "b", "c", "d", "e.html"], LinkedShapes(page="bare")),
        (["a", "b.html"], LinkedShapes()),
        (["a?x=1", "unknown"], LinkedShapes()),
        ([], LinkedShapes()),
    ],
    ids=["clean", "files", "the home page's file", "nearly all", "mixed", "nothing of the site", "empty"],
)
def test_the_form_that_nearly_all_urls_have_decides(paths: list[str], shapes: LinkedShapes) -> None:
    assert shapes_of_locs([BASE + path for path in paths], KEYS, site()) == shapes
