"""Checks the titles and the descriptions of the listed pages."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from waypost.audit.cases import Found
from waypost.audit.page_tags import PageTags
from waypost.audit.result import TextCounts
from waypost.audit.site_graph import SiteGraph
from waypost.core import languages

_NUMBER = re.compile(
    r"v?\d+(?:\.(?:\d+|x))*(?:[-.]?(?:alpha|beta|rc|pre|dev)[-.]?\d*)?|latest|stable|current|next|main"
    r"|pages?|p|index"
)
"""A part of a path that names a version, a date or the number of a page, or comes before that number."""
_NUMBERED = re.compile(r"(?<=[a-z])[-_]?\d+$")


class Texts:
    """The title and the description of each listed HTML page."""

    def __init__(self) -> None:
        self._titles: dict[str, str | None] = {}
        self._descriptions: dict[str, str | None] = {}

    def add(self, key: str, tags: PageTags) -> None:
        """Add the title and the description of a page."""
        self._titles[key], self._descriptions[key] = tags.title, tags.description

    def counts(self, graph: SiteGraph) -> TextCounts:
        """How many of the listed pages have them."""
        keys = self._listed(graph)
        titles, descriptions = (sum(bool(texts[key]) for key in keys) for texts in (self._titles, self._descriptions))
        return TextCounts(len(keys), titles, descriptions)

    def findings(self, graph: SiteGraph) -> Iterator[Found]:
        """Texts that are missing, or that several pages have."""
        keys = self._listed(graph)
        locs = {key: graph.pages[key].loc for key in keys}
        for key in keys:
            if not self._titles[key]:
                yield Found("missing-title", locs[key], [key])
        described = [key for key in keys if self._descriptions[key]]
        for key in keys if 2 * len(described) >= len(keys) else ():
            if not self._descriptions[key]:
                yield Found("missing-description", locs[key], [key])
        yield from _repeated("duplicate-title", {key: self._titles[key] or "" for key in keys}, graph)
        yield from _repeated("duplicate-description", {key: self._descriptions[key] or "" for key in keys}, graph)

    def _listed(self, graph: SiteGraph) -> list[str]:
        return [page.key for page in graph.listed if page.key in self._titles]


def _repeated(code: str, texts: Mapping[str, str], graph: SiteGraph) -> Iterator[Found]:
    """Texts that several pages have, unless these are one page in several languages or versions, or parts of a list."""
    by_text: dict[str, list[str]] = defaultdict(list)
    for key, text in texts.items():
        if text:
            by_text[text].append(key)
    for text, keys in by_text.items():
        if len(keys) > 1 and len({_without_version(graph.pages[key].loc) for key in keys}) > 1:
            yield Found(code, text, keys)


def _without_version(loc: str) -> str:
    """A URL without the parts that differ between the versions of a page: languages, versions, dates, page numbers."""
    names = loc.partition("://")[2].rstrip("/").lower().split("/")
    stems = (_NUMBERED.sub("", name.removesuffix(".html")) for name in names)
    return "/".join(name for name in stems if not _NUMBER.fullmatch(name) and not languages.is_two_letter_name(name))
