"""What the outputs are called, and which names are Waypost's own."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from waypost.config.schema import Site
from waypost.config.values import DEFAULT_GROUP
from waypost.core.urls import encode_path

NEWS = "news"
"""The group whose names the news sitemaps have."""
MARK = "<!-- Rendered by Waypost; changes made by hand are lost. -->"
"""The line by which an output that is no text sitemap is known to be Waypost's when settings no longer name it."""


@dataclass(frozen=True)
class OutputNames:
    """The outputs' names: a function of the settings and of the shards' ids alone."""

    stem: str
    suffix: str
    groups: tuple[str, ...]
    has_html: bool = False
    has_stylesheet: bool = False
    has_news: bool = False

    def sitemap(self, group: str, shard: str | None, ending: str = "xml") -> str:
        """The name of a sitemap; `shard` is None where its group needs only one. A page for people is never packed."""
        parts = [self.stem, (group or DEFAULT_GROUP) if self.groups else "", shard or ""]
        return "-".join(filter(None, parts)) + f".{ending}{self.suffix if ending != 'html' else ''}"

    @property
    def html_index(self) -> str:
        """The name of the page for people that lists the others."""
        return f"{self.stem}.html"

    @property
    def stylesheet(self) -> str:
        """The name of the stylesheet of the XML, or `""` where it has none."""
        return f"{self.stem}.css" if self.has_stylesheet else ""

    def index(self, shard: str | None = None) -> str:
        """The name of a sitemap index; those past the first are named like shards."""
        return (f"{self.stem}-index-{shard}" if shard else self.stem) + f".xml{self.suffix}"

    def is_configured(self, name: str) -> bool:
        """Whether these settings could write an output of this name."""
        return self._configured.fullmatch(name) is not None

    def lists_pages(self, name: str) -> bool:
        """Whether an output of this name lists pages for crawlers: neither news, nor what is for people."""
        is_news = self.has_news and re.match(rf"{re.escape(self.stem)}-{NEWS}(-[0-9a-f]{{16}})?\.", name) is not None
        return name.removesuffix(".gz").endswith((".xml", ".txt")) and name != "robots.txt" and not is_news

    def could_be_ours(self, name: str) -> bool:
        """Whether any settings of this stem could; such a file is ours only if more than its name says so."""
        return re.fullmatch(rf"{re.escape(self.stem)}(-[a-z0-9-]+)?\.((xml|txt)(\.gz)?|html|css)", name) is not None

    def is_our_text_sitemap(self, name: str, formats: Collection[str]) -> bool:
        """Whether a text sitemap of this name is ours: its name is a shard's, or one that these formats ask for."""
        is_shard = re.search(r"-[0-9a-f]{16}\.txt(\.gz)?$", name) is not None
        return ".txt" in name and (is_shard or ("text" in formats and self.is_configured(name)))

    @cached_property
    def _configured(self) -> re.Pattern[str]:
        groups = "|".join(map(re.escape, (*self.groups, DEFAULT_GROUP))) if self.groups else "(?!)"
        shard = "[0-9a-f]{16}"
        middle = rf"(-({groups}))?(-{shard})?|-index-{shard}"
        stem = re.escape(self.stem)
        endings = r"(xml|txt)(\.gz)?" + ("|html" if self.has_html else "")
        return re.compile(rf"{stem}({middle})\.({endings})" + (rf"|{stem}\.css" if self.has_stylesheet else ""))


def output_names(site: Site) -> OutputNames:
    """The names for a site."""
    has_news = site.news is not None
    groups = (*(name for name, _ in site.groups), *([NEWS] if has_news else ()))
    return OutputNames(site.name, ".gz" if site.gzip else "", groups, "html" in site.formats, site.stylesheet, has_news)


def is_text_sitemap(name: str) -> bool:
    """Whether an output of this name is a text sitemap, compressed or not."""
    return name.removesuffix(".gz").endswith(".txt")


def is_shard_name(name: str) -> bool:
    """Whether an output of this name is one shard's: no index, nor all of a group or a site."""
    return re.search(r"-[0-9a-f]{16}\.", name) is not None and "-index-" not in name


def output_url(site: Site, name: str) -> str:
    """The URL at which an output is published."""
    return site.base_url + encode_path(name)


def with_mark(body: bytes) -> bytes:
    """An output with the mark, which goes behind all where a template does not place it: so none is orphaned."""
    mark = MARK.encode()
    return body if mark in body else body.rstrip() + b"\n" + mark + b"\n"
