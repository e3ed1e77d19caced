"""Submits sitemaps to Google Search Console, and reads what Google knows of them.

Source: Google, "Search Console API", the resource Sitemaps.
"""

from collections.abc import Sequence
from typing import Protocol
from urllib.parse import quote

from msgspec import Struct

from waypost.core.dates import parse_page_date
from waypost.core.errors import AnnounceError, TryLaterError
from waypost.files.http_requests import StatusError
from waypost.notify import engine_api
from waypost.notify.engine_api import RETRY_AFTER, short
from waypost.notify.submission import SitemapStatus, SubmittedContent

API_URL = "https://www.googleapis.com/webmasters/v3"
_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 401, 403, 404, 429
_FOR_NOW = ("rateLimitExceeded", "userRateLimitExceeded")
_FOR_TODAY = ("quotaExceeded", "dailyLimitExceeded")
_DISABLED = ("accessNotConfigured", "SERVICE_DISABLED")


class Tokens(Protocol):
    """Where access tokens come from; `account` is the address of the account, if it is known."""

    @property
    def account(self) -> str:
        """The e-mail address of the account, or `""`."""

    def token(self, *, is_renewed: bool = False) -> str:
        """An access token, or a new one; raises AnnounceError."""


class SearchConsole:
    """Google Search Console as one account sees it; a site is a property, such as `sc-domain:example.org`."""

    name = "google"
    takes_domains = True

    def __init__(self, tokens: Tokens, api_url: str = "") -> None:
        self._tokens, self._api_url = tokens, api_url or API_URL

    def submit(self, site: str, sitemap: str) -> None:
        """Submit a sitemap; it may have been submitted before."""
        try:
            self._send("PUT", site, sitemap)
        except StatusError as refused:
            raise self._refusal(refused, site) from None

    def status(self, site: str, sitemap: str) -> SitemapStatus | None:
        """What Google knows of a sitemap, or None if it was not submitted for this property."""
        try:
            content = self._send("GET", site, sitemap)
        except StatusError as refused:
            if refused.status == _NOT_FOUND:
                return None
            raise self._refusal(refused, site) from None
        return _status(engine_api.decode("Google", content, _Sitemap))

    def _send(self, method: str, site: str, sitemap: str) -> bytes:
        """The answer to a request; a token that is refused, because it has expired, is renewed once."""
        url = f"{self._api_url}/sites/{quote(site, safe='')}/sitemaps/{quote(sitemap, safe='')}"
        try:
            return engine_api.send("Google", method, url, _authorization(self._tokens.token()))
        except StatusError as refused:
            if refused.status != _UNAUTHORIZED:
                raise
        return engine_api.send("Google", method, url, _authorization(self._tokens.token(is_renewed=True)))

    def _refusal(self, refused: StatusError, site: str) -> AnnounceError:
        """What a refusal means, and what to do about it."""
        error = engine_api.decode_error(refused.body, _ErrorAnswer).error
        reasons, answers = [each.reason for each in error.errors], f"Google answers {refused.status}"
        if refused.status == _TOO_MANY or any(each in _FOR_NOW for each in reasons):
            return TryLaterError(f"{answers}: too many requests; run this again in a few minutes", RETRY_AFTER)
        if refused.status >= 500:
            return TryLaterError(f"{answers}: it has a problem of its own; run this again later", RETRY_AFTER)
        if any(each in _FOR_TODAY for each in reasons):
            return AnnounceError(f"{answers}: the quota of today is used up; run this again tomorrow")
        meaning = self._meaning(refused.status, reasons, site)
        return AnnounceError(f"{answers}: {meaning or short(error.message) or 'it does not say why'}")

    def _meaning(self, status: int, reasons: Sequence[str], site: str) -> str:
        account = self._tokens.account or "the account"
        if status == _UNAUTHORIZED:
            return f"it does not accept the token of {account}; look whether the account still exists"
        if any(each in _DISABLED for each in reasons):
            return "the Search Console API is not enabled in the project of the account; enable it in Google Cloud"
        if status == _FORBIDDEN:
            return (
                f"{account} has no access to {site}; add it as a full user of this property in Search Console, "
                "or name another property with --site"
            )
        if status == _NOT_FOUND:
            return f"there is no property {site}; add it in Search Console, or name another one with --site"
        return ""


class _Content(Struct, frozen=True):
    type: str = ""
    submitted: int = 0


class _Sitemap(Struct, frozen=True, rename="camel"):
    """The resource of a sitemap, whose numbers are text."""

    last_submitted: str = ""
    last_downloaded: str = ""
    is_pending: bool | None = None
    errors: int | None = None
    warnings: int | None = None
    contents: Sequence[_Content] = ()


class _Reason(Struct, frozen=True):
    reason: str = ""


class _Error(Struct, frozen=True):
    message: str = ""
    errors: Sequence[_Reason] = ()


class _ErrorAnswer(Struct, frozen=True):
    error: _Error = _Error()


def _authorization(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _status(found: _Sitemap) -> SitemapStatus:
    contents = tuple(SubmittedContent(each.type, each.submitted) for each in found.contents)
    return SitemapStatus(
        last_submitted=parse_page_date(found.last_submitted),
        last_downloaded=parse_page_date(found.last_downloaded),
        is_pending=found.is_pending,
        has_errors=bool(found.errors),
        error_count=found.errors,
        warning_count=found.warnings,
        url_count=sum(each.url_count for each in contents) if contents else None,
        contents=contents,
    )
