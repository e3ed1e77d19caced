"""Paths of settings; tests/integration/test_hostile_paths.py tries them through commands."""

from pathlib import Path

import pytest

from waypost.app.setting_paths import misplaced_paths
from waypost.config.load import ConfigSource


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
