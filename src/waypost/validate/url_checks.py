"""Checks whether a sitemap may list a URL: many URLs at once if they are plain, each by itself otherwise."""

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from waypost.core import urls
from waypost.core.urls import LOC_LIMIT, ascii_host, has_long_authority, is_private_host

_LOC_STARTS = re.compile(r"^https?://[a-z0-9.-]+/", re.MULTILINE)
_NORMAL_LOC = re.compile(r"https?://[a-z0-9.-]+/(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[89A-F][0-9A-F]|%20)*")
"""A URL whose spelling is normal, as most are."""
_ANY_BASE = "https://example.org/"
"""A base for absolute URLs, which need none."""
_ALLOWED = (string.ascii_letters + string.digits + "-._~:/?@!$&'()*+,;=%").encode()
"""The characters that a URL without a fragment may contain (RFC 3986, 2), but for the brackets of an IP address."""
_DISALLOWED = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}")
_ESCAPED_TWICE = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
_AUTHORITY = re.compile(r"[^:/?#]*://[^/?#]*")
_ENCODED_TWICE = re.compile(r"%25[0-9A-Fa-f]{2}")
_DOT_FOLDERS = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT = re.compile(r"\d+(?:/|$)")
"""After a name and a colon: `localhost:8000/a` has no scheme."""
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[[0-9A-Fa-f:.]+\]")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def normal_spellings(locs: Sequence[str]) -> Iterable[str]:
    """Each of many URLs in its normal spelling, which nearly all of them have."""
    text = "\n".join(locs)
    are_plain = "%" not in text and "/." not in text and are_well_spelled(text, len(locs))
    if are_plain and sum(1 for _ in _LOC_STARTS.finditer(text)) == len(locs):
        return locs
    return map(normal_spelling, locs)


def normal_spelling(loc: str) -> str:
    """A URL in its normal spelling; what is no URL of a server stays as it is."""
    if _NORMAL_LOC.fullmatch(loc) and "/." not in loc:
        return loc
    plain, _, fragment = loc.partition("#")
    normal = urls.normalize(plain, _ANY_BASE) if "://" in plain else None
    return f"{normal}#{fragment}" if normal and fragment else normal or loc


class Scope(NamedTuple):
    """Which URLs a file may list: URLs of an origin (`https://www.example.org`), in a folder's URL (ends with `/`).

    `of` says in messages where the scope comes from. Of other origins, only the URLs in `other_folder` may be listed.
    `is_own` if it is that of the sitemap's own URL, or of the robots.txt that names it.
    """

    origin: str
    folder: str
    of: str = "the sitemap"
    other_folder: str = ""
    is_own: bool = False

    @property
    def is_reachable(self) -> bool:
        """Whether its host can be reached from where the sitemap is: in a private network its own hosts can."""
        return self.is_own or not is_private_host(urlsplit(self.origin).hostname or "")


def scope_of(url: str) -> Scope | None:
    """The scope of a sitemap at this URL (sitemaps.org 0.9, "Sitemap file location"); None if the URL is invalid."""
    parts = _split(url)
    if parts is None:
        return None
    origin, path = parts
    return Scope(origin, f"{origin}{path[: path.rfind('/') + 1] or '/'}", is_own=True)


def site_of(url: str) -> Scope | None:
    """The whole site of a URL that a file lists first, for a sitemap whose own URL is unknown."""
    parts = _split(url)
    return Scope(parts[0], f"{parts[0]}/", "the first URL of the file") if parts else None


def scope_by_robots(robots: str, url: str) -> Scope | None:
    """What a sitemap at `url` may list if the robots.txt at `robots` names it.

    That is the whole site of the robots.txt, wherever the sitemap is (Google, "Build and submit a sitemap"), and also
    the sitemap's own folder.
    """
    parts, own = _split(robots), scope_of(url)
    if parts is None:
        return None
    return Scope(parts[0], f"{parts[0]}/", "the robots.txt", own.folder if own else "", is_own=True)


def are_plain(locs: Sequence[str], folder: str) -> bool:
    """Whether none of many locs can have a finding, except for being listed twice.

    `False` means that each must be checked by itself.
    """
    text = "\n".join(locs)
    may_be_wrong = "/." in text or "/%2" in text or _ENCODED_TWICE.search(text) or _ESCAPED_TWICE.search(text)
    return are_valid(locs, text, folder) and not may_be_wrong


def are_valid(locs: Sequence[str], text: str, folder: str) -> bool:
    """Whether search engines accept all of many locs; `text` is all of them, one a line.

    A few passes over the whole text are much faster than a check of each. A loc that begins with the folder's URL has
    the right scheme and host, and no user name.
    """
    are_in_folder = text.startswith(folder) and text.count(f"\n{folder}") == len(locs) - 1
    return bool(locs) and are_in_folder and are_well_spelled(text, len(locs))


def are_urls(urls: Sequence[str]) -> bool:
    """Whether many URLs, on any hosts, are spelled correctly."""
    text = "\n".join(urls)
    absolute = sum(text.startswith(scheme) + text.count(f"\n{scheme}") for scheme in ("http://", "https://"))
    return absolute == len(urls) and are_well_spelled(text, len(urls))


def are_well_spelled(text: str, count: int) -> bool:
    """Whether many URLs, one a line, have only allowed characters and are not too long."""
    return (
        text.isascii()
        and text.encode().translate(None, _ALLOWED) == b"\n" * (count - 1)
        and not ("%" in text and _BAD_PERCENT.search(text))
        and _are_short(text)
    )


def _are_short(text: str) -> bool:
    """Whether every line has fewer than 2,048 characters; each step goes to the last line end within that distance."""
    line_start = 0
    while len(text) - line_start >= LOC_LIMIT:
        line_start = text.rfind("\n", line_start, line_start + LOC_LIMIT) + 1
        if not line_start:
            return False
    return True


def problems(loc: str, scope: Scope | None) -> Iterator[tuple[str, dict[str, object]]]:
    """What is wrong with a loc: codes of rules, with the values for their messages."""
    if len(loc) >= LOC_LIMIT:
        yield "loc-too-long", {"length": len(loc), "most": LOC_LIMIT}
    yield from _spelling_problems(loc)
    scheme = _SCHEME.match(loc)
    is_web = scheme is not None and scheme[1].lower() in _DEFAULT_PORTS
    if scheme and not is_web and ("//" in loc or not _PORT.match(loc, scheme.end())):
        yield "loc-scheme", {"scheme": scheme[1]}
    elif not is_web or "//" not in loc:
        yield "loc-relative", {}
    else:
        yield from _scope_problems(loc, scope)


def _spelling_problems(loc: str) -> Iterator[tuple[str, dict[str, object]]]:
    disallowed = dict.fromkeys(_DISALLOWED.findall(loc))
    if any(character.isspace() for character in disallowed):
        yield "loc-space", {}
    if "\\" in disallowed:
        yield "loc-backslash", {}
    if unsafe := next((c for c in disallowed if c.isascii() and not c.isspace() and c != "\\"), None):
        yield "loc-character", {"character": unsafe}
    authority = _AUTHORITY.match(loc)
    in_rest = set(loc[authority.end() :] if authority else loc)
    if in_rest & {"[", "]"}:
        yield "loc-bracket", {}
    if not_ascii := next((c for c in disallowed if not c.isascii() and not c.isspace() and c in in_rest), None):
        yield "loc-not-ascii", {"character": not_ascii, "encoded": quote(not_ascii, errors="replace")}
    if bad := _BAD_PERCENT.search(loc):
        yield "loc-percent", {"found": bad[0]}
    if twice := _ENCODED_TWICE.search(loc):
        yield "loc-encoded-twice", {"found": twice[0]}
    if escaped := _ESCAPED_TWICE.search(loc):
        yield "loc-escaped-twice", {"found": escaped[0]}
    elif "#" in loc:
        yield "loc-fragment", {}


def _scope_problems(loc: str, scope: Scope | None) -> Iterator[tuple[str, dict[str, object]]]:
    authority, slash, rest = loc.partition("://")[2].partition("/")
    path = slash + rest.partition("?")[0].partition("#")[0]
    if "@" in authority:
        yield "loc-user-info", {}
    if _DOT_FOLDERS.search(path):
        yield "loc-dots", {}
    parts = _split(loc)
    if parts is None:
        yield "loc-host-name", {"host": authority.partition("?")[0].rpartition("@")[2]}
        return
    host = urlsplit(loc).hostname or ""
    if is_private_host(host) and not (scope and scope.is_own and scope.origin == parts[0]):
        yield "loc-private", {"host": host}
        return
    if not host.isascii():
        yield "loc-host-not-ascii", {"host": host, "ascii": ascii_host(host)}
    url = f"{parts[0]}{parts[1] or '/'}"
    if scope is None or (scope.other_folder and url.startswith(scope.other_folder)):
        return
    if parts[0] != scope.origin:
        scheme, host = parts[0].split("://")
        code = "loc-protocol" if host == scope.origin.partition("://")[2] else "loc-host"
        yield code, {"of": scope.of, "host": host, "scheme": scheme}
    elif not url.startswith(scope.folder):
        yield "loc-above", {"folder": scope.folder}


def _split(url: str) -> tuple[str, str] | None:
    """The origin, in lower case and without a default port, and the path; None if the URL is invalid."""
    if has_long_authority(url):
        return None
    try:
        parts = urlsplit(url)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host:
        return None
    host = f"[{host}]" if ":" in host else host
    if not _HOST.fullmatch(host):
        return None
    port_part = "" if port is None or str(port) == _DEFAULT_PORTS[scheme] else f":{port}"
    return f"{scheme}://{host}{port_part}", parts.path
