import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.languages import problem


@pytest.mark.parametrize(
    "value",
    ["en", "EN", "de-AT", "de-at", "pt-BR", "zh-Hant", "zh-hans-TW", "sr-Latn-RS", "x-default", "X-Default", "en-GB"],
)
def test_a_language_with_or_without_script_and_region_is_known(value: str) -> None:
    assert problem(value) == ""


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("", "it has not the form of one"),
        ("english", "it has not the form of one"),
        ("en_US", "it has not the form of one"),
        ("en-", "it has not the form of one"),
        ("-en", "it has not the form of one"),
        ("en-US-x-a", "it has not the form of one"),
        ("de-DE-1901", "it has not the form of one"),
        ("default", "it has not the form of one"),
        ("en\n", "it has not the form of one"),
        ("jp", "ISO 639-1 has no language jp"),
        ("cz", "ISO 639-1 has no language cz"),
        ("be-XX", "ISO 3166-1 has no country XX"),
        ("en-UK", "ISO 3166-1 has no country UK; GB is meant"),
        ("en-EU", "ISO 3166-1 has no country EU"),
        ("zh-Xyzz", "there is no script Xyzz"),
    ],
)
def test_what_is_no_hreflang_is_told_with_its_reason(value: str, why: str) -> None:
    assert problem(value) == why


@given(st.from_regex(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2})?", fullmatch=True))
def test_letters_of_either_size_are_one(value: str) -> None:
    assert bool(problem(value.lower())) is bool(problem(value.upper())) is bool(problem(value))


@given(st.text(max_size=20))
def test_whatever_an_hreflang_holds_it_is_judged(value: str) -> None:
    assert isinstance(problem(value), str)
