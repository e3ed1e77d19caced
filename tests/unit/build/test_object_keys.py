"""The key of an object that a path, a URI or a URL means."""

from __future__ import annotations

from typing import Any

import pytest
from fake_buckets import StatefulBucket

from waypost.build.bucket_explanation import existing_key, object_key


def key(path: str, **values: Any) -> str:
    return object_key(path, StatefulBucket(**values).settings, "s3://site/www/")


@pytest.mark.parametrize("path", ["docs/a.html", "s3://site/www/docs/a.html", "https://example.org/docs/a.html"])
def test_a_key_is_given_as_it_is_or_by_the_object_s_uri_or_by_the_page_s_url(path: str) -> None:
    assert key(path) == "docs/a.html"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/", "index.html"),
        ("https://example.org/docs/", "docs/index.html"),
        ("https://example.org/caf%C3%A9%20bar.html", "café bar.html"),
        ("https://example.org/paper.pdf", "paper.pdf"),
    ],
)
def test_a_url_has_the_key_of_the_object_whose_page_it_is(url: str, expected: str) -> None:
    assert key(url) == expected


def test_a_url_without_its_ending_has_the_key_of_the_page_if_the_settings_drop_endings() -> None:
    url = "https://example.org/docs/a"
    assert key(url) == "docs/a"
    assert key(url, drop_html=True) == "docs/a.html"


def test_a_url_of_another_site_and_a_uri_of_another_prefix_are_no_keys_of_this_site() -> None:
    for path in ("https://example.com/a.html", "s3://site/a.html"):
        assert key(path) == path


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
    assert existing(path, "docs/ü.html") == "docs/ü.html"


@pytest.mark.parametrize("path", ["/", "https://example.org", "https://example.org/index.html", "index.html"])
def test_the_home_page_is_found_by_the_url_of_the_site(path: str) -> None:
    assert existing(path, "index.html") == "index.html"


def test_a_key_that_exists_as_it_is_written_is_not_another_form() -> None:
    assert existing("a%20b.html", "a%20b.html", "a b.html") == "a%20b.html"
    assert existing("a.html", "a/index.html", "a.html") == "a.html"


@pytest.mark.parametrize(("path", "expected"), [("absent", "absent"), ("https://example.org/absent", "absent")])
def test_a_path_that_no_object_has_is_the_key_that_it_says(path: str, expected: str) -> None:
    assert existing(path, "a.html") == expected


def existing(path: str, *keys: str) -> str:
    bucket = StatefulBucket()
    bucket.site_uri = "s3://site/www/"
    for each in keys:
        bucket.put(each, "x")
    return existing_key(path, bucket.site())
