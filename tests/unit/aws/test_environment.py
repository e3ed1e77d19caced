"""The function's settings: variables of the environment, a settings file, and all issues of both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_cloud import Cloud

from waypost.aws import environment
from waypost.build.locations import Location, Locations
from waypost.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VARIABLES = {
    "WAYPOST_SOURCE": "cloud://site/www",
    "WAYPOST_STATE": "cloud://private/kept",
    "WAYPOST_BASE_URL": "https://example.org/",
}


def prepare(variables: Mapping[str, str]) -> environment.FunctionSite:
    locations = Locations()
    return environment.prepare(variables, locations, environment.read_remote_settings(variables, locations))


@pytest.mark.usefixtures("cloud")
def test_the_variables_alone_are_enough() -> None:
    site = prepare(VARIABLES)
    assert site.location == Location("cloud", "site", "www/")
    assert site.bucket.state.where == "cloud://private/kept/state"
    assert (site.bucket.site.base_url, site.bucket.site_uri) == ("https://example.org/", "cloud://site/www/")
    assert site.removed_limit == 30
    assert prepare({**VARIABLES, "WAYPOST_REMOVED_ALARM": "10"}).removed_limit == 10


@pytest.mark.usefixtures("cloud")
def test_subscribers_and_the_acl_of_the_published_files_may_be_variables() -> None:
    variables = {"WAYPOST_INDEXNOW": "a1b2c3d4", "WAYPOST_CLOUDFRONT": "E1", "WAYPOST_EVENT_BUS": "default"}
    site = prepare({**VARIABLES, **variables, "WAYPOST_ACL": "public-read"}).bucket.site
    assert site.indexnow
    assert (site.indexnow.key, site.indexnow.writes_file) == ("a1b2c3d4", True)
    assert (site.cloudfront, site.event_bus, site.acl) == ("E1", "default", "public-read")
    assert prepare(VARIABLES).bucket.site.acl is None


@pytest.mark.usefixtures("cloud")
def test_all_missing_variables_are_reported_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        prepare({})
    issues = caught.value.issues
    assert [issue.key for issue in issues] == ["WAYPOST_SOURCE", "WAYPOST_BASE_URL", "WAYPOST_STATE"]
    assert {issue.problem for issue in issues} == {"it is missing"}


@pytest.mark.usefixtures("cloud")
def test_a_settings_file_is_read_beside_the_handler_and_the_variables_override_it(tmp_path: Path) -> None:
    (tmp_path / "waypost.toml").write_text('\ufeffdrop_html = true\nbase_url = "https://example.com/"\n', "utf-8")
    site = prepare({**VARIABLES, "LAMBDA_TASK_ROOT": str(tmp_path), "WAYPOST_CONFIG": "waypost.toml"})
    assert (site.bucket.site.drop_html, site.bucket.site.base_url) == (True, "https://example.org/")


def test_a_settings_file_may_be_in_a_bucket(cloud: Cloud) -> None:
    cloud.site.put("waypost.toml", "drop_html = true")
    site = prepare({**VARIABLES, "WAYPOST_CONFIG": "cloud://private/config/waypost.toml"})
    assert site.bucket.site.drop_html


@pytest.mark.usefixtures("cloud")
@pytest.mark.parametrize("name", ["absent.toml", "cloud://private/absent.toml"])
def test_a_settings_file_that_does_not_exist_is_an_issue(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"WAYPOST_CONFIG: there is no file {name}"):
        prepare({**VARIABLES, "LAMBDA_TASK_ROOT": str(tmp_path), "WAYPOST_CONFIG": name})


@pytest.mark.usefixtures("cloud")
def test_the_file_may_repeat_the_name_that_the_role_allows_but_not_change_it(tmp_path: Path) -> None:
    variables = {**VARIABLES, "WAYPOST_NAME": "map", "LAMBDA_TASK_ROOT": str(tmp_path), "WAYPOST_CONFIG": "a.toml"}
    (tmp_path / "a.toml").write_text('name = "map"')
    assert prepare(variables).bucket.site.name == "map"
    (tmp_path / "a.toml").write_text('name = "other"')
    with pytest.raises(ConfigurationError, match="only files with the name of the parameter SitemapName"):
        prepare(variables)


def test_a_settings_file_among_the_site_s_objects_is_warned_of(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    cloud.site.put("waypost.toml", "")
    for config, is_warned_of in (("cloud://site/www/waypost.toml", True), ("cloud://private/waypost.toml", False)):
        prepare({**VARIABLES, "WAYPOST_CONFIG": config})
        assert ("whoever may upload pages may change the settings" in capsys.readouterr().out) is is_warned_of
