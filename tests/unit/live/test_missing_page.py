"""The answer for a URL that does not exist."""

from __future__ import annotations

from unit.live.fake_site import SITE, reply

from waypost.live.host import UNKNOWN, missing_page
from waypost.live.robots_rules import made_up_url


def test_nothing_is_like_an_answer_that_is_not_known_or_has_no_text() -> None:
    empty = missing_page(made_up_url(SITE), reply(body="<title></title>"))
    assert not UNKNOWN.has_page()
    assert empty.has_page()
    assert not any(each.is_same(f"{SITE}/a", b"<p>x") for each in (UNKNOWN, empty))
    assert not empty.is_same(f"{SITE}/a", b"")
