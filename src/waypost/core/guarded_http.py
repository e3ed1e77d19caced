"""HTTP connections that refuse private networks, unless they are allowed, and that always time out."""

import errno
import http.client
import ipaddress
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

_EMBEDDING_IPV4 = tuple(map(ipaddress.IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
"""Networks whose last 32 bits are an IPv4 address (RFC 4291, 2.5.5; RFC 2765; RFC 6052)."""
_PRIVATE = tuple(map(ipaddress.IPv6Network, ("fec0::/10", "64:ff9b:1::/48")))
"""Private networks (RFC 3879; RFC 8215) that older versions of Python call global."""


class Timeouts(NamedTuple):
    """Seconds for which a server may send nothing (`idle`), and for a whole answer (`total`)."""

    idle: float = 15
    total: float = 300


Guard = Callable[[str, str], None]
"""Raises OSError if no connection may be made to a host (first argument) at an address (second)."""


class GuardedConnector:
    """Connects to the addresses that the guard has checked: the host name is looked up only once."""

    def __init__(self, guard: Guard, timeouts: Timeouts) -> None:
        self._guard, self.timeouts = guard, timeouts

    def __call__(self, host: str, port: int, seconds: float | None = None) -> "_Socket":
        """Connect for an answer that must end within `seconds`, by default `timeouts.total`; raises OSError."""
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for *_, address in addresses:
            self._guard(host, str(address[0]))
        error: OSError = OSError(errno.EHOSTUNREACH, f"{host} has no address")
        deadline = time.monotonic() + (self.timeouts.total if seconds is None else seconds)
        for family, kind, protocol, _, address in addresses:
            connection = _Socket(family, kind, protocol)
            connection.deadline, connection.timeouts = deadline, self.timeouts
            try:
                connection.limit_wait()
                connection.connect(address)
            except OSError as failure:
                connection.close()
                error = _timed_out(deadline, self.timeouts) if isinstance(failure, TimeoutError) else failure
            else:
                return connection
        raise error


class _Socket(socket.socket):
    """A socket that stops waiting at a deadline, even if the server keeps sending single bytes."""

    deadline: float
    timeouts: Timeouts

    def limit_wait(self) -> None:
        """Have the next wait end at the deadline, or if the server sends nothing."""
        self.settimeout(min(seconds_left(self.deadline, self.timeouts), self.timeouts.idle))

    def recv_into(self, *arguments: Any) -> int:
        self.limit_wait()
        try:
            return super().recv_into(*arguments)
        except TimeoutError:
            raise _timed_out(self.deadline, self.timeouts) from None


class _TLSSocket(_Socket, ssl.SSLSocket):
    """The same, with TLS."""


class HTTPHandler(urllib.request.HTTPHandler):
    """Opens HTTP URLs over guarded connections; a request's `timeout` is the time for a whole answer."""

    def __init__(self, connector: GuardedConnector) -> None:
        super().__init__()
        self._connector = connector

    def http_open(self, req: urllib.request.Request) -> Any:
        """Send the request, and return the answer."""
        return self.do_open(lambda host, **options: _HTTPConnection(self._connector, host, **options), req)


class HTTPSHandler(urllib.request.HTTPSHandler):
    """Opens HTTPS URLs in the same way."""

    def __init__(self, connector: GuardedConnector) -> None:
        urllib.request.AbstractHTTPHandler.__init__(self)  # the other one would read the system's certificates at once
        self._connector = connector

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.sslsocket_class = _TLSSocket
        return context

    def https_open(self, req: urllib.request.Request) -> Any:
        """Send the request, and return the answer."""
        return self.do_open(lambda host, **options: _HTTPSConnection(self._connector, self._tls, host, **options), req)


class _HTTPConnection(http.client.HTTPConnection):
    def __init__(self, connector: GuardedConnector, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._connector = connector

    def connect(self) -> None:
        self.sock = self._connector(self.host, self.port, self.timeout)
        if self._tunnel_host:  # type: ignore[attr-defined]  # typeshed leaves it out
            self._tunnel()  # type: ignore[attr-defined]


class _HTTPSConnection(http.client.HTTPSConnection):
    def __init__(self, connector: GuardedConnector, tls: ssl.SSLContext, host: str, **options: Any) -> None:
        super().__init__(host, context=tls, **options)
        self._connector, self._tls = connector, tls

    def connect(self) -> None:
        plain = self.sock = self._connector(self.host, self.port, self.timeout)
        if self._tunnel_host:  # type: ignore[attr-defined]  # typeshed leaves it out
            self._tunnel()  # type: ignore[attr-defined]
        try:
            name = self._tunnel_host or self.host  # type: ignore[attr-defined]
            secure = self._tls.wrap_socket(plain, server_hostname=name)
        except TimeoutError:
            raise _timed_out(plain.deadline, plain.timeouts) from None
        finally:
            plain.close()  # the wrapped socket has its own file descriptor
        if isinstance(secure, _TLSSocket):
            secure.deadline, secure.timeouts = plain.deadline, plain.timeouts
        self.sock = secure


def refuse_private(host: str, address: str) -> None:
    """Raise PermissionError for an address outside the public internet, however it is written."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        ip = _embedded_ipv4(ip) or ip
    if not ip.is_global or ip.is_multicast or any(ip in network for network in _PRIVATE):
        raise PermissionError(
            errno.EACCES, f"{host} has the address {address}, which is not public; to allow it, use --allow-private"
        )


def _embedded_ipv4(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address contains, or None."""
    if any(ip in network for network in _EMBEDDING_IPV4):
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.sixtofour or (ip.teredo[1] if ip.teredo else None)


def literal_addresses(host: str) -> list[str]:
    """The addresses that a host denotes without a DNS lookup, in any notation; empty for a name."""
    if host == "localhost" or host.endswith(".localhost"):
        return ["127.0.0.1"]
    try:
        return [str(address[0]) for *_, address in socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)]
    except OSError:
        return []


def seconds_left(deadline: float, timeouts: Timeouts) -> float:
    """The time that is left for an answer; raises TimeoutError if it is over."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise timeout_error(timeouts)
    return seconds


def timeout_error(timeouts: Timeouts) -> TimeoutError:
    """The error of an answer that takes too long as a whole."""
    return TimeoutError(errno.ETIMEDOUT, f"the answer took longer than {timeouts.total:g} seconds")


def _timed_out(deadline: float, timeouts: Timeouts) -> TimeoutError:
    if time.monotonic() >= deadline:
        return timeout_error(timeouts)
    return TimeoutError(errno.ETIMEDOUT, f"the server sent nothing for {timeouts.idle:g} seconds")
