"""A folder and a bucket with the same pages give the same files, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
import quick
from fake_buckets import StatefulBucket
from fake_stores import RENDERER
from hypothesis import given
from hypothesis import strategies as st
from page_content import file_bytes
from unit.sample_sites import RecordingStore

from waypost.build.lister import DateSources, Lister
from waypost.build.pipeline import plan_publication
from waypost.core.errors import RebuildNeededError, SourceError
from waypost.core.gzip import decompress_if_gzip
from waypost.files.folder_source import FolderSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waypost.settings.schema import Site

NOW = "2026-11-21T00:10:00Z"
KEYS = [
    *(f"{language}/{name}.html" for language in ("en", "de", "fr") for name in "abc"),
    *("index.html", "a.html", "a/index.html", "en/index.html", "news/a.html", "news/b.html", "guide.pdf"),
]
HREFS = [
    *(f"/{language}/{name}.html" for language in ("en", "de", "fr") for name in "ab"),
    *("", "./", "/", "/a", "/a/", "a.html", "../de/a.html", "http://www.example.org/en/a.html"),
    *("/gone.html", "/en/a.html?q=1", "https://example.de/", "mailto:a@example.org"),
]
CODES = ["en", "de", "fr", "x-default", "x-default", "DE", "pt-br", "xx"]
VIDEO = {
    "@context": "https://schema.org",
    "@type": "VideoObject",
    "name": "A & <b>",
    "description": "What it shows",
    "thumbnailUrl": "/t.jpg?w=1&h=2",
    "contentUrl": "v.mp4",
    "duration": "PT1M",
    "uploadDate": "2026-03-01",
}
PARTS = [
    "<title>A page</title>",
    "<title>Other & <more></title>",
    '<base href="/en/">',
    '<meta name="robots" content="noindex">',
    '<meta property="og:image" content="/og.png">',
    '<meta property="article:published_time" content="2026-11-20T10:00:00+02:00">',
    '<meta property="article:published_time" content="2026-10-20">',
    '<meta property="article:modified_time" content="2026-10-01T12:00:00Z">',
    '<meta name="description" content="It &quot;shows&quot;">',
    f'<script type="application/ld+json">{json.dumps(VIDEO)}</script>',
    '<body><img src="a.png"><img src="https://cdn.example.net/b&amp;c.png"><img src="https://elsewhere.example/d.png">',
    '<body><video poster="/p.jpg"><source src="/clip.webm"></video>',
]
"""What pages say of themselves; the parts of the body come last."""
LINKS = st.lists(st.tuples(st.sampled_from(CODES), st.sampled_from(HREFS)), max_size=5)
REGULAR = st.sampled_from(["", "en de", "en de fr", "en de fr x-default"])
"""The languages in which a page names pages of the same name."""
PAGES = st.tuples(REGULAR, st.just([]) | LINKS, st.sets(st.sampled_from(PARTS), max_size=3))
STEPS = st.lists(st.dictionaries(st.sampled_from(KEYS), st.none() | PAGES | PAGES, max_size=8), min_size=1, max_size=3)
Page = tuple[str, list[tuple[str, str]], set[str]]

NEWS = {"name": "The Times & Co", "language": "en", "pages": ["/news/"]}
EVERYTHING: dict[str, Any] = {
    "alternates": True,
    "images": True,
    "image_hosts": ["cdn.example.net"],
    "videos": True,
    "news": NEWS,
    "formats": ["xml", "html"],
    "stylesheet": True,
}
SITES: list[dict[str, Any]] = [
    {**EVERYTHING, "urls": 4},
    {"alternates": True},
    {"alternates": "folders"},
    {"alternates": "folders", "urls": 4},
    {"alternates": True, "drop_html": True, "trailing_slash": "never"},
    {"alternates": True, "drop_html": True, "trailing_slash": "always", "urls": 4},
    {"images": True},
    {"videos": True},
    {"news": NEWS},
    {"formats": ["xml", "html"], "urls": 4},
    {"formats": ["xml", "llms"]},
    {"formats": ["text", "llms"], "urls": 4},
    {"formats": ["xml", "text", "html"], "gzip": True, "stylesheet": True},
    {**EVERYTHING, "groups": {"german": ["/de/"]}, "urls": 6},
]


def content(key: str, page: Page) -> str:
    languages, links, parts = page
    named = [(code, f"/{code}/{key.rpartition('/')[2]}") for code in languages.split()]
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in [*named, *links])
    return head + "".join(sorted(parts, key=PARTS.index))


def folder_files(site: Site, objects: Mapping[str, bytes]) -> dict[str, bytes]:
    """What a folder's first build publishes, uncompressed; nothing if no page can be listed."""
    with TemporaryDirectory() as name:
        for key, data in objects.items():
            (Path(name) / key).parent.mkdir(parents=True, exist_ok=True)
            (Path(name) / key).write_bytes(data)
        source, dates = FolderSource(Path(name)), DateSources(NOW)
        listing = Lister(source, site, dates, lambda stage, done, total: None).listing()
        try:
            plan = plan_publication(listing, source, site, RecordingStore(), dates, RENDERER)
        except SourceError:
            return {}
    return unpacked({document.name: document.body for document in plan.documents})


def unpacked(bodies: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: decompress_if_gzip(name, body) for name, body in bodies.items()}


def put(bucket: StatefulBucket, pages: Mapping[str, Page | None]) -> None:
    for key, page in pages.items():
        if page is None:
            bucket.delete(key)
        else:
            bucket.put(key, file_bytes(key, content(key, page)))


def objects(bucket: StatefulBucket) -> dict[str, bytes]:
    return {key: data for key, (data, _) in bucket.source.objects.items()}


@pytest.mark.parametrize("values", quick.every(14, SITES))
@given(steps=STEPS)
def test_a_bucket_has_the_files_of_a_folder_with_the_same_pages_after_each_update(
    values: dict[str, Any], steps: list[dict[str, Page | None]]
) -> None:
    bucket = StatefulBucket(lastmod="none", state=None, **values)
    for pages in steps:
        put(bucket, pages)
        try:
            bucket.update(*pages)
        except RebuildNeededError:  # the first of them
            bucket.rebuild()
        expected = folder_files(bucket.settings, objects(bucket))
        if expected:  # where nothing can be listed, a build fails and a bucket keeps its last files
            assert bucket.files() == expected


@pytest.mark.parametrize(
    "values", quick.every(16, [*SITES, {"page_dates": True}, {**EVERYTHING, "page_dates": True, "urls": 4}])
)
@given(pages=st.dictionaries(st.sampled_from(KEYS), PAGES, min_size=1, max_size=12))
def test_a_first_build_with_dates_by_content_gives_a_bucket_the_files_of_a_folder(
    values: dict[str, Any], pages: dict[str, Page]
) -> None:
    bucket = StatefulBucket(**values)
    put(bucket, pages)
    bucket.rebuild()
    assert bucket.files() == folder_files(bucket.settings, objects(bucket))
