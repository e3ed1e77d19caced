"""Requests to the APIs of search engines: their limits, and what counts as a refusal."""

from __future__ import annotations

import socket

import pytest
from msgspec import Struct
from webmaster_apis import WebmasterApis

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.files.guarded_http import Timeouts
from waypost.files.http_requests import StatusError
from waypost.notify import engine_api


class Count(Struct):
    count: int = 0


def send(webmasters: WebmasterApis, method: str = "GET") -> bytes:
    return engine_api.send("Engine", method, f"{webmasters.url}/x", {})


def test_a_success_is_its_body(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/x", (200, b"content"))
    assert send(webmasters) == b"content"


def test_a_refusal_has_its_status_and_body(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/x", (403, b"because"))
    with pytest.raises(StatusError) as raised:
        send(webmasters)
    assert (raised.value.status, raised.value.body) == (403, b"because")


def test_a_large_answer_is_not_read_to_its_end(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/x", (200, b"x" * 1_048_576), (200, b"x" * 1_048_577))
    assert len(send(webmasters)) == 1_048_576
    with pytest.raises(AnnounceError, match="larger than 1,048,576 bytes"):
        send(webmasters)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_what_is_submitted_follows_no_redirect(webmasters: WebmasterApis, status: int) -> None:
    webmasters.refuse("/x", (status, f"{webmasters.url}/y".encode()))
    with pytest.raises(AnnounceError, match=f"Engine answers {status}, a redirect, which is not followed"):
        send(webmasters, "PUT")
    assert webmasters.requests == ["PUT /x"]


def test_no_secret_follows_a_redirect_to_another_host(webmasters: WebmasterApis) -> None:
    other = f"http://localhost:{webmasters.port}/google/sites/s/sitemaps/x"
    webmasters.refuse("/x", (302, other.encode()))
    webmasters.tokens.append("token")
    with pytest.raises(StatusError) as raised:
        engine_api.send("Engine", "GET", f"{webmasters.url}/x", {"Authorization": "Bearer token"})
    assert raised.value.status == 401


def test_a_server_that_is_gone_or_hangs_may_answer_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with pytest.raises(TryLaterError, match=r"Engine does not answer: the answer took longer than 0\.05 seconds"):
            engine_api.send("Engine", "GET", url, {}, timeouts=Timeouts(0.05, 0.05))
    with pytest.raises(TryLaterError, match="Engine does not answer"):
        engine_api.send("Engine", "GET", url, {})


def test_numbers_may_be_written_as_text() -> None:
    assert engine_api.decode("Engine", b'{"count": "12"}', Count).count == 12


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"count": "many"}', b'{"count": "\xff"}'])
def test_an_answer_that_is_something_else_is_an_error_and_a_refusal_without_details(body: bytes) -> None:
    with pytest.raises(AnnounceError, match="the answer of Engine is not what its documentation says"):
        engine_api.decode("Engine", body, Count)
    assert engine_api.decode_error(body, Count).count == 0


def test_a_text_of_a_server_is_one_line_of_bounded_length() -> None:
    assert engine_api.short(" It\n was\trefused. ") == "It was refused"
    assert engine_api.short("x" * 1_000) == "x" * 300 + "…"
