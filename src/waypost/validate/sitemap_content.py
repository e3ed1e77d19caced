"""Reads what existing sitemap files list, without checking them."""

from codecs import BOM_UTF8
from collections.abc import Iterator

from waypost.validate.reading import ReadingStoppedError
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.text_reader import TextReader
from waypost.validate.xml_reader import XmlReader

_BEGINNING = 1_024
_CHUNK = 262_144
"""How many bytes are read at a time, because the limits of a file are checked after each."""


def read_entries(name: str, body: bytes) -> tuple[str, list[SitemapEntry]]:
    """The kind of a file, as `XmlReader` and `TextReader` name it, and its entries.

    Servers also send XML at URLs whose path does not end with `.xml`; no URL of a text file begins with `<`. An
    unreadable file has the kind `""` and no entries.
    """
    has_tags = body[:_BEGINNING].removeprefix(BOM_UTF8).lstrip().startswith(b"<")
    reader = XmlReader(_ignore_finding) if is_xml(name) or has_tags else TextReader(_ignore_finding)
    try:
        for start in range(0, len(body), _CHUNK):
            reader.feed(body[start : start + _CHUNK])
        reader.feed(b"", is_last=True)
    except ReadingStoppedError:
        return "", []
    return reader.kind, reader.take()


def listed_sitemaps(name: str, body: bytes) -> Iterator[str]:
    """The URL of each sitemap that an index lists; nothing for any other file."""
    kind, entries = read_entries(name, body)
    yield from (entry.loc or "" for entry in entries if kind == "sitemapindex")


def is_xml(name: str) -> bool:
    """Whether a sitemap of this name is XML, compressed or not."""
    return name.removesuffix(".gz").endswith(".xml")


def _ignore_finding(code: str, line: int = 0, loc: str = "", **details: object) -> None:
    """Ignore a finding: these files are read, not checked."""
