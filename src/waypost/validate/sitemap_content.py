"""Reads what existing sitemap files list, without checking them."""

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Sequence

from waypost.core.errors import SourceError
from waypost.validate.reading import MOST_ENTRIES, ReadingStoppedError
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.text_reader import TextReader
from waypost.validate.xml_reader import XmlReader

_BEGINNING = 1_024
_CHUNK = 262_144
"""How many bytes are read at a time, because the limits of a file are checked after each."""


def read_entries(name: str, body: bytes) -> tuple[str, list[SitemapEntry]]:
    """The kind of a file, as `XmlReader` and `TextReader` name it, and its entries.

    An unreadable file has the kind `""` and no entries. Raises SourceError for a file with far too many.
    """
    reader = _reader(name, body)
    return (reader.kind, reader.entries) if _read(reader, name, body) else ("", [])


def read_whole_entries(name: str, body: bytes) -> tuple[str, list[SitemapEntry], Counter[str]]:
    """The same with all extensions, whatever their namespaces are, and what cannot be kept, counted by its kind."""
    reader = _reader(name, body, keeps_all=True)
    if not _read(reader, name, body):
        return "", [], Counter()
    return reader.kind, reader.entries, reader.lost if isinstance(reader, XmlReader) else Counter()


def listed_sitemaps(name: str, body: bytes) -> Sequence[str]:
    """The URL of each sitemap that an index lists; nothing for any other file, which is not read to its end."""
    reader = _reader(name, body)
    if not _read(reader, name, body[:_CHUNK], is_whole=len(body) <= _CHUNK) or reader.kind != "sitemapindex":
        return ()
    return [entry.loc or "" for entry in read_entries(name, body)[1]]


def _reader(name: str, body: bytes, *, keeps_all: bool = False) -> XmlReader | TextReader:
    """The reader of a file; servers also send XML at URLs whose path does not end with `.xml`.

    No URL of a text file begins with `<`.
    """
    has_tags = body[:_BEGINNING].removeprefix(BOM_UTF8).lstrip().startswith(b"<")
    is_text = not (is_xml(name) or has_tags)
    return TextReader(_ignore_finding) if is_text else XmlReader(_ignore_finding, keeps_all=keeps_all)


def _read(reader: XmlReader | TextReader, name: str, body: bytes, *, is_whole: bool = True) -> bool:
    """Read a file, or its beginning; false if it cannot be read. Raises SourceError for far too many entries."""
    try:
        for start in range(0, len(body), _CHUNK):
            reader.feed(body[start : start + _CHUNK])
            if len(reader.entries) > MOST_ENTRIES:
                raise SourceError(f"{name} has more than {MOST_ENTRIES:,} entries, and a sitemap may have 50,000")
        if is_whole:
            reader.feed(b"", is_last=True)
    except ReadingStoppedError:
        return False
    return True


def is_xml(name: str) -> bool:
    """Whether a sitemap of this name is XML, compressed or not."""
    return name.removesuffix(".gz").endswith(".xml")


def _ignore_finding(code: str, line: int = 0, loc: str = "", **details: object) -> None:
    """Ignore a finding: these files are read, not checked."""
