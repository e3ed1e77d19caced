"""Tells whether two versions of a file have the same in a part of it that a page shows, such as a docstring."""

from collections.abc import Iterable
from posixpath import splitext

from waypost.core.page_changes import path_of_part, region_of_part
from waypost.dates.file_parts import Part, read_part
from waypost.dates.source_text import MAX_BYTES

_STRING_MARKS = ('"""', "'''")


def endings_of(names: Iterable[str]) -> tuple[str, ...]:
    """The endings of the files of parts, which are named as by `core.page_changes.part_name`."""
    return tuple(sorted({splitext(path_of_part(name))[1].lower() for name in names}))


def are_alike(name: str, after: bytes, before: bytes) -> bool:
    """Whether two versions of the file of a part have the same there, but for white space."""
    if max(len(after), len(before)) > MAX_BYTES:
        return False
    part = Part(path_of_part(name), region_of_part(name))
    new, old = (data.decode("utf-8", "replace").replace("\r\n", "\n") for data in (after, before))
    shown = read_part(part, new)
    if part.region.startswith(("object:", "members:")) and _has_all_docstrings(shown, new, old):
        return True
    return shown.split() == read_part(part, old).split()


def _has_all_docstrings(shown: str, new: str, old: str) -> bool:
    """Whether an older module has these docstrings, and as many strings of their kind: it need not be parsed then."""
    lines = (line.strip() for line in shown.split("\n"))
    return all(new.count(mark) == old.count(mark) for mark in _STRING_MARKS) and all(line in old for line in lines)
