"""What files that stand list, whoever wrote them: no judgement, and nothing of what cannot be read."""

from collections.abc import Iterator

from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.text_reader import TextReader
from waypost.validate.xml_reader import ReadingStoppedError, XmlReader


def read_entries(name: str, body: bytes) -> tuple[str, list[SitemapEntry]]:
    """The kind of a file, as `Markup` and `Lines` call it, and its entries; none of one that cannot be read."""
    reader = XmlReader(_ignore_finding) if is_xml(name) else TextReader(_ignore_finding)
    try:
        reader.feed(body)
        reader.feed(b"", is_last=True)
    except ReadingStoppedError:
        return "", []
    return reader.kind, reader.take()


def listed_pages(name: str, body: bytes) -> Iterator[tuple[str, str]]:
    """Each loc of a sitemap, with its lastmod or `""`."""
    kind, found = read_entries(name, body)
    yield from ((entry.loc or "", entry.lastmod or "") for entry in found if kind != "sitemapindex")


def listed_sitemaps(name: str, body: bytes) -> Iterator[str]:
    """Each sitemap that an index names; none of any other file."""
    kind, found = read_entries(name, body)
    yield from (entry.loc or "" for entry in found if kind == "sitemapindex")


def is_xml(name: str) -> bool:
    """Whether a sitemap of this name is XML, compressed or not."""
    return name.removesuffix(".gz").endswith(".xml")


def _ignore_finding(code: str, line: int = 0, loc: str = "", **seen: object) -> None:
    """Findings are for who asks for them."""
