"""Patterns of paths: `{name}` captures within a path segment, `{**name}` across segments.

`*`, `**` and `?` match as in a shell. A pattern in which several parts may divide the same text in many ways would take
a regular expression very long, so another matcher reads it, in steps that grow with the path and the pattern alone.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

TOKEN = re.compile(r"\{(\*\*)?([a-z_]+)\}|(\*\*/?)|(\*)|(\?)")
_CAPTURES = {"**": ".+", "": "[^/]+?"}
_GLOBS = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
_ACROSS = ("{**", "**", "**/")
Match = Callable[[str], Mapping[str, str] | None]
"""What a path's parts are by their names; None if the path does not match."""


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
    return [each for each in _all_elements(template, values) if each.kind or each.text] or [_Element("", "")]


def _all_elements(template: str, values: Mapping[str, str]) -> Iterator[_Element]:
    end = 0
    for token in TOKEN.finditer(template):
        yield _Element("", template[end : token.start()])
        kind, name, *_ = token.groups()
        if name in values:
            yield _Element("", values[name])
        elif name:
            yield _Element("{" + (kind or ""), name)
        else:
            yield _Element(token[0], "")
        end = token.end()
    yield _Element("", template[end:])


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
