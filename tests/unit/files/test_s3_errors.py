"""What a failed request to S3 means: whether it may succeed later, and whether it may have taken effect."""

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

from waypost.files.s3_errors import MISSING, code_of, is_busy, is_uncertain

URL = "https://s3"


def answer(code: str, status: int = 400) -> ClientError:
    response = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(response, "GetObject")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "busy", "uncertain"),
    [
        (answer("SlowDown", 503), True, False),
        (answer("SlowDown"), True, False),
        (answer("RequestTimeout"), True, False),
        (answer("ThrottlingException"), True, False),
        (answer("InternalError", 500), True, True),
        (answer("ServiceUnavailable", 503), True, False),
        (answer("", 502), True, False),
        (ReadTimeoutError(endpoint_url=URL), True, True),
        (ConnectionClosedError(endpoint_url=URL), True, True),
        (ConnectTimeoutError(endpoint_url=URL), True, False),
        (EndpointConnectionError(endpoint_url=URL), True, False),
        (IncompleteReadError(actual_bytes=1, expected_bytes=2), True, True),
        (ResponseStreamingError(error="cut"), True, True),
        (answer("AccessDenied", 403), False, False),
        (answer("NoSuchKey", 404), False, False),
        (answer("PreconditionFailed", 412), False, False),
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
    assert all(code_of(answer(code, 404)) in MISSING for code in ("NoSuchKey", "404", "NotFound"))
    assert code_of(answer("AccessDenied", 403)) not in MISSING
