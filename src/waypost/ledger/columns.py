"""Values of one type as columns: for each field, a list of what the values have in it. Equal texts then lie together.

In a column, None is in place of the field's default, and a column is empty if all have the default.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import attrgetter
from types import GenericAlias
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo


def column_of(values: Sequence[Struct], field: FieldInfo) -> list[Any]:
    """A field of all values."""
    found = list(map(attrgetter(field.name), values))
    if field.required:
        return found
    default = _default(field)
    default_count = found.count(default)
    if default_count == len(found):
        return []
    return [None if each == default else each for each in found] if default_count else found


def column_values(column: Sequence[Any], field: FieldInfo, count: int) -> Iterable[Any]:
    """The `count` values of a field from its column, of the type that the field has."""
    if field.required:
        return column
    default = _default(field)
    if not column:
        return repeat(default, count)
    converted = msgspec.convert(column, GenericAlias(list, (field.type | None,)), from_attributes=True)
    return (default if each is None else each for each in converted)


def value_count(stored: Struct) -> int:
    """How many values the columns hold."""
    return len(msgspec.structs.astuple(stored)[0])


def check_lengths(stored: Struct, except_for: str = "") -> None:
    """Raise ValueError if the columns do not hold one number of values."""
    count = value_count(stored)
    for field in msgspec.structs.fields(stored):
        length = count if field.name == except_for else len(getattr(stored, field.name))
        if length != count and (length or field.required):
            raise ValueError("its fields have different numbers of values")


def _default(field: FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
