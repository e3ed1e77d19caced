"""Origins, URLs at which a host has no page, and what the answer for robots.txt allows (RFC 9309, 2.3.1)."""

from __future__ import annotations

import pytest
from unit.live.fake_site import SITE

from waypost.live.robots_rules import made_up_url, origin_of, rules_of_answer


@pytest.mark.parametrize(("status", "is_allowed"), [(404, True), (403, True), (410, True), (429, False), (500, False)])
def test_a_missing_robots_txt_allows_all_and_a_failing_one_nothing(status: int, *, is_allowed: bool) -> None:
    assert (rules_of_answer(status, b"").unreachable == "") is is_allowed


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("User-agent: *\nDisallow: /", "Google"),
        ("User-agent: waypost\nDisallow: /", "Waypost only"),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /", "Waypost only"),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Waypost\nAllow: /", ""),
        ("User-agent: *\nDisallow: /other/", ""),
        ("\ufeffUser-agent: *\nDisallow: /", "Google"),
        ("<html>not found</html>", ""),
    ],
)
def test_the_rules_for_this_program_decide_and_those_for_google_are_known(text: str, whom: str) -> None:
    assert rules_of_answer(200, text.encode()).disallowed_for(f"{SITE}/page") == whom


def test_the_crawl_delay_is_in_seconds() -> None:
    assert rules_of_answer(200, b"User-agent: *\nCrawl-delay: 2.5\nDisallow:").crawl_delay == 2.5
    assert rules_of_answer(404, b"").crawl_delay == 0


def test_the_longest_name_of_a_group_decides() -> None:
    text = b"User-agent: way\nDisallow: /\n\nUser-agent: Waypost*\nDisallow: /other\n\nUser-agent: Goo\nDisallow: /g"
    rules = rules_of_answer(200, text)
    found = [rules.disallowed_for(f"{SITE}/{name}") for name in ("page", "other", "g")]
    assert found == ["", "Waypost only", ""]


def test_many_names_of_a_group_take_no_more_time_than_one() -> None:
    text = b"".join(b"User-agent: a%d\n" % n for n in range(5_000)) + b"User-agent: *\n" + b"Disallow: /x\n" * 5_000
    assert rules_of_answer(200, text).disallowed_for(f"{SITE}/x") == "Google"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTPS://WWW.example.org/A", SITE),
        ("http://a:8080?x", "http://a:8080"),
        ("ftp://a/", ""),
        ("http://[", ""),
        ("/a", ""),
    ],
)
def test_the_origin_of_a_url(url: str, origin: str) -> None:
    assert origin_of(url) == origin


def test_a_made_up_url_is_the_same_in_each_run_and_another_for_each_host() -> None:
    assert made_up_url(SITE) == f"{SITE}/there-is-no-such-page-05a6af3b"
    assert made_up_url("https://example.net").removeprefix("https://example.net") not in made_up_url(SITE)
