"""Where `waypost init` finds the site of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from source_folders import PAGE

from waypost.cli.site_location import find_site

if TYPE_CHECKING:
    from sites import Files, Write


@pytest.mark.parametrize(
    ("files", "place", "kind"),
    [
        ({"index.html": PAGE, "docs/index.html": PAGE, "package.json": "{}"}, ".", "static"),
        ({"hugo.toml": "", "docs/conf.py": "extensions = []", "docs/index.rst": ""}, ".", "generator"),
        ({"_config.yml": "", "docs/index.html": PAGE}, ".", "github-pages"),
        ({"setup.py": "", "docs/conf.py": "extensions = []", "docs/index.rst": ""}, "docs", "generator"),
        ({"package.json": "{}", "website/docusaurus.config.js": "", "docs/a.md": ""}, "website", "generator"),
        ({"go.mod": "", "docs/_config.yml": ""}, "docs", "github-pages"),
        ({"Makefile": "", "docs/index.html": PAGE}, "docs", "static"),
        ({"public/index.html": PAGE}, "public", "static"),
        ({"a.html": PAGE, "Makefile": ""}, ".", "static"),
        ({"a/b.html": PAGE}, ".", "static"),
    ],
)
def test_the_site_is_the_folder_itself_or_a_usual_one_below_it(
    write: Write, files: Files, place: str, kind: str
) -> None:
    folder = write(files)
    site = find_site(folder)
    assert (site.folder, site.kind.kind, site.is_known) == (folder / place, kind, True)
    assert site.is_built == (kind == "generator")


def test_the_folder_of_the_site_of_another_project_is_a_guess_and_never_the_root(write: Write) -> None:
    folder = write({"package.json": "{}", "src/index.html": PAGE})
    site = find_site(folder)
    assert (site.folder, site.is_known, site.is_built) == (folder / "public", False, False)


def test_a_built_site_that_git_ignores_is_not_the_one_to_commit(write: Write) -> None:
    folder = write({"package.json": "{}", "public/index.html": PAGE, "web/index.html": PAGE})
    assert find_site(folder, {"public/"}).folder == folder / "web"


def test_a_folder_that_does_not_exist_is_its_own_site(write: Write) -> None:
    folder = write({}) / "absent"
    assert find_site(folder).folder == folder
