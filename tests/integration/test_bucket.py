"""`waypost build s3://…` over real S3 requests: what a bucket gives, and that it is what a folder gives."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from waypost.core.hashing import content_digest

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
    settings = (
        "--set",
        "lastmod=none",
        "--set",
        "host=cloudfront",
        "--set",
        "robots_sitemaps=true",
        "--set",
        'groups={ docs = ["/docs/"] }',
    )
    for source in ("site", f"s3://{bucket.name}/www"):
        done = waypost("build", source, *FLAGS, *settings)
        assert done.returncode == 0, done.stderr
    names = {path.name for path in folder.glob("sitemap*")} | {"robots.txt"}
    assert names == {"sitemap.xml", "sitemap-docs.xml", "sitemap-pages.xml", "robots.txt"}
    assert {name: bucket.get(f"www/{name}") for name in names} == {name: (folder / name).read_bytes() for name in names}


def state_of(bucket: MadeBucket) -> tuple[str, ...]:
    bucket.client.create_bucket(Bucket=f"{bucket.name}-state")
    return (*FLAGS, "--state", f"s3://{bucket.name}-state/kept")


def uploaded(bucket: MadeBucket, key: str) -> str:
    modified = bucket.client.head_object(Bucket=bucket.name, Key=key)["LastModified"]
    return modified.isoformat().replace("+00:00", "Z")


def test_a_state_gives_the_bytes_that_a_build_without_one_gives(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({f"www/{key}": content for key, content in SITE.items()})
    settings = ("--set", "robots_sitemaps=true", "--set", 'groups={ docs = ["/docs/"] }')
    waypost("build", f"s3://{bucket.name}/www", *FLAGS, *settings)
    names = [key for key in sorted(bucket.keys()) if "sitemap" in key or "robots" in key]
    before = {key: bucket.get(key) for key in names}
    for key in names:
        bucket.client.delete_object(Bucket=bucket.name, Key=key)
    bucket.put({"www/robots.txt": SITE["robots.txt"]})
    waypost("build", f"s3://{bucket.name}/www", *state_of(bucket), *settings)
    assert {key: bucket.get(key) for key in names} == before


def test_the_lastmod_of_a_page_is_the_time_of_the_upload_that_changed_its_content(
    bucket: MadeBucket, waypost: Command
) -> None:
    flags = state_of(bucket)
    bucket.put({"www/a.html": "<title>A</title>", "www/b.html": "<title>B</title>"})
    waypost("build", f"s3://{bucket.name}/www", *flags)
    assert b"<lastmod>" not in bucket.get("www/sitemap.xml")
    bucket.put({"www/a.html": "<title>A</title><p>more", "www/b.html": "<title>B</title><!-- built again -->"})
    done = waypost("update", f"s3://{bucket.name}/www/", "a.html", f"s3://{bucket.name}/www/b.html", *flags)
    assert done.returncode == 0, done.stderr
    sitemap = bucket.get("www/sitemap.xml").decode()
    assert f"a.html</loc><lastmod>{uploaded(bucket, 'www/a.html')}</lastmod>" in sitemap
    assert "b.html</loc></url>" in sitemap


def test_a_copy_with_other_metadata_is_read_again_though_it_keeps_its_etag(
    bucket: MadeBucket, waypost: Command
) -> None:
    flags = state_of(bucket)
    bucket.put({"a.html": "<title>A</title>", "b.html": "<title>B</title>"})
    waypost("build", f"s3://{bucket.name}", *flags)
    bucket.put({"b.html": "<title>B</title>"}, Metadata={"x-robots-tag": "noindex"})
    assert waypost("update", f"s3://{bucket.name}", "b.html", *flags).returncode == 0
    assert b"b.html" not in bucket.get("sitemap.xml")


def test_a_published_file_has_its_state_its_number_and_its_digest_as_metadata(
    bucket: MadeBucket, waypost: Command
) -> None:
    bucket.put({"a.html": "<title>A</title>"})
    waypost("build", f"s3://{bucket.name}", *state_of(bucket), "--set", "gzip=true")
    head = bucket.client.head_object(Bucket=bucket.name, Key="sitemap.xml.gz")
    assert head["ContentType"] == "application/gzip"
    assert not head.get("ContentEncoding", "")
    assert head["Metadata"].keys() == {"waypost-state", "waypost-number", "waypost-digest"}
    assert head["Metadata"]["waypost-digest"] == content_digest(gzip.decompress(bucket.get("sitemap.xml.gz")))


def test_a_state_may_be_in_a_folder(bucket: MadeBucket, waypost: Command, tmp_path: Path) -> None:
    bucket.put({"a.html": "<title>A</title>", "b.html": "<title>B</title>"})
    flags = (*FLAGS, "--state", str(tmp_path / "kept"))
    waypost("build", f"s3://{bucket.name}", *flags)
    bucket.client.delete_object(Bucket=bucket.name, Key="a.html")
    done = waypost("update", f"s3://{bucket.name}", "-", *flags, "--json", stdin="a.html\nstyle.css\n")
    assert json.loads(done.stdout)["written"] == ["sitemap.xml"]
    assert b"a.html" not in bucket.get("sitemap.xml")


def test_status_explain_and_check_compare_the_bucket_with_the_state(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put(SITE)
    flags = state_of(bucket)
    waypost("build", f"s3://{bucket.name}", *flags)
    status = json.loads(waypost("status", f"s3://{bucket.name}", *flags, "--json").stdout)
    assert (status["url_count"], status["sitemap_count"]) == (5, 1)
    assert status["state"] == "up to date with the last run"
    assert status["excluded_by_reason"] == {
        "canonical": 1,
        "duplicate-loc": 1,
        "noindex": 1,
        "refresh": 1,
        "robots-txt": 1,
    }
    done = waypost("explain", f"s3://{bucket.name}", *flags, "docs/index.htm", f"{BASE}docs/", "style.css", "x.html")
    assert done.returncode == 3
    assert [line.split()[:3] for line in done.stdout.splitlines() if "left out" in line] == [
        ["left", "out", "duplicate-loc:"],
        ["left", "out", "not-a-page:"],
        ["left", "out", "not-found:"],
    ]
    assert "listed    https://example.org/docs/" in done.stdout
    assert waypost("status", f"s3://{bucket.name}", *flags, "--check").returncode == 0
    bucket.put({"new.html": "x", "index.html": "changed", "sitemap.xml": "overwritten"})
    bucket.client.delete_object(Bucket=bucket.name, Key="guide.pdf")
    done = waypost("status", f"s3://{bucket.name}", *flags, "--check", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert {kind: each["first"] for kind, each in found["drift"].items()} == {
        "new": ["new.html"],
        "changed": ["index.html"],
        "removed": ["guide.pdf"],
    }
    assert found["files"] == {"sitemap.xml": "was written by another writer"}


def test_a_dry_run_writes_nothing_and_prints_what_it_would_write(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put(SITE)
    flags, before = state_of(bucket), bucket.keys()
    done = waypost("build", f"s3://{bucket.name}", *flags, "--dry-run")
    assert done.returncode == 0
    assert "to write   sitemap.xml" in done.stderr
    assert bucket.keys() == before
    assert "Contents" not in bucket.client.list_objects_v2(Bucket=f"{bucket.name}-state")


def test_a_damaged_or_lost_state_is_named_and_made_again_with_its_dates(
    bucket: MadeBucket, waypost: Command, tmp_path: Path
) -> None:
    bucket.put({"a.html": "<title>A</title>", "b.html": "<title>B</title>"})
    flags = (*FLAGS, "--state", str(tmp_path / "kept"))
    waypost("build", f"s3://{bucket.name}", *flags)
    bucket.put({"b.html": "<title>B</title><p>more"})
    waypost("build", f"s3://{bucket.name}", *flags)
    dated = bucket.get("sitemap.xml")
    state = tmp_path / "kept" / "state"
    for command in (("build", f"s3://{bucket.name}"), ("update", f"s3://{bucket.name}", "a.html")):
        if command[0] == "build":
            state.write_bytes(b"?")
        else:
            state.unlink()
        status = waypost("status", f"s3://{bucket.name}", *flags)
        assert (status.returncode, "the state" in status.stdout) == (6, True)
        done = waypost(*command, *flags)
        assert (done.returncode, "was lost or damaged" in done.stderr) == (0, True)
        assert bucket.get("sitemap.xml") == dated
    state.write_text('{"format": "waypost-bucket", "version": 9}\n')
    done = waypost("build", f"s3://{bucket.name}", *flags)
    assert (done.returncode, "has version 9 and this program knows version 1" in " ".join(done.stderr.split())) == (
        6,
        True,
    )


def test_outputs_may_be_written_elsewhere(bucket: MadeBucket, waypost: Command, tmp_path: Path) -> None:
    bucket.put({"www/a.html": "<title>A</title>"})
    waypost("build", f"s3://{bucket.name}/www", *FLAGS, "--output", f"s3://{bucket.name}/maps")
    assert bucket.keys() == ["maps/sitemap.xml", "www/a.html"]
    waypost("build", f"s3://{bucket.name}/www", *FLAGS, "--output", str(tmp_path / "out"))
    assert (tmp_path / "out" / "sitemap.xml").read_bytes() == bucket.get("maps/sitemap.xml")


def test_an_object_whose_headers_redirect_or_forbid_indexing_is_left_out(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({"a.html": "<title>A</title>"})
    bucket.put({"old.html": "", "old.pdf": ""}, WebsiteRedirectLocation="/a.html")
    bucket.put({"b.html": "x", "b.pdf": "x"}, Metadata={"x-robots-tag": "noindex, nofollow"})
    done = waypost("explain", f"s3://{bucket.name}", "old.html", "old.pdf", "b.html", "b.pdf", *FLAGS, "--json")
    assert [each["reason"] for each in json.loads(done.stdout)] == ["redirect", "redirect", "noindex", "noindex"]


@pytest.mark.parametrize(
    ("source", "flags", "code", "message"),
    [
        ("s3://", (), 2, "SOURCE: 's3://' is not a location"),
        ("s3://a b/www", (), 2, "SOURCE: 's3://a b/www' is not a location"),
        ("s3://no-such-bucket", (), 3, "cannot list s3://no-such-bucket/: NoSuchBucket"),
        ("s3://{bucket}/empty", (), 3, "there is no page to list"),
        ("s3://{bucket}", ("--set", "lastmod=git"), 2, "a bucket has no Git history"),
        ("s3://{bucket}/www", ("--state", "s3://{bucket}/www/state"), 2, "is inside the site"),
    ],
)
def test_a_mistake_about_a_bucket_is_reported_in_a_line(
    bucket: MadeBucket, waypost: Command, source: str, flags: tuple[str, ...], code: int, message: str
) -> None:
    done = waypost("build", *(each.replace("{bucket}", bucket.name) for each in (source, *FLAGS, *flags)))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


_WITHOUT_BOTO3 = (
    "import sys; sys.modules['boto3'] = sys.modules['botocore'] = None; from waypost.cli.main import main; main()"
)


def test_a_bucket_without_boto3_says_what_to_install() -> None:
    command = [sys.executable, "-c", _WITHOUT_BOTO3, "build", "s3://bucket", *FLAGS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "buckets need boto3: pip install boto3 brotli" in done.stderr


def test_a_folder_needs_no_boto3(write: Write) -> None:
    write(SITE)
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_BOTO3, "build", "site", *FLAGS], capture_output=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.usefixtures("s3")
def test_a_missing_aws_profile_is_reported_in_a_line(waypost: Command) -> None:
    done = waypost("build", "s3://bucket", *FLAGS, AWS_PROFILE="nope")
    assert done.returncode == 2
    assert "AWS: The config profile (nope) could not be found" in done.stderr
