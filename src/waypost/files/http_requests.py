"""Sends a request to a server that the settings name: with limits of time and bytes, and no secret to another host."""

import errno
from http.client import HTTPException, responses
from urllib.parse import urljoin, urlsplit

from msgspec.structs import replace

from waypost.core.private_hosts import EVERY_HOST, PrivateHosts
from waypost.files.guarded_http import Deadline, Timeouts
from waypost.files.http_client import REDIRECTS, HttpAnswer, HttpClient, HttpRequest, ProtocolError
from waypost.files.http_headers import HttpHeaders

_REDIRECTED = ("GET", "HEAD")
_MOST_REDIRECTS = 10
_SECRET_HEADERS = ("authorization", "cookie")
_MOST_ERROR_BYTES = 65_536


class StatusError(OSError):
    """An answer that is a refusal, mostly by its status: that, its headers, and the beginning of its body."""

    def __init__(self, status: int, headers: HttpHeaders, body: bytes) -> None:
        super().__init__(errno.EIO, f"the server answers {status} {responses.get(status, '')}".rstrip())
        self.status, self.headers, self.body = status, headers, body


def send(request: HttpRequest, *, timeouts: Timeouts, most: int, guard: PrivateHosts = EVERY_HOST) -> bytes:
    """The first `most` bytes of an answer's body, after redirects, which all together have the time for one answer.

    Redirects are followed if the request only asks (GET and HEAD).
    `guard` says which private networks are asked: all, where the environment of the run names the server.
    Raises StatusError for any status but those of success, and OSError for whatever else is no answer.
    """
    client, deadline = HttpClient(guard, timeouts), Deadline(timeouts)
    for _ in range(_MOST_REDIRECTS + 1):
        with client.ask(request, deadline) as answer:
            if answer.status in REDIRECTS and request.method in _REDIRECTED and answer.headers.get("Location"):
                request = _redirected(request, answer.headers["Location"])
                continue
            if answer.status >= 300:
                raise StatusError(answer.status, answer.headers, _error_body(answer))
            return _read(answer, most)
    raise ProtocolError(f"the URL redirects more than {_MOST_REDIRECTS} times")


def _redirected(request: HttpRequest, location: str) -> HttpRequest:
    """The request to send next: to another host, or from https to http, without secrets."""
    try:
        url = urljoin(request.url, location)
        is_same = _origin(url) == _origin(request.url)
    except ValueError:
        raise ProtocolError("the server redirects to what is no URL") from None
    kept = {name: value for name, value in request.headers.items() if is_same or name.lower() not in _SECRET_HEADERS}
    return replace(request, url=url, headers=kept)


def _read(answer: HttpAnswer, most: int) -> bytes:
    try:
        return answer.read(most)
    except HTTPException as error:
        raise ProtocolError(f"the answer is not HTTP: {type(error).__name__}") from None


def _error_body(answer: HttpAnswer) -> bytes:
    """The first bytes of the body; empty if it cannot be read."""
    try:
        return answer.read(_MOST_ERROR_BYTES)
    except (OSError, HTTPException):
        return b""


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
