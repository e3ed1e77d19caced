import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core import languages
from waypost.core.languages import is_two_letter_name, normalize, problem

CODES = st.from_regex(r"[A-Za-z]{2}(-[A-Za-z]{4})?(-[A-Za-z]{2})?", fullmatch=True) | st.sampled_from(
    ["x-default", "X-DEFAULT"]
)


@pytest.mark.parametrize(
    ("written", "usual"),
    [("de-at", "de-AT"), ("zh-HANT", "zh-Hant"), ("SR-latn-rs", "sr-Latn-RS"), ("X-Default", "x-default")],
)
def test_a_code_has_one_usual_form(written: str, usual: str) -> None:
    assert normalize(written) == usual


@given(CODES)
def test_the_usual_form_is_its_own_and_means_the_same(code: str) -> None:
    assert normalize(normalize(code)) == normalize(code) == normalize(code.upper()) == normalize(code.lower())
    assert bool(problem(normalize(code))) is bool(problem(code))


@pytest.mark.parametrize(
    ("count", "form"),
    [(183, "{0}{1}"), (250, "en-{0}{1}")],
    ids=["languages of ISO 639-1", "countries of ISO 3166-1, and Kosovo"],
)
def test_as_many_codes_are_known_as_the_standard_has(count: int, form: str) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    known = [form.format(first, second) for first in letters for second in letters]
    assert sum(problem(code) == "" for code in known) == count


@pytest.mark.parametrize("value", ["en", "EN", "de-at", "zh-Hant", "sr-Latn-RS", "X-Default"])
def test_a_language_with_or_without_script_and_region_is_known(value: str) -> None:
    assert problem(value) == ""


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("en_US", "it must be a language, optionally followed by a script and a region"),
        ("en-US-x-a", "it must be a language, optionally followed by a script and a region"),
        ("de-DE-1901", "it must be a language, optionally followed by a script and a region"),
        ("en\n", "it must be a language, optionally followed by a script and a region"),
        ("jp", "ISO 639-1 has no language jp"),
        ("be-XX", "ISO 3166-1 has no country XX"),
        ("en-UK", "ISO 3166-1 has no country UK; use GB"),
        ("zh-Xyzz", "ISO 15924 has no script Xyzz"),
    ],
)
def test_an_invalid_hreflang_is_reported_with_its_reason(value: str, why: str) -> None:
    assert problem(value) == why


def test_a_long_value_is_wrong_and_not_remembered() -> None:
    before = languages._problem.cache_info()
    assert languages.problem("en-" + "a" * 1_000_000).startswith("it must be a language")
    assert languages._problem.cache_info() == before


@pytest.mark.parametrize(
    ("name", "is_language"),
    [("de", True), ("pt-br", True), ("zh-hant", True), ("blog", False), ("fil", False), ("_de", False)],
)
def test_a_folder_is_named_for_a_language_of_two_letters(name: str, is_language: bool) -> None:
    assert is_two_letter_name(name) is is_language
