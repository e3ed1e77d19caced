"""What S3 answers where a request fails, told from the client's errors."""

from botocore.exceptions import ClientError, HTTPClientError, ResponseStreamingError

MISSING = ("NoSuchKey", "404", "NotFound")
"""The codes of an object that is not there; a HEAD has no body, and so only a status."""


_BUSY = (
    "SlowDown",
    "RequestTimeout",
    "RequestTimeoutException",
    "Throttling",
    "ThrottlingException",
    "TooManyRequests",
)


def is_busy(error: Exception) -> bool:
    """Whether S3 asks for patience, or did not answer at all: nothing is wrong with what was asked for.

    Source: "Error responses" (S3 API); every status from 500 on may be tried again.
    """
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return code_of(error) in _BUSY or status >= 500
    return isinstance(error, HTTPClientError | ResponseStreamingError)


def code_of(error: Exception) -> str:
    """The code of S3's answer, or nothing where it did not answer."""
    return error.response.get("Error", {}).get("Code", "") if isinstance(error, ClientError) else ""
