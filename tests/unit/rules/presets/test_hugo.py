from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.hugo import hugo

GERMAN = '[languages.en]\n[languages.de]\ncontentDir = "content.de"\n'


@pytest.mark.parametrize(
    ("config", "page", "file"),
    [
        ('contentDir = "text"', "a/index.html", "text/a.md"),
        ("", "a/index.html", "content/a/index.md"),
        ("", "a/index.html", "content/a.en.md"),
        (GERMAN, "de/index.html", "content.de/_index.md"),
        (GERMAN, "de/a/index.html", "content.de/a.md"),
        (GERMAN, "a/index.html", "content/a.md"),
        ("[languages.en]\n[languages.de]", "de/a/index.html", "content/a.de.md"),
        ("[languages.en]\n[languages.de]", "de/a/index.html", "content/a/index.de.md"),
        ("DefaultContentLanguage = 'de'\n[Languages.en]\n[Languages.de]", "en/a/index.html", "content/a.en.md"),
        ("defaultContentLanguageInSubdir = true\n[languages.en]", "en/a/index.html", "content/a.md"),
        ("[permalinks.page]\nnews = '/:year/:month/:contentbasename/'", "2026/03/a/index.html", "content/news/a.md"),
        ("[permalinks]\nnews = '/:section/:filename'", "news/a.html", "content/news/2026/a/index.md"),
    ],
)
def test_pages_are_traced_by_the_configured_folders_and_languages(
    config: str, page: str, file: str, tmp_path: Path
) -> None:
    others = ("content/b.md", "content.de/b.md", "text/b.md")
    assert sources(hugo, project(tmp_path, {"hugo.toml": config}), page, file, *others) == [file]


@pytest.mark.parametrize(
    ("config", "page", "file"),
    [
        ("[languages.en]\n[languages.de]", "de/a/index.html", "content/a.md"),
        ("[[module.mounts]]\nsource = 'text'\ntarget = 'content'", "a/index.html", "content/a.md"),
        ("[permalinks]\nnews = '/:year/:title/'", "2026/a/index.html", "content/news/a.md"),
    ],
)
def test_a_page_whose_file_is_not_certain_has_no_source(config: str, page: str, file: str, tmp_path: Path) -> None:
    assert sources(hugo, project(tmp_path, {"hugo.toml": config}), page, file) == []


def test_the_configuration_may_be_a_folder_of_files(tmp_path: Path) -> None:
    files = {"config/_default/hugo.yaml": "title: A", "config/_default/languages.toml": "[en]\n[de]"}
    assert sources(hugo, project(tmp_path, files), "de/a/index.html", "content/a.de.md") == ["content/a.de.md"]
