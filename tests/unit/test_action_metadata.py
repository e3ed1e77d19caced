"""The Action's metadata beside the settings that it offers."""

import re
from pathlib import Path

import pytest
import yaml

from waypost.config.schema import SETTINGS

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
ONLY_IN_THE_ACTION = {
    *("source", "output", "config", "settings", "state-branch", "fetch-history", "report"),
    *("commit", "push", "branch", "message", "author", "sign-off"),
}


ONLY_FOR_BUCKETS = {"cache-control"}


def test_every_setting_has_an_input_of_its_name() -> None:
    settings = {setting.key.replace("_", "-") for setting in SETTINGS} - ONLY_FOR_BUCKETS
    assert set(ACTION["inputs"]) - ONLY_IN_THE_ACTION == settings


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
