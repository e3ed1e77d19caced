"""The settings file of `waypost init`: settings that mean the defaults."""

from __future__ import annotations

import tomllib

from unit.cli.invoke import BASE
from unit.sample_sites import site

from waypost.cli import scaffold
from waypost.config import load
from waypost.config.schema import SETTINGS


def test_the_settings_file_as_written_has_only_the_base_url() -> None:
    assert tomllib.loads(scaffold.settings_file(BASE).decode()) == {"base_url": BASE}
    assert tomllib.loads(scaffold.settings_file(None).decode()) == {}
    file = load.parse_toml(scaffold.settings_file(BASE).decode(), "waypost.toml")
    assert file
    assert load.check_settings([file]) == site(BASE)


def test_the_settings_file_explains_every_setting_with_an_example_that_is_toml() -> None:
    lines = scaffold.settings_file(None).decode().splitlines()
    for setting in SETTINGS:
        (line,) = (line for line in lines if line.startswith(f"# {setting.name} = "))
        assert setting.name in tomllib.loads(line.removeprefix("# "))


def test_no_line_of_a_comment_is_longer_than_a_screen_is_wide() -> None:
    lines = scaffold.settings_file(None).decode().splitlines()
    assert max(len(line) for line in lines if " = " not in line) <= 120
