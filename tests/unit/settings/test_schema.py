import tomllib
from dataclasses import fields, replace

import pytest
from sites import MakeSite

from waypost.settings.schema import SETTINGS, Site
from waypost.settings.setting import Setting
from waypost.settings.values import Patterns


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_each_setting_has_an_example_that_is_no_default_and_a_sentence_for_a_row_of_a_table(setting: Setting) -> None:
    example, *default = (
        tomllib.loads(f"value = {text}")["value"] for text in (setting.example, setting.shown_default) if text
    )
    assert example != setting.default
    for value in (example, *default):
        setting.check(value)
    assert setting.meaning.endswith(".")
    assert not setting.allowed.endswith(".")
    assert "|" not in setting.meaning + setting.allowed


def test_every_field_of_a_site_is_declared_as_a_setting() -> None:
    derived = ["url_form", "sitemap_form", "other_base", "host_rules", "private_hosts"]
    assert [*(setting.name for setting in SETTINGS), *derived] == [field.name for field in fields(Site)]


def test_a_site_has_the_declared_defaults() -> None:
    site = Site(base_url="https://example.org/")
    assert (site.drop_html, site.limits, site.include, site.sources) == (None, "strict", Patterns(), ())
    assert site.pages >= {".html", ".pdf"}


def test_a_setting_without_effect_on_a_state_leaves_the_digest_unchanged(make_site: MakeSite) -> None:
    site = make_site()
    assert replace(site, cache_control="no-store").digest == site.digest
    assert replace(site, gzip=True).digest != site.digest
