"""A place to read from and write to that is added from outside the package: two classes, and one row of SCHEMES."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from fake_cloud import Cloud

from waypost.build.locations import SCHEMES, Scheme
from waypost.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    settings = ["--base-url", "https://example.org/"]
    return lambda command, *arguments: CliRunner().invoke(main, [command, "cloud://site/", *settings, *arguments])


def test_a_bucket_of_another_scheme_is_built_without_a_state(cloud: Cloud, run: Run) -> None:
    cloud.site.put("a.html", "one")
    result = run("build")
    assert result.exit_code == 0, result.output
    assert b"<loc>https://example.org/a.html</loc>" in cloud.published("cloud://site/")["sitemap.xml"]


def test_a_bucket_of_another_scheme_is_updated_with_a_state_and_an_output_of_its_own(cloud: Cloud, run: Run) -> None:
    places = ["--set", "state=cloud://private/state", "--output", "cloud://site-sitemaps/"]
    cloud.site.put("a.html", "one")
    assert run("build", *places).exit_code == 0
    cloud.site.put("b.html", "two")
    result = run("update", "b.html", *places)
    assert result.exit_code == 0, result.output
    assert b"/b.html</loc>" in cloud.published("cloud://site-sitemaps/")["sitemap.xml"]
    assert "state" in cloud.published("cloud://private/state/")


def test_a_scheme_whose_sdk_is_not_installed_says_how_to_install_it(cloud: Cloud, run: Run) -> None:
    SCHEMES["cloud"] = Scheme("cloud://bucket/prefix", cloud.connect, "cloud_sdk", "clouds need it: pip install sdk")
    result = run("build")
    assert (result.exit_code, "clouds need it: pip install sdk" in result.output) == (2, True)
