"""Tables of data in TOML files."""

from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from waypost.core.tables import Table


class Tree(Struct, frozen=True):
    """A row of the tests."""

    name: str
    height: int = 0


def test_a_table_is_read_when_its_first_row_is_needed(tmp_path: Path) -> None:
    table = Table(tmp_path / "trees.toml", Tree, "name")
    (tmp_path / "trees.toml").write_text("[oak]\nheight = 30\n[yew]\n", encoding="utf-8")
    assert (list(table), table["oak"], table["yew"]) == (["oak", "yew"], Tree("oak", 30), Tree("yew"))
    (tmp_path / "trees.toml").unlink()
    assert len(table) == 2


def test_a_row_of_another_kind_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "trees.toml").write_text("[oak]\nheight = 'tall'\n", encoding="utf-8")
    with pytest.raises(msgspec.ValidationError):
        len(Table(tmp_path / "trees.toml", Tree, "name"))
