"""Bing Webmaster Tools against a server that keeps what is submitted, and refuses as Bing does."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from webmaster_apis import BING_KEY, PROPERTY, READ_AT, SITEMAP, WebmasterApis, bing_error

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.notify.bing_webmaster import BingWebmaster
from waypost.notify.submission import SitemapStatus


def bing(webmasters: WebmasterApis, key: str = BING_KEY) -> BingWebmaster:
    return BingWebmaster(key, webmasters.bing_url)


def test_a_sitemap_is_submitted_and_read_back(webmasters: WebmasterApis) -> None:
    bing(webmasters).submit(PROPERTY, SITEMAP)
    assert bing(webmasters).status(PROPERTY, SITEMAP) == SitemapStatus(
        last_submitted="2026-11-20T10:00:00Z",
        last_downloaded=READ_AT,
        is_pending=False,
        state="Success",
        url_count=1_246,
    )


def test_a_sitemap_that_was_never_submitted_is_not_known(webmasters: WebmasterApis) -> None:
    assert bing(webmasters).status(PROPERTY, SITEMAP) is None
    webmasters.refuse("/bing", bing_error(11, "NotFound"), (200, {"d": None}))
    assert bing(webmasters).status(PROPERTY, SITEMAP) is None
    assert bing(webmasters).status(PROPERTY, SITEMAP) is None


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ({"Status": "Pending"}, SitemapStatus(is_pending=True, state="Pending")),
        ({"Status": "Error"}, SitemapStatus(is_pending=False, state="Error", has_errors=True)),
        ({"Status": "Failed"}, SitemapStatus(is_pending=False, state="Failed", has_errors=True)),
        ({"LastCrawled": "/Date(-62135568000000-0800)/"}, SitemapStatus()),
        ({"LastCrawled": "/Date(0)/"}, SitemapStatus()),
        ({"LastCrawled": "yesterday"}, SitemapStatus()),
        (
            {"LastCrawled": "/Date(1399100400000-0700)/"},
            SitemapStatus(last_downloaded="2014-05-03T07:00:00Z"),
        ),
    ],
)
def test_what_bing_says_is_understood(webmasters: WebmasterApis, said: dict[str, Any], known: SitemapStatus) -> None:
    webmasters.bing[PROPERTY, SITEMAP] = {"Url": SITEMAP, **said}
    assert bing(webmasters).status(PROPERTY, SITEMAP) == known


def test_of_an_index_the_sitemap_itself_is_meant_and_not_those_in_it(webmasters: WebmasterApis) -> None:
    others = [{"Url": f"{PROPERTY}{name}.xml", "UrlCount": 1} for name in "ab"]
    webmasters.refuse("/bing", (200, {"d": [*others, {"Url": SITEMAP, "UrlCount": 2}]}), (200, {"d": others}))
    status = bing(webmasters).status(PROPERTY, SITEMAP)
    assert status
    assert status.url_count == 2
    assert bing(webmasters).status(PROPERTY, SITEMAP) is None


def test_bing_may_write_the_url_in_another_form(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/bing", (200, {"d": [{"Url": SITEMAP.upper(), "UrlCount": 2}]}))
    status = bing(webmasters).status(PROPERTY, SITEMAP)
    assert status
    assert status.url_count == 2


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (3, "it does not accept the key in BING_WEBMASTER_API_KEY; copy the key"),
        (10, "it does not accept the key in BING_WEBMASTER_API_KEY; copy the key"),
        (11, f"there is no site {PROPERTY}; add it in Bing Webmaster Tools"),
        (13, f"the user of the key has no access to {PROPERTY}; add and verify"),
        (14, f"the user of the key has no access to {PROPERTY}; add and verify"),
        (8, "ERROR!!! Refused$"),
        (99, "ERROR!!! Refused$"),
    ],
)
def test_a_refusal_says_what_to_do_and_is_final(webmasters: WebmasterApis, code: int, message: str) -> None:
    webmasters.refuse("/bing", bing_error(code, "Refused"))
    with pytest.raises(AnnounceError, match=f"Bing answers 400: {message}") as raised:
        bing(webmasters).submit(PROPERTY, SITEMAP)
    assert not isinstance(raised.value, TryLaterError)


@pytest.mark.parametrize(("status", "message"), [(401, "the key in BING"), (403, "no access"), (418, "does not say")])
def test_a_refusal_without_a_code_is_understood_by_its_status(
    webmasters: WebmasterApis, status: int, message: str
) -> None:
    webmasters.refuse("/bing", (status, b"<html>"))
    with pytest.raises(AnnounceError, match=f"Bing answers {status}: .*{message}"):
        bing(webmasters).status(PROPERTY, SITEMAP)


@pytest.mark.parametrize(
    "refusal", [bing_error(1, ""), bing_error(2, ""), bing_error(4, ""), bing_error(5, ""), (429, b""), (503, b"")]
)
def test_what_is_refused_for_now_may_be_tried_later(webmasters: WebmasterApis, refusal: tuple[int, Any]) -> None:
    webmasters.refuse("/bing", refusal)
    with pytest.raises(TryLaterError, match=f"Bing answers {refusal[0]}: .*; run this again"):
        bing(webmasters).submit(PROPERTY, SITEMAP)


@pytest.mark.parametrize("request_name", ["submit", "status"])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (bing_error(14, "NotAuthorized")[1], "has no access"),
        *((body, "the answer of Bing is not what its documentation says") for body in (b"", b"<html>", b"[]")),
    ],
    ids=["error", "empty", "html", "list"],
)
def test_an_error_or_a_broken_answer_with_the_status_of_a_success_is_an_error(
    webmasters: WebmasterApis, request_name: str, body: Any, message: str
) -> None:
    webmasters.refuse("/bing", (200, body))
    with pytest.raises(AnnounceError, match=message):
        getattr(bing(webmasters), request_name)(PROPERTY, SITEMAP)


def test_no_message_shows_the_key(webmasters: WebmasterApis) -> None:
    text = f"no {BING_KEY} and no {quote(BING_KEY, safe='')}"
    webmasters.refuse("/bing", bing_error(8, text), (302, b"/elsewhere"), (200, b"x" * 2_000_000))
    for _ in range(3):
        with pytest.raises(AnnounceError) as raised:
            bing(webmasters).submit(PROPERTY, SITEMAP)
        assert not [form for form in (BING_KEY, quote(BING_KEY, safe="")) if form in str(raised.value)]


def test_a_key_of_another_user_is_refused_by_bing(webmasters: WebmasterApis) -> None:
    with pytest.raises(AnnounceError, match="it does not accept the key"):
        bing(webmasters, "other").submit(PROPERTY, SITEMAP)
