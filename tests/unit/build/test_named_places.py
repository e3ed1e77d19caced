"""How far the places are trusted that settings name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waypost.build import named_places
from waypost.build.named_places import NamedPlaces
from waypost.core.errors import ConfigurationError
from waypost.core.places import Place
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from pathlib import Path

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
        found = named_places.read(None, source, here)
        assert found is not None
        assert (found[0].values["name"], found[1]) == (f"{path.parent.name}-{path.stem}", path)


def test_a_project_file_without_a_table_for_waypost_is_passed_over(source: Path) -> None:
    (source / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert named_places.read(None, source, source.parent) is None
    (source.parent / "waypost.toml").write_text("gzip = true\n")
    found = named_places.read(None, source, source.parent)
    assert found is not None
    assert found[0].values == {"gzip": True}


def test_a_named_file_is_read_instead_of_the_others(source: Path) -> None:
    (source / "waypost.toml").write_text("gzip = true\n")
    named = source.parent / "other.toml"
    named.write_text('name = "map"\n')
    found = named_places.read(named, source, source.parent)
    assert found is not None
    assert (found[0].name, found[0].values, found[1]) == ("other.toml", {"name": "map"}, named)


def test_a_named_project_file_without_a_table_for_waypost_is_an_issue(source: Path) -> None:
    named = source / "pyproject.toml"
    named.write_text('[project]\nname = "other"\n')
    with pytest.raises(ConfigurationError, match=r"tool\.waypost: the file has no such table"):
        named_places.read(named, source, source.parent)


def test_a_byte_order_mark_is_not_part_of_the_settings(source: Path) -> None:
    (source / "waypost.toml").write_bytes(b"\xef\xbb\xbfgzip = true\n")
    found = named_places.read(None, source, source.parent)
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
        named_places.read(named, source, source.parent)
