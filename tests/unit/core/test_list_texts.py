"""The words of HTML sitemaps."""

from __future__ import annotations

import pytest

from waypost.core.languages import problem
from waypost.core.list_texts import LANGUAGES, LIST_TEXTS, ListTexts


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_places_of_english_and_no_text_that_ends_a_string(language: str) -> None:
    texts = LIST_TEXTS[language]
    assert problem(language) == ""
    for field in ListTexts.__struct_fields__[1:]:
        text, english = getattr(texts, field), getattr(LIST_TEXTS["en"], field)
        assert text.count("{}") == english.count("{}")
        assert text == text.strip() != ""
        assert not set(text) & set("\"\\<>&'")


def test_the_table_has_these_languages() -> None:
    assert tuple(LIST_TEXTS) == LANGUAGES
