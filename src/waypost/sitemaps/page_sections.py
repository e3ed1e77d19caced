"""Orders the pages of an HTML sitemap by section, and splits them into lists of readable length."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from waypost.core.model import Page, printable
from waypost.sitemaps.sharding import key_hash, segments

MAX_LINKS = 500
"""A list has so many pages at most."""
_MAX_CODE = 2
"""A name of so many letters is probably a language code."""
_MIN_SUBDIVIDED = 30
"""A section with so many pages has headings for its folders, too."""


class ListedPage(NamedTuple):
    """A page with its path below the site's root, decoded, and the distinct part of its title, or `""`."""

    page: Page
    path: str
    title: str


class Section(NamedTuple):
    """The pages of a folder; `level` is 1 for a section, 2 for a folder in it. `folder` is `""` for the root."""

    folder: str
    heading: str
    level: int
    pages: Sequence[ListedPage]


def list_title(sections: Sequence[Section], span: str) -> str:
    """What a list is called: its first section, and in a `span` of two the last one if there are several."""
    headings = [section.heading for section in sections if section.level == 1]
    return headings[0] if len(headings) == 1 else span.format(headings[0], headings[-1])


class PageSections:
    """The pages of one shard in sections, of which the `root` has this heading; a pure function of these pages."""

    def __init__(self, pages: Sequence[Page], base_url: str, root: str) -> None:
        titles = distinct_parts([page.title for page in pages])
        listed = [ListedPage(p, _path(p.loc, base_url), title) for p, title in zip(pages, titles, strict=True)]
        self._counts = Counter(_folder(each.path, 1) for each in listed)
        self._headings = {each.path.rstrip("/"): each.title for each in listed if each.title}
        self._root = root
        self._listed = sorted(listed, key=self._folders)

    def __len__(self) -> int:
        return len(self._listed)

    def lists(self) -> Iterator[tuple[str, Sequence[ListedPage]]]:
        """The pages in lists of at most `MAX_LINKS`, each with an id that its first page decides.

        The id of an only list is `""`. A new page changes one list: boundaries are derived from hashes, as shards'
        boundaries are.
        """
        if len(self) <= MAX_LINKS:
            yield "", self._listed
            return
        for span in segments([each.page.key for each in self._listed], MAX_LINKS):
            first = self._listed[span.start]
            # A shard whose first page this is has the hash of the key alone.
            yield f"{key_hash(f'{first.page.key}.html'):016x}", self._listed[span.start : span.stop]

    def sections(self, pages: Sequence[ListedPage]) -> list[Section]:
        """The sections of some of the pages, which are in the order of `lists`, each followed by its folders."""
        found: dict[str, list[ListedPage]] = {}
        for each in pages:
            section, folder = self._folders(each)
            found.setdefault(section, [])
            found.setdefault(f"{section}/{folder}" if folder else section, []).append(each)
        return [Section(name, self._heading(name), 1 + name.count("/"), some) for name, some in found.items()]

    def _folders(self, listed: ListedPage) -> tuple[str, str]:
        """The section of a page, and its folder in a section with many pages; each `""` if it lies above."""
        section = _folder(listed.path, 1)
        is_subdivided = section and self._counts[section] >= _MIN_SUBDIVIDED
        return section, _folder(listed.path.partition("/")[2], 1) if is_subdivided else ""

    def _heading(self, folder: str) -> str:
        """The title of the page that is the folder's own, or else the folder's name."""
        if not folder:
            return self._root
        return self._headings.get(folder) or section_name(folder.rpartition("/")[2])


def _path(loc: str, base_url: str) -> str:
    return printable(unquote(loc.removeprefix(base_url)))


def _folder(path: str, depth: int) -> str:
    """The first folders of a path; `""` if it has fewer."""
    folders = path.partition("?")[0].split("/")[:-1]
    return "/".join(folders[:depth]) if len(folders) >= depth else ""


def section_name(folder: str) -> str:
    """The name of a folder as a heading: `getting-started` becomes `Getting started`, and `de` stays as it is."""
    words = folder.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] if len(words) > _MAX_CODE else folder


_SEPARATOR = re.compile("\\s+(?:[-\u2013\u2014|\u00b7\u2022\u00bb\u00ab~/]|::)\\s+")
_PREFIX_SEPARATOR = re.compile(rf"{_SEPARATOR.pattern}|:\s+")
_MIN_SHARE, _MIN_TITLES = 0.6, 3
"""A part is removed if this share of the titles has it, and so many at least."""
_MAX_PARTS = 2
"""How many parts are removed from each end, as in `Page | Guide | Site`."""


def distinct_parts(titles: Sequence[str]) -> list[str]:
    """The titles without the prefix and the suffix that most of them repeat; a title never becomes empty."""
    found = list(titles)
    for end_of, without in ((_suffix, str.removesuffix), (_prefix, str.removeprefix)):
        for _ in range(_MAX_PARTS):
            repeated = _most_frequent(found, end_of)
            if not repeated:
                break
            found = [without(title, repeated) for title in found]
    return found


def _most_frequent(titles: Sequence[str], end_of: Callable[[str], str]) -> str:
    """The end that most titles have in common, or `""`."""
    ends = Counter(filter(None, map(end_of, titles)))
    repeated, count = max(ends.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    enough = max(_MIN_TITLES, _MIN_SHARE * sum(map(bool, titles)))
    return repeated if count >= enough else ""


def _suffix(title: str) -> str:
    """What follows the last separator, with it; `""` if nothing is before it."""
    starts = [match.start() for match in _SEPARATOR.finditer(title)]
    return title[starts[-1] :] if starts and starts[-1] > 0 else ""


def _prefix(title: str) -> str:
    """What is before the first separator, with it; `""` if nothing follows."""
    first = _PREFIX_SEPARATOR.search(title)
    return title[: first.end()] if first and first.start() > 0 and first.end() < len(title) else ""
