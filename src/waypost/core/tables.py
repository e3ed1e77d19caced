"""Tables of data in TOML files beside the modules that use them: a row is all that is known of one thing.

A table is read when its first row is needed, and once: reading takes 2 to 10 ms, and most runs need few tables.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

Row = TypeVar("Row", bound=Struct)


class Table(Mapping[str, Row]):
    """The rows of a file by the names of its tables, in their order; each row has its name in the field `key`."""

    def __init__(self, path: Path, row: type[Row], key: str) -> None:
        self._path, self._row, self._key = path, row, key

    @cached_property
    def _rows(self) -> Mapping[str, Row]:
        rows = tomllib.loads(self._path.read_text(encoding="utf-8"))
        return {name: msgspec.convert({self._key: name, **row}, self._row) for name, row in rows.items()}

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
