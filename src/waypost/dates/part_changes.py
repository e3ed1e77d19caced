"""Tells whether two versions of a file have the same in a part of it that a page shows, such as a docstring."""

import re
from collections.abc import Iterable
from functools import lru_cache
from posixpath import splitext

from waypost.core.page_changes import path_of_part, region_of_part
from waypost.dates import source_changes
from waypost.dates.file_parts import OF_DOCSTRINGS, Part, read_part
from waypost.dates.source_text import MAX_BYTES

_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_AS_TEXT = "docstring.md"
_LONG_STRING = re.compile(r"(\"{3}|'{3})(.*?)\1", re.DOTALL)


def endings_of(names: Iterable[str]) -> tuple[str, ...]:
    """The endings of the files of parts, which are named as by `core.page_changes.part_name`."""
    return tuple(sorted({splitext(path_of_part(name))[1].lower() for name in names}))


def are_alike(name: str, after: bytes, before: bytes) -> bool:
    """Whether two versions of the file of a part have the same there, but for what formatters choose."""
    if max(len(after), len(before)) > MAX_BYTES:
        return False
    part = Part(path_of_part(name), region_of_part(name))
    new, old = (data.decode("utf-8", "replace").replace("\r\n", "\n") for data in (after, before))
    shown = read_part(part, new)
    if part.region.startswith(OF_DOCSTRINGS) and _has_all_docstrings(shown, new, old):
        return True
    older = read_part(part, old)
    is_text = part.region.startswith(OF_DOCSTRINGS)
    return _is_said_alike(shown, older) if is_text else source_changes.are_alike_as_code(shown, older)


def _is_said_alike(shown: str, older: str) -> bool:
    """Whether two docstrings have the same text, but for what formatters of their listings choose."""
    texts = (text.encode("utf-8", "replace") for text in (shown, older))
    return shown.split() == older.split() or source_changes.are_alike(_AS_TEXT, *texts)


def _has_all_docstrings(shown: str, new: str, old: str) -> bool:
    """Whether an older module has these docstrings, the same long strings and names: it need not be parsed then."""
    if _long_strings(new) != _long_strings(old) or _names(new) != _names(old):
        return False
    return all(line.strip() in old for line in shown.split("\n"))


@lru_cache(maxsize=4)  # several parts of one version are compared in turn
def _long_strings(module: str) -> tuple[str, ...]:
    return tuple(" ".join(found.split()) for _, found in _LONG_STRING.findall(module))


@lru_cache(maxsize=4)
def _names(module: str) -> tuple[str, ...]:
    return tuple(_DEFINITION.findall(module))
