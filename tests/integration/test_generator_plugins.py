"""The plugin of MkDocs and the extension of Sphinx, with the oldest and the newest version of each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from repositories import Repository

GENERATORS = Path(__file__).parents[2] / ".venv" / "generators"
pytestmark = [pytest.mark.slow, pytest.mark.parametrize("version", ["oldest", "newest"])]
FIRST, SECOND = 1_700_000_000, 1_710_000_000
DATES = {FIRST: "2023-11-14T22:13:20Z", SECOND: "2024-03-09T16:00:00Z"}
MKDOCS = "site_name: Guide\nsite_url: https://guide.waypost.dev/\nplugins: [waypost, search]\n"
SPHINX = 'project = "Guide"\nextensions = ["waypost.sphinx"]\nhtml_baseurl = "https://guide.waypost.dev/"\n'


def run(folder: Path, version: str, *arguments: str, **variables: str) -> tuple[int, str]:
    """Run a generator of this version; its exit code and what it prints."""
    path = os.pathsep.join([str(GENERATORS / version), str(Path(__file__).parents[2] / "src")])
    environment = {**os.environ, "PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1", **variables}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def dates(sitemap: Path) -> dict[str, str]:
    """The date of each URL of a sitemap, by its path; empty without a date."""
    text = sitemap.read_text()
    rows = re.findall(r"<loc>https://guide.waypost.dev/(.*?)</loc>(?:<lastmod>(.*?)</lastmod>)?", text)
    return dict(rows)


def test_mkdocs_writes_the_dates_of_the_documents_in_place_of_its_own_sitemap(
    repository: Repository, version: str
) -> None:
    pages = {"docs/index.md": "# Home\n\nWelcome.\n", "docs/a.md": "# A\n\nOne.\n"}
    repository.commit({"mkdocs.yml": MKDOCS, **pages}, when=FIRST)
    repository.commit({"docs/a.md": "# A\n\nTwo.\n"}, when=SECOND)
    code, said = run(repository.folder, version, "mkdocs", "build", "--strict")
    assert (code, "Waypost: 2 URLs in sitemap.xml" in said) == (0, True), said
    assert dates(repository.folder / "site/sitemap.xml") == {"": DATES[FIRST], "a/": DATES[SECOND]}
    assert not (repository.folder / "site/sitemap.xml.gz").exists()


def test_strict_mkdocs_sees_a_warning_and_writes_nothing_for_a_server_on_this_machine(
    repository: Repository, version: str
) -> None:
    local = MKDOCS.replace("https://guide.waypost.dev/", "http://127.0.0.1:8000/")
    repository.commit({"mkdocs.yml": local, "docs/index.md": "# Home\n"}, when=FIRST)
    assert run(repository.folder, version, "mkdocs", "build", "--strict")[0] == 0
    assert "Waypost" not in (repository.folder / "site/sitemap.xml").read_text()
    repository.commit({"mkdocs.yml": "site_name: Guide\nplugins: [waypost]\n"}, when=SECOND)
    code, said = run(repository.folder, version, "mkdocs", "build", "--strict")
    assert (code, "no sitemap was written: set site_url" in said) == (1, True), said


def test_sphinx_writes_the_dates_of_documents_and_of_what_they_include_also_after_a_partial_build(
    repository: Repository, version: str
) -> None:
    documents = {
        ".gitignore": "out/\n",
        "docs/conf.py": SPHINX,
        "docs/index.rst": "Home\n====\n\n.. toctree::\n\n   a\n   b\n",
        "docs/a.rst": "A\n=\n\n.. include:: part.txt\n",
        "docs/b.rst": "B\n=\n\nWords that stay.\n",
        "docs/part.txt": "Some words.\n",
    }
    repository.commit({**documents}, when=FIRST)
    build = ("sphinx", "-q", "-j2", "-W", "docs", "out")
    assert run(repository.folder, version, *build) == (0, "")
    repository.commit({"docs/part.txt": "Some other words.\n"}, when=SECOND)
    assert run(repository.folder, version, *build) == (0, "")
    found = dates(repository.folder / "out/sitemap.xml")
    pages = {name: found[f"{name}.html"] for name in ("a", "b")}
    assert pages == {"a": DATES[SECOND], "b": DATES[FIRST]}


def test_sphinx_writes_no_sitemap_for_a_preview_another_builder_or_a_build_that_failed(
    repository: Repository, version: str
) -> None:
    repository.commit({"conf.py": SPHINX, "index.rst": "Home\n====\n\nWelcome.\n"}, when=FIRST)
    folder = repository.folder
    assert run(folder, version, "sphinx", "-q", ".", "out", READTHEDOCS_VERSION_TYPE="external")[0] == 0
    assert run(folder, version, "sphinx", "-q", "-b", "text", ".", "text")[0] == 0
    assert list(folder.rglob("sitemap.xml")) == []
    variables = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "https://guide.waypost.dev/en/latest/"}
    assert run(folder, version, "sphinx", "-q", "-E", ".", "out", **variables)[0] == 0
    assert "en/latest/index.html" in dates(folder / "out/sitemap.xml")
