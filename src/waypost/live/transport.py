"""Sends one request, and keeps no more of the answer than the check needs."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from waypost import REPOSITORY, __version__
from waypost.core.content_codings import UnknownCodingError, decode
from waypost.core.private_hosts import PrivateHosts
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpAnswer, HttpClient, HttpRequest
from waypost.files.http_headers import HttpHeaders

_ABOUT = f" (+https://github.com/{REPOSITORY})" if REPOSITORY else ""
USER_AGENT = f"Waypost/{__version__}{_ABOUT}"
TIMEOUTS = Timeouts(idle=15, total=30)
MAX_BODY = 524_288
"""More bytes of a body, decompressed, are not read: the head of a page and a robots.txt (RFC 9309, 2.5) are shorter."""


class LiveRequest(Struct, frozen=True):
    """A request without a body; the body of the answer is read if its type and its status are among those to read.

    Without `read_types`, all types are.
    """

    method: str
    url: str
    headers: Mapping[str, str] = MappingProxyType({})
    read_types: Sequence[str] | None = ()
    read_statuses: Sequence[int] = (200,)


class Reply(Struct, frozen=True):
    """An answer: its body if that was asked for, up to a limit, and `damage` if it cannot be read to its end.

    `unread` says why it was not read at all.
    """

    status: int
    headers: HttpHeaders
    body: bytes | None = None
    damage: str = ""
    unread: str = ""

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case, or `""`."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()


Send = Callable[[LiveRequest], Reply]
"""Sends a request, and follows no redirect; raises OSError, and PermissionError for an address that is not allowed."""


class HttpSender:
    """Sends requests over guarded connections."""

    def __init__(self, private: PrivateHosts, timeouts: Timeouts = TIMEOUTS) -> None:
        self._client = HttpClient(private, timeouts)

    def __call__(self, request: LiveRequest) -> Reply:
        """The answer; raises OSError."""
        headers = {"User-Agent": USER_AGENT, **request.headers}
        with self._client.ask(HttpRequest(request.method, request.url, headers)) as response:
            reply = Reply(response.status, response.headers)
            is_read = request.read_types is None or reply.content_type in request.read_types
            if request.method != "GET" or reply.status not in request.read_statuses or not is_read:
                return reply
            return _read_start(response)


def _read_start(response: HttpAnswer) -> Reply:
    """The answer with the first bytes of its body, or why they cannot be read."""
    status, headers, body = response.status, response.headers, bytearray()
    is_whole, why = True, ""
    try:
        for chunk in response.chunks():
            body += chunk
            if len(body) > MAX_BODY:
                is_whole = False
                break
    except OSError as error:
        is_whole, why = False, error.strerror or str(error)
    try:
        found = decode(headers.get("Content-Encoding") or "", bytes(body[:MAX_BODY]), MAX_BODY, is_whole=is_whole)
    except UnknownCodingError as error:
        return Reply(status, headers, unread=str(error.strerror))
    except OSError as error:
        return Reply(status, headers, b"", why or error.strerror or str(error))
    return Reply(status, headers, found.data, why)
