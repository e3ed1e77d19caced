"""What a host that builds a site runs there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import put

if TYPE_CHECKING:
    from unit.cli.invoke import Invoke

WORKFLOW = Path(".github/workflows/sitemap.yml")


def test_a_site_that_an_adapter_builds_for_a_host_gets_that_host_s_command(invoke: Invoke) -> None:
    put({"package.json": '{"dependencies": {"astro": "5", "@astrojs/vercel": "8"}}'})
    put({"astro.config.mjs": "export default {\n  output: 'static',\n  adapter: vercel(),\n}"})
    stderr = invoke("init").stderr
    assert "its host builds it, so no workflow was written\nlet this be `buildCommand` in vercel" in stderr
    assert "sh sitemaps.sh\nand write this in `sitemaps.sh` beside it" in stderr
    assert "\nnpx astro build\nwaypost build .vercel/output/static --fetch-history\n" in stderr
    assert not WORKFLOW.exists()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"site/vercel.json": '{"buildCommand": "npm run build", "outputDirectory": "dist"}'},
            ['"buildCommand": "npm run build && sh', "waypost build dist --config ../waypost.toml --fetch"],
        ),
        (
            {"netlify.toml": '[build]\nbase = "site"\ncommand = "npm run build"\npublish = "dist"\n'},
            ['[build]\ncommand = "npm run build && python3', "waypost build dist --config ../waypost.toml"],
        ),
        (
            {"vercel.json": '{"buildCommand": "cd site && npm run build", "outputDirectory": "site/dist"}'},
            ['"buildCommand": "cd site && npm run build', "waypost build site/dist --fetch-history"],
        ),
        (
            {"site/vercel.json": "{}", "site/package.json": '{"dependencies": {"next": "16"}}'},
            ["in vercel.json:\n  sh sitemaps.sh\n", "\nnpx next build\nwaypost build .next/server/app --output public"],
        ),
    ],
    ids=["Vercel's file in a folder", "Netlify's base", "a file at the root", "a server"],
)
def test_the_lines_of_a_host_begin_in_the_folder_in_which_it_builds(
    invoke: Invoke, files: dict[str, str], said: list[str]
) -> None:
    astro = {"site/astro.config.mjs": "", "site/package.json": '{"scripts": {"build": "astro build"}}'}
    put({"README.md": "", **(astro if "site/package.json" not in files else {}), **files})
    stderr = invoke("init").stderr
    assert [text for text in said if text not in stderr] == []
    assert "(cd site" not in stderr.partition("next: ")[0]
