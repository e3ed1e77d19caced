from pathlib import Path

import pytest
from preset_rows import project

from waypost.config.generator_presets import PRESETS
from waypost.rules.presets.project_preset import detected_preset, preset_name, project_preset
from waypost.sources.generators import GENERATORS
from waypost.sources.project_folder import ProjectFolder


@pytest.mark.parametrize(
    ("files", "output", "folder", "name"),
    [
        ({"hugo.toml": ""}, "public", ".", "hugo"),
        ({"web/hugo.toml": "", "package.json": "{}"}, "web/public", "web", "hugo"),
        ({"docs/_config.yml": ""}, "docs/_site", "docs", "jekyll"),
        ({"astro.config.mjs": "import starlight from '@astrojs/starlight'"}, "dist", ".", "starlight"),
        ({"astro.config.mjs": ""}, "dist", ".", "astro"),
        ({"docs/.vitepress/config.ts": ""}, "docs/.vitepress/dist", "docs", "vitepress"),
        ({"package.json": '{"devDependencies": {"@11ty/eleventy": "3"}}'}, "_site", ".", "eleventy"),
        ({"next.config.js": ""}, "out", ".", "nextjs"),
        ({"next.config.js": "", "docusaurus.config.js": ""}, "build", ".", "docusaurus"),
        ({"hugo.toml": "", "web/index.html": ""}, "web/public", ".", "hugo"),
    ],
)
def test_the_preset_is_that_of_the_nearest_project_above_the_output(
    files: dict[str, str], output: str, folder: str, name: str, tmp_path: Path
) -> None:
    project(tmp_path, files)
    found = detected_preset(tmp_path / output, tmp_path)
    assert found is not None
    assert (found.name, found.folder) == (name, tmp_path / folder)
    assert found.mappings


@pytest.mark.parametrize(
    ("files", "output"),
    [
        ({}, "public"),
        ({"gatsby-config.js": ""}, "public"),
        ({"hugo.toml": "", "gatsby-config.js": ""}, "public"),
        ({"hugo.toml": "", "next.config.js": ""}, "elsewhere"),
    ],
)
def test_no_preset_is_guessed(files: dict[str, str], output: str, tmp_path: Path) -> None:
    project(tmp_path, files)
    assert detected_preset(tmp_path / output, tmp_path) is None


def test_no_project_above_the_repository_is_found(tmp_path: Path) -> None:
    project(tmp_path, {"hugo.toml": ""})
    assert detected_preset(tmp_path / "inner/public", tmp_path / "inner") is None


def test_a_named_preset_is_for_the_project_of_its_generator_or_else_for_the_root(tmp_path: Path) -> None:
    project(tmp_path, {"hugo.toml": "", "docs/_config.yml": ""})
    assert project_preset("jekyll", tmp_path / "docs/_site", tmp_path).folder == tmp_path / "docs"
    assert project_preset("hugo", tmp_path / "docs/_site", tmp_path).folder == tmp_path
    assert project_preset("mkdocs", tmp_path / "docs/_site", tmp_path).folder == tmp_path


def test_rows_may_be_relative_to_a_folder_above(tmp_path: Path) -> None:
    project(tmp_path, {"docs/hugo.toml": ""})
    found = project_preset("hugo", tmp_path / "docs/public", tmp_path)
    assert found.mappings_from(tmp_path / "docs") == found.mappings
    below = found.mappings_from(tmp_path)
    assert [row.page for row in below] == [row.page for row in found.mappings]
    assert "docs/content/_index.md" in below[0].files
    assert {row.is_choice for row in below} == {True}


def test_every_preset_is_the_name_of_a_generator(tmp_path: Path) -> None:
    names = {preset_name(ProjectFolder(tmp_path), each.name) for each in GENERATORS}
    assert set(PRESETS) <= names | {"jekyll", "starlight"}
