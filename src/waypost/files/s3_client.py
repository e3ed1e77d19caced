"""The clients of S3 that sources and stores share, the session that makes clients, and what answers mean."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    ResponseStreamingError,
)
from botocore.loaders import Loader
from botocore.parsers import ResponseParserError
from botocore.session import Session as BotocoreSession
from botocore.utils import parse_timestamp

from waypost.core.errors import ConfigIssue, ConfigurationError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_CONNECTIONS = 32
_CONNECT_SECONDS, _READ_SECONDS = 3, 15
"""How long a write waits for a connection, and then for each part of the answer."""

FAILURES = (ClientError, BotoCoreError)
"""What a request raises that failed."""
MISSING = ("NoSuchKey", "404", "NotFound")
"""The codes of an object that does not exist; the answer to a HEAD has no body, so its code is the status."""
CHANGED = ("PreconditionFailed", "412")
"""The codes of an object that has another ETag than If-Match requires."""
_BUSY = (
    "SlowDown",
    "RequestTimeout",
    "RequestTimeoutException",
    "Throttling",
    "ThrottlingException",
    "TooManyRequests",
)
_UNANSWERED = (
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    ResponseStreamingError,
)


class BucketWebsite(NamedTuple):
    """The index document and the key of the error document, and the host to which all requests are redirected.

    What is not configured is `""`.
    """

    index_document: str = ""
    error_document: str = ""
    redirects_to: str = ""


def read_website(client: "S3Client", bucket: str) -> BucketWebsite:
    """The configuration (GetBucketWebsite); an empty one where there is none, or it may not be read."""
    try:
        found = client.get_bucket_website(Bucket=bucket)
    except FAILURES:
        return BucketWebsite()
    return BucketWebsite(
        found.get("IndexDocument", {}).get("Suffix", ""),
        found.get("ErrorDocument", {}).get("Key", ""),
        found.get("RedirectAllRequestsTo", {}).get("HostName", ""),
    )


def s3_client() -> "S3Client":
    """A client configured by the AWS SDK's environment variables and files; raises ConfigurationError.

    It has a connection for each concurrent read, and repeats requests that fail.
    """
    return _client(Config(max_pool_connections=_CONNECTIONS, retries={"mode": "standard"}))


def s3_write_client() -> "S3Client":
    """A client for writes below the site, which makes one attempt for each; raises ConfigurationError.

    A writer must know by when a request has taken effect or failed, so no request takes long, and none is repeated
    without the writer's knowledge.
    """
    config = Config(
        max_pool_connections=_CONNECTIONS,
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": 1},
    )
    return _client(config)


def aws_session() -> boto3.Session:
    """A session configured by the AWS SDK's environment variables and files, which makes clients."""
    return boto3.Session(botocore_session=_botocore_session())


def _botocore_session() -> BotocoreSession:
    session = botocore.session.get_session()
    session.register_component("data_loader", _loader())
    return session


@cache
def _loader() -> Loader:
    """Loads botocore's descriptions of the services, each once in a process; that takes most of a client's time."""
    loader: Loader = botocore.session.get_session().get_component("data_loader")
    return loader


def account() -> str:
    """The account of the credentials, or `""` if STS does not say."""
    config = Config(connect_timeout=_CONNECT_SECONDS, read_timeout=_CONNECT_SECONDS, retries={"total_max_attempts": 1})
    try:
        return str(aws_session().client("sts", config=config).get_caller_identity()["Account"])
    except (BotoCoreError, ClientError, ResponseParserError, ValueError):
        return ""


def _client(config: Config) -> "S3Client":
    try:
        session = _botocore_session()
        session.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_parse_time)
        return boto3.Session(botocore_session=session).client("s3", config=config)
    except (BotoCoreError, ValueError) as error:
        raise ConfigurationError((ConfigIssue("environment", "AWS", str(error)),)) from error


def _parse_time(value: str) -> datetime:
    """A time in an answer of S3; Python's own parser of ISO 8601 saves two thirds of a listing's CPU time."""
    if value[4:5] == "-":
        return datetime.fromisoformat(value)
    return parse_timestamp(value)


def is_busy(error: Exception) -> bool:
    """Whether the same request may succeed later: S3 is too busy, had an internal error, or gave no complete answer.

    Source: "Error responses" (S3 API): requests with a status of 500 or more may be repeated.
    """
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return code_of(error) in _BUSY or status >= 500
    return isinstance(error, _UNANSWERED)


def is_uncertain(error: Exception) -> bool:
    """Whether a write that failed so may have taken effect, or may still: time-outs, broken connections and 500.

    S3 refuses a request with 503 before it does anything.
    """
    if isinstance(error, ClientError):
        return error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) == 500
    never_sent = isinstance(error, ConnectTimeoutError | EndpointConnectionError)
    return isinstance(error, _UNANSWERED) and not never_sent


def code_of(error: BaseException | None) -> str:
    """The error code of S3's answer, or `""` if there was no answer."""
    return error.response.get("Error", {}).get("Code", "") if isinstance(error, ClientError) else ""


def listing_pages(page: Callable[[Mapping[str, Any]], Any], start: Mapping[str, Any]) -> Iterator[Any]:
    """The pages of a listing (ListObjectsV2), of which any may be short or empty; `page` asks for one with parameters.

    `start` are the parameters for the first page.
    """
    while True:
        answer = page(start)
        yield answer
        if not answer["IsTruncated"]:
            return
        start = {"ContinuationToken": answer["NextContinuationToken"]}
