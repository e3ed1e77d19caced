"""Whether locs are URLs that a sitemap may list: many at once where they are plain, one by one where they are not."""

import re
import string
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from waypost.core.urls import LOC_LIMIT

_ALLOWED = (string.ascii_letters + string.digits + "-._~:/?[]@!$&'()*+,;=%").encode()
"""What a URL without fragment may hold as it is (RFC 3986, 2)."""
_OTHER = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")
_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}")
_TWICE = re.compile(r"%25[0-9A-Fa-f]{2}")
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[[0-9A-Fa-f:.]+\]")
_PORTS = {"http": "80", "https": "443"}


class Scope(NamedTuple):
    """Where the URLs of a file must lie: at an origin (`https://www.example.org`), in a folder (ends with `/`).

    `of` says to a person what they are compared with.
    """

    origin: str
    folder: str
    of: str = "the sitemap"


def scope_of(url: str, of: str = "the sitemap") -> Scope | None:
    """What a sitemap at this URL may list (sitemaps.org 0.9, "Sitemap file location"); None where it is no URL."""
    parts = _split(url)
    if parts is None:
        return None
    origin, path = parts
    return Scope(origin, f"{origin}{path[: path.rfind('/') + 1] or '/'}", of)


def site_of(url: str) -> Scope | None:
    """The whole site of a URL, where nobody says which folder a sitemap is in."""
    parts = _split(url)
    return Scope(parts[0], f"{parts[0]}/", "the first of the file") if parts else None


def are_plain(locs: Sequence[str], folder: str) -> bool:
    """Whether there is surely nothing to say of any of many locs, save that one may stand there twice.

    `False` calls for a closer look at each.
    """
    text = "\n".join(locs)
    return are_valid(locs, text, folder) and not ("/." in text or "/%2" in text or _TWICE.search(text))


def are_valid(locs: Sequence[str], text: str, folder: str) -> bool:
    """Whether surely no reader drops any of many locs; `text` is all of them, a line each.

    A few passes over the text take a small part of the time of looking at each. Who begins with the folder's URL
    has its scheme and host, and no user's name before them.
    """
    begin = text.startswith(folder) and text.count(f"\n{folder}") == len(locs) - 1
    return bool(locs) and begin and _are_spelled(text, len(locs))


def are_urls(urls: Sequence[str]) -> bool:
    """Whether many URLs, of whatever hosts, are surely spelled well."""
    text = "\n".join(urls)
    begin = sum(text.startswith(scheme) + text.count(f"\n{scheme}") for scheme in ("http://", "https://"))
    return begin == len(urls) and _are_spelled(text, len(urls))


def _are_spelled(text: str, count: int) -> bool:
    return (
        text.isascii()
        and text.encode().translate(None, _ALLOWED) == b"\n" * (count - 1)
        and not ("%" in text and _PERCENT.search(text))
        and _are_short(text)
    )


def _are_short(text: str) -> bool:
    """Whether no line has 2,048 characters: steps from line end to line end, each as wide as may be."""
    at = 0
    while len(text) - at >= LOC_LIMIT:
        at = text.rfind("\n", at, at + LOC_LIMIT) + 1
        if not at:
            return False
    return True


def problems(loc: str, scope: Scope | None) -> Iterator[tuple[str, dict[str, object]]]:
    """What is wrong with a loc: codes of rules with what was seen."""
    if len(loc) >= LOC_LIMIT:
        yield "loc-too-long", {"length": len(loc), "most": LOC_LIMIT}
    yield from _spelling(loc)
    scheme = _SCHEME.match(loc)
    if not scheme or "//" not in loc:
        yield "loc-relative", {}
    elif scheme[1].lower() not in _PORTS:
        yield "loc-scheme", {"scheme": scheme[1]}
    else:
        yield from _place(loc, scope)


def _spelling(loc: str) -> Iterator[tuple[str, dict[str, object]]]:
    other = dict.fromkeys(_OTHER.findall(loc))
    if any(character.isspace() for character in other):
        yield "loc-space", {}
    if "\\" in other:
        yield "loc-backslash", {}
    if unsafe := next((c for c in other if c.isascii() and not c.isspace() and c != "\\"), None):
        yield "loc-character", {"character": unsafe}
    if foreign := next((c for c in other if not c.isascii() and not c.isspace()), None):
        yield "loc-not-ascii", {"character": foreign, "encoded": quote(foreign, errors="replace")}
    if bad := _PERCENT.search(loc):
        yield "loc-percent", {"found": bad[0]}
    if twice := _TWICE.search(loc):
        yield "loc-encoded-twice", {"found": twice[0]}
    if "#" in loc:
        yield "loc-fragment", {}


def _place(loc: str, scope: Scope | None) -> Iterator[tuple[str, dict[str, object]]]:
    authority, slash, rest = loc.partition("://")[2].partition("/")
    path = slash + rest.partition("?")[0].partition("#")[0]
    if "@" in authority:
        yield "loc-user-info", {}
    if _DOTS.search(path):
        yield "loc-dots", {}
    parts = _split(loc)
    if parts is None:
        yield "loc-host-name", {"host": authority.partition("?")[0].rpartition("@")[2]}
    elif scope and parts[0] != scope.origin:
        scheme, host = parts[0].split("://")
        is_protocol = host == scope.origin.partition("://")[2]
        code = "loc-protocol" if is_protocol else "loc-host"
        yield code, {"of": scope.of, "host": host, "scheme": scheme}
    elif scope and not f"{parts[0]}{parts[1] or '/'}".startswith(scope.folder):
        yield "loc-above", {"folder": scope.folder}


def _split(url: str) -> tuple[str, str] | None:
    """The origin, in small letters and without a default port, and the path; None where that can be no URL."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not host:
        return None
    host = f"[{host}]" if ":" in host else host
    if host.isascii() and not _HOST.fullmatch(host):
        return None
    shown = "" if port is None or str(port) == _PORTS[scheme] else f":{port}"
    return f"{scheme}://{host}{shown}", parts.path
