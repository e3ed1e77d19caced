"""Makes URLs as the protocol requires them: absolute, percent-encoded once, and comparable.

Sources: RFC 3986 (3.3 paths, 6.2 normalisation), RFC 5890 (hosts), sitemaps.org 0.9 ("Entity
escaping": every URL is encoded and under 2,048 characters).
"""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

import idna

_SITE = re.compile(r"https?://(?:www\.)?([^/?#]*?)(?::80|:443)?(?=[/?#]|$)", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|/)index\.html?$", re.IGNORECASE)
_HTML = re.compile(r"(?<=[^/])\.html?$", re.IGNORECASE)
LOC_LIMIT = 2048
"""A loc has fewer characters than this (one text of the protocol says "less than")."""
MAX_REFERENCE = 8_192
"""Longer references are not resolved; few servers accept such URLs (RFC 9110, 4.1)."""
_MAX_HOST, _MAX_AUTHORITY = 253, 260
"""The most characters of a host (RFC 1035, 2.3.4), and of a host with its port, that are not all ASCII.

Python brings such a text into another form in time that grows with the square of its length.
"""
_SEGMENT_SAFE = ":@!$&'()*+,;=~"
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_HOST = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\Z|\[[0-9a-f:.]+\]\Z"
)
_SIMPLE_URL = re.compile(r"[A-Za-z0-9_.~/-]*\Z")
"""A path that needs no encoding or decoding, as most do."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
_REMOVED_BY_URLSPLIT = str.maketrans("", "", "\t\r\n")
_AUTHORITY_END = re.compile(r"[/?#]")
_PRIVATE_NAMES = (
    *("localhost", "local", "internal", "home.arpa", "test", "invalid", "onion", "alt"),
    *("lan", "localdomain", "home", "corp"),
)
"""Names that no public DNS server answers, with all names below them.

Those of RFC 6761, 6762, 7686, 8375 and 9476, and ICANN's of 2024; names that private networks use, and ICANN has not
given to anybody (SAC 045 and its decision of 2018).
"""
_IPV4_PARTS, _BYTE = 4, 255
_NUMBER = re.compile(r"0x[0-9a-f]{1,8}|[0-9]{1,11}")


def page_identity(url: str) -> str:
    """The host and path by which the forms of one page are equal.

    Two URLs have the same identity if they differ only in http or https, `www.`, the case of the host,
    percent-encoding, a final `/`, `.html` or `.htm`, or `/index.html`. An identity is for comparing: it is no URL.
    """
    site = _SITE.match(url)
    path = path_identity(url[site.end() if site else 0 :])
    host = site[1].lower() if site else ""
    return f"{host}/{path}" if path else host


def path_identity(path: str) -> str:
    """The same of a path or a key: without its first and last `/`, `.html` or `.htm`, and `index.html`."""
    decoded = unquote(path) if "%" in path else path
    stem = _INDEX.sub("", decoded.strip("/"))
    return _HTML.sub("", stem).rstrip("/")


def encode_path(path: str, escaped: str = "") -> str:
    """Percent-encode the UTF-8 bytes that RFC 3986 does not allow in a path, `%`, and the characters in `escaped`."""
    if _SIMPLE_URL.match(path):
        return path
    return escape(quote(path, safe="/" + _SEGMENT_SAFE), escaped)


def escape(encoded: str, escaped: str) -> str:
    """An encoded path in which these characters are percent-encoded, too."""
    for character in escaped:
        encoded = encoded.replace(character, quote(character, safe=""))
    return encoded


def decode_path(encoded: str) -> str:
    """The path that an encoded one means; an encoded slash stays encoded, as it separates no folders."""
    return unquote(encoded.replace("%2F", "%252F")) if "%" in encoded else encoded


_HOST_FIRST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/[^\s?#]*)?", re.IGNORECASE)
"""What people write who leave out the scheme: a host, and a path."""


def normalize_base_url(text: str) -> str:
    """Check and normalize the URL of a site's root folder; the result ends with `/`.

    Raises ValueError with the problem.
    """
    text = text.strip()
    if len(text) > MAX_REFERENCE or has_long_authority(text):
        raise ValueError("the URL is too long")
    parts = urlsplit(text)
    if parts.scheme.lower() not in _DEFAULT_PORTS or not parts.hostname:
        meant = f"; did you mean https://{text.rstrip('/')}/?" if _HOST_FIRST.fullmatch(text) else ""
        raise ValueError(f"{text!r} is not an absolute http or https URL{meant}")
    for name, present in (
        ("a query", "?" in text),
        ("a fragment", "#" in text),
        ("a user name", "@" in parts.netloc),
        ("a backslash", "\\" in text),
        ("white space", bool(re.search(r"\s", text))),
        ("`.` or `..` in its path", _remove_dot_segments(_normalize_path(parts.path)) != _normalize_path(parts.path)),
        ("an empty folder (`//`) in its path", "//" in parts.path),
    ):
        if present:
            raise ValueError(f"{text!r} has {name}")
    if re.search(r"\.(html?|xml|txt)/?$", parts.path, re.IGNORECASE):
        raise ValueError(f"{text!r} names a file")
    path = _normalize_path(parts.path)
    return f"{_origin(text)}{path}" if path.endswith("/") else f"{_origin(text)}{path}/"


def normalize(reference: str, base: str) -> str | None:
    """The absolute and normalized URL of a reference on the page at `base`, without its fragment.

    References to the same page give the same URL. Returns None if it is not an http or https URL, or is too long.
    """
    if len(reference) > MAX_REFERENCE:
        return None
    if _is_normalized(reference, base):
        return reference
    if has_long_authority(reference):
        return None
    try:
        url = urljoin(base, reference.strip())
        origin = _origin(url)
        parts = urlsplit(url)
    except ValueError:
        return None
    query = f"?{_normalize_query(parts.query)}" if parts.query else ""
    return f"{origin}{_remove_dot_segments(_normalize_path(parts.path)) or '/'}{query}"


def _is_normalized(reference: str, base: str) -> bool:
    """Whether a reference is clearly normalized already, as most are; this is much faster than normalizing it."""
    origin = origin_of(base) + "/"
    return reference.startswith(origin) and bool(_SIMPLE_URL.match(reference, len(origin))) and "/." not in reference


class SitePath(NamedTuple):
    """Where on a site a URL is: its encoded path below `base_url`, and its query.

    `has_same_origin` is False if the scheme is the other one of http and https, or only one host begins with `www.`.
    """

    path: str
    query: str
    has_same_origin: bool


def path_on_site(url: str, base_url: str) -> SitePath | None:
    """Where on the site a normalized URL is, or None if it is not on the site.

    `http` and `https`, and a host with and without `www.`, count as the same site.
    """
    plain, _, query = url.partition("?")
    if plain.startswith(base_url):
        return SitePath(plain[len(base_url) :], query, has_same_origin=True)
    if plain + "/" == base_url:
        return SitePath("", query, has_same_origin=True)
    if url.startswith(origin_of(base_url) + "/"):
        return None
    other, base = without_scheme(plain), without_scheme(base_url)
    if not f"{other}/".startswith(base):
        return None
    return SitePath(other[len(base) :], query, has_same_origin=False)


def without_scheme(url: str) -> str:
    """A URL without its scheme and `www.`, by which two URLs of one place are equal."""
    return url.partition("://")[2].removeprefix("www.")


def origin_of(url: str) -> str:
    """The scheme, host and port of a normalized URL."""
    return url[: url.index("/", url.index("://") + 3)]


def with_path(url: str) -> str:
    """A URL with the path `/` if it has none, and its host in small letters, which mean the same (RFC 3986, 6.2.2)."""
    scheme, separator, rest = url.partition("://")
    end = next((n for n, character in enumerate(rest) if character in "/?#"), len(rest))
    slash = "" if rest[end : end + 1] == "/" else "/"
    return f"{scheme.lower()}://{rest[:end].lower()}{slash}{rest[end:]}" if separator else url


def is_host_root(base_url: str) -> bool:
    """Whether a base URL is a host's root, the only place where crawlers read robots.txt (RFC 9309, 2.3)."""
    return base_url == f"{origin_of(base_url)}/"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
    if scheme not in _DEFAULT_PORTS:
        raise ValueError(f"{url!r} is not an http or https URL")
    host = ascii_host(host)
    host = f"[{host}]" if ":" in host else host
    if not _HOST.match(host):
        raise ValueError(f"{host!r} is not a host name")
    return f"{scheme}://{host}" + ("" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}")


def has_long_authority(reference: str) -> bool:
    """Whether a reference has a host that is not ASCII and too long to be one; it must not be split."""
    if reference.isascii():
        return False
    authority = reference.translate(_REMOVED_BY_URLSPLIT).partition("//")[2]
    return len(_AUTHORITY_END.split(authority, maxsplit=1)[0]) > _MAX_AUTHORITY


def decoded_path(url: str) -> str | None:
    """The path of a URL, decoded; None if the URL is invalid or too long."""
    if len(url) > MAX_REFERENCE or has_long_authority(url):
        return None
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return None


def ascii_host(host: str) -> str:
    """The ASCII form of a host name in lower case; raises ValueError if it has none (RFC 5890)."""
    if host.isascii():
        return host
    if len(host) > _MAX_HOST:
        raise ValueError("an international host name has more characters than any host")
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError as error:
        raise ValueError(f"{host!r} is not an international host name: {error}") from None


def _normalize_path(path: str) -> str:
    """The path with each escape in one spelling: `%7E` becomes `~`, and `%2b` becomes `%2B`, which is not `+`.

    Only escapes of unreserved characters mean the same as the character (RFC 3986, 2.2 and 6.2.2).
    """
    plain = _ESCAPE.sub(_normal_escape, _STRAY_PERCENT.sub("%25", path))
    return quote(plain, safe="/%" + _SEGMENT_SAFE)


def _normal_escape(found: re.Match[str]) -> str:
    character = chr(int(found[0][1:], 16))
    return character if _UNRESERVED.match(character) else found[0].upper()


def _remove_dot_segments(path: str) -> str:
    """The path without `.` and `..` (RFC 3986, 5.2.4); percent-encoded dots must be decoded before."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[max(len(kept) - 1, 1) :]
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept + [""] * (segments[-1] in (".", "..")))


def _normalize_query(query: str) -> str:
    return _ESCAPE.sub(lambda escape: escape[0].upper(), quote(query, safe=_SEGMENT_SAFE + "/?%"))


def is_private_host(host: str) -> bool:
    """Whether a host, in lower case, is one computer's own or in a private network, so that no crawler reaches it."""
    name = host.removesuffix(".")
    try:
        return not (_short_ipv4(name) or ipaddress.ip_address(name.strip("[]"))).is_global
    except ValueError:
        pass
    return "." not in name or any(name == each or name.endswith(f".{each}") for each in _PRIVATE_NAMES)


def _short_ipv4(host: str) -> ipaddress.IPv4Address | None:
    """The address of a host in fewer than four numbers, or in octal or hexadecimal ones (WHATWG URL, 3.5)."""
    parts = host.split(".")
    if len(parts) > _IPV4_PARTS or not all(map(_NUMBER.fullmatch, parts)):
        return None
    bases = (16 if part.startswith("0x") else 8 if len(part) > 1 and part.startswith("0") else 10 for part in parts)
    *first, last = (int(part, base) for part, base in zip(parts, bases, strict=True))
    total = sum(value << (24 - 8 * n) for n, value in enumerate(first)) + last
    is_valid = all(value <= _BYTE for value in first) and last < 1 << (8 * (_IPV4_PARTS + 1 - len(parts)))
    return ipaddress.IPv4Address(total) if is_valid else None
