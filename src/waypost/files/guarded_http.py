"""Sockets that refuse private networks, unless these are allowed, and that always time out."""

import errno
import socket
import ssl
import time
from typing import Any, NamedTuple

from waypost.core.private_hosts import Guard


class Timeouts(NamedTuple):
    """Seconds for which a server may send nothing (`idle`), and for a whole answer (`total`)."""

    idle: float = 15
    total: float = 300


class GuardedConnector:
    """Connects to the addresses that the guard has checked: the host name is looked up only once."""

    def __init__(self, guard: Guard, timeouts: Timeouts) -> None:
        self._guard, self.timeouts = guard, timeouts

    def __call__(self, host: str, port: int, seconds: float | None = None) -> "DeadlineSocket":
        """Connect for an answer that must end within `seconds`, by default `timeouts.total`; raises OSError."""
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for *_, address in addresses:
            self._guard.check(host, port, str(address[0]))
        error: OSError = OSError(errno.EHOSTUNREACH, f"{host} has no address")
        deadline = time.monotonic() + (self.timeouts.total if seconds is None else seconds)
        for family, kind, protocol, _, address in addresses:
            connection = DeadlineSocket(family, kind, protocol)
            connection.deadline, connection.timeouts = deadline, self.timeouts
            try:
                connection.limit_wait()
                connection.connect(address)
            except OSError as failure:
                connection.close()
                error = timed_out(deadline, self.timeouts) if isinstance(failure, TimeoutError) else failure
            else:
                return connection
        raise error


class DeadlineSocket(socket.socket):
    """A socket that stops waiting at a deadline, even if the server keeps sending single bytes."""

    deadline: float
    timeouts: Timeouts
    is_silent = False
    """While this is set, nothing is read."""

    def __del__(self) -> None:
        """Close a connection that a client kept open until it was dropped."""
        self.close()

    def restart(self, seconds: float) -> None:
        """Have the next answer end within so many seconds."""
        self.deadline = time.monotonic() + seconds
        self.limit_wait()

    def limit_wait(self) -> None:
        """Have the next wait end at the deadline, or if the server sends nothing."""
        self.settimeout(min(seconds_left(self.deadline, self.timeouts), self.timeouts.idle))

    def recv_into(self, *arguments: Any) -> int:
        """Read what comes before the deadline; raises TimeoutError, and BlockingIOError while nothing is read."""
        if self.is_silent:
            raise BlockingIOError(errno.EAGAIN, "nothing is read now")
        self.limit_wait()
        try:
            return super().recv_into(*arguments)
        except TimeoutError:
            raise timed_out(self.deadline, self.timeouts) from None


class DeadlineTLSSocket(DeadlineSocket, ssl.SSLSocket):
    """The same, with TLS."""


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


def seconds_left(deadline: float, timeouts: Timeouts) -> float:
    """The time that is left for an answer; raises TimeoutError if it is over."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise timeout_error(timeouts)
    return seconds


def timeout_error(timeouts: Timeouts) -> TimeoutError:
    """The error of an answer that takes too long as a whole."""
    return TimeoutError(errno.ETIMEDOUT, f"the answer took longer than {timeouts.total:g} seconds")


def timed_out(deadline: float, timeouts: Timeouts) -> TimeoutError:
    """The error of a wait that ended: at the deadline of the answer, or since the server sent nothing."""
    if time.monotonic() >= deadline:
        return timeout_error(timeouts)
    return TimeoutError(errno.ETIMEDOUT, f"the server sent nothing for {timeouts.idle:g} seconds")
