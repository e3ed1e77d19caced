"""Buckets on a local S3 server for which two checkouts build sitemaps and keep them up to date.

Both read the same objects, so dates of uploads are the same. Each has a state and published files of its own.
"""

import gzip
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import generated_sites
import seaweedfs
from checkouts import Checkout, Comparison, Published, PublishedFile
from compare_settings import BASE_URL, DAY, LARGE, MANY_GROUPS, METADATA
from generated_sites import Site

_ARTICLES = 3_000
_OUTPUTS, _STATES = "published", "states"
_HEADERS = ("ContentType", "ContentEncoding", "CacheControl")
_DELETED_TOGETHER = 1_000


@dataclass(frozen=True)
class Buckets:
    """The server's buckets, the two checkouts, and the time of the first step."""

    comparison: Comparison
    server: seaweedfs.Server
    scratch: Path
    now: int

    @cached_property
    def s3(self) -> Any:
        """A client of the server."""
        return seaweedfs.client(self.server.endpoint)

    def make(self, name: str) -> None:
        """Make a bucket."""
        self.s3.create_bucket(Bucket=name)

    def delete(self, bucket: str, keys: Sequence[str]) -> None:
        """Delete objects."""
        for n in range(0, len(keys), _DELETED_TOGETHER):
            some = [{"Key": key} for key in keys[n : n + _DELETED_TOGETHER]]
            self.s3.delete_objects(Bucket=bucket, Delete={"Objects": some})

    def files(self, bucket: str, prefix: str, without: frozenset[str] = frozenset()) -> Published:
        """The files below a prefix with their headers, but for some names."""
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", ())]
        names = [name for name in (key.removeprefix(prefix) for key in keys) if name not in without]
        with ThreadPoolExecutor(16) as readers:
            return dict(zip(names, readers.map(lambda name: self._file(bucket, prefix + name), names), strict=True))

    def _file(self, bucket: str, key: str) -> PublishedFile:
        got = self.s3.get_object(Bucket=bucket, Key=key)
        headers = tuple(f"{name}: {got[name]}" for name in _HEADERS if name in got)
        return PublishedFile(got["Body"].read(), headers)

    def run(self, checkout: Checkout, *arguments: str, days: int = 0, stdin: str = "") -> None:
        """Run a checkout's command with the server as its S3."""
        variables = seaweedfs.KEYS | {"AWS_ENDPOINT_URL": self.server.endpoint, "AWS_EC2_METADATA_DISABLED": "true"}
        checkout.waypost(*arguments, now=self.now + days * DAY, folder=self.scratch, variables=variables, stdin=stdin)


@dataclass
class BucketSite:
    """A bucket that both checkouts keep up to date, with settings that change, a day between two steps."""

    buckets: Buckets
    bucket: str
    name: str
    settings: str = ""
    has_state: bool = True
    day: int = 0

    def build(self, about: str, settings: str) -> None:
        """Build with these settings, which hold from now on."""
        self.settings = settings
        self._step(about, "build")

    def update(self, about: str, changed: Site, deleted: Sequence[str]) -> None:
        """Change objects and delete others, and update those keys."""
        seaweedfs.put(self.buckets.server.filer, self.bucket, changed)
        self.buckets.delete(self.bucket, deleted)
        self._step(about, "update", keys=[*changed, *deleted])

    def _step(self, about: str, command: str, keys: Sequence[str] = ()) -> None:
        config = self.buckets.scratch / "settings.toml"
        config.write_text(self.settings, encoding="utf-8")
        flags = ("--config", str(config), "--base-url", BASE_URL)

        def publish(checkout: Checkout) -> Published:
            stem = f"{checkout.name}/{self.name}/"
            arguments = [command, f"s3://{self.bucket}", *(["-"] if keys else ()), *flags]
            arguments += ["--output", f"s3://{_OUTPUTS}/{stem}"]
            arguments += ["--state", f"s3://{_STATES}/{stem}"] if self.has_state else []
            self.buckets.run(checkout, *arguments, days=self.day, stdin="\n".join(keys))
            return self.buckets.files(_OUTPUTS, stem)

        self.buckets.comparison.step(f"bucket, {self.name}: {about}", publish)
        self.day += 1


def buckets(comparison: Comparison, now: int, objects: int) -> None:
    """Build and update buckets of articles, then one of many objects."""
    with tempfile.TemporaryDirectory() as folder, seaweedfs.server() as server:
        made = Buckets(comparison, server, Path(folder), now)
        for name in (_OUTPUTS, _STATES, "articles", "in-place", "large"):
            made.make(name)
        _articles(made)
        _in_place(made)
        _large(made, objects)


def _articles(buckets: Buckets) -> None:
    """Articles with all metadata: without a state, with one, and with as many groups as need several indexes."""
    _upload_articles(buckets)
    BucketSite(buckets, "articles", "articles without a state", has_state=False).build("build", METADATA)
    site = BucketSite(buckets, "articles", "articles")
    site.build("build with metadata", METADATA)
    changed, deleted = generated_sites.changed_articles(_ARTICLES, buckets.now), generated_sites.deleted_articles
    site.update("update", changed, deleted(_ARTICLES))
    site.build("build after the news", METADATA)
    grouped = BucketSite(buckets, "articles", "articles in 1,000 groups")
    grouped.build("build", MANY_GROUPS)
    others = dict.fromkeys(changed, b"<title>Other</title><p>text")
    grouped.update("update", others | {"robots.txt": b"User-agent: *\nDisallow: /fr/section-0/\n"}, [])


def _upload_articles(buckets: Buckets) -> None:
    """Upload the articles, some compressed, some with metadata that leaves them out."""
    site = generated_sites.articles(_ARTICLES, buckets.now)
    seaweedfs.put(buckets.server.filer, "articles", site)
    keys = [key for key in site if key.endswith(".html")]
    for key in keys[::31]:
        body = gzip.compress(site[key], mtime=0)
        buckets.s3.put_object(Bucket="articles", Key=key, Body=body, ContentEncoding="gzip", ContentType="text/html")
    for key, name, value in ((keys[40], "x-robots-tag", "noindex"), (keys[50], "robots", "none")):
        buckets.s3.put_object(Bucket="articles", Key=key, Body=site[key], Metadata={name: value})
    buckets.s3.put_object(Bucket="articles", Key=keys[60], Body=b"", WebsiteRedirectLocation="/")


def _in_place(buckets: Buckets) -> None:
    """Publish beside the objects, of which each checkout has copies.

    The copies are not uploaded at the same time, so no date here is that of an upload: the first build of a state has
    none, and the page that is added names its own.
    """
    site = generated_sites.articles(300, buckets.now)
    hidden, added = "docs/index.html", "docs/new page.html"
    changes = {
        hidden: b'<meta name=robots content="noindex">',
        added: b'<meta property="article:modified_time" content="2026-01-02">',
    }
    inputs = frozenset((site.keys() | changes.keys()) - {"robots.txt"})
    flags = ("--base-url", BASE_URL, "--set", "page_dates=true", "--set", "robots_sitemaps=true", "--set", "gzip=true")

    def publish(checkout: Checkout, command: str, *keys: str) -> Published:
        place, state = f"s3://in-place/{checkout.name}/www", str(buckets.scratch / checkout.name)
        buckets.run(checkout, command, place, *keys, "--state", state, *flags)
        return buckets.files("in-place", f"{checkout.name}/www/", inputs)

    def put(objects: Site) -> None:
        for name in (buckets.comparison.before.name, buckets.comparison.after.name):
            copies = {f"{name}/www/{key}": content for key, content in objects.items()}
            seaweedfs.put(buckets.server.filer, "in-place", copies)

    put(site)
    buckets.comparison.step("bucket, in place: build", lambda each: publish(each, "build"))
    put(changes)
    buckets.comparison.step("bucket, in place: update", lambda each: publish(each, "update", hidden, added))


def _large(buckets: Buckets, objects: int) -> None:
    """Many objects, under one setting after another, with changes between them."""
    seaweedfs.put(buckets.server.filer, "large", generated_sites.large(objects))
    site = BucketSite(buckets, "large", f"{objects:,} objects")
    for revision, (about, settings) in enumerate(LARGE.items(), 2):
        site.build(f"build: {about}", settings)
        changed = generated_sites.changed_large(objects, revision)
        site.update(f"update: {about}", changed, generated_sites.deleted_large(objects, revision))
