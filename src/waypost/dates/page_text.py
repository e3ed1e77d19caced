"""Reads what is evidence on a built page: its text by lines, its links to sources, its language and its dates."""

from collections.abc import Iterator

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from waypost.core import dates
from waypost.dates import paths
from waypost.pages import html_head, html_tree, structured_data

_MAX_BYTES = 4_194_304
"""Of a larger page only so much is read: its beginning identifies it."""
_SOURCE_LINKS = ", ".join(f'a[href*="{part}"]' for part in ("/edit/", "/blob/", "/tree/", "/src/", "_sources/"))
_VERSION = 'meta[name="docusaurus_version"], meta[name="docsearch:docusaurus_tag"]'
"""Where Docusaurus writes the version of a page; the tag has it after the name of a set of documents."""
_CURRENT = "current"
_DATE_NAMES = ("article:modified_time", "last-modified", "article:published_time", "date", "dcterms.modified")


class PageText(Struct, frozen=True, gc=False):
    """What a built page shows: its visible lines with its title first, and its language, as `lang` has it.

    `source_links` are links that may lead to its source, as written, and `dates` those that it gives itself. `version`
    is the version that Docusaurus says the page is of, as in `paths.version`.
    """

    lines: tuple[str, ...]
    language: str = ""
    source_links: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    version: tuple[int, ...] = ()


def read_page_text(data: bytes) -> PageText:
    """Read the text of a page from its bytes; of one that exceeds a bound of the parser, the text of its beginning."""
    tree = html_tree.parse(data[:_MAX_BYTES])
    links = tuple(dict.fromkeys(href for node in tree.css(_SOURCE_LINKS) if (href := node.attributes.get("href"))))
    language = html_tree.language(tree).lower()
    own_dates, version = tuple(dict.fromkeys(_own_dates(tree))), _version(tree)
    return PageText(tuple(html_head.visible_lines(tree)), language, links, own_dates, version)


def _version(tree: LexborHTMLParser) -> tuple[int, ...]:
    meta = tree.css_first(_VERSION)
    name = (meta.attributes.get("content") or "").rpartition("-")[2] if meta else ""
    return paths.UNRELEASED_VERSION if name == _CURRENT else paths.version(f"version-{name}/")


def _own_dates(tree: LexborHTMLParser) -> Iterator[str]:
    written = [
        node.attributes.get("content")
        for node in tree.css("meta[property], meta[name]")
        if (node.attributes.get("property") or node.attributes.get("name") or "").strip().lower() in _DATE_NAMES
    ]
    written += [node.attributes.get("datetime") for node in tree.css("time[datetime]")]
    written += [found.get("dateModified") for found in structured_data.objects(tree)]
    for text in written:
        if isinstance(text, str) and (date := dates.parse_page_date(text)):
            yield date
