"""What the output files are called, and which names are Waypost's own."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from waypost.core.urls import encode_path
from waypost.settings import output_formats
from waypost.settings.output_formats import XML, FileFormat
from waypost.settings.schema import Site
from waypost.settings.values import DEFAULT_GROUP

NEWS = "news"
"""The group whose names the news sitemaps have."""
_CHILDREN = "children"
"""The group of other tools' sitemaps, of which no file is ours: with a group, there is an index."""
MARK = "<!-- Rendered by Waypost; changes made by hand are lost. -->"
"""The line by which Waypost recognises a file of its own that the settings no longer name."""
_SHARD = "[0-9a-f]{16}"


@dataclass(frozen=True)
class OutputNames:
    """The names of the output files: a function of the settings and of the shards' ids alone."""

    stem: str
    suffix: str
    groups: tuple[str, ...]
    formats: tuple[FileFormat, ...] = (XML,)
    has_stylesheet: bool = False
    has_news: bool = False

    @property
    def stems(self) -> tuple[str, ...]:
        """What the names of all output files begin with, also of those that the settings do not ask for."""
        return self.stem, *output_formats.stems()

    def sitemap(self, group: str, shard: str | None, file_format: FileFormat = XML) -> str:
        """The name of a shard's file in a format; `shard` is None if its group needs only one."""
        stem = file_format.stem or self.stem
        parts = [stem, (group or DEFAULT_GROUP) if self.groups else "", shard or ""]
        suffix = self.suffix if file_format.is_compressible else ""
        return "-".join(filter(None, parts)) + f".{file_format.ending}{suffix}"

    @property
    def stylesheet(self) -> str:
        """The name of the stylesheet of the XML, or `""` if the site has none."""
        return f"{self.stem}.css" if self.has_stylesheet else ""

    def index(self, shard: str | None = None) -> str:
        """The name of a sitemap index; those past the first are named like shards."""
        return (f"{self.stem}-index-{shard}" if shard else self.stem) + f".xml{self.suffix}"

    def is_configured(self, name: str) -> bool:
        """Whether these settings could write a file of this name."""
        return self._configured.fullmatch(name) is not None

    def lists_pages(self, name: str) -> bool:
        """Whether a file of this name lists pages for crawlers, and not only news."""
        is_news = self.has_news and re.match(rf"{re.escape(self.stem)}-{NEWS}(-{_SHARD})?\.", name) is not None
        return is_for_crawlers(name) and name != "robots.txt" and not is_news

    def could_be_ours(self, name: str) -> bool:
        """Whether settings of this stem could write the file; it is Waypost's only if more than its name says so."""
        middle = "(-[a-z0-9-]+)?"
        files = _pattern(self.stem, middle, output_formats.FILE_FORMATS.values())
        return re.fullmatch(rf"{files}|{re.escape(self.stem)}{middle}\.css", name) is not None

    def is_ours_by_name(self, name: str) -> bool:
        """Whether a file that cannot be marked is Waypost's: its name is a shard's, or one that the settings give."""
        if not is_unmarked(name):
            return False
        is_shard = re.search(rf"-{_SHARD}\.[a-z0-9]+(\.gz)?$", name) is not None
        return is_shard or (output_formats.format_of(name) in self.formats and self.is_configured(name))

    @cached_property
    def _configured(self) -> re.Pattern[str]:
        groups = "|".join(map(re.escape, (*self.groups, DEFAULT_GROUP))) if self.groups else "(?!)"
        middle = rf"((-({groups}))?(-{_SHARD})?|-index-{_SHARD})"
        formats = (
            each for each in output_formats.FILE_FORMATS.values() if each.is_for_crawlers or each in self.formats
        )
        files = _pattern(self.stem, middle, formats)
        return re.compile(files + (rf"|{re.escape(self.stem)}\.css" if self.has_stylesheet else ""))


def output_names(site: Site) -> OutputNames:
    """The names for a site."""
    has_news = site.news is not None
    has_children = any(each.is_child for each in site.sitemaps)
    groups = (*(name for name, _ in site.groups), *([NEWS] if has_news else ()), *([_CHILDREN] if has_children else ()))
    formats = tuple(output_formats.chosen(site.formats))
    return _names(site.name, ".gz" if site.gzip else "", groups, formats, site.stylesheet, has_news)


_names = lru_cache(maxsize=4)(OutputNames)
"""A run asks for the names of one site again and again; their pattern is compiled once."""


def is_for_crawlers(name: str) -> bool:
    """Whether a file of this name is in a format that crawlers read; robots.txt is."""
    found = output_formats.format_of(name)
    return found is not None and found.is_for_crawlers


def is_unmarked(name: str) -> bool:
    """Whether a file of this name is in a format that has no place for the mark."""
    found = output_formats.format_of(name)
    return found is not None and not found.is_marked


def is_shard_name(name: str) -> bool:
    """Whether a file of this name is one shard's: no index, nor all of a group or a site."""
    return re.search(rf"-{_SHARD}\.", name) is not None and "-index-" not in name


def output_url(site: Site, name: str) -> str:
    """The URL at which a file is published."""
    return site.base_url + encode_path(name)


def with_mark(body: bytes) -> bytes:
    """A file with the mark, which is added at the end where the template does not place it."""
    mark = MARK.encode()
    return body if mark in body else body.rstrip() + b"\n" + mark + b"\n"


def _pattern(stem: str, middle: str, formats: Iterable[FileFormat]) -> str:
    """A regular expression of the names of the formats' files: a stem, this `middle`, and an ending."""
    return "|".join(
        rf"{re.escape(each.stem or stem)}{middle}\.{re.escape(each.ending)}"
        + (r"(\.gz)?" if each.is_compressible else "")
        for each in formats
    )
