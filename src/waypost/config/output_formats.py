"""The output formats, as far as settings and file names go: `sitemaps/formats` has the code of each."""

from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple


class FileFormat(NamedTuple):
    """The files of one output format.

    `name` is its word in the setting `formats`, `ending` its files' ending, and `kind` what plans and reports call
    such a file. A file that is not marked is known to be Waypost's by its name alone. `shows_titles` says that the
    pages' titles must be read.
    """

    name: str
    ending: str
    kind: str
    is_compressible: bool = True
    is_for_crawlers: bool = True
    is_marked: bool = True
    shows_titles: bool = False


XML = FileFormat("xml", "xml", "sitemap")
TEXT = FileFormat("text", "txt", "text", is_marked=False)
HTML = FileFormat("html", "html", "html", is_compressible=False, is_for_crawlers=False, shows_titles=True)

FILE_FORMATS: dict[str, FileFormat] = {each.name: each for each in (XML, TEXT, HTML)}
"""Each format by its name. Of those that a site has, the first that crawlers read is what its indexes list."""


def chosen(names: Collection[str]) -> Iterator[FileFormat]:
    """The formats of these names, in the table's order."""
    return (each for each in FILE_FORMATS.values() if each.name in names)


@cache
def with_titles(names: tuple[str, ...]) -> bool:
    """Whether a format of these names shows the pages' titles."""
    return any(each.shows_titles for each in chosen(names))


def with_ending(ending: str) -> FileFormat | None:
    """The format whose files have an ending."""
    return next((each for each in FILE_FORMATS.values() if each.ending == ending), None)


def format_of(name: str) -> FileFormat | None:
    """The format of a file by its name, which may end with `.gz` where the format is compressible."""
    for each in FILE_FORMATS.values():
        plain = name.removesuffix(".gz") if each.is_compressible else name
        if plain.endswith(f".{each.ending}"):
            return each
    return None
