"""What the tests of the commands share: a folder of their own, and a run of a command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from unit.cli.invoke import SITE, STATE

from waypost.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from fake_cloud import Cloud
    from unit.cli.invoke import Invoke


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test works in a folder of its own, outside of any workflow, and with no settings of Git but its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("SOURCE_DATE_EPOCH", "NO_COLOR", "TERM", "FORCE_COLOR", "GITHUB_ACTIONS", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def invoke() -> Invoke:
    """Run the command `waypost` with these arguments, in this process."""
    return lambda *arguments, stdin="": CliRunner().invoke(main, arguments, input=stdin)


@pytest.fixture
def built_bucket(cloud: Cloud, invoke: Invoke) -> None:
    """A bucket with one page, a sitemap and a state."""
    cloud.site.put("index.html", "home")
    assert invoke("build", SITE, *STATE).exit_code == 0
