"""The JSON Schema of the settings, compared with the checks of the settings, and as editors use it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.cli.init_command import settings_file
from waypost.settings.checks import InvalidValue
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting

SCHEMA_FILE = Path(__file__).parents[2] / "docs" / "schemas" / "settings.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
NAMED = {each.name: each for each in SETTINGS}
WRONG = [
    ("gzip", "yes"),
    ("gzip", 1),
    ("limits", "loose"),
    ("max_removed", 101),
    ("max_removed", "50"),
    ("date_budget", -1),
    ("pages", []),
    ("pages", "html"),
    ("pages", ["htm l"]),
    ("exclude", "drafts/"),
    ("formats", ["xml", "rss"]),
    ("alternates", "folder"),
    ("groups", {"Blog": ["/blog/"]}),
    ("groups", {"blog": "/blog/"}),
    ("overrides", [{"match": ["/"]}]),
    ("overrides", [{"match": ["/"], "priority": 2}]),
    ("sources", [{"page": "a.html"}]),
    ("sources", [{"page": "a.html", "file": ["a"]}]),
    ("news", {"name": "The Times"}),
    ("indexnow", {"file": True}),
    ("sitemaps", [{"from": "a.xml", "as": "index"}]),
    ("urls", [{"url": "/a"}]),
    ("audit_severity", {"deep": "fatal"}),
    ("name", "site/map"),
    ("state", ""),
]
"""Values that are refused, and that an editor can mark."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 105) | st.floats(0, 1) | st.sampled_from([
        "", "a", "auto", "xml", "html", ".txt", "/a/", "https://example.org/", "always", "daily", "en", "a1b2c3d4e5",
    ]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(st.sampled_from([
        "a", "blog", "match", "changefreq", "priority", "page", "files", "name", "language", "pages", "key", "file",
        "from", "as", "optional", "loc", "lastmod", "images", "alternates", "group",
    ]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def is_taken(setting: Setting, value: Any) -> bool:
    try:
        setting.check(value)
    except InvalidValue:
        return False
    return True


def marks(values: dict[str, Any]) -> list[str]:
    """What an editor marks."""
    return [error.message for error in VALIDATOR.iter_errors(values)]


def test_the_schema_is_one_of_draft_07() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_the_example_and_the_default_of_a_setting_are_not_marked(setting: Setting) -> None:
    examples = SCHEMA["properties"][setting.name].get("examples", [])
    assert examples or not setting.example
    assert [marks({setting.name: value}) for value in examples] == [[]] * len(examples)
    if not setting.is_required and setting.default is not None:
        assert marks({setting.name: setting.default}) == []


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_value_that_is_refused_is_marked(name: str, value: Any) -> None:
    assert not is_taken(NAMED[name], value)
    assert marks({name: value})


def test_an_unknown_setting_is_marked() -> None:
    assert marks({"base_ulr": "https://example.org/"})


@given(st.sampled_from(SETTINGS), VALUES)
def test_nothing_that_is_taken_is_marked(setting: Setting, value: Any) -> None:
    if is_taken(setting, value):
        assert marks({setting.name: value}) == []


USED = "\n".join(f"{each.name} = {each.example}" for each in SETTINGS if each.example)
"""All examples of the file that `waypost init` writes, in use."""


def test_the_file_that_init_writes_names_the_schema_in_its_first_line_and_nothing_in_it_is_marked() -> None:
    text = settings_file("https://example.org/", "https://example.org/schema.json").decode()
    assert text.splitlines()[0] == "#:schema https://example.org/schema.json"
    assert (marks(tomllib.loads(text)), marks(tomllib.loads(USED))) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize(("text", "code"), [(USED, 0), (f'{USED}\nurls_ = ["/a"]', 1), ("lastmod = 2026", 1)])
def test_a_validator_of_toml_files_says_the_same(tmp_path: Path, text: str, code: int) -> None:
    file = tmp_path / "waypost.toml"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(SCHEMA_FILE), str(file)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == code
