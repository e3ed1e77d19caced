"""Finding and reading a site's settings file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.app import settings_file
from waypost.core.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path
from pathlib import Path

from waypost.app.settings_file import misplaced_paths
from waypost.config.load import ConfigSource


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The folder of a site, in a working folder."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def test_the_source_goes_before_the_working_folder_and_waypost_toml_before_pyproject_toml(source: Path) -> None:
    here = source.parent
    for path in (here / "pyproject.toml", here / "waypost.toml", source / "pyproject.toml", source / "waypost.toml"):
        table = "[tool.waypost]\n" if path.name == "pyproject.toml" else ""
        path.write_text(f'{table}name = "{path.parent.name}-{path.stem}"\n')
        found = settings_file.read(None, source, here)
        assert found is not None
        assert (found[0].values["name"], found[1]) == (f"{path.parent.name}-{path.stem}", path)


def test_a_project_file_without_a_table_for_waypost_is_passed_over(source: Path) -> None:
    (source / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert settings_file.read(None, source, source.parent) is None
    (source.parent / "waypost.toml").write_text("gzip = true\n")
    found = settings_file.read(None, source, source.parent)
    assert found is not None
    assert found[0].values == {"gzip": True}


def test_a_named_file_is_read_instead_of_the_others(source: Path) -> None:
    (source / "waypost.toml").write_text("gzip = true\n")
    named = source.parent / "other.toml"
    named.write_text('name = "map"\n')
    found = settings_file.read(named, source, source.parent)
    assert found is not None
    assert (found[0].name, found[0].values, found[1]) == ("other.toml", {"name": "map"}, named)


def test_a_named_project_file_without_a_table_for_waypost_is_an_issue(source: Path) -> None:
    named = source / "pyproject.toml"
    named.write_text('[project]\nname = "other"\n')
    with pytest.raises(ConfigurationError, match=r"tool\.waypost: the file has no such table"):
        settings_file.read(named, source, source.parent)


def test_a_byte_order_mark_is_not_part_of_the_settings(source: Path) -> None:
    (source / "waypost.toml").write_bytes(b"\xef\xbb\xbfgzip = true\n")
    found = settings_file.read(None, source, source.parent)
    assert found is not None
    assert found[0].values == {"gzip": True}


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "file: No such file or directory"), (b"name = '\xff'", "it is not UTF-8: .* at byte 8")],
)
def test_a_file_that_cannot_be_read_is_an_issue(source: Path, content: bytes | None, problem: str) -> None:
    named = source / "named.toml"
    if content is not None:
        named.write_bytes(content)
    with pytest.raises(ConfigurationError, match=problem):
        settings_file.read(named, source, source.parent)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (folder / "out").symlink_to("..")
    return folder


@pytest.mark.parametrize("path", ["../state.jsonl", "/tmp/state.jsonl", "out/state.jsonl", ".git/state.jsonl"])
def test_a_settings_file_names_no_place_outside_of_its_repository(root: Path, path: str) -> None:
    file = ConfigSource("waypost.toml", {"state": path})
    (issue,) = misplaced_paths([file], file, root, root)
    assert "leads out of the repository, or into its .git" in str(issue)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "out/secret", ".git/config"])
def test_no_sitemap_that_it_names_is_outside_of_its_repository(root: Path, path: str) -> None:
    values = {"sitemaps": ["https://example.org/a.xml", path, {"from": path, "optional": True}, 3], "urls": path}
    file = ConfigSource("waypost.toml", values)
    found = [str(issue) for issue in misplaced_paths([file], file, root, root)]
    assert ["leads out of the repository, or into its .git" in each for each in found] == [True] * 3


@pytest.mark.parametrize(("path", "is_right"), [("../state.jsonl", True), ("out/x", False), (".git/x", False)])
def test_a_flag_may_name_one_but_no_link_may_lead_there(root: Path, path: str, *, is_right: bool) -> None:
    file, flags = ConfigSource("waypost.toml", {"state": "x"}), ConfigSource("command line", {"state": path})
    assert (not list(misplaced_paths([file, flags], file, root, root))) is is_right


def test_a_url_and_a_place_in_a_bucket_are_no_paths(root: Path) -> None:
    file = ConfigSource("waypost.toml", {"compare": "https://example.org/../x", "state": "s3://bucket/../x"})
    assert not list(misplaced_paths([file], file, root, root))


def test_without_a_repository_only_links_are_followed_nowhere(root: Path) -> None:
    for path, is_right in (("../state.jsonl", True), ("out/state.jsonl", False)):
        file = ConfigSource("waypost.toml", {"state": path})
        assert (not list(misplaced_paths([file], file, root, None))) is is_right
