"""The origin of a URL, and the URL at which a host has no page."""

from urllib.parse import urlsplit

from waypost.core.hashing import short_digest
from waypost.core.urls import has_long_authority


def origin_of(url: str) -> str:
    """The scheme and authority of a URL in lower case, or `""` if it is not an http or https URL."""
    if has_long_authority(url):
        return ""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower() if is_web else ""


def made_up_url(origin: str) -> str:
    """A URL of a host at which nobody publishes a page; each run asks the same one."""
    return f"{origin}/there-is-no-such-page-{short_digest(origin.encode())[:8]}"
