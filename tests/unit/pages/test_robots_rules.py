"""Rules of robots.txt for one crawler: which decides, and what many of them cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from waypost.core.errors import SourceError
from waypost.pages import robots
from waypost.pages.robots import read_groups

SITE = "https://example.org"


PARTS = st.sampled_from(
    ["a", "b", "aa", "/", "*", "**", "%61", "%2F", "%2f", "%C3%A4", "\u00e4", "=", "?", "&", "index.html", "-"]
)
PATHS = st.lists(PARTS, max_size=6).map("".join)


@given(st.lists(st.tuples(st.booleans(), PATHS, st.sampled_from(["", "", "$", "*"])), max_size=6), PATHS)
def test_the_rules_decide_as_those_of_another_implementation(rules: list[tuple[bool, str, str]], path: str) -> None:
    lines = [f"{'Allow' if allowed else 'Disallow'}: /{pattern}{end}" for allowed, pattern, end in rules]
    text, url = "\n".join(["User-agent: *", *lines]), f"{SITE}/{path}".replace("*", "x")
    assert robots.is_disallowed_by(text.encode())(url) is not Protego.parse(text).can_fetch(url, "*"), (text, url)


def test_a_crawler_follows_the_group_with_the_longest_name_that_its_own_begins_with() -> None:
    text = "User-agent: bot\nDisallow: /\nUser-agent: bot-news\nAllow: /\nUser-agent: *\nDisallow: /x\n"
    groups = read_groups(text.splitlines(), ["Bot-News-1", "bot-images", "other"])
    found = [
        groups.can_fetch(f"{SITE}/{path}", name) for name in ("Bot-News-1", "bot-images", "other") for path in "ax"
    ]
    assert found == [True, True, False, False, True, False]


def test_robots_txt_itself_may_be_fetched_whatever_it_says() -> None:
    is_disallowed = robots.is_disallowed_by(b"User-agent: *\nDisallow: /")
    assert [is_disallowed(f"{SITE}/{name}") for name in ("robots.txt", "a/robots.txt")] == [False, True]


def test_the_time_for_a_page_does_not_grow_with_the_number_of_plain_rules() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /{n}/\nAllow: /{n}/x/$\n" for n in range(3_000))
    is_disallowed = robots.is_disallowed_by(text.encode())
    found = [is_disallowed(f"{SITE}/{n}/{name}") for n in range(5_000) for name in ("", "x/", "x/y")]
    assert found[:3] == [True, False, True]
    assert found[-3:] == [False] * 3


def test_a_file_with_too_many_wildcards_is_refused_and_no_rule_is_dropped() -> None:
    rules = [f"Disallow: /*a{n}*b" for n in range(1_000)]
    text = "\n".join(["User-agent: *", *rules, *rules, "Disallow: /last*", "Disallow: /x**y*"[:14]])
    assert robots.is_disallowed_by(text.encode())(f"{SITE}/last") is True
    with pytest.raises(SourceError, match=r"the rules of robots.txt for one crawler have 2,001 wildcards, and at most"):
        robots.is_disallowed_by(f"{text}\nDisallow: /*more".encode())
