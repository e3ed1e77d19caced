"""The folder that a project publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.app.published_folder import published_folder
from waypost.core.errors import SourceError

if TYPE_CHECKING:
    from sites import Files, Write

PAGE = "<!doctype html><html><title>A</title>"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"index.html": PAGE}, "."),
        ({"README.md": "", "docs/index.html": PAGE}, "docs"),
        ({"hugo.toml": "", "public/index.html": PAGE}, "public"),
        ({"_config.yml": "", "index.md": "---\n---\n"}, "."),
    ],
    ids=["a site", "a site in docs", "what a generator made", "a source of Jekyll's"],
)
def test_the_folder_with_the_built_pages_is_published(write: Write, files: Files, expected: str) -> None:
    here = write(files)
    assert published_folder(here) == here / expected


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"hugo.toml": ""}, "build the site first: `hugo`"),
        ({"README.md": "", "docs/index.html": PAGE, "www/index.html": PAGE}, "several sites; name one of them"),
        ({"README.md": "", "app/templates/base.html": PAGE}, "shows where its site is"),
    ],
    ids=["not built yet", "two sites", "no site"],
)
def test_a_project_whose_folder_is_not_known_stops_the_run(write: Write, files: Files, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        published_folder(write(files))
