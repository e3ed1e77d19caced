"""Connections to servers of the public internet alone, unless more is allowed, and never without an end."""

import errno
import http.client
import ipaddress
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable
from typing import Any, NamedTuple

_HOLDING_IPV4 = tuple(map(ipaddress.IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
"""Networks whose last 32 bits are an IPv4 address (RFC 4291, 2.5.5; RFC 2765; RFC 6052)."""
_LOCAL = tuple(map(ipaddress.IPv6Network, ("fec0::/10", "64:ff9b:1::/48")))
"""Networks of one site alone (RFC 3879; RFC 8215), which Python's older versions take for public."""


class Timeouts(NamedTuple):
    """Seconds that a server may be silent, and that one answer may take in all."""

    idle: float = 15
    total: float = 300


Guard = Callable[[str, str], None]
"""Raises OSError where a host must not be asked at an address."""


class GuardedConnector:
    """Connects to the very address that was looked at, so that a name cannot lead elsewhere in between."""

    def __init__(self, guard: Guard, patience: Timeouts) -> None:
        self._guard, self.patience = guard, patience

    def __call__(self, host: str, port: int) -> "_Socket":
        """A connection; raises OSError."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for *_, place in found:
            self._guard(host, str(place[0]))
        failed: OSError = OSError(errno.EHOSTUNREACH, f"{host} has no address")
        ends = time.monotonic() + self.patience.total
        for family, kind, protocol, _, place in found:
            connection = _Socket(family, kind, protocol)
            connection.ends, connection.patience = ends, self.patience
            try:
                connection.settimeout(_left(ends, self.patience))
                connection.connect(place)
            except OSError as error:
                connection.close()
                failed = _timed_out(ends, self.patience) if isinstance(error, TimeoutError) else error
            else:
                return connection
        raise failed


class _Socket(socket.socket):
    """Waits for a server no longer than patience lasts, even where the server sends byte by byte."""

    ends: float
    patience: Timeouts

    def recv_into(self, *arguments: Any) -> int:
        self.settimeout(_left(self.ends, self.patience))
        try:
            return super().recv_into(*arguments)
        except TimeoutError:
            raise _timed_out(self.ends, self.patience) from None


class _TLSSocket(_Socket, ssl.SSLSocket):
    """The same over TLS."""


class HTTPHandler(urllib.request.HTTPHandler):
    """HTTP over such connections."""

    def __init__(self, dial: GuardedConnector) -> None:
        super().__init__()
        self._dial = dial

    def http_open(self, req: urllib.request.Request) -> Any:
        """The answer."""
        return self.do_open(lambda host, **options: _HTTPConnection(self._dial, host, **options), req)


class HTTPSHandler(urllib.request.HTTPSHandler):
    """HTTPS over such connections."""

    def __init__(self, dial: GuardedConnector) -> None:
        self._tls = ssl.create_default_context()
        self._tls.sslsocket_class = _TLSSocket
        super().__init__(context=self._tls)
        self._dial = dial

    def https_open(self, req: urllib.request.Request) -> Any:
        """The answer."""
        return self.do_open(lambda host, **options: _HTTPSConnection(self._dial, self._tls, host, **options), req)


class _HTTPConnection(http.client.HTTPConnection):
    def __init__(self, dial: GuardedConnector, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._dial = dial

    def connect(self) -> None:
        self.sock = self._dial(self.host, self.port)


class _HTTPSConnection(http.client.HTTPSConnection):
    def __init__(self, dial: GuardedConnector, tls: ssl.SSLContext, host: str, **options: Any) -> None:
        super().__init__(host, context=tls, **options)
        self._dial, self._tls = dial, tls

    def connect(self) -> None:
        plain = self._dial(self.host, self.port)
        try:
            secure = self._tls.wrap_socket(plain, server_hostname=self.host)
        except TimeoutError:
            raise _timed_out(plain.ends, plain.patience) from None
        finally:
            plain.close()  # wrapped, it is the other's
        if isinstance(secure, _TLSSocket):
            secure.ends, secure.patience = plain.ends, plain.patience
        self.sock = secure


def refuse_private(host: str, address: str) -> None:
    """Refuse an address that is not of the public internet, however it is written."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        ip = _inner(ip) or ip
    if not ip.is_global or ip.is_multicast or any(ip in network for network in _LOCAL):
        raise PermissionError(
            errno.EACCES, f"{host} is at {address}, an address that is not public; --allow-private lets it be asked"
        )


def _inner(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to, where it does."""
    if any(ip in network for network in _HOLDING_IPV4):
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.sixtofour or (ip.teredo[1] if ip.teredo else None)


def literal(host: str) -> list[str]:
    """The addresses that a host is by its very spelling, in whatever notation; none where a name must be looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return ["127.0.0.1"]
    try:
        return [str(place[0]) for *_, place in socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)]
    except OSError:
        return []


def _left(ends: float, patience: Timeouts) -> float:
    left = ends - time.monotonic()
    if left <= 0:
        raise timeout_error(patience)
    return min(left, patience.idle)


def timeout_error(patience: Timeouts) -> TimeoutError:
    """What is raised where an answer takes too long in all."""
    return TimeoutError(errno.ETIMEDOUT, f"it did not end within {patience.total:g} seconds")


def _timed_out(ends: float, patience: Timeouts) -> TimeoutError:
    if time.monotonic() >= ends:
        return timeout_error(patience)
    return TimeoutError(errno.ETIMEDOUT, f"it sent nothing for {patience.idle:g} seconds")
