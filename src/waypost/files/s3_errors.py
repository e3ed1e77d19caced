"""What the answers of S3 mean: its errors, and the pages of a listing."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    ResponseStreamingError,
)

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
