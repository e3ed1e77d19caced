"""`waypost build s3://…` over real S3 requests: what a bucket gives, and that it is what a folder gives."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from buckets import MadeBucket
    from sites import Command, Write

BASE = "https://example.org/"
FLAGS = ("--base-url", BASE)
SITE = {
    "index.html": "<title>Home</title>",
    "red flower+a&b.html": "<title>Flower</title>",
    "café/日.html": "<title>Day</title>",
    "docs/index.html": "<title>Docs</title>",
    "docs/index.htm": "<title>Docs again</title>",
    "guide.pdf": "%PDF",
    "hidden.html": "<meta name=robots content=noindex>",
    "moved.html": '<meta http-equiv=refresh content="0; url=/">',
    "copy.html": '<link rel=canonical href="/">',
    "private/a.html": "<title>Private</title>",
    "node_modules/a.html": "x",
    ".git/a.html": "x",
    "404.html": "x",
    "style.css": "x",
    "robots.txt": "User-agent: *\nDisallow: /private/\n",
}


def test_a_bucket_gives_the_bytes_that_the_folder_it_was_uploaded_from_gives(
    bucket: MadeBucket, write: Write, waypost: Command
) -> None:
    folder = write(SITE)
    bucket.put({f"www/{key}": content for key, content in SITE.items()})
    settings = ("--set", "lastmod=none", "--set", "robots_sitemaps=true", "--set", 'groups={ docs = ["/docs/"] }')
    for source in ("site", f"s3://{bucket.name}/www"):
        done = waypost("build", source, *FLAGS, *settings)
        assert done.returncode == 0, done.stderr
    names = {path.name for path in folder.glob("sitemap*")} | {"robots.txt"}
    assert names == {"sitemap.xml", "sitemap-docs.xml", "sitemap-pages.xml", "robots.txt"}
    assert {name: bucket.get(f"www/{name}") for name in names} == {name: (folder / name).read_bytes() for name in names}


def test_a_second_run_writes_nothing(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put(SITE)
    flags = (*FLAGS, "--state", f"s3://{bucket.name}-state/site.jsonl", "--set", "gzip=true")
    bucket.client.create_bucket(Bucket=f"{bucket.name}-state")
    waypost("build", f"s3://{bucket.name}", *flags)
    before = bucket.versions()
    done = waypost("build", f"s3://{bucket.name}", *flags)
    assert done.returncode == 0
    assert bucket.versions() == before
    assert waypost("build", f"s3://{bucket.name}", *flags, "--check").returncode == 0


def test_a_state_in_a_bucket_dates_what_changes(bucket: MadeBucket, waypost: Command) -> None:
    flags = (*FLAGS, "--state", f"s3://{bucket.name}/private/site.jsonl")
    bucket.put({"www/a.html": "<title>A</title>", "www/b.html": "<title>B</title>"})
    waypost("build", f"s3://{bucket.name}/www", *flags, SOURCE_DATE_EPOCH="1000000000")
    bucket.put({"www/a.html": "<title>A</title><p>more", "www/b.html": "<title>B</title><!-- built again -->"})
    waypost("build", f"s3://{bucket.name}/www/", *flags, SOURCE_DATE_EPOCH="1100000000")
    sitemap = bucket.get("www/sitemap.xml").decode()
    assert "a.html</loc><lastmod>2004-11-09T11:33:20Z</lastmod>" in sitemap
    assert "b.html</loc></url>" in sitemap


def test_outputs_are_kept_by_readers_as_long_as_the_settings_say(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({"a.html": "<title>A</title>"})
    waypost("build", f"s3://{bucket.name}", *FLAGS, "--set", "cache_control=max-age=300")
    assert bucket.client.head_object(Bucket=bucket.name, Key="sitemap.xml")["CacheControl"] == "max-age=300"


def test_outputs_may_stand_elsewhere(bucket: MadeBucket, waypost: Command, tmp_path: Path) -> None:
    bucket.put({"www/a.html": "<title>A</title>"})
    waypost("build", f"s3://{bucket.name}/www", *FLAGS, "--output", f"s3://{bucket.name}/maps")
    assert bucket.keys() == ["maps/sitemap.xml", "www/a.html"]
    waypost("build", f"s3://{bucket.name}/www", *FLAGS, "--output", str(tmp_path / "out"))
    assert (tmp_path / "out" / "sitemap.xml").read_bytes() == bucket.get("maps/sitemap.xml")


def test_what_an_object_s_headers_say_leaves_it_out(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({"a.html": "<title>A</title>"})
    bucket.put({"old.html": "", "old.pdf": ""}, WebsiteRedirectLocation="/a.html")
    bucket.put({"b.html": "x", "b.pdf": "x"}, Metadata={"x-robots-tag": "noindex, nofollow"})
    done = waypost("explain", f"s3://{bucket.name}", "old.html", "old.pdf", "b.html", "b.pdf", *FLAGS, "--json")
    assert [each["reason"] for each in json.loads(done.stdout)] == ["redirect", "redirect", "noindex", "noindex"]


@pytest.mark.parametrize("path", ["a.html", "s3://{bucket}/www/a.html", f"{BASE}a.html"])
def test_explain_takes_a_key_its_address_or_its_url(bucket: MadeBucket, waypost: Command, path: str) -> None:
    bucket.put({"www/a.html": "<title>A</title>"})
    done = waypost("explain", f"s3://{bucket.name}/www", path.format(bucket=bucket.name), *FLAGS, "--json")
    assert json.loads(done.stdout)[0]["loc"] == f"{BASE}a.html"


@pytest.mark.parametrize(
    ("source", "flags", "code", "message"),
    [
        ("s3://", (), 2, "SOURCE: 's3://' is no address of a bucket"),
        ("s3://a b/www", (), 2, "SOURCE: 's3://a b/www' is no address of a bucket"),
        ("s3://no-such-bucket", (), 3, "cannot list s3://no-such-bucket/: NoSuchBucket"),
        ("s3://{bucket}/empty", (), 3, "there is no page to list"),
        ("s3://{bucket}", ("--set", "lastmod=git"), 2, "a bucket has no history that Git could tell"),
        ("s3://{bucket}", ("--set", "precison=date"), 2, "did you mean precision?"),
    ],
)
def test_a_mistake_about_a_bucket_is_told_in_a_line(
    bucket: MadeBucket, waypost: Command, source: str, flags: tuple[str, ...], code: int, message: str
) -> None:
    done = waypost("build", source.format(bucket=bucket.name), *FLAGS, *flags)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


_WITHOUT_BOTO3 = (
    "import sys; sys.modules['boto3'] = sys.modules['botocore'] = None; from waypost.entry.cli import main; main()"
)


def test_a_bucket_without_boto3_says_what_to_install() -> None:
    command = [sys.executable, "-c", _WITHOUT_BOTO3, "build", "s3://bucket", *FLAGS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "buckets need boto3: pip install 'waypost[aws]'" in done.stderr


def test_a_folder_needs_no_boto3(write: Write) -> None:
    write(SITE)
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_BOTO3, "build", "site", *FLAGS], capture_output=True, check=False
    )
    assert done.returncode == 0
