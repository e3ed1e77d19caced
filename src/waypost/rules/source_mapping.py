"""Maps built pages to the tracked files that they are made of, and back."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from waypost.config.generator_presets import SourceMapping

_AFTER_ALL_PATHS = "\U0010ffff"
_TOKEN = re.compile(r"\{(\*\*)?([a-z_]+)\}|(\*\*/?)|(\*)|(\?)")


@dataclass(frozen=True, slots=True)
class _Row:
    page: str
    file: str
    page_regex: re.Pattern[str]
    file_regex: re.Pattern[str]
    file_has_globs: bool
    names_page: bool


class SourceMapper:
    """The mapping between pages' keys and source files, both ways.

    `{name}` captures within a path segment, `{**name}` across segments; in `files`, `*`, `**` and `?` match as in a
    shell. A page is made of every file that any row names for it.
    """

    def __init__(self, mappings: Iterable[SourceMapping]) -> None:
        self._rows = tuple(_row(mapping.page, file) for mapping in mappings for file in mapping.files)

    def files(self, key: str, tracked: Sequence[str]) -> Iterator[str]:
        """The paths, of the sorted paths `tracked`, that a page is made of."""
        for row in self._rows:
            match = row.page_regex.fullmatch(key)
            if match is None:
                continue
            file = _filled(row.file, match.groupdict())
            if row.file_has_globs:
                literal = re.split(r"[*?]", file, maxsplit=1)[0]
                regex = re.compile(_regex(row.file, match.groupdict()))
                candidates = tracked[bisect_left(tracked, literal) : bisect_left(tracked, literal + _AFTER_ALL_PATHS)]
                yield from filter(regex.fullmatch, candidates)
            elif (n := bisect_left(tracked, file)) < len(tracked) and tracked[n] == file:
                yield file

    def unmatched(self, keys: Sequence[str]) -> Iterator[str]:
        """The patterns of pages that match none of these keys."""
        for page, regex in {row.page: row.page_regex for row in self._rows}.items():
            if not any(map(regex.fullmatch, keys)):
                yield page

    def pages(self, path: str) -> Iterator[str]:
        """The keys of the pages that are made of a file, by those rows from whose files the page can be derived."""
        for row in self._rows:
            if row.names_page and (match := row.file_regex.fullmatch(path)):
                yield _filled(row.page, match.groupdict())


def _row(page: str, file: str) -> _Row:
    captured = {name for _, name, *_ in _TOKEN.findall(file) if name}
    needed = {name for _, name, *_ in _TOKEN.findall(page) if name}
    has_globs = any(globs or star or mark for _, _, globs, star, mark in _TOKEN.findall(file))
    return _Row(page, file, re.compile(_regex(page, {})), re.compile(_regex(file, {})), has_globs, needed <= captured)


def _filled(template: str, values: dict[str, str]) -> str:
    return _TOKEN.sub(lambda token: values[token[2]] if token[2] else token[0], template)


def _regex(template: str, values: dict[str, str]) -> str:
    """The pattern as a regular expression, with the captures that are known filled in."""
    parts: list[str] = []
    end = 0
    seen: set[str] = set()
    for token in _TOKEN.finditer(template):
        parts += [re.escape(template[end : token.start()]), _token_regex(token, values, seen)]
        end = token.end()
    return "".join(parts) + re.escape(template[end:])


def _token_regex(token: re.Match[str], values: dict[str, str], seen: set[str]) -> str:
    deep, name, globs, star, _ = token.groups()
    if name in values:
        return re.escape(values[name])
    if name in seen:
        return f"(?P={name})"
    if name:
        seen.add(name)
        return f"(?P<{name}>{'.+' if deep else '[^/]+?'})"
    if globs:
        return "(?:.*/)?" if globs.endswith("/") else ".*"
    return "[^/]*" if star else "[^/]"
