"""Sends a request to a server that the settings name: with a limit of time and of bytes, and no secret to another host.

`sources.http` reads files of hosts that nobody vouches for; it shares the connections.
"""

import errno
import time
import urllib.error
import urllib.request
from email.message import Message
from http.client import HTTPException
from typing import IO, Any
from urllib.parse import urlsplit

from waypost.core.guarded_http import GuardedConnector, HTTPHandler, HTTPSHandler, Timeouts, seconds_left

_SECRET_HEADERS = ("Authorization", "Cookie")
_MOST_ERROR_BYTES = 65_536


def send(request: urllib.request.Request, *, timeouts: Timeouts, most: int) -> bytes:
    """The first `most` bytes of an answer's body.

    Raises HTTPError for a status of 400 or more, and OSError for whatever else is no answer: also one that is no HTTP.
    """
    try:
        with _opener(timeouts).open(request, timeout=timeouts.total) as response:
            content: bytes = response.read(most)
    except urllib.error.HTTPError:
        raise
    except urllib.error.URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else OSError(errno.EIO, str(error.reason)) from None
    except HTTPException as error:
        raise OSError(errno.EIO, f"the answer is no HTTP ({type(error).__name__})") from None
    return content


def _opener(timeouts: Timeouts) -> urllib.request.OpenerDirector:
    """An opener for one request, by HTTP only: urllib's own follows redirects to FTP, where no deadline holds."""
    connector, opener = GuardedConnector(_allow, timeouts), urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        HTTPHandler(connector),
        HTTPSHandler(connector),
        _Redirects(timeouts),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


def error_body(error: urllib.error.HTTPError) -> bytes:
    """The first bytes of the body of an answer that is an error; empty if it cannot be read."""
    try:
        return error.read(_MOST_ERROR_BYTES)
    except (OSError, HTTPException):
        return b""


def _allow(host: str, address: str) -> None:
    """Allow every address: the settings name the server, or the runner does."""


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects of requests without a body; to another host, or from https to http, without secrets.

    All requests together have the time for one answer, from when the handler is made.
    """

    def __init__(self, timeouts: Timeouts) -> None:
        self._timeouts, self._deadline = timeouts, time.monotonic() + timeouts.total

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        """The request to send next, or None to raise the answer as an error."""
        if req.data is not None:
            return None
        req.timeout = seconds_left(self._deadline, self._timeouts)
        following = super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
        if following is not None and _origin(following.full_url) != _origin(req.full_url):
            for name in _SECRET_HEADERS:
                following.remove_header(name)
        return following


def _origin(url: str) -> Any:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
