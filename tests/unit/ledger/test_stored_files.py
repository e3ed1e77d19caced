"""Which stored files can be read: by the format and version that they begin with."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.errors import LedgerError, NewerVersionError, UnreleasedFormatError
from waypost.ledger import manifest as manifests
from waypost.ledger import records, stored_files
from waypost.ledger.manifest import Manifest
from waypost.ledger.packed_json import pack
from waypost.ledger.records import Record
from waypost.ledger.stored_files import Header, ManifestFile, RecordsFile, check_header
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head

MANIFEST = {"site_uri": "s3://site/", "generation": 3}
RECORDS = {"key": ["a.html"], "etag": ["etag"]}


def manifest_file(text: bytes) -> bytes:
    return msgspec.json.encode(ManifestFile(stored_files.MANIFEST_FORMAT, 1, pack(text)))


def records_file(text: bytes) -> bytes:
    return msgspec.msgpack.encode(RecordsFile(stored_files.RECORDS_FORMAT, 1, pack(text)))


MANIFEST_FILE = manifest_file(msgspec.json.encode(MANIFEST))
RECORDS_FILE = records_file(msgspec.json.encode(RECORDS))


def test_a_manifest_of_version_1_is_decoded() -> None:
    assert MANIFEST_FILE.startswith(b'{"format":"waypost-ledger/manifest","version":1,"payload":"')
    assert manifests.load(MANIFEST_FILE, "manifest.json") == Manifest(site_uri="s3://site/", generation=3)


def test_records_of_version_1_are_decoded() -> None:
    assert msgspec.msgpack.decode(RECORDS_FILE)[:2] == ["waypost-ledger/records", 1]
    assert records.load(RECORDS_FILE, "shards/x") == [Record("a.html", "etag")]
    with_rows = records_file(msgspec.json.encode(RECORDS) + b'\n[{"canonicals":["/\1"]},null,null]')
    assert records.load(with_rows, "shards/x") == [Record("a.html", "etag", PageFacts(Head(canonicals=("/a",))))]


@pytest.mark.parametrize(
    ("header", "error", "message"),
    [
        (Header(stored_files.MANIFEST_FORMAT, 2), NewerVersionError, "x has version 2, .* reads versions up to 1"),
        (Header(stored_files.MANIFEST_FORMAT, 0), LedgerError, "x has version 0, which does not exist"),
        (Header(stored_files.MANIFEST_FORMAT, -1), LedgerError, "x has version -1, which does not exist"),
        (Header(stored_files.RECORDS_FORMAT, 1), LedgerError, "x is not in the format 'waypost-ledger/manifest'"),
        (Header("waypost-manifest", 1), UnreleasedFormatError, "development version .* delete the ledger"),
        (Header("waypost-records", 9), UnreleasedFormatError, "development version .* delete the ledger"),
    ],
)
def test_a_file_of_another_format_or_version_has_an_error_that_says_what_to_do(
    header: Header, error: type[LedgerError], message: str
) -> None:
    with pytest.raises(LedgerError, match=message) as raised:
        check_header(header, stored_files.MANIFEST_FORMAT, "x")
    assert type(raised.value) is error


def test_every_version_up_to_the_present_one_has_a_reader_for_both_kinds_of_file() -> None:
    versions = list(range(1, stored_files.VERSION + 1))
    assert list(manifests.READERS) == list(records.READERS) == versions
    for version in versions:
        check_header(Header(stored_files.MANIFEST_FORMAT, version), stored_files.MANIFEST_FORMAT, "x")


def test_the_header_decides_before_anything_else_of_the_file_is_decoded() -> None:
    with pytest.raises(NewerVersionError):
        manifests.load(b'{"format": "waypost-ledger/manifest", "version": 2, "new": []}', "x")
    with pytest.raises(NewerVersionError):
        records.load(msgspec.msgpack.encode(["waypost-ledger/records", 2, {"new": []}, 3]), "x")


def test_uncompressed_files_of_development_versions_are_refused() -> None:
    with pytest.raises(UnreleasedFormatError, match=r"manifest\.json was written by a development version"):
        manifests.load(b'{"format": "waypost/manifest", "version": 1, "manifest": {}}', "manifest.json")
    old = [["a.html", '"1"', {"facts": {"head": {}}}]]
    with pytest.raises(UnreleasedFormatError, match="shards/x was written by a development version"):
        records.load(msgspec.msgpack.encode(["waypost/records", 1, old]), "shards/x")


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
        manifests.load(data, "x")


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
        records.load(data, "x")


@given(st.binary(), st.sampled_from([MANIFEST_FILE, RECORDS_FILE]), st.integers(0, 200))
def test_whatever_bytes_replace_a_part_of_a_file_no_other_error_than_that_of_the_ledger_is_raised(
    data: bytes, file: bytes, start: int
) -> None:
    for changed in (data, file[:start] + data, file[:start] + data + file[start + len(data) :]):
        for read in (manifests.load, records.load):
            with suppress(LedgerError):
                read(changed, "x")
