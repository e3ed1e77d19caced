"""Parses XML in chunks with expat, within limits, and never reads anything outside the file.

A file that declares an entity or an attribute is not read further, so nothing can be expanded.
"""

from collections.abc import Callable
from itertools import islice
from typing import NoReturn
from xml.parsers import expat

from waypost.validate.reading import ReadingStoppedError, ReportFinding

MAX_TEXT = 65_536
"""The most characters of a field that are kept: thirty times what a loc may have."""
_MAX_TAG_BYTES = 1_048_576
"""expat parses an unfinished tag again with each chunk, so its time grows with the square of the tag's length."""
_MAX_NAMES, _MAX_NAME_CHARACTERS = 50_000, 8_388_608
"""expat keeps every different name in memory, with its namespace."""
_MAX_NAMESPACE = 1_000
"""expat copies the namespace of each element, so its time grows with the product of both."""
_EXCERPT_BYTES, _RECENT_BYTES = 48, 4_096
"""How many bytes before an error are shown, and how many are kept of earlier chunks."""
_MAX_CHARACTER_BYTES = 4
"""The most bytes of a character in UTF-8."""

StartHandler = Callable[[str, dict[str, str]], None]


class XmlParser:
    """A parser of one file, which calls the handlers of elements and text; names are `namespace name`.

    `namespaces` are those that the file has declared so far.
    """

    def __init__(
        self,
        report: ReportFinding,
        start: StartHandler,
        end: Callable[[str], None],
        characters: Callable[[str], None],
    ) -> None:
        self._report = report
        self._bytes_before, self._recent = 0, b""
        self._name_count, self._name_characters = 0, 0
        self.namespaces: set[str] = set()
        parser = expat.ParserCreate("UTF-8", namespace_separator=" ")  # whatever encoding the file declares
        parser.buffer_text, parser.buffer_size = True, MAX_TEXT
        parser.XmlDeclHandler = self._check_declaration
        parser.StartDoctypeDeclHandler = self._check_doctype
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity  # an entity that only another file could declare
        parser.AttlistDeclHandler = self._refuse_attribute_declaration
        parser.StartNamespaceDeclHandler = self._add_namespace
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = characters
        self._parser = parser

    @property
    def line(self) -> int:
        """The line at which the parser is."""
        return self._parser.CurrentLineNumber

    @property
    def position(self) -> int:
        """The byte at which the tag begins that a handler of elements is called for."""
        return self._parser.CurrentByteIndex

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        """Parse the next chunk; raises ReadingStoppedError if the rest cannot be read."""
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as error:
            recent = self._recent + data
            position = max(0, self._parser.ErrorByteIndex - self._bytes_before + len(self._recent))
            if _is_invalid_utf8(recent[position : position + _MAX_CHARACTER_BYTES]):
                self._report("wrong-encoding", error.lineno, encoding="not UTF-8")
            else:
                why = f"{expat.ErrorString(error.code)} at column {error.offset + 1}{_excerpt(recent[:position])}"
                self._report("not-well-formed", error.lineno, why=why)
            raise ReadingStoppedError from error
        self._bytes_before += len(data)
        self._recent = (self._recent + data[-_RECENT_BYTES:])[-_RECENT_BYTES:]
        if self._bytes_before - self._parser.CurrentByteIndex > _MAX_TAG_BYTES and not is_last:
            self.refuse(f"it has a tag or a comment of more than {_MAX_TAG_BYTES:,} bytes")
        self._check_names()

    def _check_names(self) -> None:
        """Count the names that are new since the last chunk."""
        names = self._parser.intern
        new = islice(reversed(names), len(names) - self._name_count)
        self._name_count, self._name_characters = len(names), self._name_characters + sum(map(len, filter(None, new)))
        if self._name_count > _MAX_NAMES:
            self.refuse(f"its elements and attributes have more than {_MAX_NAMES:,} different names")
        if self._name_characters > _MAX_NAME_CHARACTERS:
            self.refuse(f"the names of its elements and attributes have over {_MAX_NAME_CHARACTERS:,} characters")

    def refuse(self, what: str) -> NoReturn:
        """Report that the file is not a sitemap, and stop reading."""
        self._report("not-a-sitemap", self.line, what=what)
        raise ReadingStoppedError

    def _check_declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        del version, standalone
        if encoding and encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
            self._report("wrong-encoding", 1, encoding=encoding)

    def _add_namespace(self, prefix: str | None, namespace: str | None) -> None:
        del prefix
        if len(namespace or "") > _MAX_NAMESPACE:
            self.refuse(f"it has a namespace of more than {_MAX_NAMESPACE:,} characters")
        if len(self.namespaces) < _MAX_NAMES:
            self.namespaces.add(namespace or "")

    def _check_doctype(self, name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        del system, public, has_subset
        if name.lower() == "html":
            self.refuse("it is an HTML page")
        self._report("doctype", self.line)

    def _refuse_entity(self, name: str, *declaration: object) -> NoReturn:
        del declaration
        self._report("entity", self.line, name=name)
        raise ReadingStoppedError

    def _refuse_attribute_declaration(self, element: str, *declaration: object) -> NoReturn:
        """Stop: a declared default is added to every element of the name, so a small file could become very large."""
        del declaration
        self.refuse(f"it declares attributes of {element}")


def _is_invalid_utf8(data: bytes) -> bool:
    """Whether the bytes at which expat failed are not a character."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start == 0 and error.reason != "unexpected end of data"
    return False


def _excerpt(before: bytes) -> str:
    """The text of the line before the error, to be shown; the same wherever the file was cut into chunks."""
    line = before[-_EXCERPT_BYTES:].rpartition(b"\n")[2]
    shown = line.decode(errors="ignore").strip()
    return f", after {shown!r}" if shown else ""


def split_name(name: str) -> tuple[str, str]:
    """The namespace and the local name of an element or attribute."""
    namespace, _, local = name.rpartition(" ")
    return namespace, local
