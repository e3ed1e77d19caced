from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.exceptions import ReadTimeoutError
from botocore.stub import Stubber

from waypost.core.clock import Retry
from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.files.s3_client import s3_write_client
from waypost.files.s3_store import S3Store
from waypost.files.store import NO_HEADERS, FileInfo, WriteHeaders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from buckets import MadeBucket


def store(bucket: MadeBucket, prefix: str = "www/", headers: WriteHeaders = NO_HEADERS) -> S3Store:
    return S3Store(bucket.client, bucket.name, prefix, headers)


def test_removing_removes_that_object_alone(bucket: MadeBucket) -> None:
    bucket.put({"www/a.xml": "x", "www/b.xml": "x", "a.xml": "x"})
    store(bucket).remove("a.xml")
    assert bucket.keys() == ["a.xml", "www/b.xml"]


def test_names_are_those_of_the_folder_itself_that_begin_so(bucket: MadeBucket) -> None:
    bucket.put(
        dict.fromkeys(["www/sitemap.xml", "www/sitemap-a.xml", "www/x.html", "www/sitemap/x.xml", "sitemap.xml"], "")
    )
    assert list(store(bucket).names("sitemap")) == ["sitemap-a.xml", "sitemap.xml"]


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("sitemap.xml", "application/xml"),
        ("sitemap.xml.gz", "application/gzip"),
        ("sitemap.txt", "text/plain; charset=utf-8"),
        ("robots.txt", "text/plain; charset=utf-8"),
        ("state.jsonl", "application/x-ndjson"),
        ("state", "application/octet-stream"),
    ],
)
def test_an_object_has_the_type_of_its_name_and_no_encoding(bucket: MadeBucket, name: str, content_type: str) -> None:
    store(bucket).write(name, b"x")
    head = bucket.client.head_object(Bucket=bucket.name, Key=f"www/{name}", ChecksumMode="ENABLED")
    assert head["ContentType"] == content_type
    assert head.get("ContentEncoding") is None
    assert base64.b64decode(head["ChecksumSHA256"]) == hashlib.sha256(b"x").digest()


def test_caching_is_as_the_settings_say(bucket: MadeBucket) -> None:
    store(bucket, headers=WriteHeaders("max-age=300")).write("sitemap.xml", b"x")
    assert bucket.client.head_object(Bucket=bucket.name, Key="www/sitemap.xml")["CacheControl"] == "max-age=300"


@pytest.mark.parametrize("is_conditional", [False, True])
def test_objects_are_public_only_if_the_settings_say_so(bucket: MadeBucket, *, is_conditional: bool) -> None:
    for name, headers in (("public.xml", WriteHeaders(acl="public-read")), ("private.xml", NO_HEADERS)):
        made = store(bucket, headers=headers)
        if is_conditional:
            made.put_if_match(name, b"x", None)
        else:
            made.write(name, b"x")
    everyone = "http://acs.amazonaws.com/groups/global/AllUsers"
    grants = {
        name: bucket.client.get_object_acl(Bucket=bucket.name, Key=f"www/{name}")["Grants"]
        for name in ("public.xml", "private.xml")
    }
    readers = {name: [each["Grantee"].get("URI") for each in found] for name, found in grants.items()}
    assert (everyone in readers["public.xml"], everyone in readers["private.xml"]) == (True, False)


def test_a_store_that_fails_says_where(bucket: MadeBucket) -> None:
    broken = S3Store(bucket.client, "no-such-bucket", "www/")
    with pytest.raises(StoreError, match=r"cannot read s3://no-such-bucket/www/a.xml"):
        broken.read("a.xml")
    with pytest.raises(StoreError, match=r"cannot write s3://no-such-bucket/www/a.xml"):
        broken.write("a.xml", b"")
    with pytest.raises(StoreError, match=r"cannot list s3://no-such-bucket/www/"):
        broken.names()
    with pytest.raises(StoreError, match=r"cannot remove s3://no-such-bucket/www/a.xml"):
        broken.remove("a.xml")
    with pytest.raises(StoreError, match=r"cannot remove s3://no-such-bucket/www/a.xml and others"):
        broken.delete_many(["a.xml"])


def test_more_files_are_removed_than_one_request_takes(bucket: MadeBucket) -> None:
    bucket.put({"www/a.xml": "x", "www/b.xml": "x"})
    store(bucket).delete_many(["a.xml", *(f"{n}.xml" for n in range(1_000)), "b.xml"])
    assert bucket.keys() == []


@pytest.fixture
def stubbed() -> Iterator[tuple[S3Store, Stubber]]:
    """A store, and the answers that its client for conditional writes gets; no other request has an answer."""
    client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    with Stubber(client) as stubber:
        yield S3Store(Unreachable(), "site", "www/", write_client=client), stubber  # type: ignore[arg-type]


class Unreachable:
    """A client that no request may use."""


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("PreconditionFailed", 412),
        ("ConditionalRequestConflict", 409),
        ("OperationAborted", 409),
        ("NoSuchKey", 404),
    ],
)
def test_a_conditional_write_whose_condition_may_be_false_is_a_conflict(
    stubbed: tuple[S3Store, Stubber], code: str, status: int
) -> None:
    store, stubber = stubbed
    for operation in ("put_object", "delete_object"):
        stubber.add_client_error(operation, code, http_status_code=status)
    with pytest.raises(ConflictError):
        store.put_if_match("a.xml", b"x", '"etag"')
    with pytest.raises(ConflictError):
        store.delete_if_match("a.xml", '"etag"')


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [("InternalError", 500, UncertainError), ("SlowDown", 503, StoreError), ("AccessDenied", 403, StoreError)],
)
def test_only_a_write_that_may_have_taken_effect_is_uncertain(
    stubbed: tuple[S3Store, Stubber], code: str, status: int, kind: type[StoreError]
) -> None:
    store, stubber = stubbed
    for operation in ("put_object", "delete_object"):
        stubber.add_client_error(operation, code, http_status_code=status)
    with pytest.raises(StoreError) as put:
        store.put_if_match("a.xml", b"x", None)
    with pytest.raises(StoreError) as deleted:
        store.delete_if_match("a.xml", '"etag"')
    assert (type(put.value), type(deleted.value)) == (kind, kind)


@pytest.mark.usefixtures("s3")
def test_a_conditional_write_is_attempted_once() -> None:
    client = s3_write_client()
    requests: list[str] = []
    client.meta.events.register("before-send.s3.*", lambda request, **_: fails(requests, request.method))
    store = S3Store(client, "site", "www/", write_client=client)
    with pytest.raises(UncertainError):
        store.put_if_match("a.xml", b"x", None)
    assert requests == ["PUT"]


def test_requests_without_a_condition_are_repeated_while_s3_is_busy(stubbed: tuple[S3Store, Stubber]) -> None:
    _, stubber = stubbed
    paused: list[float] = []
    retry = Retry(lambda: False, paused.append, lambda: 0)
    store = S3Store(stubber.client, "site", "www/", retry=retry)  # type: ignore[arg-type]
    answers: dict[str, dict[str, object]] = {
        "put_object": {"ETag": '"1"'},
        "head_object": {"ETag": '"1"'},
        "list_objects_v2": {"IsTruncated": False, "Contents": [{"Key": "www/a.xml"}]},
        "delete_object": {},
        "delete_objects": {},
    }
    for operation, response in answers.items():
        stubber.add_client_error(operation, "SlowDown", http_status_code=503)
        stubber.add_client_error(operation, "InternalError", http_status_code=500)
        stubber.add_response(operation, response)
    store.write("a.xml", b"x")
    assert store.head("a.xml") == FileInfo('"1"', {})
    assert store.names() == ["a.xml"]
    store.remove("a.xml")
    store.delete_many(["a.xml"])
    assert paused == [1, 2] * len(answers)
    stubber.assert_no_pending_responses()


def test_no_request_is_repeated_that_would_fail_again_or_has_a_condition(stubbed: tuple[S3Store, Stubber]) -> None:
    _, stubber = stubbed
    paused: list[float] = []
    retry = Retry(lambda: False, paused.append)
    store = S3Store(stubber.client, "site", "www/", retry=retry)  # type: ignore[arg-type]
    stubber.add_client_error("get_object", "AccessDenied", http_status_code=403)
    stubber.add_client_error("put_object", "SlowDown", http_status_code=503)
    with pytest.raises(StoreError, match="AccessDenied"):
        store.read("a.xml")
    with pytest.raises(StoreError, match="SlowDown"):
        store.put_if_match("a.xml", b"x", None)
    assert paused == []


def fails(requests: list[str], method: str) -> None:
    requests.append(method)
    raise ReadTimeoutError(endpoint_url="https://site")


@pytest.mark.parametrize(("content", "start"), [(b"", b""), (b"abc", b"abc"), (b"abcdef", b"abcd"), (None, None)])
def test_the_start_of_a_file_is_read_alone(bucket: MadeBucket, content: bytes | None, start: bytes | None) -> None:
    if content is not None:
        bucket.put({"www/state": content})
    assert store(bucket).get_start("state", 4) == start
