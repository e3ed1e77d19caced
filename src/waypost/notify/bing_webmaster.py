"""Submits sitemaps to Bing Webmaster Tools, and reads what Bing knows of them.

Source: Microsoft, "Bing Webmaster API", the methods SubmitFeed and GetFeedDetails.
"""

import re
from collections.abc import Sequence
from urllib.parse import quote, quote_plus, urlencode

import msgspec
from msgspec import Struct

from waypost.core.dates import format_unix_time
from waypost.core.errors import AnnounceError, TryLaterError
from waypost.files.http_headers import HttpHeaders
from waypost.files.http_requests import StatusError
from waypost.notify import engine_api
from waypost.notify.engine_api import RETRY_AFTER, short
from waypost.notify.submission import SitemapStatus

API_URL = "https://ssl.bing.com/webmaster/api.svc/json"
VARIABLE = "BING_WEBMASTER_API_KEY"
_JSON = {"Content-Type": "application/json; charset=utf-8"}
_DATE = re.compile(r"/Date\((\d{1,14})(?:[+-]\d{4})?\)/")
"""A time in milliseconds since 1970, which the zone does not change; a time that is not known is negative."""
_PENDING, _FAILED = ("pending",), ("error", "fail")
"""How Bing's word for the state of a sitemap begins, in lower case."""
_INTERNAL, _INVALID_KEY, _THROTTLED, _NO_USER, _NO_ACCESS = (1, 2), (3,), (4, 5), (10,), (13, 14)
"""Values of ApiErrorCode."""
_NOT_FOUND = 11


class BingWebmaster:
    """Bing Webmaster Tools with the API key of one user, which no message shows; a site is a URL."""

    name = "bing"
    takes_domains = False

    def __init__(self, key: str, api_url: str = "") -> None:
        self._key, self._api_url = key, api_url or API_URL

    def submit(self, site: str, sitemap: str) -> None:
        """Submit a sitemap; it may have been submitted before."""
        body = msgspec.json.encode({"siteUrl": site, "feedUrl": sitemap})
        try:
            self._check(self._send("POST", "SubmitFeed", {}, body))
        except StatusError as refused:
            raise self._refusal(refused, site) from None

    def status(self, site: str, sitemap: str) -> SitemapStatus | None:
        """What Bing knows of a sitemap, or None if it does not know it."""
        try:
            content = self._check(self._send("GET", "GetFeedDetails", {"siteUrl": site, "feedUrl": sitemap}))
        except StatusError as refused:
            if engine_api.decode_error(refused.body, _Fault).error_code == _NOT_FOUND:
                return None
            raise self._refusal(refused, site) from None
        feeds = engine_api.decode("Bing", content, _FeedAnswer).d or ()
        # Bing may write the URL in another form; for an index it also lists the sitemaps in it.
        found = [each for each in feeds if each.url == sitemap] or (feeds if len(feeds) == 1 else ())
        return _status(found[0]) if found else None

    def _send(self, method: str, name: str, values: dict[str, str], body: bytes | None = None) -> bytes:
        url = f"{self._api_url}/{name}?{urlencode({**values, 'apikey': self._key})}"
        return engine_api.send("Bing", method, url, _JSON, body)

    def _check(self, content: bytes) -> bytes:
        """The answer, unless it is an error with the status of a success, or no answer of the API."""
        if engine_api.decode("Bing", content, _Fault).error_code:
            raise StatusError(200, HttpHeaders(), content)
        return content

    def _refusal(self, refused: StatusError, site: str) -> AnnounceError:
        """What a refusal means, and what to do about it."""
        fault = engine_api.decode_error(refused.body, _Fault)
        code, answers = fault.error_code, f"Bing answers {refused.status}"
        if code in _THROTTLED or refused.status == 429:
            return TryLaterError(f"{answers}: too many requests; run this again in a few minutes", RETRY_AFTER)
        if code in _INTERNAL or refused.status >= 500:
            return TryLaterError(f"{answers}: it has a problem of its own; run this again later", RETRY_AFTER)
        meaning = _meaning(code, refused.status, site) or short(self._without_key(fault.message))
        return AnnounceError(f"{answers}: {meaning or 'it does not say why'}")

    def _without_key(self, text: str) -> str:
        for form in {self._key, quote(self._key, safe=""), quote_plus(self._key)}:
            text = re.sub(re.escape(form), "…", text, flags=re.IGNORECASE)
        return text


class _Fault(Struct, frozen=True, rename="pascal"):
    error_code: int = 0
    message: str = ""


class _Feed(Struct, frozen=True, rename="pascal"):
    url: str = ""
    status: str = ""
    last_crawled: str = ""
    submitted: str = ""
    url_count: int | None = None


class _FeedAnswer(Struct, frozen=True):
    d: Sequence[_Feed] | None


def _meaning(code: int, status: int, site: str) -> str:
    if code in (*_INVALID_KEY, *_NO_USER) or (not code and status == 401):
        return f"it does not accept the key in {VARIABLE}; copy the key from Bing Webmaster Tools, Settings, API access"
    if code in _NO_ACCESS or (not code and status == 403):
        return (
            f"the user of the key has no access to {site}; add and verify the site in Bing Webmaster Tools, "
            "or name another one with --site"
        )
    if code == _NOT_FOUND:
        return f"there is no site {site}; add it in Bing Webmaster Tools, or name another one with --site"
    return ""


def _status(feed: _Feed) -> SitemapStatus:
    state = feed.status.lower()
    return SitemapStatus(
        last_submitted=_time(feed.submitted),
        last_downloaded=_time(feed.last_crawled),
        is_pending=state.startswith(_PENDING) if state else None,
        state=short(feed.status),
        has_errors=state.startswith(_FAILED),
        url_count=feed.url_count,
    )


def _time(text: str) -> str | None:
    found = _DATE.fullmatch(text)
    return format_unix_time(int(found[1]) // 1_000) if found and int(found[1]) else None
