"""Decides which pages of a Jekyll source list others, by loops over posts and collections in a page and its layout.

Such a page shows what changes elsewhere, so its own file does not date it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from waypost.core import data_files
from waypost.pages.jekyll_config import JekyllConfig
from waypost.pages.jekyll_documents import WrittenFile
from waypost.pages.jekyll_front_matter import read_front_matter
from waypost.pages.jekyll_permalinks import extension_of
from waypost.pages.jekyll_source_tree import POSTS
from waypost.pages.liquid import Tag, enclosed, tags, unconditional

_MOST_OWN_WORDS, _WORDS_OF_ENTRY = 100, 10
"""A page that says more itself, and more than a title and a date of each entry, is no list.

The first: 50 `test_a_page_with_a_short_introduction_is_a_list`; 200: `test_a_page_that_says_much_itself_is_no_list`.
The second: 5 and 20 `test_a_page_that_lists_more_than_it_says_itself_is_a_list`.
"""
_MOST_NESTED, _MOST_INCLUDES = 5, 200
"""How deep includes may lie in one another, and how many of them are read for a page; Jekyll has no bounds."""
_LOOP = re.compile(r"\{%-?\s*(?:for|tablerow|include\w*)\b")
_WORD = re.compile(r"\w+")
_TAGS = re.compile(r"<[^<>]*+>")
_ENDINGS = (".html", ".md", ".markdown", ".htm", ".liquid")
_FRAME = re.compile(r"side-?bar|aside|nav|menu|header|footer|head\b|masthead|toc\b", re.IGNORECASE)
"""The names of includes that layouts have beside the content."""
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_SOURCES = re.compile(
    r"(?<![\w.])(?:site\.(?P<label>[\w-]+)(?:\[(?P<key>[^\]]*+)\])?|(?P<pages>paginator\.posts)|(?P<name>[a-z_][\w-]*+"
    r"(?:(?<=include)\.[\w-]+)?))",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?:\.|\|\s*)(?:size|first|last)\s*$")
"""The end of an expression that is a number, or one of several."""
_CHOICE = re.compile(r"\|\s*(?:where|where_exp|reject\w*|find\w*|slice|pop|shift)\b")
_LIMIT = re.compile(r"\blimit\s*:\s*(\S+)")
_OFFSET = re.compile(r"\boffset\s*:\s*(\d+)")
_PARAMETER = re.compile(r"([\w-]+)\s*=\s*([^\s\"']+)")
_OF_ONE_PAGE = re.compile(r"\bcontains\b|(?<![\w.])(?:page|include)\.")
_TAXONOMIES = ("tags", "categories")


def _elements(*names: str) -> re.Pattern[str]:
    """The elements of these names; none begins in another one of its name, so that no text is slow."""
    return re.compile("|".join(rf"<{each}\b(?:(?!<{each}\b).)*?</{each}\s*>" for each in names), re.DOTALL | re.I)


_SCRIPTS, _BESIDE = _elements("script", "style"), _elements("script", "style", "aside", "nav", "header", "footer")


class _Loop(NamedTuple):
    """A loop over the documents of a collection: the newest so many, `None` for all, none for a loop over tags.

    It `is_whole` if no condition chooses some of them.
    """

    label: str
    limit: int | None = None
    is_whole: bool = True


_Loops = frozenset[_Loop]
_NONE: _Loops = frozenset()


def may_loop(template: str) -> bool:
    """Whether a template has a loop, or an include that may have one."""
    return _LOOP.search(template) is not None


class JekyllLists:
    """The lists of a site, whose `documents` are given by their collections, the oldest first.

    `read` reads a template by its path below the source; the text is empty if there is none.
    """

    def __init__(
        self, config: JekyllConfig, documents: Mapping[str, Sequence[WrittenFile]], read: Callable[[str], str]
    ) -> None:
        self._config, self._documents = config, documents
        self._read, self._layout_loops = cache(read), cache(self._loops_of_layout)
        paginate = config.number("paginate")
        self._page_of_posts = _Loop(POSTS, paginate if paginate > 0 else None)
        self._layouts_of_label, self._shown = cache(self._layouts_of_documents), cache(self._newest_of)

    def entries(self, page: WrittenFile, content: Callable[[], str]) -> tuple[str, ...] | None:
        """The keys of the files whose pages a page lists, none if that cannot be told; None if it is no list.

        `content` reads the page's text after its front matter.
        """
        layout, has_loops = self._layout(page), page.source is not None and page.source.has_loops
        of_layout = self._layout_loops(layout)
        if not (of_layout or has_loops):
            return None
        own = _SCRIPTS.sub("", content())
        loops = self._loops(own) | {each for each in of_layout if layout not in self._layouts_of_label(each.label)}
        loops = frozenset(each for each in loops if self._documents.get(each.label))
        shown = self._shown(loops) if all(each.is_whole for each in loops) else ()
        is_list = loops and _own_words(own) <= max(_MOST_OWN_WORDS, _WORDS_OF_ENTRY * len(shown))
        return shown if is_list else None

    def _newest_of(self, loops: _Loops) -> tuple[str, ...]:
        found = set[str]()
        for loop in loops:
            newest = reversed(self._documents[loop.label])
            keys = [each.source.item.read_key for each in newest if each.source]
            found.update(keys[: loop.limit])
        return tuple(sorted(found))

    def _layout(self, file: WrittenFile) -> str:
        """The layout that a page names, or that jekyll-default-layout, which GitHub Pages runs, gives the home page."""
        named = file.values.get("layout")
        if named is not None or file.url != "/" or not self._config.is_jekyll_3:
            return named if isinstance(named, str) else ""
        is_markdown = file.source and extension_of(file.source.name).lower() in self._config.markdown_extensions
        theme = str(self._config.values.get("theme") or self._config.values.get("remote_theme") or "")
        has_home = "minima" in theme or bool(self._template("home"))
        return "home" if is_markdown and has_home else ""

    def _template(self, layout: str) -> str:
        folder = str(self._config.values.get("layouts_dir") or "_layouts")
        found = (self._read(f"{folder}/{layout}{ending}") for ending in _ENDINGS)
        return next(filter(None, found), "") if layout else ""

    def _loops_of_layout(self, name: str) -> _Loops:
        """The loops of a layout beside which a page's own text is: those of the site, or of its theme by the name."""
        template = self._template(name)
        if not template:
            return _of_theme(name, self._page_of_posts)
        content = read_front_matter(template.encode("utf-8", "surrogateescape")).content
        return self._loops(_BESIDE.sub("", content), is_layout=True)

    def _layouts_of_documents(self, label: str) -> frozenset[str]:
        """The layouts of a collection's own documents: these show others beside one, such as related posts."""
        names = {str(each.values.get("layout") or "") for each in self._documents.get(label, ())} - {""}
        found = set[str]()
        while names:
            found |= names
            templates = (read_front_matter(self._template(each).encode("utf-8", "replace")) for each in names)
            names = {str(each.values.get("layout") or "") for each in templates} - found - {""}
        return frozenset(found)

    def _loops(self, template: str, *, is_layout: bool = False) -> _Loops:
        return _Scan(self._include, self._documents.keys(), self._page_of_posts, is_layout=is_layout).loops(template)

    def _include(self, name: str) -> str:
        return self._read(f"{self._config.values.get('includes_dir') or '_includes'}/{name}")


def _of_theme(layout: str, page_of_posts: _Loop) -> _Loops:
    """The loops of layouts that themes have by these names: Minima, Minimal Mistakes, Chirpy and those like them."""
    whole = frozenset({_Loop(POSTS)})
    part = frozenset({_Loop(POSTS, is_whole=False)})
    return {
        "home": frozenset({page_of_posts}),
        **dict.fromkeys(("posts", "archives", "tags", "categories"), whole),
        **dict.fromkeys(("tag", "category", "collection"), part),
    }.get(layout, _NONE)


def _own_words(template: str) -> int:
    """How many words a page shows whatever else the site has."""
    text, end, parts = "".join(unconditional(template)), 0, list[str]()
    for start, after in enclosed(text, "{{", "}}"):
        parts.append(text[end:start])
        end = after
    return len(_WORD.findall(_TAGS.sub(" ", "".join([*parts, text[end:]]))))


class _Scan:
    """Finds the loops of one template and its includes; variables have the loops over what they were assigned."""

    def __init__(
        self, include: Callable[[str], str], labels: Iterable[str], page_of_posts: _Loop, *, is_layout: bool
    ) -> None:
        self._include, self._labels, self._page_of_posts = include, frozenset(labels), page_of_posts
        self._is_layout = is_layout
        self._variables: dict[str, _Loops] = {}
        self._looped: set[str] = set()
        self._is_whole, self._included = True, 0

    def loops(self, template: str) -> _Loops:
        """The loops over documents, also in includes."""
        found = frozenset(self._all(template, 0))
        return found if self._is_whole else frozenset(each._replace(is_whole=False) for each in found)

    def _all(self, template: str, depth: int) -> Iterator[_Loop]:
        for tag in tags(template):
            if tag.name == "assign":
                name, _, value = tag.markup.partition("=")
                self._variables[name.strip()] = self._of(value)
            elif tag.name in ("for", "tablerow"):
                yield from self._loop(tag)
            elif tag.name in ("include", "include_cached") and depth < _MOST_NESTED:
                yield from self._of_include(tag, depth)
            elif tag.name in ("if", "unless", "elsif", "when") and _OF_ONE_PAGE.search(tag.markup):
                names = {found["name"] for found in _SOURCES.finditer(tag.markup)}
                self._is_whole = self._is_whole and names.isdisjoint(self._looped)

    def _loop(self, tag: Tag) -> _Loops:
        name, _, value = tag.markup.partition(" in ")
        looped = self._of(_LIMIT.sub("", _OFFSET.sub("", value)))
        self._variables[name.strip()] = frozenset(each._replace(limit=each.limit or None) for each in looped)
        if looped:
            self._looped.add(name.strip())
        limit = _LIMIT.search(value)
        return frozenset(_limited(each, limit[1], _OFFSET.search(value)) for each in looped) if limit else looped

    def _of_include(self, tag: Tag, depth: int) -> Iterator[_Loop]:
        name, _, parameters = tag.markup.partition(" ")
        self._included += 1
        if self._included > _MOST_INCLUDES or (self._is_layout and _FRAME.search(name)):
            return
        for key, value in _PARAMETER.findall(parameters):
            self._variables[f"include.{key}"] = self._of(value)
        template = self._include(name)
        yield from self._all((_BESIDE if self._is_layout else _SCRIPTS).sub("", template), depth + 1)

    def _of(self, expression: str) -> _Loops:
        """The loops that an expression makes, of the site's documents or of variables that have some."""
        plain = _QUOTED.sub("", expression)
        if _ONE.search(plain):
            return _NONE
        is_whole = "hidden" in expression or _CHOICE.search(plain) is None
        found = {loop for source in _SOURCES.finditer(plain) for loop in self._of_source(source)}
        return frozenset(each._replace(is_whole=each.is_whole and is_whole) for each in found)

    def _of_source(self, source: re.Match[str]) -> Iterator[_Loop]:
        label, key = source["label"], source["key"]
        if label in _TAXONOMIES:
            is_of_one = key is not None and (not key.strip() or _OF_ONE_PAGE.search(key) is not None)
            yield _Loop(POSTS, 0 if key is None else None, not is_of_one)
        elif label == "documents":
            yield from map(_Loop, self._labels)
        elif label in self._labels:
            yield _Loop(label)
        elif source["pages"]:
            yield self._page_of_posts
        elif source["name"]:
            yield from self._variables.get(source["name"], _NONE)


def _limited(loop: _Loop, limit: str, offset: re.Match[str] | None) -> _Loop:
    """The loop over the newest so many posts; in which order others come, or a limit that is computed, is not known."""
    if not limit.isdecimal() or loop.label != POSTS:
        return loop._replace(is_whole=False)
    count = int(limit) + (int(offset[1]) if offset else 0)
    return loop._replace(limit=count if loop.limit is None else min(loop.limit, count))


def template_text(data: bytes | None) -> str:
    """The text of a template."""
    return (data or b"")[: data_files.MOST_BYTES].decode("utf-8-sig", "replace")
