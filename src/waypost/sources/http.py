"""Files on the web, fetched by URL: from no private network unless that is allowed, and never without an end."""

import errno
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from waypost import __version__
from waypost.sources.guarded_http import (
    Guard,
    GuardedConnector,
    HTTPHandler,
    HTTPSHandler,
    Timeouts,
    literal,
    refuse_private,
    timeout_error,
)

_REDIRECTS = 5
_CHUNK = 65_536
_SAFE = "/:?#[]@!$&'()*+,;=~%"
"""What is sent of a URL as it is written; any other character is percent-encoded."""


class HttpFile:
    """What a URL answers with."""

    def __init__(self, web: "HttpClient", url: str) -> None:
        self._web, self.name, self.loc = web, _without_user(url), url
        self.modified: float | None = None
        self.redirected_to = ""

    def chunks(self) -> Iterator[bytes]:
        """The body; raises OSError."""
        ends = time.monotonic() + self._web.timeouts.total
        response, self.redirected_to = self._web.get(self.loc)
        with response:
            self.modified = _time(response.headers.get("Last-Modified"))
            _check_encoding(response.headers.get("Content-Encoding"))
            while data := _read(response):
                yield data
                if time.monotonic() > ends:
                    raise timeout_error(self._web.timeouts)
            if response.length:
                raise OSError(errno.EIO, f"its body is cut short: {response.length:,} bytes are missing")


class HttpClient:
    """The web as anybody sees it; `may_be_private` lets addresses of private networks be asked, too.

    Proxies that the environment names are used.
    """

    def __init__(self, *, may_be_private: bool = False, patience: Timeouts = Timeouts()) -> None:  # noqa: B008 (frozen)
        self.timeouts = patience
        self._guard: Guard = (lambda host, address: None) if may_be_private else refuse_private
        dial = GuardedConnector(self._guard, patience)
        self._direct = _opener(HTTPHandler(dial), HTTPSHandler(dial))
        self._proxied = _opener(
            urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), urllib.request.HTTPSHandler()
        )

    def file(self, url: str) -> HttpFile:
        """The file at a URL; it is fetched when it is read."""
        return HttpFile(self, url)

    def get(self, url: str) -> tuple[HTTPResponse, str]:
        """The answer, and the URL that it was found at where that is another; raises OSError.

        A redirect is followed within the site alone: the same host, with or without `www.`, and never from
        https to http.
        """
        at = url
        for _ in range(_REDIRECTS + 1):
            response = self._answer(at)
            if response.status not in (301, 302, 303, 307, 308):
                return response, at if at != url else ""
            with response:
                target = _target(at, response)
            if _site(target) != _site(url):
                raise OSError(errno.EACCES, f"it redirects to another site, {_shown(target)}, which was not followed")
            if at.startswith("https:") and not target.startswith("https:"):
                raise OSError(
                    errno.EACCES, f"it redirects from https to http, {_shown(target)}, which was not followed"
                )
            at = target
        raise OSError(errno.ELOOP, f"it redirects more than {_REDIRECTS} times")

    def _answer(self, url: str) -> HTTPResponse:
        asked = _asked(url)
        try:
            response: HTTPResponse = self._opener_for(asked).open(asked, timeout=self.timeouts.idle)
        except urllib.error.HTTPError as error:
            error.close()
            phrase = http.client.responses.get(error.code, "")
            raise OSError(errno.EIO, f"it answers {error.code} {phrase}".rstrip()) from None
        except urllib.error.URLError as error:
            why = _error_text(error.reason) if isinstance(error.reason, OSError) else str(error.reason)
            raise OSError(errno.EIO, why) from None
        except RemoteDisconnected:
            raise OSError(errno.EIO, "it closes the connection without an answer") from None
        except HTTPException as error:
            raise OSError(errno.EIO, f"what it answers is not HTTP: {error!r:.200}") from None
        except ValueError as error:  # a host whose name no resolver takes
            raise OSError(errno.EINVAL, f"it cannot be asked: {error}") from None
        return response

    def _opener_for(self, url: str) -> urllib.request.OpenerDirector:
        """Past a proxy it is the proxy that looks names up, so only an address written as one can be refused."""
        parts = urlsplit(url)
        is_proxied = parts.scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(parts.netloc)
        if not is_proxied:
            return self._direct
        for address in literal(parts.hostname or ""):
            self._guard(parts.hostname or "", address)
        return self._proxied


def _opener(*handlers: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    """Speaks HTTP and nothing else: no files, no FTP."""
    opener = urllib.request.OpenerDirector()
    opener.addheaders = [("User-Agent", f"waypost/{__version__}"), ("Accept", "*/*")]
    judges = (urllib.request.HTTPErrorProcessor(), urllib.request.HTTPDefaultErrorHandler(), _NoRedirects())
    for handler in (*handlers, *judges, urllib.request.UnknownHandler()):
        opener.add_handler(handler)
    return opener


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Hands redirects back as they are: where they lead is looked at first."""

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        del req, code, msg, headers
        return fp

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _asked(url: str) -> str:
    """A URL as it is sent, in ASCII; raises OSError where it must not be."""
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_right = False
    if not is_right:
        raise OSError(errno.EINVAL, "its URL is no http or https URL of a host")
    if "@" in parts.netloc:
        raise OSError(errno.EINVAL, "its URL holds a user's name or password, which are not sent")
    path, query = (quote(part, _SAFE, errors="replace") for part in (parts.path, parts.query))
    return parts._replace(path=path, query=query, fragment="").geturl()


def _without_user(url: str) -> str:
    """A URL as it may be shown: without a password, and with what no text may hold replaced."""
    scheme, separator, rest = url.encode(errors="backslashreplace").decode().partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}{separator}{authority.rpartition('@')[2]}{slash}{path}"


def _target(at: str, response: HTTPResponse) -> str:
    """Where a redirect leads, or `""`; what is not ASCII in a header is UTF-8 that was read as Latin-1."""
    location = response.headers.get("Location", "").encode("latin-1", "replace").decode(errors="replace")
    try:
        return urljoin(at, location)
    except ValueError:
        return ""


def _site(url: str) -> tuple[str, int | None] | None:
    """The host, without `www.`, and the port where it is not the usual one; None where there is none."""
    try:
        parts = urlsplit(url)
        usual = {"http": 80, "https": 443}[parts.scheme]
        return (parts.hostname or "").removeprefix("www."), None if parts.port in (None, usual) else parts.port
    except (ValueError, KeyError):
        return None


def _check_encoding(header: str | None) -> None:
    """What gzip packs is unpacked with the file; anything else was not asked for."""
    if (header or "").strip().lower() not in ("", "identity", "gzip", "x-gzip"):
        raise OSError(errno.EIO, f"it is encoded as {header!r:.40}, which was not asked for")


def _read(response: HTTPResponse) -> bytes:
    try:
        return response.read1(_CHUNK)
    except HTTPException:
        raise OSError(errno.EIO, "its body is cut short") from None


def _time(header: str | None) -> float | None:
    try:
        return parsedate_to_datetime(header).timestamp() if header else None
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _error_text(error: OSError) -> str:
    return error.strerror or str(error)


def _shown(url: str) -> str:
    return quote(url[:200], _SAFE)
