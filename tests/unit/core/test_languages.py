import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.languages import normalize, problem


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("EN", "en"),
        ("de-at", "de-AT"),
        ("PT-br", "pt-BR"),
        ("zh-HANT", "zh-Hant"),
        ("SR-latn-rs", "sr-Latn-RS"),
        ("X-Default", "x-default"),
    ],
)
def test_a_code_has_one_usual_form(written: str, usual: str) -> None:
    assert normalize(written) == usual


CODES = st.from_regex(r"[A-Za-z]{2}(-[A-Za-z]{4})?(-[A-Za-z]{2})?", fullmatch=True) | st.sampled_from(
    ["x-default", "X-DEFAULT"]
)


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
