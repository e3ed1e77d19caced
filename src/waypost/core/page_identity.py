"""Which URLs are forms of one page: servers answer them with the same file."""

import re
from urllib.parse import unquote

_SITE = re.compile(r"https?://(?:www\.)?([^/?#]*?)(?::80|:443)?(?=[/?#]|$)", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|/)index\.html?$", re.IGNORECASE)
_HTML = re.compile(r"(?<=[^/])\.html?$", re.IGNORECASE)


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
