"""Which stored files can be read: by the format and version that they begin with."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.errors import LedgerError, NewerVersionError, UnreleasedFormatError
from waypost.ledger import migrations, schema_v1
from waypost.ledger.migrations import Header, check_header
from waypost.ledger.packed_json import pack
from waypost.ledger.schema_v1 import HeadV1, ManifestFileV1, ManifestV1, RecordRowV1, RecordsFileV1, RecordsV1

MANIFEST = ManifestV1(site_uri="s3://site/", generation=3)
RECORDS = RecordsV1(["a.html"], ["etag"])


def manifest_file(text: bytes) -> bytes:
    return msgspec.json.encode(ManifestFileV1(schema_v1.MANIFEST_FORMAT, 1, pack(text)))


def records_file(text: bytes) -> bytes:
    return msgspec.msgpack.encode(RecordsFileV1(schema_v1.RECORDS_FORMAT, 1, pack(text)))


MANIFEST_FILE = manifest_file(msgspec.json.encode(MANIFEST))
RECORDS_FILE = records_file(msgspec.json.encode(RECORDS))


def test_a_manifest_of_version_1_is_decoded() -> None:
    assert MANIFEST_FILE.startswith(b'{"format":"waypost-ledger/manifest","version":1,"payload":"')
    assert migrations.read_manifest(MANIFEST_FILE, "manifest.json") == MANIFEST


def test_records_of_version_1_are_decoded() -> None:
    assert msgspec.msgpack.decode(RECORDS_FILE)[:2] == ["waypost-ledger/records", 1]
    assert migrations.read_records(RECORDS_FILE, "shards/x") == (RECORDS, [])
    with_rows = records_file(msgspec.json.encode(RECORDS) + b'\n[{"canonicals":["/\1"]},null,null]')
    assert migrations.read_records(with_rows, "shards/x").rows == [RecordRowV1(HeadV1(canonicals=("/a",)))]


@pytest.mark.parametrize(
    ("header", "error", "message"),
    [
        (Header(schema_v1.MANIFEST_FORMAT, 2), NewerVersionError, "x has version 2, .* reads versions up to 1"),
        (Header(schema_v1.MANIFEST_FORMAT, 0), LedgerError, "x has version 0, which does not exist"),
        (Header(schema_v1.MANIFEST_FORMAT, -1), LedgerError, "x has version -1, which does not exist"),
        (Header(schema_v1.RECORDS_FORMAT, 1), LedgerError, "x is not in the format 'waypost-ledger/manifest'"),
        (Header("waypost-manifest", 1), UnreleasedFormatError, "development version .* delete the ledger"),
        (Header("waypost-records", 9), UnreleasedFormatError, "development version .* delete the ledger"),
    ],
)
def test_a_file_of_another_format_or_version_has_an_error_that_says_what_to_do(
    header: Header, error: type[LedgerError], message: str
) -> None:
    with pytest.raises(LedgerError, match=message) as raised:
        check_header(header, schema_v1.MANIFEST_FORMAT, "x")
    assert type(raised.value) is error


def test_every_version_up_to_the_present_one_has_a_reader_for_both_kinds_of_file() -> None:
    versions = list(range(1, schema_v1.VERSION + 1))
    assert list(migrations.MANIFEST_READERS) == list(migrations.RECORDS_READERS) == versions
    for version in versions:
        check_header(Header(schema_v1.MANIFEST_FORMAT, version), schema_v1.MANIFEST_FORMAT, "x")


def test_the_header_decides_before_anything_else_of_the_file_is_decoded() -> None:
    with pytest.raises(NewerVersionError):
        migrations.read_manifest(b'{"format": "waypost-ledger/manifest", "version": 2, "new": []}', "x")
    with pytest.raises(NewerVersionError):
        migrations.read_records(msgspec.msgpack.encode(["waypost-ledger/records", 2, {"new": []}, 3]), "x")


def test_uncompressed_files_of_development_versions_are_refused() -> None:
    with pytest.raises(UnreleasedFormatError, match=r"manifest\.json was written by a development version"):
        migrations.read_manifest(b'{"format": "waypost/manifest", "version": 1, "manifest": {}}', "manifest.json")
    old = [["a.html", '"1"', {"facts": {"head": {}}}]]
    with pytest.raises(UnreleasedFormatError, match="shards/x was written by a development version"):
        migrations.read_records(msgspec.msgpack.encode(["waypost/records", 1, old]), "shards/x")


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"null", b"[]", b'{"format": "waypost-ledger/manifest"}', b'{"format": 1, "version": 1}', b"\xff"),
        b'{"format": "waypost-ledger/manifest", "version": 1}',
        b'{"format": "waypost-ledger/manifest", "version": 1, "payload": "?"}',
        b'{"format": "waypost-ledger/manifest", "version": 1, "payload": "e30="}',
        b'{"unknown": ' + b"[" * 100_000,
        MANIFEST_FILE[:-20],
        MANIFEST_FILE + b"{}",
        MANIFEST_FILE.replace(b"}", b', "added_later": 1}'),
        manifest_file(b""),
        manifest_file(b"[]"),
        manifest_file(b"{}{}"),
        manifest_file(b'{"site_uri": "\xff"}'),
        manifest_file(b'{"site_uri": "\\udc80"}'),
    ],
)
def test_a_manifest_that_cannot_be_decoded_is_damaged(data: bytes) -> None:
    with pytest.raises(LedgerError, match=r"x is damaged \(.*\); a rebuild writes it again"):
        migrations.read_manifest(data, "x")


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\xc0", b"\x93\xa1", b"\x91" * 100_000, b"\xdd\xff\xff\xff\xff", b"\xff"),
        msgspec.msgpack.encode(["waypost-ledger/records", 1]),
        msgspec.msgpack.encode(["waypost-ledger/records", 1, "text"]),
        msgspec.msgpack.encode(["waypost-ledger/records", 1, b"?"]),
        msgspec.msgpack.encode(["waypost-ledger/records", 1, pack(b'{"key":[],"etag":[]}'), "added later"]),
        RECORDS_FILE[:-1],
        RECORDS_FILE + b"\0",
        records_file(b""),
        records_file(b"{}"),
        records_file(b'{"key": ["\\udc80"], "etag": [""]}'),
        records_file(b'{"key": ["a"], "etag": [""]}\n'),
        records_file(b'{"key": ["a"], "etag": [""]}\n[null,null,\1]'),
    ],
)
def test_records_that_cannot_be_decoded_are_damaged(data: bytes) -> None:
    with pytest.raises(LedgerError, match=r"x is damaged \(.*\); a rebuild writes it again"):
        migrations.read_records(data, "x")


@given(st.binary(), st.sampled_from([MANIFEST_FILE, RECORDS_FILE]), st.integers(0, 200))
def test_whatever_bytes_replace_a_part_of_a_file_no_other_error_than_that_of_the_ledger_is_raised(
    data: bytes, file: bytes, start: int
) -> None:
    for changed in (data, file[:start] + data, file[:start] + data + file[start + len(data) :]):
        for read in (migrations.read_manifest, migrations.read_records):
            with suppress(LedgerError):
                read(changed, "x")
