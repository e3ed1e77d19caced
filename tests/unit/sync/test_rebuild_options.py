"""The options of a rebuild in the input of an execution."""

from __future__ import annotations

import pytest

from waypost.core.errors import EventError
from waypost.sync.rebuild_options import NO_OPTIONS, RebuildOptions, parse_options


@pytest.mark.parametrize(
    ("found", "options"),
    [
        ({"max_removed": 100, "lag": 900}, RebuildOptions(100, 900)),
        ({}, NO_OPTIONS),
        (None, NO_OPTIONS),
        ("text", NO_OPTIONS),
    ],
    ids=["both", "none", "no input", "no object"],
)
def test_what_is_not_given_is_as_usual(found: object, options: RebuildOptions) -> None:
    assert parse_options(found) == options


@pytest.mark.parametrize("found", [{"max_removed": 101}, {"max_removed": "all"}, {"lag": -1}])
def test_options_that_are_not_valid_are_an_error_that_names_the_field(found: dict[str, object]) -> None:
    with pytest.raises(EventError, match=rf"not valid: .*{next(iter(found))}"):
        parse_options(found)
