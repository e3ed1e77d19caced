from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.antora import antora

PLAYBOOK = """
content:
  sources:
    - url: .
      start_paths: press-2.0, press-10.0
    - url: .
      start_path: paper
    - url: https://code.example/other.git
      start_path: other
urls: {latest_version_segment: current}
"""
FILES = {
    "antora-playbook.yml": PLAYBOOK,
    "press-2.0/antora.yml": "name: press\nversion: '2.0'",
    "press-10.0/antora.yml": "name: press\nversion: '10.0'",
    "paper/antora.yml": "name: paper\nversion: ~",
    "other/antora.yml": "name: other\nversion: ~",
}
TRACKED = [
    f"{start}/modules/{module}/pages/{page}.adoc"
    for start in ("press-2.0", "press-10.0", "paper", "other")
    for module in ("ROOT", "tools")
    for page in ("index", "a/b")
]


@pytest.mark.parametrize(
    ("page", "file"),
    [
        ("press/2.0/index.html", "press-2.0/modules/ROOT/pages/index.adoc"),
        ("press/2.0/a/b.html", "press-2.0/modules/ROOT/pages/a/b.adoc"),
        ("press/2.0/tools/a/b.html", "press-2.0/modules/tools/pages/a/b.adoc"),
        ("press/10.0/tools/index.html", "press-10.0/modules/tools/pages/index.adoc"),
        ("press/current/a/b/index.html", "press-10.0/modules/ROOT/pages/a/b.adoc"),
        ("paper/a/b.html", "paper/modules/ROOT/pages/a/b.adoc"),
    ],
)
def test_pages_are_traced_by_component_version_and_module(page: str, file: str, tmp_path: Path) -> None:
    assert sources(antora, project(tmp_path, FILES), page, *TRACKED) == [file]


def test_a_component_of_another_repository_has_no_rows(tmp_path: Path) -> None:
    assert sources(antora, project(tmp_path, FILES), "other/a/b.html", *TRACKED) == []


def test_the_latest_of_versions_that_are_no_numbers_is_not_guessed(tmp_path: Path) -> None:
    files = FILES | {"press-2.0/antora.yml": "name: press\nversion: spring"}
    folder = project(tmp_path, files)
    assert sources(antora, folder, "press/current/index.html", *TRACKED) == []
    assert sources(antora, folder, "press/spring/index.html", *TRACKED) == ["press-2.0/modules/ROOT/pages/index.adoc"]


def test_without_a_playbook_there_are_no_rows(tmp_path: Path) -> None:
    assert antora(project(tmp_path, {})) == ()


def test_a_version_with_a_very_long_number_is_not_the_latest(tmp_path: Path) -> None:
    playbook = "urls: {latest_version_segment: latest}\ncontent: {sources: [{url: ., start_path: a}]}"
    files = {"site.yml": playbook, "a/antora.yml": f"name: x\nversion: 'v1.{'1' * 900}'"}
    assert not any("latest" in row.page for row in antora(project(tmp_path, files)))
