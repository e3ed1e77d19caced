import msgspec
import pytest

from waypost.core.errors import LedgerError
from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry

MANIFEST = Manifest(
    "configuration",
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
