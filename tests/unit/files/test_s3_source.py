from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

import boto3
import brotli
import pytest
from botocore.stub import Stubber

from waypost.core import reasons
from waypost.core.clock import Retry
from waypost.core.errors import SourceError
from waypost.core.model import Item, Skipped
from waypost.files.s3_source import S3Source

if TYPE_CHECKING:
    from buckets import MadeBucket

ODD_KEYS = [
    "a+b.html",
    "red flower.html",
    "100%25.html",
    "a&b<c>.html",
    "café/日本語.html",
    "what?#.html",
    "back\\slash.html",
    "a//b.html",
    "quote'\".html",
    "emoji-😀.html",
]

PAGE = b"<title>x</title>" * 500


def source(bucket: MadeBucket, prefix: str = "") -> S3Source:
    return S3Source(bucket.client, bucket.name, prefix)


def items(bucket: MadeBucket, prefix: str = "") -> list[Item | Skipped]:
    return list(source(bucket, prefix).items(lambda key: None))


def item(bucket: MadeBucket, key: str) -> Item:
    return next(each for each in items(bucket) if isinstance(each, Item) and each.key == key)


def test_every_key_comes_as_it_is_in_the_order_of_its_bytes(bucket: MadeBucket) -> None:
    bucket.put(dict.fromkeys(ODD_KEYS, "x"))
    assert [each.key for each in items(bucket)] == sorted(ODD_KEYS)


def test_keys_are_without_the_prefix_and_other_prefixes_are_not_listed(bucket: MadeBucket) -> None:
    bucket.put({"www/a.html": "x", "www/docs/b.html": "x", "www2/c.html": "x", "d.html": "x"})
    assert [each.key for each in items(bucket, "www/")] == ["a.html", "docs/b.html"]


@pytest.mark.usefixtures("small_pages")
def test_more_objects_than_a_page_of_the_listing_holds_are_listed(bucket: MadeBucket) -> None:
    names = [f"{n}.html" for n in range(5)]
    bucket.put(dict.fromkeys(names, ""))
    assert [each.key for each in items(bucket)] == names
    assert source(bucket).first_key_after("2.html") == "3.html"
    assert source(bucket).first_key_after("4.html") is None


def test_a_folder_marker_is_no_file(bucket: MadeBucket) -> None:
    bucket.put({"www/": "", "www/docs/": "", "www/docs/a.html": "x"})
    assert [each for each in items(bucket, "www/") if isinstance(each, Skipped)] == [
        Skipped("www/", reasons.NOT_A_FILE),
        Skipped("docs/", reasons.NOT_A_FILE),
    ]


def test_an_item_tells_its_size_etag_and_time(bucket: MadeBucket) -> None:
    bucket.put({"a.html": b"12345"})
    found = item(bucket, "a.html")
    assert (found.size, found.etag) == (5, '"827ccb0eea8a706c4c34a16891f84e7b"')
    assert found.modified.endswith("Z")


def test_a_bucket_that_is_not_there_is_an_error_for_the_reader(bucket: MadeBucket) -> None:
    with pytest.raises(SourceError, match="cannot list s3://no-such-bucket/www/: NoSuchBucket"):
        list(S3Source(bucket.client, "no-such-bucket", "www/").items(lambda key: None))


def test_an_object_is_read_whole_or_from_its_beginning(bucket: MadeBucket) -> None:
    bucket.put({"a.html": b"0123456789", "empty.html": b""})
    read = source(bucket).read
    for found in (item(bucket, "a.html"), Item("a.html", "a.html")):  # it may have been listed
        bodies = {size: read(found, size) for size in (None, 4, 10, 99, 0)}
        assert {size: (body.data, body.is_whole) for size, body in bodies.items()} == {
            **dict.fromkeys((None, 10, 99), (b"0123456789", True)),
            4: (b"0123", False),
            0: (b"", False),
        }
    for found in (item(bucket, "empty.html"), Item("empty.html", "empty.html")):
        assert read(found, 4).data == b""


def test_what_is_read_has_the_etag_and_the_time_of_its_upload(bucket: MadeBucket) -> None:
    bucket.put({"a.html": b"0123456789"})
    found = item(bucket, "a.html")
    for size in (None, 0, 4):
        body = source(bucket).read(Item("a.html", "a.html"), size)
        assert (body.etag, body.modified) == (found.etag, found.modified)
    assert source(bucket).etags(["a.html", "b.html"]) == {"a.html": found.etag, "b.html": None}


def test_what_is_stored_compressed_is_read_decompressed(bucket: MadeBucket) -> None:
    text = b"<title>x</title>" * 5_000
    bucket.put({"a.html": gzip.compress(text)}, ContentEncoding="gzip")
    found = item(bucket, "a.html")
    assert source(bucket).read(found).data == text
    part = source(bucket).read(found, 100)
    assert not part.is_whole
    assert text.startswith(part.data)
    assert len(part.data) > 100


@pytest.mark.parametrize("damaged", [b"no gzip at all", gzip.compress(b"x" * 99_999, mtime=0)[:-20]])
def test_damaged_compression_is_an_error_of_that_object_alone(bucket: MadeBucket, damaged: bytes) -> None:
    bucket.put({"a.html": damaged}, ContentEncoding="gzip")
    with pytest.raises(OSError, match="Errno"):
        source(bucket).read(item(bucket, "a.html"))


@pytest.mark.parametrize(
    ("coding", "data"),
    [("br", brotli.compress(PAGE)), ("GZIP", gzip.compress(PAGE)), ("deflate", zlib.compress(PAGE))],
    ids=["br", "GZIP", "deflate"],
)
def test_other_codings_are_decoded_too(bucket: MadeBucket, coding: str, data: bytes) -> None:
    bucket.put({"a.html": data}, ContentEncoding=coding)
    assert source(bucket).read(item(bucket, "a.html")).data == PAGE


def test_of_an_unknown_coding_nothing_is_known_but_the_headers(bucket: MadeBucket) -> None:
    bucket.put({"a.html": b"?"}, ContentEncoding="exi", WebsiteRedirectLocation="/b.html")
    body = source(bucket).read(item(bucket, "a.html"))
    assert (body.data, body.is_whole, body.unknown_coding, body.redirect) == (b"", False, "exi", "/b.html")


@pytest.mark.parametrize("size", [None, 0, 1])
def test_headers_come_with_whatever_is_read(bucket: MadeBucket, size: int | None) -> None:
    bucket.put({"a.pdf": "xx"}, WebsiteRedirectLocation="/b.pdf", Metadata={"x-robots-tag": "noindex", "robots": "all"})
    body = source(bucket).read(item(bucket, "a.pdf"), size)
    assert (body.redirect, body.robots_header) == ("/b.pdf", "noindex,all")


def test_an_object_that_is_gone_since_it_was_listed_cannot_be_read(bucket: MadeBucket) -> None:
    with pytest.raises(FileNotFoundError, match="the object does not exist"):
        source(bucket).read(Item("a.html", "a.html", 5))


def test_an_object_is_found_by_its_key_and_nothing_else_is(bucket: MadeBucket) -> None:
    bucket.put({"www/robots.txt": "User-agent: *\n"})
    assert source(bucket, "www/").find("robots.txt") == b"User-agent: *\n"
    assert source(bucket).find("robots.txt") is None
    with pytest.raises(OSError, match="NoSuchBucket"):
        S3Source(bucket.client, "no-such-bucket", "").find("robots.txt")


def test_listings_headers_and_files_are_asked_for_again_while_s3_is_busy_and_pages_are_not() -> None:
    client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    paused: list[float] = []
    source = S3Source(client, "site", "www/", Retry(lambda: False, paused.append, lambda: 0))
    with Stubber(client) as stubber:
        answers: dict[str, dict[str, Any]] = {
            "head_object": {"ETag": '"1"'},
            "list_objects_v2": {"IsTruncated": False, "Contents": [{"Key": "www/a.html"}]},
            "get_object": {
                "Body": BytesIO(b"User-agent: *"),
                "ContentLength": 13,
                "ETag": '"1"',
                "LastModified": datetime.now(UTC),
            },
        }
        for operation, answer in answers.items():
            stubber.add_client_error(operation, "SlowDown", http_status_code=503)
            stubber.add_response(operation, answer)
        assert source.etags(["a.html"]) == {"a.html": '"1"'}
        assert source.first_key_after("") == "a.html"
        assert source.find("robots.txt") == b"User-agent: *"
        assert paused == [1, 1, 1]
        stubber.add_client_error("get_object", "SlowDown", http_status_code=503)
        with pytest.raises(TimeoutError):
            source.read(Item("a.html", "a.html"))
    assert paused == [1, 1, 1]
