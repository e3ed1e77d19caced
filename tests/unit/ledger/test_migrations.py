"""Which stored files can be read: by the format and version that they begin with."""

from __future__ import annotations

import msgspec
import pytest

from waypost.core.errors import LedgerError, NewerVersionError, UnreleasedFormatError
from waypost.ledger import migrations, schema_v1
from waypost.ledger.migrations import Header, check_header
from waypost.ledger.schema_v1 import ManifestFileV1, ManifestV1, RecordsFileV1, RecordV1

MANIFEST = ManifestV1(site_uri="s3://site/", generation=3)
RECORDS = [RecordV1("a.html", "etag")]


def test_a_manifest_of_version_1_is_decoded() -> None:
    data = msgspec.json.encode(ManifestFileV1("waypost/manifest", 1, MANIFEST))
    assert migrations.read_manifest(data, "manifest.json") == MANIFEST


def test_records_of_version_1_are_decoded() -> None:
    data = msgspec.msgpack.encode(RecordsFileV1("waypost/records", 1, RECORDS))
    assert migrations.read_records(data, "shards/x") == RECORDS


@pytest.mark.parametrize(
    ("header", "error", "message"),
    [
        (Header("waypost/manifest", 2), NewerVersionError, "x has version 2, and this program reads .* up to 1"),
        (Header("waypost/manifest", 0), LedgerError, "x has version 0, which does not exist"),
        (Header("waypost/manifest", -1), LedgerError, "x has version -1, which does not exist"),
        (Header("waypost/records", 1), LedgerError, "x is not in the format 'waypost/manifest'"),
        (Header("waypost-manifest", 1), UnreleasedFormatError, "development version .* delete the ledger"),
        (Header("waypost-records", 9), UnreleasedFormatError, "development version .* delete the ledger"),
    ],
)
def test_a_file_of_another_format_or_version_has_an_error_that_says_what_to_do(
    header: Header, error: type[LedgerError], message: str
) -> None:
    with pytest.raises(LedgerError, match=message) as raised:
        check_header(header, "waypost/manifest", "x")
    assert type(raised.value) is error


def test_every_version_up_to_the_present_one_has_a_reader_for_both_kinds_of_file() -> None:
    versions = list(range(1, schema_v1.VERSION + 1))
    assert list(migrations.MANIFEST_READERS) == list(migrations.RECORDS_READERS) == versions
    for version in versions:
        check_header(Header(schema_v1.MANIFEST_FORMAT, version), schema_v1.MANIFEST_FORMAT, "x")


def test_the_header_decides_before_anything_else_of_the_file_is_decoded() -> None:
    with pytest.raises(NewerVersionError):
        migrations.read_manifest(b'{"format": "waypost/manifest", "version": 2, "manifest": {"new": []}}', "x")
    with pytest.raises(NewerVersionError):
        migrations.read_records(msgspec.msgpack.encode(["waypost/records", 2, {"new": []}]), "x")


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b'{"format": "waypost/manifest"}', b'{"format": 1, "version": 1}']
)
def test_a_manifest_without_a_header_is_damaged(data: bytes) -> None:
    with pytest.raises(LedgerError, match=r"x is damaged \(.*\); a rebuild writes it anew"):
        migrations.read_manifest(data, "x")
