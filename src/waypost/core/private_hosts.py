"""The only rule about private networks: which of their hosts a run may ask, by default none."""

import errno
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.core.places import places_in

_EMBEDDING_IPV4 = ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")
"""Networks whose last 32 bits are an IPv4 address (RFC 4291, 2.5.5; RFC 2765; RFC 6052)."""
_PRIVATE = ("fec0::/10", "64:ff9b:1::/48")
"""Private networks (RFC 3879; RFC 8215) that older versions of Python call global."""


class PrivateHosts(NamedTuple):
    """The hosts of private networks that may be asked.

    `named` are those, with their ports, that a flag or an input of the run names. A settings file cannot vouch for a
    host, as it may be a stranger's. `way_out` says what the user of the command may do.
    """

    named: frozenset[tuple[str, int]] = frozenset()
    are_allowed: bool = False
    way_out: str = "to allow it, use --allow-private"

    def check(self, host: str, port: int, address: str) -> None:
        """Raise PermissionError for an address outside the public internet, unless it may be asked."""
        if not self.are_allowed and (host, port) not in self.named and _is_private(address):
            raise PermissionError(
                errno.EACCES, f"{host} has the address {address}, which is not public; {self.way_out}"
            )


NO_PRIVATE_HOST = PrivateHosts()
EVERY_HOST = PrivateHosts(are_allowed=True)
"""For servers that the environment of the run names."""


def named_hosts(values: Iterable[object]) -> PrivateHosts:
    """The hosts that these values of flags and inputs name."""
    found = set()
    for place in places_in(values):
        if place.kind == "web":
            with suppress(ValueError):  # the check of the setting reports it
                found.add(host_and_port(place.text))
    return PrivateHosts(
        frozenset(found), way_out="to allow it, name the host in a flag or an input, such as --base-url"
    )


def host_and_port(url: str) -> tuple[str, int]:
    """The host of a URL and its port; raises ValueError for what is no URL."""
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _is_private(address: str) -> bool:
    """Whether an address is outside the public internet, however it is written."""
    import ipaddress  # most runs ask nobody

    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if any(ip in ipaddress.IPv6Network(network) for network in _EMBEDDING_IPV4):
            ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        else:
            ip = ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or ip
    is_site_local = any(ip in ipaddress.IPv6Network(network) for network in _PRIVATE)
    return not ip.is_global or ip.is_multicast or is_site_local
