"""Maps built pages to the tracked files that they are made of, and back."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from waypost.settings.values import SourceMapping

TOKEN = re.compile(r"\{(\*\*)?([a-z_]+)\}|(\*\*/?)|(\*)|(\?)")
_CAPTURES = {"**": ".+", "": "[^/]+?"}
_GLOBS = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
_ACROSS = ("{**", "**", "**/")
Match = Callable[[str], Mapping[str, str] | None]
"""What a path's parts are by their names; None if the path does not match."""
_AFTER_ALL_PATHS = "\U0010ffff"


class _Element(NamedTuple):
    """A part of a pattern: text as it is (`kind` is empty), a capture (`{`, `{**`), or a glob."""

    kind: str
    text: str


def path_matcher(template: str, values: Mapping[str, str] | None = None) -> Match:
    """The matcher of a pattern, with the captures that are known filled in."""
    elements = _elements(template, values or {})
    if not _is_simple(elements):
        return lambda path: _match(elements, path)
    start, end = ("" if each.kind else each.text for each in (elements[0], elements[-1]))
    regex = re.compile(_regex(elements))

    def match(path: str) -> Mapping[str, str] | None:
        found = regex.fullmatch(path) if path.startswith(start) and path.endswith(end) else None
        return found.groupdict() if found else None

    return match


def _elements(template: str, values: Mapping[str, str]) -> list[_Element]:
    found, end = list[_Element](), 0
    for token in TOKEN.finditer(template):
        kind, name, *_ = token.groups()
        part = _Element("{" + (kind or ""), name) if name else _Element(token[0], "")
        found += _Element("", template[end : token.start()]), _Element("", values[name]) if name in values else part
        end = token.end()
    found.append(_Element("", template[end:]))
    return [each for each in found if each.kind or each.text] or [_Element("", "")]


def _is_simple(elements: list[_Element]) -> bool:
    """Whether at most one part goes across segments, and at most one part of each segment may end at several places."""
    across = open_parts = 0
    for kind, text in elements:
        if "/" in text and not kind:
            open_parts = 0
        across += kind in _ACROSS
        open_parts += kind not in ("", "?")
        if across > 1 or open_parts > 1:
            return False
        if kind == "**/":
            open_parts = 0
    return True


def _regex(elements: list[_Element]) -> str:
    parts: list[str] = []
    seen: set[str] = set()
    for kind, text in elements:
        if not kind:
            parts.append(re.escape(text))
        elif kind[0] != "{":
            parts.append(_GLOBS[kind])
        else:
            parts.append(f"(?P={text})" if text in seen else f"(?P<{text}>{_CAPTURES[kind[1:]]})")
            seen.add(text)
    return "".join(parts)


def _match(elements: list[_Element], path: str) -> Mapping[str, str] | None:
    """The captures of a path, as a regular expression would find them.

    A name that occurs twice must have one value in the first way to divide the path.
    """
    after = [bytearray(len(path)) + b"\1"]
    for element in reversed(elements):
        after.append(_starts(element, path, after[-1]))
    if not after.pop()[0]:
        return None
    found: dict[str, str] = {}
    place = 0
    for kind, text in elements:
        end = _end(kind, text, path, place, after.pop())
        if kind[:1] == "{" and found.setdefault(text, path[place:end]) != path[place:end]:
            return None
        place = end
    return found


def _starts(element: _Element, path: str, ends: bytearray) -> bytearray:
    """The places, of all in a path, where an element can start so that it ends where the next ones match."""
    kind, text = element
    starts = bytearray(len(path) + 1)
    if not kind or kind == "?":
        length = len(text) if not kind else 1
        for n in range(len(path) + 1 - length):
            starts[n] = ends[n + length] and (path.startswith(text, n) if not kind else path[n] != "/")
        return starts
    is_inside = _inside(kind)
    can_continue = False
    for n in range(len(path), -1, -1):
        can_continue = n < len(path) and is_inside(path[n]) and (can_continue or _may_end(kind, path, n + 1, ends))
        starts[n] = can_continue or (kind[0] != "{" and bool(ends[n]))
    return starts


def _end(kind: str, text: str, path: str, place: int, ends: bytearray) -> int:
    """Where an element that starts at a place ends: a capture of a segment as early as it can, others as late."""
    if not kind or kind == "?":
        return place + (len(text) if not kind else 1)
    is_inside = _inside(kind)
    found = place
    for n in range(place, len(path)):
        if not is_inside(path[n]):
            break
        if _may_end(kind, path, n + 1, ends):
            found = n + 1
            if kind == "{":
                break
    return found


def _may_end(kind: str, path: str, place: int, ends: bytearray) -> bool:
    return bool(ends[place]) and (kind != "**/" or path[place - 1] == "/")


def _inside(kind: str) -> Callable[[str], bool]:
    """Whether a character may be in an element."""
    if kind in _ACROSS:
        return lambda character: character != "\n"
    return lambda character: character != "/"


class _File:
    """One of the files that a row names; `names` are those that the row captures in it.

    `start` and `end` are what all paths that match begin and end with. With `has_one_reading`, a path gives the names
    in one way only, so that files can be found by them.
    """

    def __init__(self, template: str) -> None:
        tokens = list(TOKEN.finditer(template))
        self.template = template
        self.names = tuple(dict.fromkeys(token[2] for token in tokens if token[2]))
        self.has_globs = any(not token[2] for token in tokens)
        self.start = template[: tokens[0].start()] if tokens else template
        self.end = template[tokens[-1].end() :] if tokens else template
        self.has_one_reading = _has_one_reading(template)

    @cached_property
    def _match(self) -> Match:
        return path_matcher(self.template)

    def match(self, path: str) -> Mapping[str, str] | None:
        """The names that a path gives; None if it does not match."""
        may_match = path.startswith(self.start) and path.endswith(self.end)
        return self._match(path) if may_match else None


class SourceMapper:
    """The mapping between pages' keys and source files, both ways.

    `{name}` captures within a path segment, `{**name}` across segments; in `files`, `*`, `**` and `?` match as in a
    shell. A page is made of every file that any row names for it.
    """

    def __init__(self, mappings: Iterable[SourceMapping]) -> None:
        self._rows = [(each.page, path_matcher(each.page), tuple(map(_File, each.files))) for each in mappings]
        self._tracked: Sequence[str] | None = None
        self._found: dict[_File, Mapping[tuple[str, ...], list[str]]] = {}

    def files(self, key: str, tracked: Sequence[str]) -> Iterator[str]:
        """The paths, of the sorted paths `tracked`, that a page is made of."""
        for _, match, files in self._rows:
            if (values := match(key)) is not None:
                for file in files:
                    yield from self._matching(file, values, tracked)

    def _matching(self, file: _File, values: Mapping[str, str], tracked: Sequence[str]) -> list[str]:
        filled = _filled(file.template, values)
        if not file.has_globs:
            n = bisect_left(tracked, filled)
            return [filled] if n < len(tracked) and tracked[n] == filled else []
        if file.has_one_reading:
            return self._by_names(file, tracked).get(tuple(values.get(name, "") for name in file.names), [])
        literal = re.split(r"[*?]", filled, maxsplit=1)[0]
        match = path_matcher(file.template, values)
        candidates = tracked[bisect_left(tracked, literal) : bisect_left(tracked, literal + _AFTER_ALL_PATHS)]
        return [path for path in candidates if match(path) is not None]

    def _by_names(self, file: _File, tracked: Sequence[str]) -> Mapping[tuple[str, ...], list[str]]:
        """The tracked files that match a pattern, by what it captures in them: each pattern is tried once."""
        if self._tracked is not tracked:
            self._tracked, self._found = tracked, {}
        if file not in self._found:
            found: dict[tuple[str, ...], list[str]] = defaultdict(list)
            for path in tracked:
                if (match := file.match(path)) is not None:
                    found[tuple(match[name] for name in file.names)].append(path)
            self._found[file] = found
        return self._found[file]

    def unmatched(self, keys: Sequence[str]) -> Iterator[str]:
        """The patterns of pages that match none of these keys."""
        for page, match in {page: match for page, match, _ in self._rows}.items():
            if all(match(key) is None for key in keys):
                yield page

    def pages(self, path: str) -> Iterator[str]:
        """The keys of the pages that are made of a file, by those rows from whose files the page can be derived."""
        for page, _, files in self._rows:
            needed = {token[2] for token in TOKEN.finditer(page) if token[2]}
            for file in files:
                if needed.issubset(file.names) and (values := file.match(path)) is not None:
                    yield _filled(page, values)


def _has_one_reading(template: str) -> bool:
    """Whether a file pattern has no more than one open part in a segment, and no more than one `**/`."""
    tokens = TOKEN.findall(template)
    has_names = any(name for _, name, *_ in tokens)
    is_open = any(kind == "**" or globs == "**" or star for kind, _, globs, star, _ in tokens)
    segments = re.sub(r"\{[a-z_]+\}", "\0", template).split("/")
    is_clear = "}{" not in template and all(segment.count("\0") <= 1 for segment in segments)
    return has_names and not is_open and is_clear and template.count("**/") <= 1


def _filled(template: str, values: Mapping[str, str]) -> str:
    """The template with the names that a page has given; another name stays as it is written."""
    return TOKEN.sub(lambda token: values.get(token[2], token[0]), template)
