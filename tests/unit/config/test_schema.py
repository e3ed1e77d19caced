import tomllib

import pytest

from waypost.config.load import Site
from waypost.config.schema import SETTINGS, Setting


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_each_example_is_toml_that_its_own_check_accepts(setting: Setting) -> None:
    setting.check(tomllib.loads(f"value = {setting.example}")["value"])


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_each_example_differs_from_the_default(setting: Setting) -> None:
    assert tomllib.loads(f"value = {setting.example}")["value"] != setting.default


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.default is not None], ids=lambda setting: setting.key)
def test_each_default_passes_its_own_check(setting: Setting) -> None:
    setting.check(setting.default)


def test_each_setting_is_a_field_of_the_site_and_the_other_way_round() -> None:
    assert [setting.key for setting in SETTINGS] == list(Site.__dataclass_fields__)
