import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from waypost.core.errors import LedgerError
from waypost.ledger import manifest as manifests
from waypost.ledger.ledger_state import BuilderLease, PublisherLease
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry, full_name, short_name, with_change_date

MANIFEST = Manifest(
    config_digest="configuration",
    generation=7,
    entries=(
        ShardEntry("", "0" * 16, "", 2, "shards/a", (PublishedFile("sitemap-0.xml", "d", "2026-01-01T00:00:00Z"),)),
        ShardEntry("blog", None, "", 0, "shards/b"),
    ),
    indexes=(PublishedFile("sitemap.xml", "e"),),
)


def test_a_dumped_manifest_is_loaded_unchanged_and_dumped_to_the_same_bytes() -> None:
    data = manifests.dump(MANIFEST)
    assert manifests.load(data, "x") == MANIFEST
    assert manifests.dump(manifests.load(data, "x")) == data


def test_a_manifest_that_does_not_exist_is_empty() -> None:
    assert manifests.load(None, "x") == Manifest()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "manifest.json is damaged"),
        (b"{}", "manifest.json is damaged"),
        (manifests.dump(MANIFEST)[:-9], "manifest.json is damaged"),
        (
            msgspec.json.encode({"format": "else", "version": 1}),
            "manifest.json is not in the format 'waypost-ledger/manifest'",
        ),
        (
            msgspec.json.encode({"format": "waypost-ledger/manifest", "version": 2, "manifest": "?"}),
            "has version 2, and this program reads versions up to 1; update Waypost",
        ),
    ],
)
def test_the_error_for_a_damaged_or_newer_manifest_names_the_file(data: bytes, message: str) -> None:
    with pytest.raises(LedgerError, match=message):
        manifests.load(data, "manifest.json")


def test_only_a_complete_manifest_that_lists_a_page_may_replace_what_is_published() -> None:
    empty = Manifest(config_digest="configuration")
    assert MANIFEST.is_publishable
    assert not empty.is_publishable
    assert not replace(MANIFEST, builder=BuilderLease("process", 1_000, position="a.html")).is_publishable
    assert replace(MANIFEST, builder=BuilderLease("run", 1_000, is_run=True)).is_publishable


def test_a_publisher_of_any_kind_leaves_a_manifest_publishable() -> None:
    assert replace(MANIFEST, publisher=PublisherLease("process", 1_000)).is_publishable


def test_a_build_has_replaced_a_distributed_rebuild_that_publishes() -> None:
    publishes = replace(MANIFEST, publisher=PublisherLease("first", 1_000, is_run=True, start_generation=3))
    assert publishes.run == ("first", 3)
    assert replace(publishes, builder=BuilderLease("process", 1_000, position="a.html")).run is None
    assert replace(publishes, builder=BuilderLease("second", is_run=True, start_generation=7)).run == ("second", 7)


def test_the_files_are_those_of_the_shards_the_indexes_and_the_auxiliary_files() -> None:
    manifest = replace(
        MANIFEST, auxiliary_files=(PublishedFile("sitemap-news.xml.gz", "n"), PublishedFile("sitemap.css", "c"))
    )
    assert manifest.files.keys() == {"sitemap-0.xml", "sitemap.xml", "sitemap-news.xml.gz", "sitemap.css"}
    assert [file.name for file in manifest.news_files] == ["sitemap-news.xml.gz"]
    assert manifest.index_and_auxiliary_names == {"sitemap.xml", "sitemap-news.xml.gz", "sitemap.css"}


PUBLISHED = PublishedFile("sitemap.xml", "old", "2026-01-01T00:00:00Z", '"etag"', "end")


def test_a_file_with_the_same_bytes_keeps_its_date_and_etag_and_has_its_new_end() -> None:
    file = with_change_date(PublishedFile("sitemap.xml", "old", end="another end"), {"sitemap.xml": PUBLISHED}, "now")
    assert file == replace(PUBLISHED, end="another end")


def test_a_file_with_other_bytes_has_the_new_date_and_remembers_the_etag_that_it_replaces() -> None:
    file = with_change_date(PublishedFile("sitemap.xml", "new"), {"sitemap.xml": PUBLISHED}, "now")
    assert file == PublishedFile("sitemap.xml", "new", "now", '"etag"')


def test_a_file_that_is_not_published_yet_has_no_etag() -> None:
    assert with_change_date(PublishedFile("sitemap.xml", "new"), {}, None) == PublishedFile("sitemap.xml", "new")


NAMES = st.text("ab*/-", max_size=8)


@pytest.mark.parametrize(
    ("name", "shard_id", "short"),
    [
        ("sitemap-00aa.xml.gz", "00aa", "sitemap-*.xml.gz"),
        ("shards/00aa-d-00aa", "00aa", "shards/*-d-*"),
        ("sitemap.xml", None, "sitemap.xml"),
        ("sitemap-*.xml", "00aa", "/sitemap-*.xml"),
        ("/sitemap.xml", None, "//sitemap.xml"),
    ],
)
def test_an_asterisk_stands_for_the_shard_s_id(name: str, shard_id: str | None, short: str) -> None:
    assert short_name(name, shard_id) == short
    assert full_name(short, shard_id) == name


@given(NAMES, st.none() | NAMES)
def test_every_name_is_restored(name: str, shard_id: str | None) -> None:
    assert full_name(short_name(name, shard_id), shard_id) == name
