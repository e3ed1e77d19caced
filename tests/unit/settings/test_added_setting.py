"""A setting that is added as one field, and where it then appears."""

import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from waypost.cli import init_command
from waypost.core.errors import ConfigurationError
from waypost.settings import load
from waypost.settings.checks import InvalidValue
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site
from waypost.settings.setting import setting, settings_of

GENERATE = runpy.run_path(str(Path(__file__).parents[3] / "docs" / "generate.py"))
BASE = {"base_url": "https://example.org/"}


def positive_numbers(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(str(number).isdecimal() for number in value):
        raise InvalidValue(("", f"{value!r} is not a list of positive numbers"))
    return tuple(map(int, value))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSite(Site):
    """A Site with one setting more."""

    page_sizes: tuple[int, ...] = setting(
        positive_numbers,
        [10],
        meaning="The sizes of a page.",
        allowed="a list of positive numbers",
        example="[10, 20]",
    )


SETTINGS = settings_of(ExtendedSite)


def check(*sources: dict[str, Any]) -> ExtendedSite:
    site = load.check_settings([ConfigSource("x", each) for each in sources], ExtendedSite)
    assert isinstance(site, ExtendedSite)
    return site


def test_it_is_checked_and_has_its_default() -> None:
    assert check(BASE).page_sizes == (10,)
    assert check(BASE, {"page_sizes": [1, 2]}).page_sizes == (1, 2)


def test_an_issue_with_it_is_reported_with_the_others() -> None:
    with pytest.raises(ConfigurationError) as caught:
        check(BASE, {"page_sizes": ["a"], "gzip": 1, "page_size": 1})
    assert [str(issue) for issue in caught.value.issues] == [
        "x: page_sizes: ['a'] is not a list of positive numbers (a list of positive numbers)",
        "x: gzip: 1 is not an allowed value (true or false)",
        "x: page_size: unknown setting (did you mean page_sizes?)",
    ]


def test_it_changes_the_digest_of_the_settings() -> None:
    assert check(BASE).digest != check(BASE, {"page_sizes": [1]}).digest


def test_it_is_a_row_of_the_table_of_settings() -> None:
    rows = GENERATE["settings_table"](SETTINGS).splitlines()
    assert "| `page_sizes` | The sizes of a page. | a list of positive numbers (`[10]`) |" in rows


def test_it_is_in_the_file_that_init_writes() -> None:
    text = init_command.settings_file(None, settings=SETTINGS).decode()
    assert (
        "# The sizes of a page.\n# Allowed: a list of positive numbers. Default: [10].\n# page_sizes = [10, 20]" in text
    )
