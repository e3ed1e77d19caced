"""Character references, also those that no author would write."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.character_references import unescape


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a &amp; b", "a & b"),
        ("&#228;&#xe4;&#228", "äää"),
        ("&#0;&#00000000;", "\ufffd\ufffd"),
        (f"&#{'9' * 5_000};", "\ufffd"),
        (f"&#{'0' * 5_000}228;", "ä"),
        ("&#" * 1_000, "&#" * 1_000),
    ],
)
def test_every_reference_is_decoded_however_long_it_is(text: str, expected: str) -> None:
    assert unescape(text) == expected


@given(st.text("&#x0123456789;amp &", max_size=60))
def test_the_result_is_that_of_pythons_own_function(text: str) -> None:
    assert unescape(text) == html.unescape(text)
