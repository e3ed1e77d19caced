"""What headers and pages say."""

from __future__ import annotations

import pytest
from unit.live.fake_site import SITE, reply

from waypost.live.page_answer import page_answer

URL = f"{SITE}/en/about/"


@pytest.mark.parametrize(
    ("header", "word"),
    [
        ("noindex", "noindex"),
        ("nofollow, none", "none"),
        ("googlebot: noindex", "noindex"),
        ("otherbot: noindex", None),
        ("max-snippet: 20", None),
    ],
)
def test_a_robots_header_counts_if_it_is_for_every_crawler_or_for_google(header: str, word: str | None) -> None:
    found = page_answer(URL, reply(X_Robots_Tag=header)).noindex
    assert found == (("the header X-Robots-Tag", word) if word else None)


def test_the_page_itself_may_say_noindex() -> None:
    assert page_answer(URL, reply(body="<meta name=robots content=noindex>")).noindex == ("the page", "noindex")


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ('<https://www.example.org/a>; rel="canonical"', f"{SITE}/a"),
        ("</style.css>; rel=preload; as=style, <../b/>; rel=canonical", f"{SITE}/en/b/"),
        ('</c>; title="x"; rel="alternate canonical"', f"{SITE}/c"),
        ('</d>; rel="canonicalize"', None),
        ("<http://[>; rel=canonical", None),
        ("rel=canonical", None),
    ],
)
def test_the_canonical_url_may_be_in_a_header(header: str, target: str | None) -> None:
    found = page_answer(URL, reply(Link=header)).canonical
    assert found == (("the header Link", target) if target else None)


def test_the_canonical_url_in_the_page_is_resolved() -> None:
    found = page_answer(URL, reply(body="<link rel=canonical href='../x'>")).canonical
    assert found == ("the page", f"{SITE}/en/x")


def test_of_a_page_of_elements_without_end_the_beginning_is_read() -> None:
    noindex, elements = "<meta name=robots content=noindex>", "<b>" * 30_000
    assert page_answer(URL, reply(body=noindex + elements)).noindex == ("the page", "noindex")
    assert page_answer(URL, reply(body=elements + noindex)).noindex is None


def test_headers_that_cannot_be_sent_back_are_not_kept() -> None:
    found = page_answer(URL, reply(ETag='"ä"', Last_Modified="x" * 3_000))
    assert (found.etag, found.last_modified, found.modified) == ("", "", None)
