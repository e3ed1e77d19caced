import pytest

from waypost.core.reasons import ADVICE, HIDDEN, NOINDEX, NOT_OF_SETTINGS, REASONS, add_reason


def test_a_reason_is_its_code_as_text() -> None:
    assert NOINDEX == "noindex"
    assert f"{NOINDEX}" == "noindex"
    assert REASONS["noindex"] is NOINDEX


def test_a_reason_says_whether_the_file_might_have_been_a_page() -> None:
    assert NOINDEX.is_about_page
    assert not HIDDEN.is_about_page


def test_a_code_is_in_the_table_once() -> None:
    with pytest.raises(ValueError, match="there is a reason 'noindex'"):
        add_reason("noindex", "a second meaning")
    assert REASONS["noindex"].meaning == NOINDEX.meaning


def test_each_advice_is_a_clause_about_a_reason_of_the_table() -> None:
    assert set(ADVICE) <= set(REASONS.values())
    assert not [text for text in ADVICE.values() if text.endswith(".")]


def test_the_most_frequent_reasons_that_no_setting_asks_for_have_advice() -> None:
    assert {"noindex", "canonical", "robots-txt", "refresh", "unreadable"} <= set(ADVICE) & NOT_OF_SETTINGS
