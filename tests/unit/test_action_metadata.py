"""The Action's metadata, compared with the inputs that the code declares."""

import re
from pathlib import Path

import pytest
import yaml

from waypost.config.schema import SETTINGS
from waypost.config.setting import Setting
from waypost.github.inputs import ACTION_INPUTS

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
OFFERED = {setting.input_name: setting for setting in SETTINGS if setting.input_form}
ONLY_IN_THE_ACTION = {setting.input_name: setting for setting in ACTION_INPUTS}


def test_the_inputs_are_the_settings_and_those_that_only_the_action_has() -> None:
    assert set(ACTION["inputs"]) == OFFERED.keys() | ONLY_IN_THE_ACTION.keys()
    assert not OFFERED.keys() & ONLY_IN_THE_ACTION.keys()


def test_only_settings_for_buckets_are_no_inputs() -> None:
    assert {setting.name for setting in SETTINGS if not setting.input_form} == {"cache_control", "acl"}


@pytest.mark.parametrize("name", [*OFFERED, *ONLY_IN_THE_ACTION])
def test_an_input_is_described_as_its_declaration_says(name: str) -> None:
    declared = (OFFERED | ONLY_IN_THE_ACTION)[name]
    description = ACTION["inputs"][name]["description"]
    assert description.startswith(declared.meaning)
    assert f"Allowed: {declared.allowed}." in description


@pytest.mark.parametrize("name", OFFERED)
def test_an_input_for_a_setting_is_empty_by_default_so_that_the_settings_file_counts(name: str) -> None:
    assert ACTION["inputs"][name]["default"] == ""


@pytest.mark.parametrize("declared", ACTION_INPUTS, ids=lambda declared: declared.name)
def test_an_input_that_only_the_action_has_shows_its_default(declared: Setting) -> None:
    default = {True: "true", False: "false"}.get(declared.default, declared.default)
    assert ACTION["inputs"][declared.input_name]["default"] == default


def test_every_input_and_output_is_described_and_none_is_required() -> None:
    for each in [*ACTION["inputs"].values(), *ACTION["outputs"].values()]:
        assert each["description"].endswith(".")
        assert "required" not in each


def test_inputs_never_reach_the_shell_as_code() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]


@pytest.mark.parametrize(
    "name", re.findall(r"^([a-z0-9-]+)$", (ROOT / "action/requirements.in").read_text(), re.MULTILINE)
)
def test_every_requirement_of_the_action_is_locked_with_hashes(name: str) -> None:
    locked = (ROOT / "action/requirements.txt").read_text()
    assert re.search(rf"^{name}==\S+ \\\n    --hash=sha256:[0-9a-f]{{64}}", locked, re.MULTILINE)
