"""The folder that a project publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.errors import SourceError
from waypost.project.published_folder import published_folder

if TYPE_CHECKING:
    from sites import Files, Write

PAGE = "<!doctype html><html><title>A</title>"
SVELTE: Files = {
    "package.json": '{"dependencies": {"@sveltejs/kit": "3"}}',
    **{f"build/{name}": "x" for name in ("client/a.js", "server/index.js", "prerendered/index.html")},
}
NUXT: Files = {
    "package.json": '{"dependencies": {"nuxt": "4"}}',
    **{f".output/{name}": "x" for name in ("public/_nuxt/a.js", "server/index.mjs")},
}


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
        (
            {"netlify.toml": '[build]\npublish = "dist"\ncommand = "make"', "index.html": PAGE},
            "netlify.toml publishes dist, which does not exist, so nothing was written\n  build the site first: `make`",
        ),
        (
            {"hugo.toml": "", "vercel.json": '{"outputDirectory": "public"}', "docs/index.html": PAGE},
            "build the site first: `hugo`",
        ),
        (
            {"firebase.json": '{"hosting": {"public": "build/web"}}', "web/index.html": PAGE},
            "firebase.json publishes build/web, which does not exist, so nothing was written\n  build the site first\n",
        ),
        (SVELTE, "`waypost build build/prerendered --output build/client`"),
        (NUXT, "`node list-routes.js | waypost build .output/public --set urls=-`"),
        ({"README.md": "", "docs/index.html": PAGE, "www/index.html": PAGE}, "several sites; name one of them"),
        ({"README.md": "", "app/templates/base.html": PAGE}, "shows where its site is"),
    ],
    ids=[
        "not built yet",
        "absent",
        "absent beside docs",
        "absent without a command",
        "rendered before and by a server",
        "rendered by a server",
        "two sites",
        "no site",
    ],
)
def test_a_project_whose_folder_is_not_known_stops_the_run(write: Write, files: Files, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        published_folder(write(files))
