"""Sends one request, and keeps no more of the answer than the check needs."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from email.message import Message
from types import MappingProxyType

from msgspec import Struct

from waypost import REPOSITORY, __version__
from waypost.core.private_hosts import PrivateHosts
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpAnswer, HttpClient, HttpRequest

_ABOUT = f" (+https://github.com/{REPOSITORY})" if REPOSITORY else ""
USER_AGENT = f"Waypost/{__version__}{_ABOUT}"
TIMEOUTS = Timeouts(idle=15, total=30)
MAX_BODY = 524_288
"""More bytes of a body, decompressed, are not read: the head of a page and a robots.txt (RFC 9309, 2.5) are shorter."""
_GZIP = ("gzip", "x-gzip")


class LiveRequest(Struct, frozen=True):
    """A request without a body; of answers with one of the `read_types`, the body is read (None: of all)."""

    method: str
    url: str
    headers: Mapping[str, str] = MappingProxyType({})
    read_types: Sequence[str] | None = ()


class Reply(Struct, frozen=True):
    """An answer: its body if that was asked for, up to a limit, and `damage` if it cannot be read."""

    status: int
    headers: Message
    body: bytes | None = None
    damage: str = ""

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case, or `""`."""
        return str(self.headers.get("Content-Type", "")).partition(";")[0].strip().lower()


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
            if request.method != "GET" or reply.status != 200 or not is_read:
                return reply
            return Reply(reply.status, reply.headers, *_read_start(response))


def _read_start(response: HttpAnswer) -> tuple[bytes, str]:
    """The first bytes of a body, and why it cannot be read, or `""`."""
    encoding, body = (response.headers.get("Content-Encoding") or "identity").strip().lower(), bytearray()
    try:
        chunks: Iterable[bytes] = response.chunks()
        if encoding in _GZIP:
            chunks = _decompressed(chunks)
        elif encoding != "identity":
            return b"", f"its encoding is {encoding:.40}, which was not requested"
        for chunk in chunks:
            body += chunk
            if len(body) > MAX_BODY:
                return bytes(body[:MAX_BODY]), ""
    except (OSError, zlib.error) as error:
        why = f"its gzip data is damaged: {error}" if isinstance(error, zlib.error) else error.strerror or str(error)
        return bytes(body), why
    return bytes(body), ""


def _decompressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The decompressed chunks of gzip data, none of them larger than `MAX_BODY`."""
    decompressor = zlib.decompressobj(16 + zlib.MAX_WBITS)
    for chunk in chunks:
        rest = chunk
        while rest and not decompressor.eof:
            yield decompressor.decompress(rest, MAX_BODY)
            rest = decompressor.unconsumed_tail
    if not decompressor.eof:
        raise zlib.error("it ends too early")
