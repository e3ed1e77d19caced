from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.docusaurus import docusaurus

LANGUAGES = 'i18n: { defaultLocale: "en", locales: ["en", "de"] }'
GERMAN = "i18n/de/docusaurus-plugin-content-docs"


def traced(folder: Path, options: str, versions: str, page: str, *files: str) -> list[str]:
    texts = {"docusaurus.config.js": f"export default {{ {options} }}"} | (
        {"versions.json": versions} if versions else {}
    )
    return sources(docusaurus, project(folder, texts), page, *files)


@pytest.mark.parametrize(
    ("options", "page", "file"),
    [
        ("", "docs/a/index.html", "docs/a.md"),
        ("", "docs/a/index.html", "docs/a/README.md"),
        ("", "docs/guide/a/index.html", "docs/guide/a/a.mdx"),
        ("", "docs/guide/a.html", "docs/guide/a/index.md"),
        ("", "docs.html", "docs/index.md"),
        ('docs: { routeBasePath: "/" }', "a.html", "docs/a.md"),
        ('docs: { routeBasePath: "/", path: "text" }', "index.html", "text/index.md"),
        ('blog: { routeBasePath: "news" }', "news/2024/01/31/a/index.html", "blog/2024-01-31-a.mdx"),
        (LANGUAGES, "de/docs/a/index.html", f"{GERMAN}/current/a.md"),
        (LANGUAGES, "de/help/index.html", "i18n/de/docusaurus-plugin-content-pages/help.md"),
    ],
)
def test_pages_are_traced_by_the_configured_folders(options: str, page: str, file: str, tmp_path: Path) -> None:
    assert traced(tmp_path, options, "", page, file) == [file]


def test_a_translated_page_is_made_of_the_translation_alone(tmp_path: Path) -> None:
    files = (f"{GERMAN}/current/a.md", "docs/a.md")
    assert traced(tmp_path, LANGUAGES, "", "de/docs/a/index.html", *files) == [files[0]]
    assert traced(tmp_path, LANGUAGES, "", "docs/a/index.html", *files) == ["docs/a.md"]
    assert traced(tmp_path, LANGUAGES, "", "de/docs/a/index.html", "docs/a.md") == []
    posts = ("i18n/de/docusaurus-plugin-content-blog/2024-01-31-a.md", "blog/2024-01-31-a.md")
    assert traced(tmp_path, LANGUAGES, "", "de/blog/2024/01/31/a/index.html", *posts) == [posts[0]]


@pytest.mark.parametrize(
    ("options", "page", "file"),
    [
        ("", "docs/a/index.html", "versioned_docs/version-2.0/a.md"),
        ("", "docs/1.0/a/index.html", "versioned_docs/version-1.0/a.md"),
        ("", "docs/next/a/index.html", "docs/a.md"),
        ('docs: { lastVersion: "current" }', "docs/a/index.html", "docs/a.md"),
        ('docs: { lastVersion: "current" }', "docs/2.0/a/index.html", "versioned_docs/version-2.0/a.md"),
        ('docs: { lastVersion: "1.0" }', "docs/a/index.html", "versioned_docs/version-1.0/a.md"),
        (LANGUAGES, "de/docs/a/index.html", f"{GERMAN}/version-2.0/a.md"),
    ],
)
def test_the_newest_version_is_at_the_path_of_the_documents(options: str, page: str, file: str, tmp_path: Path) -> None:
    versions = ("versioned_docs/version-1.0/a.md", "versioned_docs/version-2.0/a.md")
    files = ("docs/a.md", *versions, f"{GERMAN}/version-2.0/a.md")
    assert traced(tmp_path, options, '["2.0", "1.0"]', page, *files) == [file]


@pytest.mark.parametrize(
    "options",
    [
        'docs: { versions: { current: { label: "Next", path: "edge" } } }',
        'plugins: [["@docusaurus/plugin-content-docs", { id: "api" }]]',
    ],
)
def test_documents_whose_paths_are_not_certain_have_no_source(options: str, tmp_path: Path) -> None:
    assert traced(tmp_path, options, "", "docs/a/index.html", "docs/a.md") == []


def test_versions_that_cannot_be_read_are_none(tmp_path: Path) -> None:
    assert traced(tmp_path, "", "[", "docs/a/index.html", "docs/a.md") == ["docs/a.md"]
