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


def answer(code: str, status: int = 400) -> ClientError:
    response = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(response, "GetObject")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "error",
    [
        answer("SlowDown", 503),
        answer("SlowDown"),
        answer("RequestTimeout", 400),
        answer("ThrottlingException"),
        answer("InternalError", 500),
        answer("ServiceUnavailable", 503),
        answer("", 502),
        ReadTimeoutError(endpoint_url="https://s3"),
        ConnectTimeoutError(endpoint_url="https://s3"),
        EndpointConnectionError(endpoint_url="https://s3"),
        IncompleteReadError(actual_bytes=1, expected_bytes=2),
        ResponseStreamingError(error="cut"),
    ],
    ids=str,
)
def test_a_busy_server_may_answer_the_same_request_later(error: Exception) -> None:
    assert is_busy(error)


@pytest.mark.parametrize(
    "error",
    [
        answer("AccessDenied", 403),
        answer("NoSuchKey", 404),
        answer("PreconditionFailed", 412),
        NoCredentialsError(),
        ValueError("x"),
    ],
    ids=str,
)
def test_a_refusal_stays_a_refusal(error: Exception) -> None:
    assert not is_busy(error)


def test_only_an_answer_has_a_code() -> None:
    assert code_of(answer("NoSuchKey", 404)) == "NoSuchKey"
    assert code_of(ClientError({}, "GetObject")) == ""
    assert code_of(ReadTimeoutError(endpoint_url="https://s3")) == ""


def test_an_object_is_missing_with_or_without_a_body_in_the_answer() -> None:
    assert all(code_of(answer(code, 404)) in MISSING for code in ("NoSuchKey", "404", "NotFound"))
    assert code_of(answer("AccessDenied", 403)) not in MISSING


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (answer("InternalError", 500), True),
        (ReadTimeoutError(endpoint_url="https://s3"), True),
        (ConnectionClosedError(endpoint_url="https://s3"), True),
        (ResponseStreamingError(error="cut"), True),
        (answer("SlowDown", 503), False),
        (answer("ServiceUnavailable", 503), False),
        (answer("PreconditionFailed", 412), False),
        (ConnectTimeoutError(endpoint_url="https://s3"), False),
        (EndpointConnectionError(endpoint_url="https://s3"), False),
        (NoCredentialsError(), False),
    ],
    ids=str,
)
def test_a_write_is_uncertain_if_it_may_have_reached_s3_and_had_no_clear_answer(
    error: Exception, *, expected: bool
) -> None:
    assert is_uncertain(error) is expected
