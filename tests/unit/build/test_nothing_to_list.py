"""What the error of a site without a page says and suggests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from unit.sample_sites import site

from waypost.build.removal_guard import nothing_to_list
from waypost.core import reasons
from waypost.core.model import Skipped
from waypost.core.reasons import REASONS, Reason


def message(skipped: Iterable[Skipped], **settings: Any) -> str:
    return nothing_to_list(list(skipped), site(**settings))


def files(reason: Reason, *keys: str) -> list[Skipped]:
    return [Skipped(key, reason) for key in keys]


def test_an_empty_folder_is_probably_the_wrong_one() -> None:
    assert message([]) == (
        "there is no page to list (the folder is empty); the published files are left unchanged. Name the folder that "
        "is published, in which the site has been built. `waypost explain` says why a file is left out"
    )


def test_the_reasons_are_counted() -> None:
    skipped = [*files(reasons.NOT_A_PAGE, "a.css", "b.css"), *files(reasons.NOINDEX, "c.html")]
    assert "there is no page to list (1 noindex, 2 not-a-page); " in message(skipped)


def test_markdown_suggests_a_build_or_the_type_markdown() -> None:
    found = message(files(reasons.NOT_A_PAGE, "a.md", "b.markdown", "c.css"))
    assert "The folder has Markdown files (2): build the site first" in found
    assert 'pages = ["html", "markdown"]' in found


def test_other_types_are_named() -> None:
    found = message(files(reasons.NOT_A_PAGE, "a.tsx", "b.tsx", "LICENSE"))
    assert "(there are 2 .tsx, 1 without an ending): build the site first, or add a type to `pages`" in found


def test_the_pattern_that_leaves_out_the_most_is_named() -> None:
    found = message(files(reasons.EXCLUDED, "a.html", "b.html", "docs/"), exclude=["docs/", "/*.html"])
    assert "The pattern '/*.html' of `exclude` leaves out 2 of them" in found


def test_an_include_that_matches_nothing_has_an_example_of_what_it_might_match() -> None:
    found = message(files(reasons.NOT_INCLUDED, "docs/a.html"), include=["/doc/"])
    assert "No pattern of `include` matches a page; docs/a.html is a file that might be one" in found


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        (reasons.NOINDEX, "preview"),
        (reasons.ROBOTS_TXT, "respect_robots = false"),
        (reasons.CANONICAL, "is base_url right?"),
        (reasons.UNREADABLE, "permissions"),
    ],
)
def test_the_most_frequent_reason_of_pages_decides_the_advice(reason: Reason, advice: str) -> None:
    skipped = [*files(reason, "a.html"), *files(reasons.NOT_A_PAGE, "a.css", "b.css")]
    assert advice in message(skipped)


@pytest.mark.parametrize("reason", REASONS.values())
def test_every_reason_has_advice(reason: Reason) -> None:
    found = message(files(reason, "a.html"), exclude=["/a.html"])
    assert found.count(". ") + found.count("? ") >= 2
