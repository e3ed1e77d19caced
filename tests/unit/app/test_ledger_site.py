"""A site in a bucket with a ledger."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import RENDERER, SimulatedSite

from waypost.app.ledger_site import LedgerSite


def ledger_site(**values: Any) -> LedgerSite:
    site = SimulatedSite(lastmod="content", state="x", **values)
    return LedgerSite(site.settings, "s3://site/www/", site.updater(), site.updater, site.state, RENDERER)


@pytest.mark.parametrize("path", ["docs/a.html", "s3://site/www/docs/a.html", "https://example.org/docs/a.html"])
def test_a_key_is_given_as_it_is_or_by_the_object_s_uri_or_by_the_page_s_url(path: str) -> None:
    assert ledger_site().key(path) == "docs/a.html"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://example.org/", "index.html"),
        ("https://example.org/docs/", "docs/index.html"),
        ("https://example.org/caf%C3%A9%20bar.html", "café bar.html"),
        ("https://example.org/paper.pdf", "paper.pdf"),
    ],
)
def test_a_url_has_the_key_of_the_object_whose_page_it_is(url: str, key: str) -> None:
    assert ledger_site().key(url) == key


def test_a_url_without_its_ending_has_the_key_of_the_page_if_the_settings_drop_endings() -> None:
    url = "https://example.org/docs/a"
    assert ledger_site().key(url) == "docs/a"
    assert ledger_site(drop_html=True).key(url) == "docs/a.html"


def test_a_url_of_another_site_and_a_uri_of_another_prefix_are_no_keys_of_this_site() -> None:
    for path in ("https://example.com/a.html", "s3://site/a.html"):
        assert ledger_site().key(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "/docs/ü.html",
        "docs/ü",
        "docs/%C3%BC.html",
        "https://example.org/docs/%C3%BC",
        "http://www.example.org/docs/ü/?x=1#part",
        "s3://site/www/docs/ü.html",
    ],
)
def test_an_existing_key_is_found_by_a_path_or_a_url_in_any_form(path: str) -> None:
    assert with_objects("docs/ü.html").existing_key(path) == "docs/ü.html"


@pytest.mark.parametrize("path", ["/", "https://example.org", "https://example.org/index.html", "index.html"])
def test_the_home_page_is_found_by_the_url_of_the_site(path: str) -> None:
    assert with_objects("index.html").existing_key(path) == "index.html"


def test_a_key_that_exists_as_it_is_written_is_not_another_form() -> None:
    assert with_objects("a%20b.html", "a b.html").existing_key("a%20b.html") == "a%20b.html"
    assert with_objects("a/index.html", "a.html").existing_key("a.html") == "a.html"


@pytest.mark.parametrize(("path", "key"), [("absent", "absent"), ("https://example.org/absent", "absent")])
def test_a_path_that_no_object_has_is_the_key_that_it_says(path: str, key: str) -> None:
    assert with_objects("a.html").existing_key(path) == key


def with_objects(*keys: str) -> LedgerSite:
    site = SimulatedSite(lastmod="content", state="x")
    for key in keys:
        site.put(key, "x")
    return LedgerSite(site.settings, "s3://site/www/", site.updater(), site.updater, site.state, RENDERER)
