"""The HTTP client of everything that Waypost asks by HTTP, but for AWS, whose SDK has its own.

It reads answers as browsers do: interim ones (1xx) are passed over, and there may be many headers. It keeps connections
open between requests, ends each answer at a deadline, and raises no other error than OSError.
"""

import base64
import errno
import http.client
import ssl
import time
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping
from functools import cached_property
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from urllib.parse import quote, unquote, urlsplit

from waypost import __version__
from waypost.core.guarded_http import (
    DeadlineSocket,
    DeadlineTLSSocket,
    Guard,
    GuardedConnector,
    Timeouts,
    literal_addresses,
    timed_out,
)

SENT_UNCHANGED = "/:?#[]@!$&'()*+,;=~%"
"""Characters of a URL that are sent as they are written; any other is percent-encoded."""
_MOST_HEADER_BYTES, _MOST_HEADERS, _MOST_LINE = 262_144, 1_000, 65_536
"""Chrome and nginx take so much; more is an attack."""
_MOST_INTERIM = 20
"""How many interim answers may come before the final one (RFC 9110, 15.2)."""
_MOST_DRAINED = 16_384
"""To ask the same connection again, no more of an answer is read that nobody wants."""
_KEPT_CONNECTIONS = 64
_SWITCHING, _WITHOUT_BODY = 101, (204, 304)
_REPEATABLE = ("GET", "HEAD")
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class ProtocolError(OSError):
    """A server's answer breaks HTTP, or is none."""

    def __init__(self, text: str) -> None:
        super().__init__(errno.EIO, text)


class HttpAnswer(HTTPResponse):
    """A final answer, whatever its status is; its connection is used again once the body is read and it is closed."""

    release: Callable[[bool], None] | None = None

    def begin(self) -> None:
        """Read the status and the headers, after those of all interim answers; raises HTTPException."""
        for _ in range(_MOST_INTERIM + 1):
            version, self.status, reason = self._read_status()  # type: ignore[attr-defined]
            headers = self._read_headers()
            if not 100 <= self.status < 200 or self.status == _SWITCHING:
                break
        else:
            raise HTTPException(f"more than {_MOST_INTERIM} interim answers")
        self.code, self.reason, self.version = self.status, reason.strip(), 10 if version < "HTTP/1.1" else 11
        self.headers = self.msg = headers
        self.chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        self.chunk_left = None
        self.length = self._body_length()
        self.will_close = self._check_close() or (not self.chunked and self.length is None)  # type: ignore[attr-defined]

    def _read_headers(self) -> http.client.HTTPMessage:
        lines, size = list[bytes](), 0
        while True:
            line = self.fp.readline(_MOST_LINE + 1)
            size += len(line)
            if len(line) > _MOST_LINE or size > _MOST_HEADER_BYTES or len(lines) >= _MOST_HEADERS:
                raise HTTPException("its headers are too long")
            if line in (b"\r\n", b"\n", b""):
                return _parsed_headers(lines)
            lines.append(line)

    def _body_length(self) -> int | None:
        """The bytes of the body, None if nothing says how many (RFC 9112, 6.3)."""
        if self.status in _WITHOUT_BODY or 100 <= self.status < 200 or self._method == "HEAD":  # type: ignore[attr-defined]
            return 0
        text = self.headers.get("content-length", "").strip()
        return int(text) if text.isascii() and text.isdecimal() and not self.chunked else None

    def close(self) -> None:
        """End the answer; if it was read, or little of it is left, the connection is free for the next request."""
        release, self.release = self.release, None
        is_read = release is not None and not self.will_close and self._drain()
        super().close()
        if release:
            release(is_read)

    def _drain(self) -> bool:
        """Read what is left, if that is little, and say whether all was read."""
        try:
            if not self.isclosed() and (self.length is None or self.length <= _MOST_DRAINED):
                self.read(_MOST_DRAINED)
                self.read(1)
        except (OSError, HTTPException):
            return False
        return self.isclosed()


def _parsed_headers(lines: list[bytes]) -> http.client.HTTPMessage:
    """Headers of any number; the parser of the standard library takes a hundred."""
    found = http.client.HTTPMessage()
    name = ""
    for line in lines:
        text = line.rstrip(b"\r\n").decode("latin-1")
        if name and text[:1] in (" ", "\t"):  # a folded line (RFC 9112, 5.2)
            value = f"{found.get_all(name, [''])[-1]} {text.strip()}"
            _replace_last(found, name, value)
            continue
        name, colon, value = text.partition(":")
        name = name.strip() if colon else ""
        if name:
            found[name] = value.strip()
    return found


def _replace_last(headers: http.client.HTTPMessage, name: str, value: str) -> None:
    values = headers.get_all(name, [])
    del headers[name]
    for each in [*values[:-1], value]:
        headers[name] = each


class _Connection(http.client.HTTPConnection):
    """A connection to a server or a proxy, over a guarded socket that stops waiting at a deadline."""

    response_class = HttpAnswer

    def __init__(self, connector: GuardedConnector, host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(host, port)
        self._connector, self._tls = connector, tls

    def begin(self, seconds: float) -> None:
        """Have the next answer end within so many seconds."""
        self.timeout = seconds
        if self.sock is not None:
            cast("DeadlineSocket", self.sock).restart(seconds)

    def connect(self) -> None:
        """Connect, through the tunnel of a proxy if there is one, and begin TLS if the URL asks for it."""
        self.sock = self._connector(self.host, self.port, self.timeout)
        if self._tunnel_host:  # type: ignore[attr-defined]  # typeshed leaves it out
            self._tunnel()  # type: ignore[attr-defined]
        if self._tls:
            self.sock = self._with_tls(self._tls, self.sock)

    def _with_tls(self, tls: ssl.SSLContext, plain: Any) -> Any:
        try:
            name = self._tunnel_host or self.host  # type: ignore[attr-defined]
            secure: Any = tls.wrap_socket(plain, server_hostname=name)
        except TimeoutError:
            raise timed_out(plain.deadline, plain.timeouts) from None
        finally:
            plain.close()  # the wrapped socket has its own file descriptor
        secure.deadline, secure.timeouts = plain.deadline, plain.timeouts
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

    def __init__(self, guard: Guard, timeouts: Timeouts) -> None:
        self._guard, self.timeouts = guard, timeouts
        self._direct = GuardedConnector(guard, timeouts)
        self._to_proxy = GuardedConnector(lambda host, address: None, timeouts)
        self._proxies = urllib.request.getproxies()
        self._kept: deque[tuple[_Route, _Connection]] = deque()
        self._lock = Lock()

    def __del__(self) -> None:
        for _, connection in self._kept:
            connection.close()

    def ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] = _NO_HEADERS,
        body: bytes | None = None,
        seconds: float | None = None,
    ) -> HttpAnswer:
        """The answer, which must end within `seconds`, by default the time for a whole answer. No redirect is followed.

        Raises OSError: PermissionError if the host's address must not be asked, ProtocolError for what is no HTTP.
        """
        encoded = encode_url(url)
        route = self._route(encoded)
        left = self.timeouts.total if seconds is None else seconds
        deadline = time.monotonic() + left
        kept = self._take(route) if method in _REPEATABLE else None
        try:
            if kept:
                try:
                    return self._exchange(kept, route, method, encoded, headers, body, left)
                except (ConnectionError, ssl.SSLError):
                    left = deadline - time.monotonic()  # the server has closed it since the last request
            return self._exchange(self._connection(route), route, method, encoded, headers, body, left)
        except RemoteDisconnected:
            raise ProtocolError("the server closes the connection without an answer") from None
        except HTTPException as error:
            raise ProtocolError(f"the answer is not HTTP: {str(error) or type(error).__name__:.200}") from None
        except ValueError as error:  # no resolver accepts the name of the host
            raise OSError(errno.EINVAL, f"the host cannot be looked up: {error}") from None

    def _exchange(
        self,
        connection: _Connection,
        route: _Route,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        seconds: float,
    ) -> HttpAnswer:
        """One request over a connection, which is closed if it fails."""
        parts = urlsplit(url)
        target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        sent = {"User-Agent": f"waypost/{__version__}", "Accept": "*/*", **headers}
        if route.proxy and route.scheme == "http":
            target, sent = url, {**sent, **route.proxy.headers}
        try:
            connection.begin(seconds)
            connection.request(method, target, body, sent)
            answer = cast("HttpAnswer", connection.getresponse())
        except BaseException:
            connection.close()
            raise
        answer.release = lambda is_read: self._release(route, connection, is_read=is_read)
        return answer

    def _connection(self, route: _Route) -> _Connection:
        tls = self._tls if route.scheme == "https" else None
        if route.proxy is None:
            return _Connection(self._direct, route.host, route.port, tls)
        connection = _Connection(self._to_proxy, route.proxy.host, route.proxy.port, tls)
        if tls:
            connection.set_tunnel(route.host, route.port, dict(route.proxy.headers))
        return connection

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.sslsocket_class = DeadlineTLSSocket
        return context

    def _take(self, route: _Route) -> _Connection | None:
        """A connection that was kept, the last one first."""
        with self._lock:
            for n in range(len(self._kept) - 1, -1, -1):
                if self._kept[n][0] == route:
                    connection = self._kept[n][1]
                    del self._kept[n]
                    return connection
        return None

    def _release(self, route: _Route, connection: _Connection, *, is_read: bool) -> None:
        """Keep a connection; the garbage collector may call this, so nothing is waited for."""
        if is_read and self._lock.acquire(blocking=False):
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
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        proxy = self._proxies.get(parts.scheme)
        if not proxy or urllib.request.proxy_bypass(parts.netloc):
            return _Route(parts.scheme, host, port)
        for address in literal_addresses(host):
            self._guard(host, address)
        return _Route(parts.scheme, host, port, _proxy(proxy))


def _proxy(url: str) -> _Proxy:
    """A proxy of the environment, which may have a user and a password."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    secret = {"Proxy-Authorization": f"Basic {base64.b64encode(user.encode()).decode()}"} if parts.username else {}
    return _Proxy(parts.hostname or "", parts.port or 80, MappingProxyType(secret))


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
