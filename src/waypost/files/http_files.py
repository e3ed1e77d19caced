"""Files at URLs."""

import errno
import http.client
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urljoin, urlsplit

from waypost.files.guarded_http import Deadline
from waypost.files.http_client import REDIRECTS, SENT_UNCHANGED, HttpAnswer, HttpClient, HttpRequest
from waypost.files.http_headers import HttpHeaders

_MAX_REDIRECTS = 5
_GZIP_TYPES = ("application/gzip", "application/x-gzip")


class HttpFile:
    """A file at a URL, which is fetched when it is read."""

    def __init__(self, client: HttpClient, url: str) -> None:
        self._client, self.name, self.loc = client, _without_user(url), url
        self.modified: float | None = None
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None

    def chunks(self) -> Iterator[bytes]:
        """The body in chunks; raises OSError."""
        with self._get() as response:
            self.modified = http_time(response.headers.get("Last-Modified"))
            _check_encoding(response.headers.get("Content-Encoding"))
            self.is_sent_as_gzip = names_gzip(response.headers)
            yield from response.chunks()

    def _get(self) -> HttpAnswer:
        """The answer; raises OSError: FileNotFoundError if the server answers that there is no such file.

        Redirects are followed only within the site (the same host, with or without `www.`), and never from https to
        http.
        """
        current, deadline = self.loc, Deadline(self._client.timeouts)
        for _ in range(_MAX_REDIRECTS + 1):
            response = self._send(current, deadline)
            if response.status not in REDIRECTS:
                self.redirected_to = current if current != self.loc else ""
                return response
            with response:
                target = redirect_target(current, response.headers)
            if _site(target) != _site(self.loc):
                raise OSError(
                    errno.EACCES, f"the URL redirects to another site, {_printable(target)}, which was not followed"
                )
            if current.startswith("https:") and not target.startswith("https:"):
                raise OSError(
                    errno.EACCES, f"the URL redirects from https to http, {_printable(target)}, which was not followed"
                )
            current = target
        raise OSError(errno.ELOOP, f"the URL redirects more than {_MAX_REDIRECTS} times")

    def _send(self, url: str, deadline: Deadline) -> HttpAnswer:
        response = self._client.ask(HttpRequest("GET", url), deadline)
        if 200 <= response.status < 300 or response.status in REDIRECTS:
            return response
        response.close()
        phrase = http.client.responses.get(response.status, "")
        code = errno.ENOENT if response.status in (404, 410) else errno.EIO
        raise OSError(code, f"the server answers {response.status} {phrase}".rstrip())


def _without_user(url: str) -> str:
    """A URL that can be shown: without a user name or password, and with unprintable characters escaped."""
    scheme, separator, rest = url.encode(errors="backslashreplace").decode().partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}{separator}{authority.rpartition('@')[2]}{slash}{path}"


def redirect_target(url: str, headers: HttpHeaders) -> str:
    """The URL to which an answer redirects, or `""`; a header is UTF-8 that was decoded as Latin-1."""
    location = headers.get("Location", "").encode("latin-1", "replace").decode(errors="replace")
    try:
        return urljoin(url, location)
    except ValueError:
        return ""


def _site(url: str) -> tuple[str, int | None] | None:
    """The host without `www.`, and the port if it is not the default; None for an invalid URL."""
    try:
        parts = urlsplit(url)
        default = {"http": 80, "https": 443}[parts.scheme]
        return (parts.hostname or "").removeprefix("www."), None if parts.port in (None, default) else parts.port
    except (ValueError, KeyError):
        return None


def _check_encoding(header: str | None) -> None:
    """Raise OSError for an encoding that was not requested; gzip is decompressed with the file."""
    if (header or "").strip().lower() not in ("", "identity", "gzip", "x-gzip"):
        raise OSError(errno.EIO, f"the encoding of the body is {header!r:.40}, which was not requested")


def names_gzip(headers: Mapping[str, str]) -> bool:
    """Whether the headers of a body say that it is compressed by gzip: as its coding or as its type (RFC 9110, 8)."""
    coding, media_type = headers.get("Content-Encoding") or "", headers.get("Content-Type") or ""
    return "gzip" in coding.lower() or media_type.partition(";")[0].strip().lower() in _GZIP_TYPES


def http_time(header: str | None) -> float | None:
    """The Unix seconds of a date in a header; None if it has none, or no valid one."""
    try:
        return parsedate_to_datetime(header).timestamp() if header else None
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _printable(url: str) -> str:
    return quote(url[:200], SENT_UNCHANGED)
