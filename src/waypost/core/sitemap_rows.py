"""The URLs of a sitemap as templates get them: in columns, and escaped for XML all at once."""

import html
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.model import News, Page, Video

Value = TypeVar("Value", bound=Struct)
EXTENSION_NAMESPACES = (
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0"),
)
"""The prefixes of the extensions of search engines, and their namespaces."""


class SitemapRow(NamedTuple):
    """A page as a template gets it: every text is escaped for XML, and None is what is not known.

    `alternates` are pairs of hreflang and URL; `videos` and `news` have the fields of the model's values. `extensions`
    is XML: what another tool's sitemap has for the URL.
    """

    loc: str
    lastmod: str | None
    changefreq: str | None
    priority: str | None
    title: str
    alternates: Sequence[tuple[str, str]]
    images: Sequence[str]
    videos: Sequence[Video]
    news: News | None
    extensions: str


class SitemapRows:
    """The URLs that a template loops over.

    `for url in urls` gives each page as a SitemapRow. `urls.rows()` gives only loc, lastmod, changefreq and priority,
    as plain tuples; that is much faster, because Python reuses the tuple. `are_plain` means that no page has more.
    `namespaces` are the prefixes and namespaces of what the pages have.

    `locs` are the URLs unescaped, `text` is all of them, a line each, and `pages` are the pages they belong to.
    """

    def __init__(self, pages: Sequence[Page], *, are_plain: bool = True) -> None:
        self.locs = [page.loc for page in pages]
        self.text = "\n".join(self.locs)
        self.columns = (
            _escaped(self.text, self.locs),
            [page.lastmod for page in pages],
            [page.changefreq for page in pages],
            [page.priority for page in pages],
        )
        self.pages = pages
        self.has_alternates = not are_plain and any(page.alternates for page in pages)
        self.has_images = not are_plain and any(page.images for page in pages)
        self.has_videos = not are_plain and any(page.videos for page in pages)
        self.has_extensions = not are_plain and any(page.extensions for page in pages)
        self.are_plain = not (self.has_alternates or self.has_images or self.has_videos or self.has_extensions)

    @property
    def namespaces(self) -> Sequence[tuple[str, str]]:
        """The prefixes to declare, with their namespaces."""
        own = {"xhtml": self.has_alternates, "image": self.has_images, "video": self.has_videos}
        texts = [page.extensions for page in self.pages if page.extensions] if self.has_extensions else ()
        return [
            (prefix, namespace)
            for prefix, namespace in EXTENSION_NAMESPACES
            if own.get(prefix) or any(f"<{prefix}:" in text or f" {prefix}:" in text for text in texts)
        ]

    def rows(self) -> Iterator[tuple[str, str | None, str | None, str | None]]:
        """Each page as a tuple of the first four fields of a SitemapRow."""
        return zip(*self.columns, strict=True)

    def __iter__(self) -> Iterator[SitemapRow]:
        return map(_sitemap_row, self.rows(), self.pages)

    def __len__(self) -> int:
        return len(self.locs)

    def __getitem__(self, at: int | slice) -> SitemapRow | list[SitemapRow]:
        return list(self)[at]


def _sitemap_row(row: tuple[str, str | None, str | None, str | None], page: Page) -> SitemapRow:
    return SitemapRow(
        *row,
        html.escape(page.title),
        tuple((html.escape(code), html.escape(href)) for code, href in page.alternates),
        tuple(map(html.escape, page.images)),
        tuple(map(_escaped_fields, page.videos)),
        _escaped_fields(page.news) if page.news else None,
        page.extensions,
    )


def _escaped_fields(value: Value) -> Value:
    """A value of the model with its texts escaped."""
    texts = {name: getattr(value, name) for name in value.__struct_fields__}
    return replace(value, **{name: html.escape(text) for name, text in texts.items() if isinstance(text, str)})


def escape_all(values: Sequence[str]) -> Sequence[str]:
    """URLs escaped for XML (sitemaps.org 0.9, "Entity escaping"), in a few passes over all of them at once."""
    return _escaped("\n".join(values), values)


def _escaped(text: str, values: Sequence[str]) -> Sequence[str]:
    escaped = text
    for char, entity in (("&", "&amp;"), ("'", "&apos;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        if char in escaped:
            escaped = escaped.replace(char, entity)
    return values if escaped is text else escaped.split("\n")
