"""Buckets whose pages have no ending: their Content-Type says what they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from buckets import MadeBucket
    from sites import Command, Write

BASE = "https://example.org/"
FLAGS = ("--base-url", BASE, "--set", 'pages=["html", "content-type"]')
PAGE = "<!doctype html><title>A page</title>Text"
STATES = pytest.mark.parametrize("state", [(), ("--state", "kept")], ids=["without a state", "with a state"])


def paths(bucket: MadeBucket) -> list[str]:
    found = re.findall(r"<loc>(.*?)</loc>", bucket.get("sitemap.xml").decode())
    return sorted(each.removeprefix(BASE) for each in found)


@STATES
def test_an_object_without_an_ending_is_a_page_if_its_content_type_says_so(
    bucket: MadeBucket, waypost: Command, state: tuple[str, ...]
) -> None:
    site = (f"s3://{bucket.name}", *FLAGS, *state)
    bucket.put({"index.html": PAGE, "about": PAGE, "blog/post": PAGE, "legal.txt": "x"}, ContentType="text/html")
    bucket.put({"api/data": "{}", "LICENSE": "MIT"}, ContentType="application/json")
    bucket.put(
        {"hidden": PAGE.replace("<title>", "<meta name=robots content=noindex><title>")}, ContentType="text/html"
    )
    done = waypost("build", *site)
    assert (done.returncode, paths(bucket)) == (0, ["", "about", "blog/post"]), done.stderr
    bucket.put({"about": "{}"}, ContentType="application/json")
    bucket.put({"LICENSE": PAGE}, ContentType="text/html; charset=utf-8")
    assert waypost("build", *site).returncode == 0
    assert paths(bucket) == ["", "LICENSE", "blog/post"]


def test_an_event_of_an_object_without_an_ending_updates_the_sitemap(bucket: MadeBucket, waypost: Command) -> None:
    site = (f"s3://{bucket.name}", *FLAGS, "--state", "kept", "--set", "drop_html=true")
    bucket.put({"index.html": PAGE, "a.html": PAGE}, ContentType="text/html")
    assert waypost("build", *site).returncode == 0
    bucket.put({"a": PAGE, "b": PAGE}, ContentType="text/html")
    assert waypost("update", *site, "a", "b").returncode == 0
    assert paths(bucket) == ["", "a", "b"]
    bucket.client.delete_object(Bucket=bucket.name, Key="a")
    assert waypost("update", *site, "a").returncode == 0
    assert paths(bucket) == ["", "a", "b"]


def test_only_objects_without_an_ending_are_asked_for_their_type(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({"index.html": PAGE, "about": PAGE}, ContentType="text/html")
    bucket.put({"site.css": "x", "a.png": "x"}, ContentType="text/html")
    done = waypost("build", f"s3://{bucket.name}", *FLAGS, "--json")
    assert '"site.css"' in done.stdout
    assert paths(bucket) == ["", "about"]


def test_a_folder_has_no_content_types(write: Write, waypost: Command) -> None:
    folder = write({"index.html": PAGE, "about": PAGE})
    assert waypost("build", "site", *FLAGS).returncode == 0
    assert (folder / "sitemap.xml").read_text().count("<loc>") == 1


@STATES
def test_a_page_that_browsers_would_save_is_warned_of(
    bucket: MadeBucket, waypost: Command, state: tuple[str, ...]
) -> None:
    bucket.put({"index.html": PAGE})
    bucket.put({"a.html": PAGE}, ContentType="binary/octet-stream")
    done = waypost("build", f"s3://{bucket.name}", "--base-url", BASE, *state)
    assert (done.returncode, paths(bucket)) == (0, ["", "a.html"])
    assert "a.html (binary/octet-stream)" in done.stderr
