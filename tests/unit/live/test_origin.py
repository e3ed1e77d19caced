"""Origins, and URLs at which a host has no page."""

from __future__ import annotations

import pytest
from unit.live.fake_site import SITE

from waypost.live.robots_rules import made_up_url, origin_of


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTPS://WWW.example.org/A", SITE),
        ("http://a:8080?x", "http://a:8080"),
        ("ftp://a/", ""),
        ("http://[", ""),
        ("/a", ""),
    ],
)
def test_the_origin_of_a_url(url: str, origin: str) -> None:
    assert origin_of(url) == origin


def test_a_made_up_url_is_the_same_in_each_run_and_another_for_each_host() -> None:
    assert made_up_url(SITE) == f"{SITE}/there-is-no-such-page-05a6af3b"
    assert made_up_url("https://example.net").removeprefix("https://example.net") not in made_up_url(SITE)
