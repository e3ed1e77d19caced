"""Rows for the pages of a folder whose paths are their sources' paths."""

import posixpath
import re
from collections.abc import Sequence
from itertools import product

from waypost.config.generator_presets import SourceMapping

_MOST_CHARACTERS = 1_000


class UnusableConfigurationError(ValueError):
    """A configuration from which no rows are made: its paths have wildcards, or the rows would be too many."""


def plain(text: str) -> str:
    """A text of a configuration that becomes a part of a pattern; raises UnusableConfigurationError if it is one."""
    if not is_plain(text):
        raise UnusableConfigurationError(text[:80])
    return text


def is_plain(text: str) -> bool:
    """Whether a text has no wildcard but perhaps `?`, which a name may have, and the length of a path."""
    return len(text) <= _MOST_CHARACTERS and not re.search(r"[{}*]", text)


def limited(count: int, most: int) -> None:
    """Raise UnusableConfigurationError if a configuration has more of something than rows are made for."""
    if count > most:
        raise UnusableConfigurationError(f"{count:,} of at most {most:,}")


def choice(page: str, stems: Sequence[str], endings: Sequence[str] = ("",)) -> SourceMapping:
    """Pages that are made of the first of these files that is tracked."""
    return SourceMapping(page, tuple(map("".join, product(stems, endings))), is_choice=True)


def page_tree(
    at: str, folders: Sequence[str], endings: Sequence[str], indexes: Sequence[str] = ("index",)
) -> tuple[SourceMapping, ...]:
    """The pages below a path of the site (`""`, `docs/`), made of the files in the first of these folders that has one.

    The page of a folder is made of one of the files `indexes` in it, or of a file with the folder's name beside it.
    """
    home = [folder + index for folder in folders for index in indexes]
    nested = [f"{folder}{{**path}}{end}" for folder in folders for end in (*(f"/{each}" for each in indexes), "")]
    return (
        choice(f"{at}index.html", home, endings),
        choice(f"{at}{{**path}}/index.html", nested, endings),
        choice(f"{at}{{**path}}.html", [f"{folder}{{**path}}" for folder in folders], endings),
    )


def copied(folder: str) -> SourceMapping:
    """The files of a folder that the generator copies as they are."""
    return choice("{**path}", (f"{folder}{{**path}}",))


def folder_name(path: str | None, default: str) -> str:
    """A configured folder with a final `/`, empty for the project's own; the default if none is configured.

    Raises UnusableConfigurationError for one with wildcards.
    """
    normal = posixpath.normpath(plain(default if path is None else path).strip("/") or ".")
    return "" if normal == "." else f"{normal}/"
