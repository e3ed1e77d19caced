"""Patterns of the settings that match no file."""

from __future__ import annotations

from typing import Any

import pytest
from unit.sample_sites import pages, site

from waypost.build.site_checks import unmatched_patterns
from waypost.core import reasons
from waypost.core.model import Changes, Plan, Skipped
from waypost.pages.selection import Selection

KEYS = ["a.html", "blog/b.html", "docs/c.html"]
SKIPPED = [Skipped("drafts/", reasons.EXCLUDED), Skipped("style.css", reasons.NOT_A_PAGE)]


def messages(**settings: Any) -> list[str]:
    the_site = site(**settings)
    group = Selection(the_site).group
    listed = [page for key in KEYS for page in pages([key], group=group(key))]
    found = unmatched_patterns(Plan(listed, SKIPPED, [], [], [], [], [], Changes()), the_site)
    return [warning.message for warning in found]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"include": ["docs/", "/blog/*.html", "a.html"]},
        {"exclude": ["drafts/", "*.css", "# a comment", ""]},
        {"exclude": ["/drafts/old/*.html"]},
        {"groups": {"blog": ["/blog/"], "rest": ["*.html", "docs/"]}},
        {"overrides": [{"match": ["blog"], "priority": 0.5}]},
        {"news": {"name": "N", "language": "en", "pages": ["/blog/"]}},
    ],
)
def test_patterns_that_match_a_file_or_a_folder_are_not_warned_of(settings: dict[str, Any]) -> None:
    assert messages(**settings) == []


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"include": ["doc/", "*.html"]}, "include: doc/"),
        ({"exclude": ["drfts/"]}, "exclude: drfts/"),
        ({"exclude": ["!.well-known/"]}, "exclude: !.well-known/"),
        ({"groups": {"blog": ["/blgo/"]}}, "groups.blog: /blgo/"),
        ({"groups": {"blog": ["/blog/", "/news/"]}}, "groups.blog: /news/"),
        ({"overrides": [{"match": ["/x/"], "priority": 0.5}]}, "overrides: /x/"),
        ({"news": {"name": "N", "language": "en", "pages": ["/x/"]}}, "news: /x/"),
    ],
)
def test_a_pattern_that_matches_nothing_is_named_with_its_setting(settings: dict[str, Any], named: str) -> None:
    assert messages(**settings) == [f"a pattern matches no file and has no effect: {named}; correct or remove it"]


def test_of_many_patterns_three_are_named() -> None:
    (message,) = messages(exclude=["1/", "2/", "3/", "4/"])
    assert message == (
        "4 patterns match no file and have no effect: exclude: 1/, exclude: 2/, exclude: 3/ and 1 more; "
        "correct or remove them"
    )
