from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.python_generators import mkdocs, pelican, sphinx

LANGUAGES = """
plugins:
  - search
  - i18n:
      languages:
        - {locale: en, default: true}
        - {locale: fr}
"""


@pytest.mark.parametrize(
    ("config", "page", "files", "source"),
    [
        ("docs_dir: text", "a/index.html", ["text/a.md", "docs/a.md"], "text/a.md"),
        ("docs_dir: text\nx: !!python/name:y.z_a", "a/index.html", ["text/a.md", "docs/a.md"], "text/a.md"),
        (LANGUAGES, "fr/a/index.html", ["docs/a.fr.md", "docs/a.md"], "docs/a.fr.md"),
        (LANGUAGES, "fr/a/index.html", ["docs/fr/a.md", "docs/a.md"], "docs/fr/a.md"),
        (LANGUAGES, "a/index.html", ["docs/a.fr.md", "docs/a.md"], "docs/a.md"),
        (LANGUAGES, "a/index.html", ["docs/a.fr.md", "docs/a.en.md"], "docs/a.en.md"),
        ("", "fr/a/index.html", ["docs/fr/a.md", "docs/a.md"], "docs/fr/a.md"),
        ("", "a/index.html", ["docs/a/README.md"], "docs/a/README.md"),
    ],
)
def test_mkdocs_pages_are_traced_by_the_configured_folder_and_languages(
    config: str, page: str, files: list[str], source: str, tmp_path: Path
) -> None:
    assert sources(mkdocs, project(tmp_path, {"mkdocs.yml": config}), page, *files) == [source]


@pytest.mark.parametrize(("config", "below"), [("conf.py", ""), ("source/conf.py", "source/")])
def test_sphinx_reads_the_folder_with_its_configuration(config: str, below: str, tmp_path: Path) -> None:
    files = ("a.rst", "a/index.rst", "source/a.rst", "source/a/index.rst")
    assert sources(sphinx, project(tmp_path, {config: ""}), "a/index.html", *files) == [f"{below}a/index.rst"]
    assert sources(sphinx, project(tmp_path, {config: ""}), "a.html", *files) == [f"{below}a.rst"]


PELICAN = 'PATH = "text"\nARTICLE_SAVE_AS = "{date:%Y}/{slug}/index.html"\nPAGE_SAVE_AS = "{slug}.html"\n'


@pytest.mark.parametrize(
    ("page", "files", "expected"),
    [
        ("2024/otter/index.html", ["text/animals/otter.md"], ["text/animals/otter.md"]),
        ("about.html", ["text/pages/about.md"], ["text/pages/about.md"]),
        ("2024/otter/index.html", ["text/a/otter.md", "text/b/otter.md"], []),
        ("category/otter/index.html", ["text/animals/otter.md"], []),
    ],
)
def test_pelican_s_articles_are_traced_by_a_unique_name(
    page: str, files: list[str], expected: list[str], tmp_path: Path
) -> None:
    assert sources(pelican, project(tmp_path, {"pelicanconf.py": PELICAN}), page, *files) == expected


def test_a_template_of_pelican_s_with_the_name_of_a_month_or_of_a_category_has_no_rows(tmp_path: Path) -> None:
    for template in ("{date:%b}/{slug}.html", "{category}/{slug}.html"):
        folder = project(tmp_path, {"pelicanconf.py": f'ARTICLE_SAVE_AS = "{template}"'})
        assert sources(pelican, folder, "x/otter.html", "content/otter.md") == []
