"""Finding and reading a site's settings file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.build import named_places
from waypost.core.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path


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
