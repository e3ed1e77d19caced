"""Parts of what people read."""

from __future__ import annotations

import pytest

from waypost.build.answers import count_noun, names, warning_text
from waypost.core.model import Example, SiteWarning


@pytest.mark.parametrize(("number", "text"), [(0, "0 pages"), (1, "1 page"), (1_234, "1,234 pages")])
def test_a_noun_is_in_the_plural_unless_there_is_one(number: int, text: str) -> None:
    assert count_noun(number, "page") == text


def test_the_first_four_names_are_shown_and_the_others_counted() -> None:
    assert names([]) == "nothing"
    assert names("abcd") == "a, b, c, d"
    assert names("abcde") == "a, b, c, d and 1 more"


def test_a_warning_has_its_message_and_its_first_files() -> None:
    examples = (Example("a.html", "why"), Example("b.html", ""))
    assert warning_text(SiteWarning("code", "a message", 3, examples)) == "a message [3 files: a.html (why), b.html, …]"
    assert warning_text(SiteWarning("code", "a message", 0, ())) == "a message"
