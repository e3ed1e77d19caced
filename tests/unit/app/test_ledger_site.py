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
