import re
from pathlib import Path

import pytest
from preset_rows import project

from waypost.config.generator_presets import PRESETS
from waypost.rules.presets.project_preset import detected_preset, preset_mappings, preset_name, project_preset
from waypost.rules.source_mapping import SourceMapper
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


@pytest.mark.parametrize(
    ("preset", "page", "file"),
    [
        ("hugo", "index.html", "content/_index.md"),
        ("hugo", "posts/first/index.html", "content/posts/first.md"),
        ("hugo", "posts/first/index.html", "content/posts/first/index.md"),
        ("hugo", "posts/index.html", "content/posts/_index.md"),
        ("hugo", "posts/first.html", "content/posts/first.md"),
        ("hugo", "paper.pdf", "static/paper.pdf"),
        ("hugo", "posts/first/paper.pdf", "content/posts/first/paper.pdf"),
        ("jekyll", "index.html", "index.md"),
        ("jekyll", "index.html", "README.md"),
        ("jekyll", "about.html", "about.md"),
        ("jekyll", "about/index.html", "about.markdown"),
        ("jekyll", "2024/01/31/hello-world.html", "_posts/2024-01-31-hello-world.md"),
        ("jekyll", "2024/01/31/hello-world/index.html", "_posts/2024-01-31-hello-world.md"),
        ("jekyll", "recipes/soup.html", "_recipes/soup.md"),
        ("jekyll", "paper.pdf", "paper.pdf"),
        ("mkdocs", "index.html", "docs/index.md"),
        ("mkdocs", "guide/install/index.html", "docs/guide/install.md"),
        ("mkdocs", "guide/index.html", "docs/guide/index.md"),
        ("mkdocs", "guide/install.html", "docs/guide/install.md"),
        ("docusaurus", "index.html", "src/pages/index.tsx"),
        ("docusaurus", "docs/intro/index.html", "docs/intro.mdx"),
        ("docusaurus", "docs/intro.html", "docs/intro.md"),
        ("docusaurus", "blog/2024/01/31/hello/index.html", "blog/2024-01-31-hello.md"),
        ("docusaurus", "blog/2024/01/31/hello/index.html", "blog/2024-01-31-hello/index.md"),
        ("docusaurus", "blog/2024/01/31/hello-world/index.html", "blog/2024-01-31-hello-world.md"),
        ("docusaurus", "help/index.html", "src/pages/help.js"),
        ("astro", "index.html", "src/pages/index.astro"),
        ("astro", "blog/post/index.html", "src/content/blog/post.mdx"),
        ("astro", "about.html", "src/pages/about.astro"),
        ("astro", "paper.pdf", "public/paper.pdf"),
        ("starlight", "guides/start/index.html", "src/content/docs/guides/start.mdx"),
        ("eleventy", "index.html", "index.njk"),
        ("eleventy", "about/index.html", "about.11ty.js"),
        ("eleventy", "blog/index.html", "blog/index.md"),
        ("sphinx", "guide/install.html", "guide/install.rst"),
        ("sphinx", "guide/install/index.html", "guide/install.rst"),
        ("sphinx", "index.html", "index.md"),
        ("vitepress", "guide/start.html", "docs/guide/start.md"),
        ("mdbook", "chapter/part.html", "src/chapter/part.md"),
        ("mdbook", "chapter/index.html", "src/chapter/README.md"),
        ("hexo", "2024/01/31/hello-world/index.html", "source/_posts/hello-world.md"),
        ("hexo", "about/index.html", "source/about/index.md"),
        ("nextjs", "about.html", "app/about/page.tsx"),
        ("nextjs", "about/index.html", "src/pages/about.jsx"),
        ("sveltekit", "about.html", "src/routes/about/+page.svelte"),
        ("pelican", "hello.html", "content/news/hello.md"),
        ("pelican", "pages/about.html", "content/pages/about.rst"),
    ],
)
def test_a_page_of_a_project_without_settings_is_traced_to_its_source(
    preset: str, page: str, file: str, tmp_path: Path
) -> None:
    mapper = SourceMapper(preset_mappings(preset, project(tmp_path, {})))
    assert list(mapper.files(page, [file])) == [file]


def test_every_preset_that_the_settings_name_has_rows_or_needs_the_project_s_own(tmp_path: Path) -> None:
    without = {name for name in PRESETS if not preset_mappings(name, project(tmp_path, {}))}
    assert without == {"antora"}


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - {"antora"}))
def test_no_preset_dates_a_page_by_another_page_s_source(preset: str, tmp_path: Path) -> None:
    rows = preset_mappings(preset, project(tmp_path, {}))
    templates = [file for row in rows for file in row.files if "{" in file]
    others = sorted({re.sub(r"\{(\*\*|#)?\w+\}", "other", file).replace("*", "x") for file in templates})
    assert others
    assert list(SourceMapper(rows).files("a/b/index.html", others)) == []


_MANY = range(3_000)


@pytest.mark.parametrize(
    ("preset", "files"),
    [
        ("mkdocs", {"mkdocs.yml": 'docs_dir: "*a*a*a*a*a*ab"'}),
        ("mkdocs", {"mkdocs.yml": 'docs_dir: "{x}"'}),
        ("mkdocs", {"mkdocs.yml": "plugins: {i18n: {languages: [{locale: '*a*a*a'}]}}"}),
        ("mkdocs", {"mkdocs.yml": f"plugins: {{i18n: {{languages: {[{'locale': str(n)} for n in _MANY]}}}}}"}),
        ("docusaurus", {"docusaurus.config.js": "docs: { routeBasePath: '*a*a*a*a*a*ab' }"}),
        ("docusaurus", {"docusaurus.config.js": "i18n: { locales: ['*a*a*a'] }"}),
        ("docusaurus", {"docusaurus.config.js": f"i18n: {{ locales: {[str(n) for n in _MANY]} }}"}),
        ("docusaurus", {"versions.json": str([str(n) for n in _MANY]).replace("'", '"')}),
        ("hugo", {"hugo.yaml": 'contentDir: "*a*a*a*a*a*ab"'}),
        ("hugo", {"hugo.yaml": 'permalinks: {"*a*a*a": "/:filename/"}'}),
        ("hugo", {"hugo.yaml": 'languages: {"*a*a*a": {}}'}),
        (
            "hugo",
            {
                "hugo.json": str(
                    {"languages": {f"l{n}": {} for n in _MANY}, "permalinks": {f"s{n}": "/:filename/" for n in _MANY}}
                ).replace("'", '"')
            },
        ),
        ("jekyll", {"_config.yml": 'collections: {"*a*a*a": {permalink: "/:path/"}}'}),
        ("jekyll", {"_config.yml": f"collections: {{{', '.join(f'c{n}: 1' for n in _MANY)}}}"}),
        ("antora", {"site.yml": "content: {sources: [{url: ., start_paths: '*a*a*a*ab'}]}"}),
        ("antora", {"site.yml": f"content: {{sources: [{{url: ., start_paths: {[str(n) for n in _MANY]}}}]}}"}),
        (
            "antora",
            {"site.yml": "content: {sources: [{url: ., start_path: a}]}", "a/antora.yml": "name: '{x}'"},
        ),
    ],
)
def test_a_configuration_with_wildcards_or_too_many_parts_makes_no_rows(
    preset: str, files: dict[str, str], tmp_path: Path
) -> None:
    assert preset_mappings(preset, project(tmp_path, files)) == ()


@pytest.mark.parametrize(
    ("preset", "files"),
    [
        ("pelican", {"pelicanconf.py": "ARTICLE_SAVE_AS = '" + "{date:" * 100_000 + "'"}),
        ("pelican", {"pelicanconf.py": "ARTICLE_SAVE_AS = '*a*a*a*a*ab{slug}.html'"}),
        ("eleventy", {"package.json": '{"scripts": {"a": "' + "eleventy " * 100_000 + '"}}'}),
        ("mdbook", {"src/SUMMARY.md": "[a](" + " " * 500_000}),
        ("mdbook", {"src/SUMMARY.md": "[a](*a*a*a*a*ab.md)"}),
        ("mdbook", {"book.toml": "[book.src." + "a." * 3_000 + "b]"}),
        ("mdbook", {"book.toml": "[book.src.a]"}),
        ("hexo", {"_config.yml": "permalink: '*a*a*a*a*ab'"}),
        ("hexo", {"_config.yml": "permalink: '" + ":title" * 100_000 + "'"}),
        ("hugo", {"hugo.yaml": "languages: [en]\nmodule: {mounts: 1}"}),
    ],
)
def test_a_part_of_a_configuration_that_is_not_used_changes_nothing_else(
    preset: str, files: dict[str, str], tmp_path: Path
) -> None:
    rows = preset_mappings(preset, project(tmp_path, files))
    assert rows
    assert not any("*a" in text for row in rows for text in (row.page, *row.files))


@pytest.mark.parametrize(
    "permalink", [":title:title:title:title", ":year:month:day:hour:minute:second", ":category:title"]
)
def test_a_permalink_whose_parts_have_no_limits_between_them_is_soon_matched(permalink: str, tmp_path: Path) -> None:
    mapper = SourceMapper(preset_mappings("hexo", project(tmp_path, {"_config.yml": f"permalink: {permalink}/x"})))
    for key in ("1" * 255 + "/a.html", "a/" * 2_000 + "b.html"):
        assert list(mapper.files(key, ["source/_posts/a.md"])) == []
