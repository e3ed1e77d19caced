"""The advice on pages that are left out."""

from waypost.core.reasons import ADVICE, NOT_OF_SETTINGS, REASONS


def test_each_advice_is_a_clause_about_a_reason_of_the_table() -> None:
    assert set(ADVICE) <= set(REASONS.values())
    assert not [text for text in ADVICE.values() if text.endswith(".")]


def test_the_most_frequent_reasons_that_no_setting_asks_for_have_advice() -> None:
    assert {"noindex", "canonical", "robots-txt", "refresh", "unreadable"} <= set(ADVICE) & NOT_OF_SETTINGS
