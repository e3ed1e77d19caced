"""The URLs of a sitemap in columns, as a template sees them: escaped for XML in bulk."""

import html
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.model import News, Page, Video

Value = TypeVar("Value", bound=Struct)


class SitemapRow(NamedTuple):
    """What a template sees of a page: each text escaped for XML, None where it is unknown.

    `alternates` are pairs of hreflang and URL; `videos` and `news` have the fields of the model's values.
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


class SitemapRows:
    """What a template loops over.

    `for url in urls` gives each page as a Url. `urls.rows()` gives what most sitemaps hold, a page's loc, lastmod,
    changefreq and priority, as plain tuples, of which one is used again and again: to make a million would take
    as long as to render them. `are_plain` says that there is no more to say of any.

    `locs` are the URLs as they are, `text` all of them, a line each, and `pages` what all is from.
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
        self.are_plain = not (self.has_alternates or self.has_images or self.has_videos)

    def rows(self) -> Iterator[tuple[str, str | None, str | None, str | None]]:
        """Each page as a tuple in the order of a Url's first fields."""
        return zip(*self.columns, strict=True)

    def __iter__(self) -> Iterator[SitemapRow]:
        return map(_url, self.rows(), self.pages)

    def __len__(self) -> int:
        return len(self.locs)

    def __getitem__(self, at: int | slice) -> SitemapRow | list[SitemapRow]:
        return list(self)[at]


def _url(row: tuple[str, str | None, str | None, str | None], page: Page) -> SitemapRow:
    return SitemapRow(
        *row,
        html.escape(page.title),
        tuple((html.escape(code), html.escape(href)) for code, href in page.alternates),
        tuple(map(html.escape, page.images)),
        tuple(map(_escaped_fields, page.videos)),
        _escaped_fields(page.news) if page.news else None,
    )


def _escaped_fields(value: Value) -> Value:
    """A value of the model, its texts escaped."""
    texts = {name: getattr(value, name) for name in value.__struct_fields__}
    return replace(value, **{name: html.escape(text) for name, text in texts.items() if isinstance(text, str)})


def escape_all(values: Sequence[str]) -> Sequence[str]:
    """URLs escaped for XML (sitemaps.org 0.9, "Entity escaping"), in a few passes over all at once."""
    return _escaped("\n".join(values), values)


def _escaped(text: str, values: Sequence[str]) -> Sequence[str]:
    found = text
    for char, entity in (("&", "&amp;"), ("'", "&apos;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        if char in found:
            found = found.replace(char, entity)
    return values if found is text else found.split("\n")
