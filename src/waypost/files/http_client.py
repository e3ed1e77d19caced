"""The HTTP client of everything that Waypost asks by HTTP, but for AWS, whose SDK has its own.

It reads answers as browsers do: interim ones (1xx) are passed over, and there may be many headers. It keeps connections
open between requests, and ends each answer at a deadline. A request raises no other error than OSError.
"""

import base64
import errno
import http.client
import re
import select
import ssl
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from waypost import __version__
from waypost.core.private_hosts import EVERY_HOST, PrivateHosts, host_and_port
from waypost.files.guarded_http import (
    Deadline,
    DeadlineSocket,
    DeadlineTLSSocket,
    Timeouts,
    connect,
    literal_addresses,
)
from waypost.files.http_headers import HttpHeaders

REDIRECTS = (301, 302, 303, 307, 308)

SENT_UNCHANGED = "/:?#[]@!$&'()*+,;=~%"
"""Characters of a URL that are sent as they are written; any other is percent-encoded."""
_MOST_HEADER_BYTES, _MOST_HEADERS, _MOST_LINE = 262_144, 1_000, 65_536
"""Chrome and nginx take so much; more is an attack."""
_MOST_INTERIM = 20
"""How many interim answers may come before the final one (RFC 9110, 15.2)."""
_MOST_DRAINED = 16_384
"""To ask the same connection again, no more of an answer is read that nobody wants."""
_KEPT_CONNECTIONS = 64
_SWITCHING, _WITHOUT_BODY, _KEEPING = 101, (204, 304), 11
_CODINGS = ("", "chunked")
_LENGTH, _CHUNK_SIZE = re.compile(r"[0-9]{1,18}", re.ASCII), re.compile(rb"[0-9A-Fa-f]{1,15}")
_REPEATABLE = ("GET", "HEAD")
_CHUNK_BYTES = 65_536


class ProtocolError(OSError):
    """A server's answer breaks HTTP, or is none."""

    def __init__(self, text: str) -> None:
        super().__init__(errno.EIO, text)


class HttpRequest(Struct, frozen=True):
    """A request; one that only asks (GET and HEAD) may be sent again."""

    method: str
    url: str
    headers: Mapping[str, str] = {}
    body: bytes | None = None


class HttpAnswer(HTTPResponse):
    """A final answer, whatever its status is; its connection is used again once the body is read and it is closed.

    Reading its body raises OSError or HTTPException.
    """

    headers: HttpHeaders  # type: ignore[assignment]  # which the standard library only passes on
    release: Callable[[bool], None] | None = None
    _has_more = False
    """Whether bytes came after the end of the body, which no client has asked for."""
    _header_bytes_left = _MOST_HEADER_BYTES

    def begin(self) -> None:
        """Read the status and the headers, after those of all interim answers; raises HTTPException."""
        left = _MOST_HEADER_BYTES
        for _ in range(_MOST_INTERIM + 1):
            version, self.status, reason = self._read_status()  # type: ignore[attr-defined]
            headers, size = self._read_headers(left)
            left -= size
            if not 100 <= self.status < 200 or self.status == _SWITCHING:
                break
        else:
            raise HTTPException(f"more than {_MOST_INTERIM} interim answers")
        self._header_bytes_left = left
        self.code, self.reason, self.version = self.status, reason.strip(), 10 if version < "HTTP/1.1" else 11
        self.headers = headers
        coding = ",".join(headers.all("transfer-encoding")).strip().lower()
        self.chunked = coding == "chunked"
        self.chunk_left = None
        self.length = self._body_length(is_coded=bool(coding))
        self.will_close = self._ends_with_connection(coding)
        if self.length == 0:  # it ends with its headers
            self._close_conn()

    def chunks(self) -> Iterator[bytes]:
        """The body in chunks, as it is sent; raises OSError if it is incomplete."""
        while data := self._next_chunk():
            yield data
        if self.length:
            raise OSError(errno.EIO, f"the body is incomplete: {self.length:,} bytes are missing")

    def _next_chunk(self) -> bytes:
        try:
            return self.read1(_CHUNK_BYTES)
        except HTTPException:
            raise ProtocolError("the body is incomplete") from None

    def _read_headers(self, most: int) -> tuple[HttpHeaders, int]:
        lines, size = list[bytes](), 0
        while True:
            line = self.fp.readline(_MOST_LINE + 1)
            size += len(line)
            if len(line) > _MOST_LINE or size > most or len(lines) >= _MOST_HEADERS:
                raise HTTPException("its headers are too long")
            if line in (b"\r\n", b"\n", b""):
                return _parsed_headers(lines), size
            lines.append(line)

    def _read_and_discard_trailer(self) -> None:
        """Read the lines after the last chunk, which count as headers (RFC 9112, 7.1.2)."""
        try:
            self._read_headers(self._header_bytes_left)
        except BaseException:
            self.will_close = True
            raise

    def _body_length(self, *, is_coded: bool) -> int | None:
        """The bytes of the body, None if nothing says how many (RFC 9112, 6.3); raises HTTPException."""
        if self.status in _WITHOUT_BODY or 100 <= self.status < 200 or self._method == "HEAD":  # type: ignore[attr-defined]
            return 0
        texts = {text.strip() for text in self.headers.all("content-length")}
        if len(texts) > 1 and not is_coded:
            raise HTTPException("it has two different lengths")
        text = next(iter(texts), "")
        return int(text) if _LENGTH.fullmatch(text) and not is_coded else None

    def _ends_with_connection(self, coding: str) -> bool:
        """Whether no request may follow on this connection (RFC 9112, 9.3)."""
        options = ",".join(self.headers.all("connection")).lower()
        is_kept = self.version == _KEEPING or "keep-alive" in options
        has_end = self.length is not None or (self.chunked and self.version == _KEEPING)
        return not is_kept or "close" in options or not has_end or self.status == _SWITCHING or coding not in _CODINGS

    def _read_next_chunk_size(self) -> int:
        """The size of the next chunk (RFC 9112, 7.1); raises ValueError, also for what Python takes for a number."""
        line = self.fp.readline(_MOST_LINE + 1)
        size = line.partition(b";")[0].strip()
        if not line.endswith(b"\n") or not _CHUNK_SIZE.fullmatch(size):
            self.will_close = True
            raise ValueError("a chunk has no size")
        return int(size, 16)

    def _safe_read(self, amt: int) -> bytes:
        try:
            return cast("bytes", super()._safe_read(amt))  # type: ignore[misc]
        except BaseException:
            self.will_close = True
            raise

    def _close_conn(self) -> None:
        try:
            self._has_more = self._has_more or bool(self._buffered())
        except (OSError, ValueError):  # a wait has ended before
            self.will_close = True
        super()._close_conn()  # type: ignore[misc]

    def _buffered(self) -> bytes:
        """The bytes that have come and were not read yet."""
        with self._without_waiting():
            return cast("bytes", cast("Any", self.fp).peek())

    @contextmanager
    def _without_waiting(self) -> Iterator[None]:
        """Let nothing be read from the network."""
        connection = cast("DeadlineSocket", cast("Any", self.fp).raw._sock)
        connection.is_silent = True
        try:
            yield
        finally:
            connection.is_silent = False

    def close(self) -> None:
        """End the answer; if all of it has come, the connection is free for the next request. It waits for nothing."""
        release, self.release = self.release, None
        is_free = release is not None and not self.will_close and self._drain() and not self._has_more
        try:
            super().close()
        finally:
            if release:
                release(is_free)

    def _drain(self) -> bool:
        """Read what is left, if that has come and is little, and say whether nothing is left."""
        try:
            if not self.isclosed() and (self.chunked or (self.length or 0) <= len(self._buffered())):
                with self._without_waiting():
                    self.read(_MOST_DRAINED)
                    self.read(1)
        except (OSError, HTTPException, ValueError, TypeError):
            return False
        return self.isclosed() and not self.length and not self.will_close


def _parsed_headers(lines: list[bytes]) -> HttpHeaders:
    """Headers of any number; the parser of the standard library takes a hundred."""
    found = list[tuple[str, list[str]]]()
    for line in lines:
        text = line.rstrip(b"\r\n").decode("latin-1")
        if found and text[:1] in (" ", "\t"):  # a folded line (RFC 9112, 5.2)
            found[-1][1].append(text.strip())
            continue
        name, colon, value = text.partition(":")
        if colon and name.strip():
            found.append((name.strip(), [value.strip()]))
    return HttpHeaders((name, " ".join(parts)) for name, parts in found)


class _Connection(http.client.HTTPConnection):
    """A connection to a server or a proxy, over a guarded socket that stops waiting at a deadline."""

    response_class = HttpAnswer

    def __init__(self, guard: PrivateHosts, host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(host, port)
        self._guard, self._tls = guard, tls
        self.default_port = 443 if tls else 80  # which the header Host leaves out

    def begin(self, deadline: Deadline) -> None:
        """Have the next answer end at a deadline."""
        self._deadline = deadline
        if self.sock is not None:
            cast("DeadlineSocket", self.sock).set_deadline(deadline)

    def connect(self) -> None:
        """Connect, through the tunnel of a proxy if there is one, and begin TLS if the URL asks for it."""
        self.sock = connect(self._guard, self.host, self.port, self._deadline)
        if self._tunnel_host:  # type: ignore[attr-defined]  # typeshed leaves it out
            self._tunnel()  # type: ignore[attr-defined]
        if self._tls:
            self.sock = self._with_tls(self._tls, self.sock)

    def _with_tls(self, tls: ssl.SSLContext, plain: Any) -> Any:
        try:
            name = self._tunnel_host or self.host  # type: ignore[attr-defined]
            secure: Any = tls.wrap_socket(plain, server_hostname=name)
        except TimeoutError:
            raise self._deadline.error() from None
        finally:
            plain.close()  # the wrapped socket has its own file descriptor
        secure.deadline = self._deadline
        return secure


class _Proxy(NamedTuple):
    """A proxy, and the headers with which it lets requests pass."""

    host: str
    port: int
    headers: Mapping[str, str]


class _Route(NamedTuple):
    """What a connection is made to: a scheme, a host and a port, perhaps by a proxy."""

    scheme: str
    host: str
    port: int
    proxy: _Proxy | None = None


class HttpClient:
    """Sends requests; several threads may share it.

    `guard` decides to which addresses; it is asked once for each connection. The proxies of the environment are used.
    """

    def __init__(self, guard: PrivateHosts, timeouts: Timeouts = Timeouts()) -> None:  # noqa: B008 (frozen)
        self._guard, self.timeouts = guard, timeouts
        self._proxies = urllib.request.getproxies()
        self._kept: deque[tuple[_Route, _Connection]] = deque()
        self._lock = Lock()

    def ask(self, request: HttpRequest, deadline: Deadline | None = None) -> HttpAnswer:
        """The answer, which must end at the deadline, by default after the client's time. No redirect is followed.

        Raises OSError: PermissionError if the host's address must not be asked, ProtocolError for what is no HTTP.
        """
        url, deadline = encode_url(request.url), deadline or Deadline(self.timeouts)
        try:
            route = self._route(url)
            if request.method in _REPEATABLE and (kept := self._take(route)):
                with suppress(ConnectionError, ssl.SSLError, HTTPException):  # closed since the last request
                    return self._exchange(kept, route, url, request, deadline)
            return self._exchange(self._connection(route), route, url, request, deadline)
        except RemoteDisconnected:
            raise ProtocolError("the server closes the connection without an answer") from None
        except OSError:
            raise
        except HTTPException as error:
            raise ProtocolError(f"the answer is not HTTP: {str(error) or type(error).__name__:.200}") from None
        except ValueError as error:  # no resolver accepts the name of the host
            raise OSError(errno.EINVAL, f"the host cannot be looked up: {error}") from None

    def _exchange(
        self, connection: _Connection, route: _Route, url: str, request: HttpRequest, deadline: Deadline
    ) -> HttpAnswer:
        """One request over a connection, which is closed if it fails; `url` is the request's, encoded."""
        parts = urlsplit(url)
        target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        sent = {"User-Agent": f"waypost/{__version__}", "Accept": "*/*", **request.headers}
        if route.proxy and route.scheme == "http":
            target, sent = url, {**sent, **route.proxy.headers}
        try:
            connection.begin(deadline)
            connection.request(request.method, target, request.body, sent)
            answer = cast("HttpAnswer", connection.getresponse())
        except BaseException:
            connection.close()
            raise
        answer.release = lambda is_free: self._release(route, connection, is_free=is_free)
        return answer

    def _connection(self, route: _Route) -> _Connection:
        tls = self._tls if route.scheme == "https" else None
        if route.proxy is None:
            return _Connection(self._guard, route.host, route.port, tls)
        connection = _Connection(EVERY_HOST, route.proxy.host, route.proxy.port, tls)
        if tls:
            connection.set_tunnel(route.host, route.port, dict(route.proxy.headers))
        return connection

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.sslsocket_class = DeadlineTLSSocket
        return context

    def _take(self, route: _Route) -> _Connection | None:
        """A connection that was kept, the last one first; one on which something has come since is closed."""
        while connection := self._taken(route):
            if not _has_input(connection):
                return connection
            connection.close()
        return None

    def _taken(self, route: _Route) -> _Connection | None:
        with self._lock:
            kept = next((each for each in reversed(self._kept) if each[0] == route), None)
            if kept is None:
                return None
            self._kept.remove(kept)
        return kept[1]

    def _release(self, route: _Route, connection: _Connection, *, is_free: bool) -> None:
        """Keep a connection; the garbage collector may call this, so nothing is waited for."""
        if is_free and self._lock.acquire(blocking=False):
            try:
                self._kept.append((route, connection))
                if len(self._kept) <= _KEPT_CONNECTIONS:
                    return
                _, connection = self._kept.popleft()
            finally:
                self._lock.release()
        connection.close()

    def _route(self, url: str) -> _Route:
        """How a URL is reached; a proxy looks up names itself, so for it only literal addresses can be checked."""
        parts, (host, port) = urlsplit(url), host_and_port(url)
        proxy = self._proxies.get(parts.scheme)
        if not proxy or urllib.request.proxy_bypass(parts.netloc):
            return _Route(parts.scheme, host, port)
        for address in literal_addresses(host):
            self._guard.check(host, port, address)
        return _Route(parts.scheme, host, port, _proxy(proxy))


def _has_input(connection: _Connection) -> bool:
    """Whether the server has sent something, or has closed the connection, although nothing was asked."""
    try:
        return bool(select.select([connection.sock], [], [], 0)[0])
    except (OSError, ValueError):  # it is closed, or one of more files than can be looked at
        return True


def _proxy(url: str) -> _Proxy:
    """A proxy of the environment, which may have a user and a password; raises OSError for one of another kind."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host, port = parts.hostname or "", parts.port or 80
    except ValueError:
        host = ""
    if not host or parts.scheme != "http":
        raise OSError(errno.EINVAL, f"the proxy that the environment names is not an http URL: {url:.80}")
    user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    secret = {"Proxy-Authorization": f"Basic {base64.b64encode(user.encode()).decode()}"} if parts.username else {}
    return _Proxy(host, port, MappingProxyType(secret))


def encode_url(url: str) -> str:
    """A URL as it is sent, in ASCII; raises OSError if it must not be sent."""
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_valid = False
    if not is_valid:
        raise OSError(errno.EINVAL, "it is not an http or https URL with a host")
    if "@" in parts.netloc:
        raise OSError(errno.EINVAL, "the URL contains a user name or a password, which are never sent")
    path, query = (quote(part, SENT_UNCHANGED, errors="replace") for part in (parts.path, parts.query))
    return parts._replace(path=path, query=query, fragment="").geturl()
