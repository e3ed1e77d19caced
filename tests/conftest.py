"""What tests share: a checked Site from a few settings, and real Git repositories."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from repositories import Repository
from sites import MakeSite

from waypost import config
from waypost.config import Layer, Site

settings.register_profile("waypost", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("waypost")


@pytest.fixture
def make_site() -> MakeSite:
    """Make a Site: `make_site(drop_html=True)` has every other setting at its default."""

    def make(base_url: str = "https://example.org/", **values: Any) -> Site:
        return config.check([Layer("test", {"base_url": base_url, **values})])

    return make


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository in a folder of its own."""
    return Repository(tmp_path / "repository")
