"""Values of one type as columns: for each field, a list of what the values have in it. Equal texts then lie together.

In a column, None is in place of the field's default, and a column is empty if all have the default.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import repeat
from operator import attrgetter
from types import GenericAlias
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo


class Column(NamedTuple):
    """How a field's column is stored; `type` is the field's."""

    name: str
    is_required: bool
    default: Any
    type: Any

    def of(self, values: Sequence[Struct]) -> list[Any]:
        """The field of all values."""
        found = list(map(attrgetter(self.name), values))
        if self.is_required:
            return found
        default_count = found.count(self.default)
        if default_count == len(found):
            return []
        return [None if each == self.default else each for each in found] if default_count else found

    def values(self, stored: Sequence[Any], count: int) -> Iterable[Any]:
        """The `count` values of the field from its column."""
        if self.is_required:
            return stored
        if not stored:
            return repeat(self.default, count)
        return (self.default if each is None else each for each in stored)


@cache
def columns_of(struct: type[Struct], *left_out: str) -> tuple[Column, ...]:
    """The columns of a type, but for some fields."""
    return tuple(_column(each) for each in msgspec.structs.fields(struct) if each.name not in left_out)


def _column(field: FieldInfo) -> Column:
    is_factory = field.default_factory is not msgspec.NODEFAULT
    default = field.default_factory() if is_factory else field.default
    return Column(field.name, field.required, default, field.type)


def columns_type(name: str, columns: Iterable[Column], **others: Any) -> Any:
    """The type in which these columns are stored, with other fields between those that it needs and those it may lack.

    A field that it does not have is an error when it is decoded.
    """
    columns = list(columns)
    fields: list[Any] = [(each.name, GenericAlias(list, (each.type,))) for each in columns if each.is_required]
    fields += others.items()
    fields += [(each.name, GenericAlias(list, (each.type | None,)), []) for each in columns if not each.is_required]
    return msgspec.defstruct(name, fields, frozen=True, forbid_unknown_fields=True, omit_defaults=True)


def value_count(stored: Struct) -> int:
    """How many values the columns hold."""
    return len(msgspec.structs.astuple(stored)[0])


def check_lengths(stored: Struct, except_for: str = "") -> None:
    """Raise ValueError if the columns do not hold one number of values."""
    count = value_count(stored)
    for column in columns_of(type(stored), except_for):
        length = len(getattr(stored, column.name))
        if length != count and (length or column.is_required):
            raise ValueError("its fields have different numbers of values")
