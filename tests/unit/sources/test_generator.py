"""How a generator's site is built, and where it then is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from waypost.sources.generator import Generator
from waypost.sources.project_folder import ProjectFolder

if TYPE_CHECKING:
    from sites import Write

GENERATOR = Generator(
    "Example",
    ("example.config.js", "example.yml"),
    "npx example build",
    ("dist", "output/html"),
    "node",
    output_key="outDir",
    script=r"\bexample build\b",
)


@pytest.mark.parametrize(
    ("scripts", "command"),
    [
        ({}, "npx example build"),
        ({"build": "tsc", "test": "example test"}, "npx example build"),
        ({"build": "tsc", "docs:build": "example build docs"}, "npm run docs:build"),
        ({"site": "example build", "build": "npm run css && npm run site"}, "npm run build"),
        ({"build": "example build", "preview": "example build --watch"}, "npm run build"),
    ],
)
def test_the_command_is_the_project_s_own_script_if_one_builds_the_site(
    write: Write, scripts: dict[str, str], command: str
) -> None:
    folder = ProjectFolder(write({"package.json": json.dumps({"scripts": scripts})}))
    assert GENERATOR.build_command(folder) == command


def test_the_script_is_run_by_the_project_s_package_manager(write: Write) -> None:
    package = json.dumps({"scripts": {"build": "example build"}})
    assert GENERATOR.build_command(ProjectFolder(write({"package.json": package, "yarn.lock": ""}))) == "yarn run build"


@pytest.mark.parametrize(
    ("config", "text", "output"),
    [
        ("example.config.js", "export default { outDir: './html', base: '/' }", "html"),
        ("example.config.js", 'export default {\n  outDir: "a/b" }', "a/b"),
        ("example.config.js", "outDir: path.join(root, 'html')", "dist"),
        ("example.config.js", "// outDir: 'html'", "dist"),
        ("example.config.js", "outDir: '.'", "dist"),
        ("example.config.js", "outDir: '/srv/www'", "dist"),
        ("example.config.js", "outDir: '../html'", "../html"),
        ("example.yml", "outdir: html # the site\n", "html"),
        ("example.yml", "# outdir: html\n", "dist"),
        ("example.yml", "title: outDir\n", "dist"),
    ],
)
def test_the_built_site_is_where_the_configuration_says(write: Write, config: str, text: str, output: str) -> None:
    assert GENERATOR.output(ProjectFolder(write({config: text})), config) == output


def test_of_the_usual_folders_the_built_site_is_in_the_one_that_exists(write: Write) -> None:
    assert GENERATOR.output(ProjectFolder(write({"output/html/a.html": ""})), None) == "output/html"
    assert GENERATOR.output(ProjectFolder(write({"dist/a.html": ""})), None) == "dist"


def test_a_configuration_counts_only_if_it_meets_the_condition(write: Write) -> None:
    careful = Generator(
        "Example", ("a.toml",), "build", ("out",), "node", lambda folder, path: "x" in folder.text(path)
    )
    assert careful.config_in(ProjectFolder(write({"a.toml": "y"}))) is None
    assert careful.config_in(ProjectFolder(write({"a.toml": "x"}))) == "a.toml"


def test_very_many_scripts_and_long_ones_are_searched_in_part(write: Write) -> None:
    scripts = {f"s{n}": "example build" for n in range(20_000)} | {"build": "x " * 200_000}
    assert (
        GENERATOR.build_command(ProjectFolder(write({"package.json": json.dumps({"scripts": scripts})})))
        == "npm run s0"
    )


@pytest.mark.parametrize(
    ("files", "output"),
    [
        ({"dist/client/index.html": "", "dist/server/entry.mjs": ""}, "dist/client"),
        ({"dist/client/index.html": ""}, "dist/client"),
        ({"dist/client/index.html": "", "dist/index.html": ""}, "dist"),
        ({"dist/server/index.html": ""}, "dist"),
    ],
)
def test_what_a_site_with_a_server_publishes_lies_beside_the_server(
    write: Write, files: dict[str, str | bytes], output: str
) -> None:
    assert GENERATOR.output(ProjectFolder(write(files)), None) == output
