"""The answer for a URL that does not exist."""

from __future__ import annotations

from unit.live.fake_site import SITE, reply

from waypost.live.missing_page import UNKNOWN, made_up_url, missing_page


def test_a_made_up_url_is_the_same_in_each_run_and_another_for_each_host() -> None:
    assert made_up_url(SITE) == f"{SITE}/there-is-no-such-page-05a6af3b"
    assert made_up_url("https://example.net").removeprefix("https://example.net") not in made_up_url(SITE)


def test_nothing_is_like_an_answer_that_is_not_known_or_has_no_text() -> None:
    empty = missing_page(made_up_url(SITE), reply(body="<title></title>"))
    assert not UNKNOWN.has_page()
    assert empty.has_page()
    assert not any(each.is_same(f"{SITE}/a", b"<p>x") for each in (UNKNOWN, empty))
    assert not empty.is_same(f"{SITE}/a", b"")
