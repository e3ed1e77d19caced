"""The table of generators."""

from __future__ import annotations

import json
import posixpath
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waypost.sources.generators import GENERATORS
from waypost.sources.project_folder import ProjectFolder

if TYPE_CHECKING:
    from sites import Write

    from waypost.sources.generator import Generator


@pytest.mark.parametrize(
    "generator", GENERATORS, ids=lambda each: f"{each.name} {(each.configs or each.dependencies)[0]}"
)
def test_a_project_without_settings_of_its_own_is_built_into_the_usual_folder(
    write: Write, generator: Generator
) -> None:
    folder = ProjectFolder(write({}))
    assert generator.config_in(folder) is None
    assert generator.build_command(folder) == generator.command
    assert not generator.output(folder, None).startswith((".", "/")) or generator.output(folder, None).startswith(
        (".vitepress/", ".vuepress/", ".output/")
    )


def test_two_generators_with_the_same_file_have_a_condition() -> None:
    for one, other in combinations(GENERATORS, 2):
        if one.base == other.base and set(one.configs) & set(other.configs):
            assert one.condition is not other.condition


def test_a_package_is_that_of_one_generator() -> None:
    names = [name for generator in GENERATORS for name in generator.dependencies]
    assert len(names) == len(set(names))


def test_the_documentation_names_every_generator() -> None:
    text = (Path(__file__).parents[3] / "docs" / "settings.md").read_text(encoding="utf-8")
    listed = "Angular" + text.partition("Waypost recognises Angular")[2].partition(".\n")[0]
    names = {name.strip() for name in listed.replace("\n", " ").replace(" and ", ", ").split(",")}
    assert names == {each.name.removesuffix(" 2") for each in GENERATORS}


def test_a_generator_that_a_package_manager_installs_says_what_to_install() -> None:
    assert all(bool(each.package) == (each.toolchain in ("python", "apt")) for each in GENERATORS)


@pytest.mark.parametrize(
    ("config", "text", "output"),
    [
        ("hugo.toml", 'publishDir = "html"\n', "html"),
        ("hugo.yaml", "publishDir: html\n", "html"),
        ("hugo.json", '{"publishDir": "html"}', "html"),
        ("mkdocs.yml", "site_name: A\nsite_dir: html\n", "html"),
        ("docs/.vitepress/config.ts", "outDir: '../html',", "html"),
        ("astro.config.mjs", "outDir: './html',", "html"),
        (".eleventy.js", 'return { dir: { input: "src", output: "html" } };', "html"),
        ("next.config.js", 'module.exports = { output: "export", distDir: "html" }', "html"),
        ("svelte.config.js", "kit: { adapter: adapter({ pages: 'html' }) }", "html"),
        ("antora-playbook.yml", "ui:\ncontent:\noutput:\n  dir: ./html\n", "html"),
        ("book.toml", '[build]\nbuild-dir = "html"\n', "html"),
        ("pelicanconf.py", "OUTPUT_PATH = 'html/'\n", "html"),
        ("_quarto.yml", "project:\n  type: book\n  output-dir: html\n", "html"),
        ("zola.toml", 'base_url = "/"\noutput_dir = "html"\n[markdown]\n', "html"),
        ("source/conf.py", "extensions = []\n", "build/html"),
    ],
)
def test_each_generator_s_own_key_names_the_built_folder(write: Write, config: str, text: str, output: str) -> None:
    folder = ProjectFolder(write({config: text, "source/index.rst": ""}))
    found = [(each, path) for each in GENERATORS if (path := each.config_in(folder))]
    assert [each.output(folder, path) for each, path in found] == [output]


@pytest.mark.parametrize("name", ["config.toml", "conf.py", "book.toml", "_quarto.yml", "mkdocs.yml", "hugo.toml"])
def test_white_space_of_a_configuration_is_read_once(write: Write, name: str) -> None:
    folder = ProjectFolder(write({name: "\n" * 1_000_000, "index.rst": ""}))
    for each in GENERATORS:
        assert each.output(folder, each.config_in(folder)) in map(
            posixpath.normpath, (*each.outputs, each.output(folder, None))
        )


@pytest.mark.parametrize(
    ("script", "builds"),
    [
        ("eleventy", True),
        ("eleventy --serve", False),
        ("eleventy --serve\neleventy", True),
        ("eleventy " * 100_000, True),
        ("eleventy " * 100_000 + "--watch", False),
    ],
)
def test_a_script_that_serves_does_not_build(write: Write, script: str, *, builds: bool) -> None:
    eleventy = next(each for each in GENERATORS if each.name == "Eleventy")
    command = eleventy.build_command(ProjectFolder(write({"package.json": json.dumps({"scripts": {"a": script}})})))
    assert (command == "npm run a") is builds
