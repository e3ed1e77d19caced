"""Patterns of paths, read in bounded steps and with the results of a regular expression."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.dates import source_mapping
from waypost.dates.source_mapping import path_matcher


@pytest.mark.parametrize(
    ("template", "path", "values"),
    [
        ("{a}-{b}.md", "x-y-z.md", {"a": "x", "b": "y-z"}),
        ("{**a}/{**b}", "x/y/z", {"a": "x/y", "b": "z"}),
        ("**/{name}/**", "a/b/c", {"name": "b"}),
        ("{name}/{name}", "a/a", {"name": "a"}),
        ("{name}/{name}", "a/b", None),
        ("{a}-{b}/{a}", "x-y/x", {"a": "x", "b": "y"}),
        ("{a}-{b}/{a}", "x-y/z", None),
        ("*-*/?", "a-b/c", {}),
        ("*-*/?", "ab/c", None),
        ("", "", {}),
    ],
)
def test_a_path_gives_the_values_of_the_names(template: str, path: str, values: dict[str, str] | None) -> None:
    assert path_matcher(template)(path) == values


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("*a*a*a*a*a*a*a*a*a*a*a*ab", "a" * 255),
        ("{**a}x{**b}y{**c}z{**d}!", "xyz" * 1_300),
        ("**/*a/**/*a/**/*a/**/b", "a/" * 2_000),
        ("{**a}{**a}{**a}{**a}b", "a" * 4_000),
        ("{a}{b}{c}{d}{e}{f}{g}/!", "x" * 255 + "/"),
    ],
)
def test_a_path_that_could_be_divided_in_very_many_ways_is_soon_known_not_to_match(template: str, path: str) -> None:
    assert path_matcher(template)(path) is None


_PARTS = st.sampled_from(["a", "-", "1", "/", "*", "**", "**/", "?", "{x}", "{y}", "{**p}", "{**q}", ".md"])


@given(st.lists(_PARTS, unique=True, max_size=7), st.text("ab-1/\n", max_size=9))
def test_both_ways_to_match_find_what_a_regular_expression_finds(parts: list[str], path: str) -> None:
    elements = source_mapping._elements("".join(parts), {})
    found = re.fullmatch(source_mapping._regex(elements), path)
    expected = found.groupdict() if found else None
    assert path_matcher("".join(parts))(path) == expected
    assert source_mapping._match(elements, path) == expected
