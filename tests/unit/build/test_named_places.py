"""How far the places are trusted that settings name."""

from pathlib import Path

import pytest

from waypost.build.named_places import NamedPlaces
from waypost.core.errors import ConfigurationError
from waypost.core.places import Place
from waypost.settings.load import ConfigSource

OUTSIDE = [
    "../a",
    "/tmp/a",
    "out/a",
    ".git/a",
    ".GIT/a",
    "b/../../a",
    "x:/../../a",
    "x://../../a",
    "sub/out/a",
    "git/config",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    for name in (".git", "x:", "sub"):
        (folder / name).mkdir(parents=True)
    (folder / "out").symlink_to("..")
    (folder / "sub" / "out").symlink_to(tmp_path)
    (folder / "git").symlink_to(".git")
    return folder


def places(root: Path, path: str, *, is_trusted: bool, folder: Path | None = None, in_git: bool = True) -> NamedPlaces:
    source = ConfigSource("waypost.toml", {"state": path}, f"state = {path!r}", is_trusted=is_trusted)
    return NamedPlaces([source], folder or root, root if in_git else None)


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("in_git", [True, False])
def test_a_settings_file_names_no_place_outside_of_its_repository(root: Path, path: str, *, in_git: bool) -> None:
    with pytest.raises(ConfigurationError, match=r"waypost.toml:1: state: .* leads out of the repository, or into its"):
        places(root, path, is_trusted=False, in_git=in_git).path("state", path)


@pytest.mark.parametrize("path", ["a", "x:/a", "x://a", "sub/../a", "x:"])
def test_a_settings_file_names_any_place_in_its_repository(root: Path, path: str) -> None:
    assert places(root, path, is_trusted=False).path("state", path) == root / path


def test_a_settings_file_in_a_subfolder_may_name_all_of_its_repository(root: Path) -> None:
    found = places(root, "../a", is_trusted=False, folder=root / "sub")
    assert found.path("state", "../a") == root / "sub" / ".." / "a"
    with pytest.raises(ConfigurationError):
        found.path("state", "../../a")


@pytest.mark.parametrize(("path", "is_right"), [("../a", True), ("/tmp/a", True), ("out/a", False), (".git/a", False)])
def test_a_flag_may_name_a_place_outside_but_no_link_may_lead_there(root: Path, path: str, *, is_right: bool) -> None:
    found = places(root, path, is_trusted=True)
    if is_right:
        assert found.path("state", path) == root / path
    else:
        with pytest.raises(ConfigurationError):
            found.path("state", path)


def test_a_link_that_appears_after_the_settings_were_read_is_not_followed(root: Path) -> None:
    found = places(root, "new/a", is_trusted=False)
    assert found.path("state", "new/a") == root / "new" / "a"
    (root / "new").symlink_to("..")
    with pytest.raises(ConfigurationError):
        found.path("state", "new/a")


@pytest.mark.parametrize("url", ["http://a.dev/x", "HTTPS://a.dev", "s3://b/k"])
def test_a_url_is_no_path(root: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="is a URL, and no path"):
        places(root, url, is_trusted=True).path("state", url)


def test_a_settings_file_names_only_a_bucket_that_the_run_names_too(root: Path) -> None:
    source = ConfigSource("waypost.toml", {"state": "S3://private/x"})
    with pytest.raises(ConfigurationError, match="in a bucket that no flag, input or variable of this run names"):
        NamedPlaces([source], root, root, ["s3://site/", "s3://private-2/"]).place("state", "S3://private/x")
    named = NamedPlaces([source], root, root, ["s3://private/elsewhere"])
    assert named.place("state", "S3://private/x") == Place("bucket", "s3://private/x")
    flags = ConfigSource("command line", {"state": "s3://private/x"}, is_trusted=True)
    assert NamedPlaces([source, flags], root, root).place("state", "s3://private/x").kind == "bucket"
