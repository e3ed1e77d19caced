from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.javascript_generators import astro, eleventy, nextjs, starlight, sveltekit, vitepress


def test_astro_s_folders_are_as_configured(tmp_path: Path) -> None:
    folder = project(tmp_path, {"astro.config.mjs": 'export default { srcDir: "./web", publicDir: "./files" }'})
    assert sources(astro, folder, "a/index.html", "web/pages/a.astro") == ["web/pages/a.astro"]
    assert sources(astro, folder, "a.html", "web/content/a.md", "web/pages/a.md") == ["web/pages/a.md"]
    assert sources(astro, folder, "a.pdf", "files/a.pdf") == ["files/a.pdf"]


@pytest.mark.parametrize(
    ("page", "source"), [("es/a/index.html", "es/a.md"), ("a/index.html", "a.md"), ("en/b/index.html", "en/b.mdx")]
)
def test_starlight_has_a_folder_for_each_other_language(page: str, source: str, tmp_path: Path) -> None:
    files = [f"src/content/docs/{file}" for file in ("a.md", "es/a.md", "en/b.mdx")]
    assert sources(starlight, project(tmp_path, {}), page, *files) == [f"src/content/docs/{source}"]


def test_a_page_without_a_translation_has_no_source_by_its_path(tmp_path: Path) -> None:
    assert sources(starlight, project(tmp_path, {}), "es/a/index.html", "src/content/docs/a.md") == []


def test_starlight_has_astro_s_pages_too(tmp_path: Path) -> None:
    assert sources(starlight, project(tmp_path, {}), "a/index.html", "src/pages/a.astro") == ["src/pages/a.astro"]


@pytest.mark.parametrize(
    "files",
    [
        {"eleventy.config.js": 'export default () => ({ dir: { input: "text" } })'},
        {"package.json": '{"scripts": {"build": "npx @11ty/eleventy --input=text --output=out"}}'},
        {".eleventy.js": "module.exports = { dir: { 'input': './text/' } }"},
    ],
)
def test_eleventy_s_input_folder_is_as_configured(files: dict[str, str], tmp_path: Path) -> None:
    folder = project(tmp_path, files)
    assert sources(eleventy, folder, "a/index.html", "a.md", "text/a.njk") == ["text/a.njk"]


@pytest.mark.parametrize(
    ("path", "text", "source"),
    [
        (".vitepress/config.mts", "", "a/index.md"),
        (".vitepress/config/index.ts", 'export default { srcDir: "./text" }', "text/a/index.md"),
        ("docs/.vitepress/config.js", "", "docs/a/index.md"),
        ("docs/.vitepress/config.js", 'export default { srcDir: "text" }', "docs/text/a/index.md"),
    ],
)
def test_vitepress_reads_the_folder_with_its_configuration(path: str, text: str, source: str, tmp_path: Path) -> None:
    files = ("a/index.md", "docs/a/index.md", "text/a/index.md", "docs/text/a/index.md")
    assert sources(vitepress, project(tmp_path, {path: text}), "a/index.html", *files) == [source]


@pytest.mark.parametrize(
    ("page", "file"),
    [
        ("index.html", "app/page.tsx"),
        ("index.html", "src/app/(home)/page.jsx"),
        ("index.html", "pages/index.js"),
        ("a/b/index.html", "app/a/b/page.mdx"),
        ("a/b.html", "app/(group)/a/b/page.js"),
        ("a/b.html", "app/a/(group)/b/page.js"),
        ("a/b.html", "app/a/b/(group)/page.js"),
        ("a/b.html", "pages/a/b/index.tsx"),
    ],
)
def test_a_route_of_nextjs_is_a_folder_or_a_file(page: str, file: str, tmp_path: Path) -> None:
    assert sources(nextjs, project(tmp_path, {}), page, file, "app/other/page.tsx") == [file]


@pytest.mark.parametrize(
    ("page", "file"),
    [("a/b.html", "app/a/x/b/page.js"), ("a.html", "app/x/a/page.js"), ("a.html", "app/[name]/page.js")],
)
def test_another_route_of_nextjs_is_no_source(page: str, file: str, tmp_path: Path) -> None:
    assert sources(nextjs, project(tmp_path, {}), page, file) == []


def test_a_page_of_sveltekit_is_made_of_its_component_and_its_data(tmp_path: Path) -> None:
    files = (
        "src/routes/(office)/a/+page.js",
        "src/routes/(office)/a/+page.svelte",
        "src/routes/(office)/a/+layout.svelte",
    )
    assert sources(sveltekit, project(tmp_path, {}), "a.html", *files) == [files[1], files[0]]
    assert sources(sveltekit, project(tmp_path, {}), "a.html", files[0]) == []
    assert sources(sveltekit, project(tmp_path, {}), "index.html", "src/routes/+page@.svelte") == [
        "src/routes/+page@.svelte"
    ]


def test_sveltekit_s_routes_are_as_configured(tmp_path: Path) -> None:
    config = 'export default { kit: { files: { routes: "web/routes" } } }'
    folder = project(tmp_path, {"svelte.config.js": config})
    assert sources(sveltekit, folder, "a/index.html", "web/routes/a/+page.md") == ["web/routes/a/+page.md"]
