"""The stored format, version 1: the names of its fields, its strictness, and that it loses nothing of the ledger."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from waypost.core.errors import LedgerError
from waypost.core.model import UrlForm, Video
from waypost.ledger import manifest as manifests
from waypost.ledger import records, schema_v1
from waypost.ledger.ledger_state import BuilderRole, PublisherRole
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media

MANIFEST_JSON: dict[str, Any] = {
    "format": "waypost/manifest",
    "version": 1,
    "manifest": {
        "site_uri": "s3://site/",
        "config_digest": "c",
        "recorded_facts": "digest",
        "robots_rules": "Disallow: /x",
        "url_form": {"home": "file", "folder": "bare", "page": "slash"},
        "generation": 7,
        "built_at": "2026-01-01T00:00:00Z",
        "entries": [
            {
                "group": "blog",
                "shard_id": "00aa",
                "first_key": "a.html",
                "page_count": 2,
                "records_file": "shards/00aa-d",
                "files": [{"name": "sitemap-blog.xml", "digest": "d", "changed_at": "2026-01-02T00:00:00Z"}],
                "excluded_by_reason": {"noindex": 1},
                "latest_news": "2026-01-03",
            }
        ],
        "indexes": [{"name": "sitemap.xml", "digest": "e"}],
        "auxiliary_files": [{"name": "sitemap.css", "digest": "f"}],
        "news_evaluated_at": "2026-01-04T00:00:00Z",
        "pending": [{"name": "old.xml", "until": "2026-01-05T00:00:00Z"}],
        "builder": {
            "owner": "run",
            "start_generation": 6,
            "position": "m.html",
            "previous": "manifests/x.json",
            "deferred_keys": ["runs/run-6-deferred-0000000-d"],
        },
        "publisher": {"owner": "run", "start_generation": 5},
    },
}
RECORD: dict[str, Any] = {
    "key": "a.html",
    "etag": '"1"',
    "facts": {
        "head": {
            "noindex": "none",
            "refresh": "/r",
            "canonicals": ["/c"],
            "base": "/b/",
            "date": "2026-01-01",
            "alternates": [["de", "/de"]],
            "og_url": "/o",
        },
        "redirect": "/x",
        "robots_header": "noindex",
        "hidden_by": "draft: true",
        "own_date": "2026-01-02",
        "text_digest": "t",
        "media": {
            "images": ["/i.png"],
            "videos": [
                {
                    "thumbnail": "/t.jpg",
                    "title": "T",
                    "description": "D",
                    "content": "/v.mp4",
                    "player": "/p",
                    "duration": 90,
                    "published": "2026-01-03",
                    "expires": "2027-01-03",
                    "is_family_friendly": False,
                }
            ],
            "title": "T",
            "headline": "H",
            "published": "2026-01-04",
        },
        "non_page": "fragment",
        "non_page_detail": "it begins with {%",
    },
    "lastmod": "2026-01-05T00:00:00Z",
    "duplicate_of": "a/index.html",
    "alternates": [["de", "https://example.org/de"]],
}


def test_a_manifest_with_every_field_has_these_names_and_no_other() -> None:
    manifest = manifests.load(json.dumps(MANIFEST_JSON).encode(), "manifest.json")
    assert json.loads(manifests.dump(manifest)) == MANIFEST_JSON
    assert all(value for value in msgspec.structs.asdict(manifest).values())


def test_a_record_with_every_field_has_these_names_and_no_other() -> None:
    data = msgspec.msgpack.encode(["waypost/records", 1, [RECORD]])
    found = records.load(data, "shards/x")
    assert msgspec.msgpack.decode(records.dump(found)) == ["waypost/records", 1, [RECORD]]


def test_fields_with_default_values_are_not_stored_apart_from_structures() -> None:
    usual = {"home": None, "folder": None, "page": None}
    stored = json.loads(manifests.dump(Manifest()))
    assert stored == {"format": "waypost/manifest", "version": 1, "manifest": {"url_form": usual}}
    data = records.dump([Record("a.html", "etag")])
    assert msgspec.msgpack.decode(data) == [
        "waypost/records",
        1,
        [{"key": "a.html", "etag": "etag", "facts": {"head": {}}}],
    ]


def objects_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all objects in a JSON value, apart from mappings with free keys."""
    if path and path[-1] == "excluded_by_reason":
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = [found for key, each in items for found in objects_in(each, (*path, key))]
    return [path, *inner] if isinstance(value, dict) else inner


def with_unknown_field(value: Any, path: tuple[Any, ...]) -> Any:
    copy = json.loads(json.dumps(value))
    target = copy
    for step in path:
        target = target[step]
    target["added_later"] = 1
    return copy


@pytest.mark.parametrize("path", objects_in(MANIFEST_JSON), ids=str)
def test_an_unknown_field_anywhere_in_a_manifest_is_an_error(path: tuple[Any, ...]) -> None:
    with pytest.raises(LedgerError, match="added_later"):
        manifests.load(json.dumps(with_unknown_field(MANIFEST_JSON, path)).encode(), "manifest.json")


@pytest.mark.parametrize("path", objects_in(RECORD), ids=str)
def test_an_unknown_field_anywhere_in_a_record_is_an_error(path: tuple[Any, ...]) -> None:
    with pytest.raises(LedgerError, match="added_later"):
        records.load(msgspec.msgpack.encode(["waypost/records", 1, [with_unknown_field(RECORD, path)]]), "shards/x")


@pytest.mark.parametrize(
    ("field", "value"), [("generation", "7"), ("entries", None), ("entries", [{}]), ("builder", []), ("built_at", None)]
)
def test_a_field_of_another_type_is_an_error(field: str, value: object) -> None:
    data = {**MANIFEST_JSON, "manifest": {**MANIFEST_JSON["manifest"], field: value}}
    with pytest.raises(LedgerError, match="is damaged"):
        manifests.load(json.dumps(data).encode(), "manifest.json")


@pytest.mark.parametrize(
    ("stored", "domain"),
    [
        (schema_v1.PublishedFileV1, PublishedFile),
        (schema_v1.ShardEntryV1, ShardEntry),
        (schema_v1.PendingFileV1, PendingFile),
        (schema_v1.BuilderV1, BuilderRole),
        (schema_v1.PublisherV1, PublisherRole),
        (schema_v1.UrlFormV1, UrlForm),
        (schema_v1.ManifestV1, Manifest),
        (schema_v1.HeadV1, Head),
        (schema_v1.VideoV1, Video),
        (schema_v1.MediaV1, Media),
        (schema_v1.FactsV1, PageFacts),
        (schema_v1.RecordV1, Record),
    ],
)
def test_a_stored_type_has_the_fields_and_defaults_of_the_ledger_s_type(
    stored: type[Struct], domain: type[Struct]
) -> None:
    ours, theirs = (
        {
            each.name: msgspec.to_builtins(each.default) if each.default is not msgspec.NODEFAULT else "required"
            for each in msgspec.structs.fields(kind)
        }
        for kind in (stored, domain)
    )
    assert ours == theirs


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
DATE = st.none() | TEXT
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple)
NAMES = st.lists(TEXT, max_size=2).map(tuple)
COUNTS = st.integers(0, 2**40)
SHAPES = st.sampled_from([None, "slash", "bare", "file"])
FILES = st.lists(st.builds(PublishedFile, TEXT, TEXT, DATE), max_size=2).map(tuple)
ENTRIES = st.builds(
    ShardEntry, TEXT, st.none() | TEXT, TEXT, COUNTS, TEXT, FILES, st.dictionaries(TEXT, COUNTS, max_size=2), TEXT
)
BUILDERS = st.builds(BuilderRole, TEXT, COUNTS, st.none() | TEXT, TEXT, NAMES)
MANIFESTS = st.builds(
    Manifest,
    *(TEXT, TEXT, TEXT, TEXT, st.builds(UrlForm, SHAPES, SHAPES, SHAPES), COUNTS, TEXT),
    entries=st.lists(ENTRIES, max_size=2).map(tuple),
    indexes=FILES,
    auxiliary_files=FILES,
    news_evaluated_at=TEXT,
    pending=st.lists(st.builds(PendingFile, TEXT, TEXT), max_size=2).map(tuple),
    builder=st.none() | BUILDERS,
    publisher=st.none() | st.builds(PublisherRole, TEXT, COUNTS),
)
HEADS = st.builds(Head, TEXT, st.none() | TEXT, NAMES, TEXT, DATE, PAIRS, TEXT)
VIDEOS = st.builds(Video, TEXT, TEXT, TEXT, TEXT, TEXT, st.none() | st.integers(0, 28_800), DATE, DATE, st.booleans())
MEDIA = st.builds(Media, NAMES, st.lists(VIDEOS, max_size=2).map(tuple), TEXT, TEXT, TEXT)
FACTS = st.builds(PageFacts, HEADS, TEXT, TEXT, TEXT, DATE, st.none() | TEXT, st.none() | MEDIA, TEXT, TEXT)
RECORDS = st.lists(st.builds(Record, TEXT, TEXT, FACTS, DATE, TEXT, PAIRS), max_size=3)


@given(MANIFESTS)
def test_every_manifest_is_stored_and_loaded_without_loss(manifest: Manifest) -> None:
    assert manifests.load(manifests.dump(manifest), "manifest.json") == manifest


@given(RECORDS)
def test_every_record_is_stored_and_loaded_without_loss(found: list[Record]) -> None:
    assert records.load(records.dump(found), "shards/x") == found
