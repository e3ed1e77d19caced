"""Google Search Console against a server that keeps what is submitted, and refuses as Google does."""

from __future__ import annotations

import pytest
from webmaster_apis import ACCOUNT, PROPERTY, READ_AT, SITEMAP, WebmasterApis, google_error

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.notify.search_console import SearchConsole
from waypost.notify.submission import SitemapStatus, SubmittedContent


class Tokens:
    """Tokens of the server, without a request for each."""

    def __init__(self, server: WebmasterApis, account: str = ACCOUNT) -> None:
        self._server, self.account, self.renewed = server, account, 0
        self._token = self._new()

    def _new(self) -> str:
        self._server.tokens.append(f"token {len(self._server.tokens)}")
        return self._server.tokens[-1]

    def token(self, *, is_renewed: bool = False) -> str:
        if is_renewed:
            self.renewed += 1
            self._token = self._new()
        return self._token


def console(webmasters: WebmasterApis, account: str = ACCOUNT) -> SearchConsole:
    return SearchConsole(Tokens(webmasters, account), webmasters.google_url)


def test_a_sitemap_is_submitted_and_read_back(webmasters: WebmasterApis) -> None:
    google = console(webmasters)
    google.submit(PROPERTY, SITEMAP)
    assert google.status(PROPERTY, SITEMAP) == SitemapStatus(
        last_submitted="2026-11-20T10:00:00Z",
        last_downloaded=READ_AT,
        is_pending=False,
        error_count=0,
        warning_count=2,
        url_count=1_246,
        contents=(SubmittedContent("web", 1_234), SubmittedContent("image", 12)),
    )


def test_a_sitemap_that_google_has_not_read_has_only_what_google_says(webmasters: WebmasterApis) -> None:
    webmasters.google[PROPERTY, SITEMAP] = {"path": SITEMAP, "isPending": True, "lastDownloaded": "never"}
    assert console(webmasters).status(PROPERTY, SITEMAP) == SitemapStatus(is_pending=True)


def test_errors_in_a_sitemap_are_told(webmasters: WebmasterApis) -> None:
    webmasters.google[PROPERTY, SITEMAP] = {"errors": "3"}
    status = console(webmasters).status(PROPERTY, SITEMAP)
    assert status
    assert (status.has_errors, status.error_count) == (True, 3)


def test_a_property_may_be_a_domain_and_the_urls_any_text(webmasters: WebmasterApis) -> None:
    domain, sitemap = "sc-domain:waypost.dev", "https://www.waypost.dev/a b/ü.xml?x=%20&y#z"
    webmasters.known_properties = webmasters.properties = {domain}
    console(webmasters).submit(domain, sitemap)
    assert list(webmasters.google) == [(domain, sitemap)]


def test_a_sitemap_that_was_never_submitted_is_not_known(webmasters: WebmasterApis) -> None:
    assert console(webmasters).status(PROPERTY, SITEMAP) is None


def test_a_token_that_has_expired_is_renewed_once(webmasters: WebmasterApis) -> None:
    tokens = Tokens(webmasters)
    google = SearchConsole(tokens, webmasters.google_url)
    webmasters.expire_tokens()
    google.submit(PROPERTY, SITEMAP)
    google.status(PROPERTY, SITEMAP)
    assert tokens.renewed == 1
    assert [request.split()[0] for request in webmasters.requests] == ["PUT", "PUT", "GET"]


def test_a_token_that_is_refused_twice_is_an_error(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/google", google_error(401, "authError"), google_error(401, "authError"))
    with pytest.raises(AnnounceError, match=f"Google answers 401: it does not accept the token of {ACCOUNT}; look"):
        console(webmasters).submit(PROPERTY, SITEMAP)


@pytest.mark.parametrize(("account", "named"), [(ACCOUNT, ACCOUNT), ("", "the account")])
def test_an_account_without_access_is_named_with_the_property(
    webmasters: WebmasterApis, account: str, named: str
) -> None:
    webmasters.properties.clear()
    google = console(webmasters, account)
    for request in (google.submit, google.status):
        with pytest.raises(AnnounceError) as raised:
            request(PROPERTY, SITEMAP)
        assert str(raised.value) == (
            f"Google answers 403: {named} has no access to {PROPERTY}; add it as a full user of this property in "
            "Search Console, or name another property with --site"
        )


def test_a_property_that_does_not_exist_is_named(webmasters: WebmasterApis) -> None:
    with pytest.raises(AnnounceError, match=r"404: there is no property https://x\.waypost\.dev/; add it in Search"):
        console(webmasters).submit("https://x.waypost.dev/", SITEMAP)


@pytest.mark.parametrize(
    ("status", "reason"), [(429, ""), (403, "rateLimitExceeded"), (403, "userRateLimitExceeded"), (500, ""), (503, "x")]
)
def test_what_is_refused_for_now_may_be_tried_later(webmasters: WebmasterApis, status: int, reason: str) -> None:
    webmasters.refuse("/google", google_error(status, reason))
    with pytest.raises(TryLaterError, match=f"Google answers {status}: .*; run this again"):
        console(webmasters).submit(PROPERTY, SITEMAP)


@pytest.mark.parametrize(
    ("status", "reason", "message"),
    [
        (403, "quotaExceeded", "the quota of today is used up; run this again tomorrow"),
        (403, "accessNotConfigured", "the Search Console API is not enabled"),
        (400, "invalidParameter", "It was refused$"),
    ],
)
def test_any_other_refusal_says_what_is_wrong_and_is_final(
    webmasters: WebmasterApis, status: int, reason: str, message: str
) -> None:
    webmasters.refuse("/google", google_error(status, reason))
    with pytest.raises(AnnounceError, match=f"Google answers {status}: {message}") as raised:
        console(webmasters).submit(PROPERTY, SITEMAP)
    assert not isinstance(raised.value, TryLaterError)


def test_a_refusal_without_a_text_says_so(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/google", (418, b"<html>"))
    with pytest.raises(AnnounceError, match="Google answers 418: it does not say why"):
        console(webmasters).submit(PROPERTY, SITEMAP)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"errors": "many"}'])
def test_a_broken_answer_is_an_error(webmasters: WebmasterApis, body: bytes) -> None:
    webmasters.refuse("/google", (200, body))
    with pytest.raises(AnnounceError, match="the answer of Google is not what its documentation says"):
        console(webmasters).status(PROPERTY, SITEMAP)
