"""The Action's metadata, compared with the inputs that the code declares."""

import re
from pathlib import Path

import pytest
import yaml

from waypost.github.inputs import ACTION_INPUTS

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


def test_the_inputs_are_those_that_the_code_declares_with_base_url_first() -> None:
    assert list(ACTION["inputs"]) == list(ACTION_INPUTS)
    assert next(iter(ACTION["inputs"])) == "base-url"


@pytest.mark.parametrize("name", ACTION_INPUTS)
def test_an_input_is_described_as_its_declaration_says(name: str) -> None:
    declared, written = ACTION_INPUTS[name], ACTION["inputs"][name]
    assert written["description"] == f"{declared.meaning} Allowed: {declared.allowed}."
    assert written["default"] == {True: "true", False: "false"}.get(declared.default, declared.default)


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
