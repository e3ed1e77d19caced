"""Gathers the evidence for each built page: the texts of files on it, its links to files, and dates that agree."""

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from waypost.core import dates
from waypost.core.urls import decoded_path
from waypost.dates import paths, source_text
from waypost.dates.linked_files import with_nearest_names
from waypost.dates.page_sources import PageEvidence
from waypost.dates.paths import last_two
from waypost.dates.text_matches import TextMatches, boilerplate_of, packed_shingles, shingles
from waypost.pages import html_head, html_tree, structured_data

_MAX_BYTES = 4_194_304
"""Of a larger page only so much is read: its beginning identifies it. The parser's own bounds end most pages before."""
_SOURCE_LINKS = ", ".join(f'a[href*="{part}"]' for part in ("/edit/", "/blob/", "/tree/", "/src/", "_sources/"))
_VERSION = 'meta[name="docusaurus_version"], meta[name="docsearch:docusaurus_tag"]'
"""Where Docusaurus writes the version of a page; the tag has it after the name of a set of documents."""
_CURRENT = "current"
_DATE_NAMES = ("article:modified_time", "last-modified", "article:published_time", "date", "dcterms.modified")
_FOR_EDITING = ("/edit/", "_sources/")
_SPHINX_ENDING = ".txt"
_MOST_ALIKE = 100
"""If more files have the same end, hardly one of them is meant, and time would grow with the square of these.

50 and 200: `test_of_too_many_files_with_the_same_end_none_is_meant`.
"""
_BETWEEN_NAMES = re.compile("\\s+[|\u00b7\u2022\u2013\u2014-]\\s+")
"""What is in a title between the names of a page and of its site."""
_MOST_OF_PAGE = 0.6
"""A frame of which a page has this share dates it nevertheless.

0.9: `test_a_template_with_most_of_a_page_dates_it`.
"""
_SHORTEST_NAME, _MIN_NAMED, _MIN_SHARE = 4, 2, 0.15
"""A list has so many names of other pages, of so many characters each, and this share of its lines are these.

The first: 8 `test_a_page_that_consists_of_the_names_of_others_is_a_list`; no test has shorter names. The second: 1
`test_a_page_without_a_source_has_the_reason`, 4 the first test. The third: 0.075 and 0.5 the first test, not 0.3.
"""


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


class SourceLinks:
    """Finds tracked files by the ends of URLs, without looking at all of them: many have the same name."""

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = frozenset(paths)
        self._most_parts = max((path.count("/") + 1 for path in paths), default=0)
        self._by_end: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            for end in {path.rpartition("/")[2], last_two(path)}:
                self._by_end[end].append(path)

    def files(self, links: Iterable[str]) -> tuple[str, ...]:
        """The files to which these links lead: those for editing if there are any, else all; each once, in order."""
        found = [(link, self._file(link)) for link in links]
        editing = {file for link, file in found if file and any(part in link for part in _FOR_EDITING)}
        return tuple(sorted(editing or {file for _, file in found if file}))

    def _file(self, link: str) -> str | None:
        """The file with whose whole path the link ends, or of whose path a copy of sources is the end."""
        path = decoded_path(link)
        if path is None:
            return None
        _, is_copy, below = path.partition("_sources/")
        if is_copy:
            return self._file_that_ends_with(below.removesuffix(_SPHINX_ENDING))
        parts = path.split("/")
        ends = ("/".join(parts[n:]) for n in range(max(0, len(parts) - self._most_parts), len(parts)))
        return next((end for end in ends if end in self._paths), None)

    def _file_that_ends_with(self, named: str) -> str | None:
        same_end = self._by_end.get(last_two(named), [])
        if len(same_end) > _MOST_ALIKE:
            return None
        found = [each for each in same_end if f"/{each}".endswith(f"/{named}")]
        return found[0] if len(found) == 1 else None


class Evidence(NamedTuple):
    """The evidence for pages, the files of which a path alone may name the source, and each page's own shingles."""

    pages: list[PageEvidence]
    by_path: list[str]
    own: Mapping[str, "array[int]"]


def gather_evidence(
    texts: Mapping[str, PageText],
    files: Sequence[str],
    read: Callable[[str], bytes],
    dated: Callable[[str], frozenset[str]],
    names: Mapping[str, str] = MappingProxyType({}),
) -> Evidence:
    """The evidence for pages, whose texts are given by key.

    `files` are those that may have text, and `read` reads one. `dated` names the files with the date of a page.
    `names` are other names of files, which are one file with these.
    """
    boilerplate = boilerplate_of([text.lines for text in texts.values()])
    lines = {key: [line for line in text.lines if line not in boilerplate] for key, text in texts.items()}
    titles, left_out = _names(lines), shingles(boilerplate)
    of_files: dict[str, array[int]] = {}
    of_lists = set[str]()
    for path in files:
        data = read(path)
        of_lists.update([path] if source_text.shows_others(path, data) else [])
        if found := packed_shingles(source_text.read_blocks(path, data), left_out):
            of_files[path] = found
    own = {key: packed_shingles(each) for key, each in lines.items()}
    matches = TextMatches(own, of_files)
    links = SourceLinks([*files, *names])

    def evidence(key: str, text: PageText) -> PageEvidence:
        is_list = _is_list(key, lines[key], titles)
        language = text.language.partition("-")[0]
        linked = tuple(dict.fromkeys(names.get(file, file) for file in links.files(text.source_links)))
        page = PageEvidence(key, tuple(matches.of(key)), language, linked, dated(key), is_list, text.version)
        return _without_frames(page, of_lists) if is_list else page

    pages = [evidence(key, text) for key, text in texts.items()]
    named = (file for file in (*files, *names) if names.get(file, file) not in of_lists)
    return Evidence(with_nearest_names(pages, names), list(filter(source_text.is_page_source, named)), own)


def _without_frames(page: PageEvidence, frames: Set[str]) -> PageEvidence:
    """The evidence of a list without templates of lists, of which most of the page's text is not."""
    left_out = frames - {match.path for match in page.matches if match.covered >= _MOST_OF_PAGE}
    return replace(
        page,
        matches=tuple(match for match in page.matches if match.path not in left_out),
        linked=tuple(file for file in page.linked if file not in left_out),
        dated=page.dated - left_out,
    )


def _names(lines: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """The keys of pages by the names that they give themselves: their titles, in parts, and their first lines."""
    of_pages = ((key, (*_BETWEEN_NAMES.split(each[0]), *each[1:2])) for key, each in lines.items() if each)
    return {name: key for key, names in of_pages for name in names if len(name) >= _SHORTEST_NAME}


def _is_list(key: str, lines: Sequence[str], names: Mapping[str, str]) -> bool:
    """Whether a page consists of the names of other pages, with what is said of each."""
    named = {names[line] for line in lines[1:] if line in names} - {key}
    return len(named) >= max(_MIN_NAMED, _MIN_SHARE * len(lines))
