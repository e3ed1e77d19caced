"""Buckets whose pages were compressed before their upload."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import brotli
import pytest

if TYPE_CHECKING:
    from buckets import MadeBucket
    from sites import Command

BASE = ("--base-url", "https://example.org/")
PAGES = {f"p{n}.html": f"<!doctype html><title>Page {n}</title>Text {n}" for n in range(4)}


def count(bucket: MadeBucket) -> int:
    return len(re.findall(rb"<loc>", bucket.get("sitemap.xml")))


STATES = pytest.mark.parametrize(
    "state",
    [
        pytest.param((), marks=pytest.mark.slow, id="without a state"),
        pytest.param(("--state", "kept"), id="with a state"),
    ],
)


@STATES
def test_pages_stay_listed_when_a_deployment_begins_to_compress_them(
    bucket: MadeBucket, waypost: Command, state: tuple[str, ...]
) -> None:
    site = (f"s3://{bucket.name}", *BASE, *state)
    bucket.put(PAGES)
    assert waypost("build", *site).returncode == 0
    for coding, encode in (("br", brotli.compress), ("X-GZIP", gzip.compress)):
        bucket.put({key: encode(text.encode()) for key, text in PAGES.items()}, ContentEncoding=coding)
        done = waypost("build", *site)
        assert (done.returncode, count(bucket)) == (0, 4), done.stderr
        assert "warning" not in done.stderr


@STATES
def test_pages_of_an_unknown_coding_are_listed_with_a_warning(
    bucket: MadeBucket, waypost: Command, state: tuple[str, ...]
) -> None:
    site = (f"s3://{bucket.name}", *BASE, *state)
    bucket.put({key: text for key, text in PAGES.items() if key < "p2"})
    bucket.put({"p2.html": "<meta name=robots content=noindex>"})
    assert waypost("build", *site).returncode == 0
    assert count(bucket) == 2
    bucket.put(dict.fromkeys(PAGES, b"?"), ContentEncoding="exi")
    done = waypost("build", *site)
    assert (done.returncode, count(bucket)) == (0, 3 if state else 4), done.stderr
    assert "pages have a content coding that is not known here" in done.stderr
    assert "p0.html (exi)" in done.stderr


@STATES
def test_a_compressed_robots_txt_keeps_its_rules(bucket: MadeBucket, waypost: Command, state: tuple[str, ...]) -> None:
    bucket.put(PAGES)
    rules = b"User-agent: *\nDisallow: /private/\n"
    bucket.put({"robots.txt": gzip.compress(rules)}, ContentEncoding="gzip")
    done = waypost("build", f"s3://{bucket.name}", *BASE, *state, "--set", "robots_sitemaps=true")
    assert done.returncode == 0, done.stderr
    found = bucket.client.get_object(Bucket=bucket.name, Key="robots.txt")
    assert found.get("ContentEncoding", "") == ""
    assert found["Body"].read() == rules + b"Sitemap: https://example.org/sitemap.xml\n"


@STATES
def test_a_robots_txt_of_an_unknown_coding_is_left_as_it_is(
    bucket: MadeBucket, waypost: Command, state: tuple[str, ...]
) -> None:
    bucket.put(PAGES)
    bucket.put({"robots.txt": b"???"}, ContentEncoding="exi")
    done = waypost("build", f"s3://{bucket.name}", *BASE, *state, "--set", "robots_sitemaps=true")
    assert done.returncode != 0
    assert "its content coding 'exi' is not known" in done.stderr
    assert bucket.get("robots.txt") == b"???"
