"""Sockets that refuse private networks, unless these are allowed, and that always time out."""

import errno
import socket
import ssl
import time
from typing import Any, NamedTuple

from waypost.core.private_hosts import PrivateHosts


class Timeouts(NamedTuple):
    """Seconds for which a server may send nothing (`idle`), and for a whole answer (`total`)."""

    idle: float = 15
    total: float = 300


class Deadline:
    """When the answer to a request that begins now must have ended, with the limits for which that is so."""

    def __init__(self, timeouts: Timeouts) -> None:
        self._timeouts, self._end = timeouts, time.monotonic() + timeouts.total

    def wait(self) -> float:
        """The seconds to wait for more of the answer; raises TimeoutError if its time is over."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.error()
        return min(left, self._timeouts.idle)

    def error(self) -> TimeoutError:
        """The error of a wait that ended: at the deadline of the answer, or since the server sent nothing."""
        if time.monotonic() >= self._end:
            return TimeoutError(errno.ETIMEDOUT, f"the answer took longer than {self._timeouts.total:g} seconds")
        return TimeoutError(errno.ETIMEDOUT, f"the server sent nothing for {self._timeouts.idle:g} seconds")


class DeadlineSocket(socket.socket):
    """A socket that stops waiting at a deadline, even if the server keeps sending single bytes."""

    deadline: Deadline
    is_silent = False
    """While this is set, nothing is read."""

    def __del__(self) -> None:
        """Close a connection that a client kept open until it was dropped."""
        self.close()

    def set_deadline(self, deadline: Deadline) -> None:
        """Have the next answer end at a deadline, or if the server sends nothing."""
        self.deadline = deadline
        self._set_wait()

    def _set_wait(self) -> None:
        """Wait as long as the deadline lets, which seldom changes; to set that lets other threads in."""
        if (wait := self.deadline.wait()) != self.gettimeout():
            self.settimeout(wait)

    def recv_into(self, *arguments: Any) -> int:
        """Read what comes before the deadline; raises TimeoutError, and BlockingIOError while nothing is read."""
        if self.is_silent:
            raise BlockingIOError(errno.EAGAIN, "nothing is read now")
        self._set_wait()
        try:
            return super().recv_into(*arguments)
        except TimeoutError:
            raise self.deadline.error() from None


class DeadlineTLSSocket(DeadlineSocket, ssl.SSLSocket):
    """The same, with TLS."""


def connect(guard: PrivateHosts, host: str, port: int, deadline: Deadline) -> DeadlineSocket:
    """Connect for an answer that must end at the deadline; raises OSError.

    It is to the addresses that the guard has checked: the host name is looked up only once.
    """
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for *_, address in addresses:
        guard.check(host, port, str(address[0]))
    error: OSError = OSError(errno.EHOSTUNREACH, f"{host} has no address")
    for family, kind, protocol, _, address in addresses:
        connection = DeadlineSocket(family, kind, protocol)
        try:
            connection.set_deadline(deadline)
            connection.connect(address)
        except OSError as failure:
            connection.close()
            error = deadline.error() if isinstance(failure, TimeoutError) else failure
        else:
            return connection
    raise error


_LOCAL_DOMAINS = (".localhost", ".local", ".internal", ".home.arpa", ".localdomain")
"""The domains that no public name is in (RFC 6761, 6762 and 8375, and ICANN's resolution of 2024 on `.internal`)."""


def literal_addresses(host: str) -> list[str]:
    """The addresses that a host denotes without a DNS lookup, in any notation; empty for a public name.

    A name without a dot, or in a domain that is only used in private networks, counts as the machine's own.
    """
    host = host.rstrip(".").lower()
    if host.endswith(_LOCAL_DOMAINS):
        return ["127.0.0.1"]
    try:
        return [str(address[0]) for *_, address in socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)]
    except OSError:
        return [] if "." in host else ["127.0.0.1"]
