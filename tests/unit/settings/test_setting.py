import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from waypost.settings import checks
from waypost.settings.checks import InvalidValue
from waypost.settings.setting import Setting, choice_setting, flag_setting, setting, settings_of, to_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Some settings, and a field that is none."""

    base_url: str = setting(checks.text, meaning="The URL.", allowed="a URL", example='"https://example.org/"')
    key_names: Sequence[str] = setting(
        checks.each(checks.text), ["a"], meaning="Keys.", allowed="keys", affects_state=False
    )
    state: str | None = setting(checks.text, None, meaning="The state.", allowed="a path")
    gzip: bool = flag_setting("Compress.")
    plain: bool = flag_setting("Do not.", default=True)
    order: str = choice_setting("none", "up", "down", default="none", meaning="The order.")
    count: int = field(default=0)


SETTINGS = {each.name: each for each in settings_of(Schema)}


def test_the_settings_are_the_declared_fields_in_their_order() -> None:
    assert list(SETTINGS) == ["base_url", "key_names", "state", "gzip", "plain", "order"]
    assert SETTINGS["key_names"] == Setting(
        "key_names", SETTINGS["key_names"].check, ["a"], "Keys.", "keys", "", affects_state=False
    )


def test_a_default_is_checked_where_it_is_declared() -> None:
    assert Schema(base_url="x").key_names == ("a",)
    assert Schema(base_url="x").state is None
    with pytest.raises(InvalidValue):
        setting(checks.text, "", meaning="Nothing.", allowed="a text")


def test_a_setting_without_a_default_is_required() -> None:
    assert [each.name for each in SETTINGS.values() if each.is_required] == ["base_url"]
    with pytest.raises(TypeError, match="base_url"):
        Schema()


def test_an_input_of_the_action_has_hyphens() -> None:
    assert SETTINGS["key_names"].input_name == "key-names"


@pytest.mark.parametrize(
    ("name", "allowed", "example", "default"),
    [
        ("base_url", "a URL", '"https://example.org/"', ""),
        ("key_names", "keys", "", '["a"]'),
        ("state", "a path", "", ""),
        ("gzip", "true or false", "true", "false"),
        ("plain", "true or false", "false", "true"),
        ("order", "none, up or down", '"up"', '"none"'),
    ],
)
def test_what_is_allowed_is_shown_with_the_default_and_an_example_that_is_another_value(
    name: str, allowed: str, example: str, default: str
) -> None:
    declared = SETTINGS[name]
    assert (declared.allowed, declared.example, declared.shown_default) == (allowed, example, default)


@pytest.mark.parametrize("value", [True, False, 3, 0.5, "text", [], ["a", "b"], [["a"], [1, True]]])
def test_a_value_is_written_so_that_toml_reads_it_back(value: object) -> None:
    assert tomllib.loads(f"value = {to_toml(value)}") == {"value": value}
