"""Classifies the errors of S3 requests."""

from botocore.exceptions import (
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    ResponseStreamingError,
)

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


def code_of(error: Exception) -> str:
    """The error code of S3's answer, or `""` if there was no answer."""
    return error.response.get("Error", {}).get("Code", "") if isinstance(error, ClientError) else ""
