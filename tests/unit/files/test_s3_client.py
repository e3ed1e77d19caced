from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    IncompleteReadError,
    NoCredentialsError,
    ReadTimeoutError,
    ResponseStreamingError,
)
from servers import answer, serving

from waypost.core.errors import ConfigurationError
from waypost.files.s3_client import (
    MISSING,
    BucketWebsite,
    account,
    aws_session,
    code_of,
    is_busy,
    is_uncertain,
    read_website,
    s3_client,
    s3_write_client,
)

if TYPE_CHECKING:
    from buckets import MadeBucket
    from mypy_boto3_s3 import S3Client

LISTING = (
    '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
    "<Name>site</Name><Prefix></Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>"
    "<Contents><Key>a.html</Key><LastModified>2026-11-20T12:30:45.000Z</LastModified><ETag>&quot;x&quot;</ETag>"
    "<Size>1</Size></Contents></ListBucketResult>"
)


@pytest.fixture(autouse=True)
def _credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))


def test_times_of_a_listing_and_of_headers_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    html = answer("x", Last_Modified="Fri, 20 Nov 2026 12:30:45 GMT")
    files = {"/site?list-type=2&encoding-type=url": answer(LISTING), "/site/a.html": html}
    with serving(files) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.url)
        client = s3_client()
        time = datetime(2026, 11, 20, 12, 30, 45, tzinfo=UTC)
        assert client.list_objects_v2(Bucket="site")["Contents"][0]["LastModified"] == time
        with (page := client.get_object(Bucket="site", Key="a.html"))["Body"]:
            assert page["LastModified"] == time


@pytest.mark.parametrize("create", [s3_client, s3_write_client])
def test_a_client_has_a_connection_for_each_concurrent_request(create: Callable[[], S3Client]) -> None:
    assert create().meta.config.max_pool_connections == 32  # type: ignore[attr-defined]


def test_the_description_of_a_service_is_read_once_for_all_clients() -> None:
    clients = [s3_client(), s3_write_client(), aws_session().client("s3")]
    first, *others = [client.meta.service_model.metadata for client in clients]
    assert all(each is first for each in others)


def test_a_request_of_the_client_for_writes_is_sent_once_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "5")
    with serving({"/site/sitemap.xml": answer(status=500)}) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.url)
        with pytest.raises(ClientError):
            s3_write_client().get_object(Bucket="site", Key="sitemap.xml")
        assert server.asked == ["/site/sitemap.xml"]


def test_a_write_that_is_not_answered_ends_soon() -> None:
    config = s3_write_client().meta.config
    assert (config.connect_timeout, config.read_timeout) == (3, 15)  # type: ignore[attr-defined]


def test_a_setting_of_the_environment_that_is_invalid_is_a_mistake_in_the_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    with pytest.raises(ConfigurationError) as caught:
        s3_client()
    assert [(issue.key, "no-such-profile" in issue.problem) for issue in caught.value.issues] == [("AWS", True)]


def test_the_account_of_the_credentials_is_asked_for(bucket: MadeBucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", bucket.client.meta.endpoint_url)
    assert account() == "123456789012"


def test_a_server_that_is_only_like_s3_has_no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving({}) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
        assert account() == ""


def test_a_configuration_is_read_and_a_missing_one_is_empty(bucket: MadeBucket) -> None:
    assert read_website(bucket.client, bucket.name) == BucketWebsite()
    configuration: Any = {"IndexDocument": {"Suffix": "index.html"}, "ErrorDocument": {"Key": "404.html"}}
    bucket.client.put_bucket_website(Bucket=bucket.name, WebsiteConfiguration=configuration)
    assert read_website(bucket.client, bucket.name) == BucketWebsite("index.html", "404.html")


URL = "https://s3"


def refusal(code: str, status: int = 400) -> ClientError:
    response = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(response, "GetObject")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "busy", "uncertain"),
    [
        (refusal("SlowDown", 503), True, False),
        (refusal("SlowDown"), True, False),
        (refusal("RequestTimeout"), True, False),
        (refusal("ThrottlingException"), True, False),
        (refusal("InternalError", 500), True, True),
        (refusal("ServiceUnavailable", 503), True, False),
        (refusal("", 502), True, False),
        (ReadTimeoutError(endpoint_url=URL), True, True),
        (ConnectionClosedError(endpoint_url=URL), True, True),
        (ConnectTimeoutError(endpoint_url=URL), True, False),
        (EndpointConnectionError(endpoint_url=URL), True, False),
        (IncompleteReadError(actual_bytes=1, expected_bytes=2), True, True),
        (ResponseStreamingError(error="cut"), True, True),
        (refusal("AccessDenied", 403), False, False),
        (refusal("NoSuchKey", 404), False, False),
        (refusal("PreconditionFailed", 412), False, False),
        (NoCredentialsError(), False, False),
        (ValueError("x"), False, False),
    ],
    ids=str,
)
def test_a_failure_is_one_for_now_or_for_good_and_a_write_may_have_reached_s3(
    error: Exception, *, busy: bool, uncertain: bool
) -> None:
    assert (is_busy(error), is_uncertain(error)) == (busy, uncertain)


def test_only_an_answer_has_a_code_and_that_of_a_missing_object_may_be_its_status() -> None:
    assert (code_of(ClientError({}, "GetObject")), code_of(ReadTimeoutError(endpoint_url=URL))) == ("", "")
    assert all(code_of(refusal(code, 404)) in MISSING for code in ("NoSuchKey", "404", "NotFound"))
    assert code_of(refusal("AccessDenied", 403)) not in MISSING
