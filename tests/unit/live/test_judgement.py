"""Which finding each answer is."""

from __future__ import annotations

from typing import Any

import pytest
from unit.live.fake_site import SITE

from waypost.core.dates import parse_strict_w3c_date
from waypost.core.finding_types import LIVE_RULES
from waypost.live.answer import Answer, Hop
from waypost.live.judgement import named_problems, problems

A, B = f"{SITE}/a", f"{SITE}/b"


def page(**facts: Any) -> Answer:
    """The answer of a page."""
    return Answer(status=200, content_type="text/html", **facts)


MODIFIED = parse_strict_w3c_date("2026-03-10T12:00:00Z").start  # type: ignore[union-attr]
CASES = [
    ("live-missing", Answer(status=404)),
    ("live-missing", Answer(status=410)),
    ("live-refused", Answer(status=401)),
    ("live-refused", Answer(status=403)),
    ("live-server-error", Answer(status=500)),
    ("live-refused", Answer(status=999)),
    ("live-odd-status", Answer(status=204)),
    ("live-odd-status", Answer(status=304)),
    ("live-unreachable", Answer(why="reset")),
    ("live-redirect", Answer(status=200, hops=(Hop(301, B),))),
    ("live-redirect", Answer(hops=(Hop(302, B), Hop(301, A)))),
    ("live-redirect-broken", Answer(status=404, hops=(Hop(301, B),))),
    ("live-redirect-broken", Answer(why="not public", hops=(Hop(301, B),))),
    ("live-redirect-loop", Answer(hops=(Hop(301, A),), is_loop=True)),
    ("live-noindex", page(noindex=("the page", "noindex"))),
    ("live-redirect-unverified", Answer(hops=(Hop(301, B),), unasked="robots.txt")),
    ("live-disallowed", Answer(disallowed_for="Google", kept_out=("Google", "Bing"))),
    ("live-disallowed", page(kept_out=("Google",))),
    ("live-refresh", page(refresh=("the page", B))),
    ("live-not-canonical", page(canonical=("the page", B))),
    ("live-content-type", Answer(status=200)),
    ("live-content-type", Answer(status=200, content_type="text/plain")),
    ("live-incomplete", page(damage="cut")),
    ("live-lastmod", page(modified=MODIFIED)),
    ("live-head-differs", page(head_status=404)),
    ("live-soft-404", page(like_missing="page")),
    ("live-empty", page(like_missing="empty")),
    ("live-unread", page(unread="its coding is not known")),
    ("live-sent-home", Answer(status=200, hops=(Hop(302, B),), like_missing="redirect")),
]
NAMED = {
    "live-canonical-missing": (page(canonical=("the page", B)), Answer(status=404)),
    "live-alternate-missing": (page(alternates=(("de", B),)), Answer(status=410)),
    "live-alternate-unreturned": (page(alternates=(("de", B),)), page(is_read=True)),
}
NAMED_AND_FINE = [
    (page(canonical=("the page", B)), None),
    (page(canonical=("the page", B)), Answer(status=500)),
    (page(alternates=(("de", B), ("en", A))), page(is_read=True, alternates=(("en", A),))),
    (page(alternates=(("x-default", B),)), page(is_read=True)),
    (page(alternates=(("de", B),)), page()),
]
FINE = [
    page(),
    page(canonical=("the header Link", A)),
    Answer(status=200, content_type="application/pdf"),
    page(modified=MODIFIED + 1e8),
    page(like_missing="status"),
    Answer(disallowed_for="Waypost only"),
]


def found(answer: Answer, loc: str = A, lastmod: str = "2026-03-12") -> list[str]:
    """The codes of all problems, whose messages have all their values."""
    result = []
    for code, details in problems(loc, lastmod, answer):
        assert "{" not in LIVE_RULES[code].meaning.format(loc=loc, **details)
        result.append(code)
    return result


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_an_answer_is_a_problem(code: str, answer: Answer) -> None:
    assert found(answer, loc=f"{A}.html" if code == "live-content-type" else A) == [code]


@pytest.mark.parametrize("answer", FINE)
def test_an_answer_is_fine(answer: Answer) -> None:
    assert found(answer) == []


def test_every_rule_is_broken_by_an_answer() -> None:
    of_others = {"live-sitemap-disallowed", "live-no-404"}
    assert {code for code, _ in CASES} | NAMED.keys() == set(LIVE_RULES) - of_others


@pytest.mark.parametrize(("code", "answers"), NAMED.items())
def test_the_answer_for_a_url_that_a_page_names_is_a_problem(code: str, answers: tuple[Answer, Answer]) -> None:
    ((named, details),) = named_problems(A, answers[0], {B: answers[1]}.get)
    assert (named, "{" in LIVE_RULES[code].meaning.format(loc=A, **details)) == (code, False)


@pytest.mark.parametrize("answers", NAMED_AND_FINE)
def test_the_answer_for_a_url_that_a_page_names_is_fine(answers: tuple[Answer, Answer | None]) -> None:
    assert list(named_problems(A, answers[0], {B: answers[1]}.get)) == []


def test_a_page_may_have_several_problems() -> None:
    answer = page(noindex=("the page", "noindex"), canonical=("the page", B), head_status=500)
    assert found(answer) == ["live-noindex", "live-not-canonical", "live-head-differs"]


@pytest.mark.parametrize(
    ("lastmod", "is_older"),
    [
        ("2026-03-11", False),
        ("2026-03-12", True),
        ("2026-03-11T11:00:00Z", False),
        ("2026-03-11T13:00:00Z", True),
        ("2026-03", False),
        ("2026", False),
        ("12.3.2026", False),
        ("", False),
    ],
)
def test_the_servers_date_is_wrong_only_if_it_is_a_day_before_lastmod(lastmod: str, *, is_older: bool) -> None:
    assert (found(page(modified=MODIFIED), lastmod=lastmod) == ["live-lastmod"]) is is_older


def test_spellings_of_the_same_url_are_one_canonical_url() -> None:
    assert found(page(canonical=("the page", f"{SITE}/~a")), loc=f"{SITE}:443/%7Ea") == []


@pytest.mark.parametrize(
    ("path", "content_type", "is_wrong"),
    [
        ("/", "", True),
        ("", "application/octet-stream", True),
        ("/a.HTML", "application/octet-stream", True),
        ("/a.zip", "application/octet-stream", False),
        ("/feed/", "application/rss+xml", False),
        ("/a.html", "application/xhtml+xml", False),
    ],
)
def test_a_page_that_browsers_would_store_is_found(path: str, content_type: str, *, is_wrong: bool) -> None:
    answer = Answer(status=200, content_type=content_type)
    assert (found(answer, loc=f"{SITE}{path}") == ["live-content-type"]) is is_wrong
