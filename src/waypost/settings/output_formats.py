"""The output formats, as far as settings and file names go: `sitemaps/format_registry.py` has the code of each."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple


class FileFormat(NamedTuple):
    """The files of one output format.

    `name` is its word in the setting `formats`, `ending` its files' ending, and `kind` what plans and reports call
    such a file. A file that is not marked is known to be Waypost's by its name alone. `shows_titles` says that the
    pages' titles must be read, `shows_descriptions` the same of their descriptions and their versions in Markdown.
    `stem` is the first part of the files' names, `""` where that is the setting `name`.
    """

    name: str
    ending: str
    kind: str
    is_compressible: bool = True
    is_for_crawlers: bool = True
    is_marked: bool = True
    shows_titles: bool = False
    shows_descriptions: bool = False
    stem: str = ""

    def may_have(self, name: str) -> bool:
        """Whether a file of this format may have a name, which may end with `.gz` if the format is compressible."""
        plain = name.removesuffix(".gz") if self.is_compressible else name
        return plain.endswith(f".{self.ending}") and (not self.stem or begins_with_stem(plain, self.stem))


XML = FileFormat("xml", "xml", "sitemap")
TEXT = FileFormat("text", "txt", "text", is_marked=False)
HTML = FileFormat("html", "html", "html", is_compressible=False, is_for_crawlers=False, shows_titles=True)
LLMS = FileFormat(
    "llms",
    "txt",
    "llms",
    is_compressible=False,
    is_for_crawlers=False,
    shows_titles=True,
    shows_descriptions=True,
    stem="llms",
)

FILE_FORMATS: dict[str, FileFormat] = {each.name: each for each in (XML, TEXT, HTML, LLMS)}
"""Each format by its name. Of those that a site has, the first that crawlers read is what its indexes list."""


def chosen(names: Collection[str]) -> Iterator[FileFormat]:
    """The formats of these names, in the table's order."""
    return (each for each in FILE_FORMATS.values() if each.name in names)


@cache
def with_titles(names: tuple[str, ...]) -> bool:
    """Whether a format of these names shows the pages' titles."""
    return any(each.shows_titles for each in chosen(names))


@cache
def with_descriptions(names: tuple[str, ...]) -> bool:
    """Whether a format of these names shows the pages' descriptions and links to their versions in Markdown."""
    return any(each.shows_descriptions for each in chosen(names))


def format_of(name: str) -> FileFormat | None:
    """The format of a file by its name; a format whose files begin with a stem of its own goes before the others."""
    by_stem = sorted(FILE_FORMATS.values(), key=lambda each: not each.stem)
    return next((each for each in by_stem if each.may_have(name)), None)


def stems() -> list[str]:
    """The first parts of names that belong to a format, whatever the settings say."""
    return [each.stem for each in FILE_FORMATS.values() if each.stem]


def begins_with_stem(name: str, stem: str) -> bool:
    """Whether a stem is the first part of a name."""
    return re.match(rf"{re.escape(stem)}([.-]|$)", name) is not None
