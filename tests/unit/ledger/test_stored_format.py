"""The stored format, version 1: the names of its fields, its strictness, and that it loses nothing of the ledger."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from itertools import repeat
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.errors import LedgerError
from waypost.core.model import UrlEntry, UrlForm, Video
from waypost.ledger import manifest as manifests
from waypost.ledger import records, url_list
from waypost.ledger.ledger_state import BuilderLease, PublisherLease
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, RepairedFile, ShardEntry, UnreferencedFile
from waypost.ledger.packed_json import pack, unpack
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media

MANIFEST: dict[str, Any] = {
    "ledger_id": "l",
    "site_uri": "s3://site/",
    "config_digest": "c",
    "config_since": 1.5,
    "recorded_facts": "digest",
    "robots_rules": "Disallow: /x",
    "url_form": {"home": "file", "folder": "bare", "page": "slash", "folders": [["docs/", {"page": "bare"}]]},
    "generation": 7,
    "revision": "r",
    "listed_since": 0.5,
    "built_at": "2026-01-01T00:00:00Z",
    "entries": {
        "group": ["blog", ""],
        "shard_id": ["00aa", None],
        "first_key": ["a.html", ""],
        "page_count": [2, 1],
        "records_file": ["shards/*-d", "shards/whole-e"],
        "file_count": [1, 2],
        "files": {
            "name": ["sitemap-*.xml", "sitemap.xml", "sitemap-2.xml"],
            "digest": ["d", "e", "f"],
            "changed_at": ["2026-01-02T00:00:00Z", None, None],
            "etag": ["x", None, "y"],
            "end": ["0000 m.html", None, None],
        },
        "excluded_by_reason": [{"noindex": 1}, None],
        "latest_news": ["2026-01-03", None],
        "cut_count": [1, None],
    },
    "indexes": [{"name": "sitemap.xml", "digest": "e", "end": "0000 m.html"}],
    "auxiliary_files": [{"name": "sitemap.css", "digest": "f"}],
    "news_evaluated_at": "2026-01-04T00:00:00Z",
    "records_lost_at": 4,
    "pending": [{"name": "sitemap.xml", "generation": 7, "is_from_build": True}],
    "unreferenced": [{"name": "old.xml", "since": 2.5, "digest": "f", "etag": '"old"'}],
    "repaired": [{"name": "sitemap.xml", "since": 1.5, "count": 2}],
    "url_list": "url-lists/d-e",
    "children": [{"loc": "https://example.org/blog.xml", "lastmod": "2026-01-03"}],
    "unreadable": [{"key": "a.html", "error": "AccessDenied"}],
    "removed": {"since": 1.5, "count": 60, "listed": 68},
    "outbox": [{"name": "outbox/1.json.gz", "since": 2.5, "waiting": ["indexnow"], "owner": "o", "expires": 4.5}],
    "builder": {
        "owner": "run",
        "expires": 3.5,
        "is_run": True,
        "start_generation": 6,
        "position": "m.html",
        "previous": "manifests/x.json",
        "deferred_keys": ["runs/run-6-deferred-0000000-d"],
    },
    "publisher": {"owner": "run", "expires": 4.5, "is_run": True, "start_generation": 5},
}
STORED_FILES = MANIFEST["entries"]["files"]
RECORDS: dict[str, Any] = {
    "key": ["page-1.html", "page-2.html"],
    "etag": ['"1"', '"2"'],
    "lastmod": ["2026-01-05T00:00:00Z", None],
    "duplicate_of": ["a/index.html", None],
    "redirect": ["/x", None],
    "robots_header": ["noindex", None],
    "hidden_by": ["draft: true", None],
    "own_date": ["2026-01-02", None],
    "text_digest": ["t", None],
    "non_page": ["fragment", None],
    "non_page_detail": ["it begins with {%", None],
    "is_cut": [True, None],
    "unknown_coding": ["exi", None],
    "download_type": ["binary/octet-stream", None],
    "entry": [{"loc": "https://example.org/", "lastmod": "2026-01-05", "priority": "0.8"}, None],
}
STORED_HEAD: dict[str, Any] = {
    "noindex": "none",
    "refresh": "/r",
    "canonicals": ["/page-1"],
    "base": "/b/",
    "date": "2026-01-01",
    "alternates": [["de", "/de/page-1"]],
    "og_url": "/o",
    "is_cut": True,
}
STORED_VIDEO: dict[str, Any] = {
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
STORED_MEDIA: dict[str, Any] = {
    "images": ["/page-1.png"],
    "videos": [STORED_VIDEO],
    "title": "T",
    "headline": "H",
    "published": "2026-01-04",
}
ROWS: list[Any] = [[STORED_HEAD, [["de", "https://example.org/de/page-1"]], STORED_MEDIA], [None, None, None]]


def manifest_file(fields: object) -> bytes:
    payload = base64.b64encode(pack(json.dumps(fields).encode())).decode()
    return json.dumps({"format": "waypost-ledger/manifest", "version": 1, "payload": payload}).encode()


def manifest_fields(data: bytes) -> Any:
    """The fields in a file; format and version are in clear."""
    file = json.loads(data)
    assert list(file.items())[:2] == [("format", "waypost-ledger/manifest"), ("version", 1)]
    return json.loads(unpack(base64.b64decode(file.pop("payload"), validate=True)))


def records_file(fields: object, rows: Iterable[object]) -> bytes:
    """A file of records; the byte 1 stands for the first page's name in the rows."""
    lines = [json.dumps(each).encode().replace(b"page-1", b"\1") for each in rows]
    payload = pack(b"\n".join([json.dumps(fields).encode(), *lines]))
    return msgspec.msgpack.encode(["waypost-ledger/records", 1, payload])


def records_fields(data: bytes) -> tuple[Any, list[Any]]:
    format_name, version, payload = msgspec.msgpack.decode(data)
    assert (format_name, version) == ("waypost-ledger/records", 1)
    fields, *lines = unpack(payload).split(b"\n")
    assert b"page-1" not in b"".join(lines)
    return json.loads(fields), [json.loads(line.replace(b"\1", b"page-1")) for line in lines]


def test_a_manifest_with_every_field_has_these_names_and_no_other() -> None:
    manifest = manifests.load(manifest_file(MANIFEST), "manifest.json")
    assert manifest_fields(manifests.dump(manifest)) == MANIFEST
    assert all(value for value in msgspec.structs.asdict(manifest).values())
    first, second = manifest.entries
    file = PublishedFile("sitemap-00aa.xml", "d", "2026-01-02T00:00:00Z", "x", "0000 m.html")
    assert first == ShardEntry("blog", "00aa", "a.html", 2, "shards/00aa-d", (file,), {"noindex": 1}, "2026-01-03", 1)
    files = PublishedFile("sitemap.xml", "e"), PublishedFile("sitemap-2.xml", "f", etag="y")
    assert second == ShardEntry("", None, "", 1, "shards/whole-e", files)


def test_records_with_every_field_have_these_names_and_no_other() -> None:
    full, bare = records.load(records_file(RECORDS, ROWS), "shards/x")
    assert records_fields(records.dump([full, bare])) == (RECORDS, ROWS)
    assert all(value for each in (full, full.facts) for value in msgspec.structs.asdict(each).values())
    assert bare == Record("page-2.html", '"2"')


def test_fields_with_default_values_are_not_stored() -> None:
    assert manifest_fields(manifests.dump(Manifest())) == {}
    stored = records_fields(records.dump([Record("a.html", "etag", PageFacts(Head(), own_date=None))]))
    assert stored == ({"key": ["a.html"], "etag": ["etag"]}, [])


def objects_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all objects in a JSON value, apart from mappings with free keys."""
    if "excluded_by_reason" in path:
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


@pytest.mark.parametrize("path", objects_in(MANIFEST), ids=str)
def test_an_unknown_field_anywhere_in_a_manifest_is_an_error(path: tuple[Any, ...]) -> None:
    with pytest.raises(LedgerError, match="added_later"):
        manifests.load(manifest_file(with_unknown_field(MANIFEST, path)), "manifest.json")


def test_an_unknown_column_of_records_is_an_error() -> None:
    with pytest.raises(LedgerError, match="added_later"):
        records.load(records_file({**RECORDS, "added_later": []}, ROWS), "shards/x")


@pytest.mark.parametrize("path", objects_in(ROWS), ids=str)
def test_an_unknown_field_anywhere_in_the_rows_of_records_is_an_error(path: tuple[Any, ...]) -> None:
    with pytest.raises(LedgerError, match="added_later"):
        records.load(records_file(RECORDS, with_unknown_field(ROWS, path)), "shards/x")


@pytest.mark.parametrize(
    ("field", "value"), [("generation", "7"), ("entries", []), ("entries", {}), ("builder", []), ("built_at", None)]
)
def test_a_field_of_a_manifest_of_another_type_is_an_error(field: str, value: object) -> None:
    with pytest.raises(LedgerError, match="is damaged"):
        manifests.load(manifest_file({**MANIFEST, field: value}), "manifest.json")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *zip(repeat("group"), (None, [], ["blog"], ["blog", None], 3 * ["blog"])),
        *zip(repeat("page_count"), (None, [1], ["1", 1])),
        *zip(repeat("file_count"), ([1], [1, 1], [1, 3], [-1, 4], [4, -1])),
        *zip(repeat("latest_news"), (["2026"], 3 * ["2026"])),
        *zip(repeat("files"), (None, {}, *({**STORED_FILES, name: ["a"]} for name in ("name", "digest", "end")))),
    ],
)
def test_a_field_of_shards_of_another_type_or_length_is_an_error(field: str, value: object) -> None:
    with pytest.raises(LedgerError, match="is damaged"):
        manifests.load(manifest_file({**MANIFEST, "entries": {**MANIFEST["entries"], field: value}}), "manifest.json")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *zip(repeat("key"), (None, "ab", ["a.html"], ["a.html", None], ["a.html", 1], [])),
        *zip(repeat("etag"), ([], ["1"], ["1", None])),
        *zip(repeat("lastmod"), (None, {}, ["2026"], 3 * ["2026"], [1, 2])),
    ],
)
def test_a_field_of_records_of_another_type_or_length_is_an_error(field: str, value: object) -> None:
    with pytest.raises(LedgerError, match="shards/x is damaged"):
        records.load(records_file({**RECORDS, field: value}, []), "shards/x")


WRONG_ROWS: list[Any] = [None, {}, [{"base": 1}], [[]], [None, ["de", "/de"]], [None, [["de"]]]]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS[:1],
        [*ROWS, [None, None, None]],
        *([row, ROWS[1]] for row in WRONG_ROWS),
        [[*ROWS[0], "added later"], ROWS[1]],
    ],
)
def test_rows_of_records_of_another_type_or_number_are_an_error(rows: list[Any]) -> None:
    with pytest.raises(LedgerError, match="shards/x is damaged"):
        records.load(records_file(RECORDS, rows), "shards/x")


def manifest_of(count: int) -> Manifest:
    """A manifest of so many shards of one sitemap each, whose ids, names and digests are random."""
    rng = Random(1)
    entries = []
    for n in range(count):
        shard_id = f"{rng.getrandbits(64):016x}"
        changed_at = f"2026-{rng.randint(10, 12)}-{rng.randint(10, 28)}T{rng.randint(10, 23)}:{rng.randint(10, 59)}:00Z"
        digest, etag = f"{rng.getrandbits(128):032x}", f'"{rng.getrandbits(128):032x}"'
        file = PublishedFile(f"sitemap-{shard_id}.xml", digest, changed_at, etag)
        key = f"catalogue/item-{n * 25_000 + rng.randrange(25_000):010}.html"
        name = f"shards/{shard_id}-{rng.getrandbits(64):016x}-{rng.getrandbits(64):016x}"
        entries.append(ShardEntry("", shard_id, key, rng.randrange(50_000), name, (file,)))
    return Manifest("ledger", "s3://site/", entries=tuple(entries))


@pytest.mark.slow
def test_the_manifest_of_40_000_shards_takes_little_more_than_a_fifth_of_its_indented_json() -> None:
    manifest = manifest_of(40_000)
    data = manifests.dump(manifest)
    stored, readable = len(data), len(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    assert (stored < 3_700_000, readable > 17_000_000) == (True, True), (stored, readable)
    is_unchanged = manifests.load(data, "manifest.json") == manifest
    assert is_unchanged


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
DATE = st.none() | TEXT
SHARD_NAMES = TEXT | st.text("ab*/-", max_size=6)
ETAGS = TEXT | st.from_regex(r'\A(W/)?"?[0-9a-f]{32,34}(-[1-9])?"?\Z')
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple)
NAMES = st.lists(TEXT, max_size=2).map(tuple)
COUNTS = st.integers(0, 2**40)
SHAPES = st.sampled_from([None, "slash", "bare", "file"])
TIMES = st.floats(0, 2**40)
FILES = st.lists(st.builds(PublishedFile, SHARD_NAMES, TEXT, DATE, TEXT, TEXT), max_size=2).map(tuple)
ENTRIES = st.builds(
    ShardEntry,
    *(TEXT, st.none() | SHARD_NAMES, TEXT, COUNTS, SHARD_NAMES, FILES),
    *(st.dictionaries(TEXT, COUNTS, max_size=2), TEXT),
)
BUILDERS = st.builds(BuilderLease, TEXT, TIMES, st.booleans(), COUNTS, st.none() | TEXT, TEXT, NAMES)
MANIFESTS = st.builds(
    Manifest,
    *(TEXT, TEXT, TEXT, TIMES, TEXT, TEXT, st.builds(UrlForm, SHAPES, SHAPES, SHAPES), COUNTS, TEXT, TEXT),
    entries=st.lists(ENTRIES, max_size=2).map(tuple),
    indexes=FILES,
    auxiliary_files=FILES,
    news_evaluated_at=TEXT,
    records_lost_at=st.integers(0),
    pending=st.lists(st.builds(PendingFile, TEXT, COUNTS, st.booleans()), max_size=2).map(tuple),
    unreferenced=st.lists(st.builds(UnreferencedFile, TEXT, TIMES, TEXT, TEXT), max_size=2).map(tuple),
    repaired=st.lists(st.builds(RepairedFile, TEXT, TIMES, COUNTS), max_size=2).map(tuple),
    builder=st.none() | BUILDERS,
    publisher=st.none() | st.builds(PublisherLease, TEXT, TIMES, st.booleans(), COUNTS),
)
HEADS = st.builds(Head, TEXT, st.none() | TEXT, NAMES, TEXT, DATE, PAIRS, TEXT)
VIDEOS = st.builds(Video, TEXT, TEXT, TEXT, TEXT, TEXT, st.none() | st.integers(0, 28_800), DATE, DATE, st.booleans())
MEDIA = st.builds(Media, NAMES, st.lists(VIDEOS, max_size=2).map(tuple), TEXT, TEXT, TEXT)
FACTS = st.builds(PageFacts, HEADS, TEXT, TEXT, TEXT, DATE, st.none() | ETAGS, st.none() | MEDIA, TEXT, TEXT)
KNOWN_RECORDS = st.lists(st.builds(Record, TEXT, ETAGS, FACTS, DATE, TEXT, PAIRS), max_size=3)


@given(MANIFESTS)
def test_every_manifest_is_stored_and_loaded_without_loss(manifest: Manifest) -> None:
    assert manifests.load(manifests.dump(manifest), "manifest.json") == manifest


@given(KNOWN_RECORDS)
def test_every_record_is_stored_and_loaded_without_loss(found: list[Record]) -> None:
    assert records.load(records.dump(found), "shards/x") == found


def test_a_list_of_urls_with_every_field_has_these_names_and_no_other() -> None:
    entry = {
        "loc": "https://example.org/a",
        "lastmod": "2026-01-05",
        "changefreq": "daily",
        "priority": "0.8",
        "group": "shop",
        "alternates": [["de", "https://example.org/de"]],
        "images": ["https://example.org/a.png"],
        "where": "urls.txt",
        "line": 2,
    }
    child = {"loc": "https://example.org/blog.xml", "lastmod": "2026-01-03"}
    stored = {"sources": [{"name": "urls", "entries": [entry]}, {"name": "blog.xml (child)", "child": child}]}
    data = msgspec.msgpack.encode(["waypost-ledger/url-list", 1, pack(json.dumps(stored).encode())])
    urls = url_list.load(data, "url-lists/d-e")
    format_name, version, payload = msgspec.msgpack.decode(url_list.dump(urls))
    assert (format_name, version, json.loads(unpack(payload))) == ("waypost-ledger/url-list", 1, stored)
    assert urls.sources[0].entries == (msgspec.convert(entry, UrlEntry),)
