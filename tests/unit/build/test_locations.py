"""Locations: what a text names, and what the registry of URI schemes opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from waypost.build.locations import SCHEMES, Location, Locations, parse_bucket, parse_location
from waypost.core.errors import ConfigurationError
from waypost.files.folder_store import FolderStore


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("public", Location("", "", "public")),
        ("s3://site", Location("s3", "site", "")),
        ("s3://site/", Location("s3", "site", "")),
        ("s3://site/www", Location("s3", "site", "www/")),
        ("s3://site/www/", Location("s3", "site", "www/")),
    ],
)
def test_a_text_names_a_folder_or_a_bucket_with_a_prefix(text: str, location: Location) -> None:
    assert parse_location(text) == location
    assert parse_location(str(location)) == location


@pytest.mark.parametrize("text", ["s3://", "s3:///www", "s3://a b/www", "gs://site/www", "https://example.org/"])
def test_what_no_scheme_opens_is_an_issue_that_names_the_setting(text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_location(text, "settings", "state")
    (issue,) = caught.value.issues
    assert (issue.where, issue.key, issue.allowed) == ("settings", "state", "a folder, s3://bucket/prefix")


def test_the_address_of_a_website_names_the_commands_that_ask_a_server() -> None:
    with pytest.raises(
        ConfigurationError, match=r"`waypost check-live https://a\.dev/` and `waypost validate https://a\.d"
    ):
        parse_location("https://a.dev/")


def test_a_folder_is_not_the_location_of_a_bucket() -> None:
    with pytest.raises(ConfigurationError, match=r"'/tmp' is not the location of a bucket \(s3://bucket/prefix\)"):
        parse_bucket("/tmp")


@pytest.mark.parametrize(
    ("outer", "inner", "is_contained"),
    [
        ("s3://site/www", "s3://site/www/state", True),
        ("s3://site/www", "s3://site/www", True),
        ("s3://site", "s3://site/state", True),
        ("s3://site/www", "s3://site/wwww", False),
        ("s3://site/www", "s3://other/www", False),
        ("s3://site", "site", False),
    ],
)
def test_a_location_contains_what_lies_below_its_prefix(outer: str, inner: str, is_contained: bool) -> None:
    assert parse_location(outer).contains(parse_location(inner)) is is_contained


def test_a_folder_is_opened_as_a_store_and_not_as_a_bucket(tmp_path: Path) -> None:
    location = parse_location(str(tmp_path))
    store = Locations().store(location)
    store.write("a.txt", b"a")
    assert isinstance(store, FolderStore)
    assert (tmp_path / "a.txt").read_bytes() == b"a"
    with pytest.raises(ConfigurationError, match="cannot be opened as a bucket"):
        Locations().source(location)


def test_every_scheme_has_an_example_of_its_own() -> None:
    assert [parse_location(scheme.example).scheme for scheme in SCHEMES.values()] == list(SCHEMES)
