import pytest

from waypost.core.reasons import HIDDEN, NOINDEX, REASONS, add_reason


def test_a_reason_is_its_code_with_a_meaning() -> None:
    assert NOINDEX == "noindex"
    assert f"{NOINDEX}" == str(NOINDEX) == "noindex"
    assert type(str(NOINDEX)) is str
    assert REASONS["noindex"] is NOINDEX


def test_each_reason_has_a_meaning_of_its_own() -> None:
    assert len({reason.meaning for reason in REASONS.values()}) == len(REASONS)
    assert all(code == reason for code, reason in REASONS.items())


def test_a_hidden_file_would_never_have_been_listed() -> None:
    assert not HIDDEN.is_about_page
    assert NOINDEX.is_about_page


def test_a_code_has_one_reason() -> None:
    with pytest.raises(ValueError, match="there is a reason 'noindex'"):
        add_reason("noindex", "something else")
    assert REASONS["noindex"] is NOINDEX
