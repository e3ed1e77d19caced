"""The file that a user means by a path or a URL."""

from __future__ import annotations

import pytest
from unit.sample_sites import site

from waypost.build.explanation import KeyFinder
from waypost.build.lister import Listing
from waypost.core import reasons
from waypost.core.model import Page, Skipped

BASE = "https://example.org/docs/"
LISTED = {
    "index.html": "",
    "about.html": "about",
    "guide/index.html": "guide/",
    "ü x.html": "%C3%BC%20x.html",
    "100%25.html": "100%2525.html",
}
LISTING = Listing(
    [Page(key, BASE + path) for key, path in LISTED.items()],
    [
        Skipped("hidden.html", reasons.NOINDEX),
        Skipped("drafts/", reasons.EXCLUDED),
        Skipped("a.css", reasons.NOT_A_PAGE),
    ],
    [],
    {},
    {},
    {},
)
FINDER = KeyFinder(LISTING, site(BASE))


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (BASE, "index.html"),
        ("https://example.org/docs", "index.html"),
        (f"{BASE}index.html", "index.html"),
        (f"{BASE}about", "about.html"),
        (f"{BASE}about.html", "about.html"),
        (f"{BASE}about/", "about.html"),
        ("http://www.example.org/docs/about?x=1#part", "about.html"),
        (f"{BASE}guide/index.html", "guide/index.html"),
        (f"{BASE}guide", "guide/index.html"),
        (f"{BASE}%C3%BC%20x.html", "ü x.html"),
        (f"{BASE}ü x", "ü x.html"),
        (f"{BASE}100%2525.html", "100%25.html"),
        (f"{BASE}hidden", "hidden.html"),
        (f"{BASE}a.css", "a.css"),
        (f"{BASE}drafts/x/y.html", "drafts/x/y.html"),
        (f"{BASE}absent.html", None),
        ("https://example.com/docs/about.html", None),
        ("https://example.org/about.html", None),
    ],
)
def test_a_url_in_any_form_names_its_file(url: str, key: str | None) -> None:
    assert FINDER.by_url(url) == key


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("about.html", "about.html"),
        ("/about.html", "about.html"),
        ("about", "about.html"),
        ("/", "index.html"),
        ("guide", "guide"),
        ("/guide/", "guide"),
        ("guide/index.htm", "guide/index.html"),
        ("%C3%BC%20x.html", "ü x.html"),
        ("100%25.html", "100%25.html"),
        ("hidden.html", "hidden.html"),
        ("/drafts/x/y.html", "drafts/x/y.html"),
        ("absent.html", None),
    ],
)
def test_a_path_with_or_without_a_slash_names_its_file_or_folder(path: str, key: str | None) -> None:
    found = FINDER.by_path(path)
    assert (found.strip("/") if found else found) == key
