"""Maps built pages to the tracked files that they are made of, and back."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from waypost.pages.path_patterns import TOKEN, Match, path_matcher
from waypost.settings.values import SourceMapping

_AFTER_ALL_PATHS = "\U0010ffff"


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


class _Row:
    """A row, with those of its files from whose paths a page's can be derived."""

    def __init__(self, mapping: SourceMapping) -> None:
        self.page, self.match = mapping.page, path_matcher(mapping.page)
        self.files = tuple(map(_File, mapping.files))
        needed = {token[2] for token in TOKEN.finditer(self.page) if token[2]}
        self.files_that_name_pages = tuple(file for file in self.files if needed <= set(file.names))


class SourceMapper:
    """The mapping between pages' keys and source files, both ways.

    `{name}` captures within a path segment, `{**name}` across segments; in `files`, `*`, `**` and `?` match as in a
    shell. A page is made of every file that any row names for it.
    """

    def __init__(self, mappings: Iterable[SourceMapping]) -> None:
        self._rows = tuple(map(_Row, mappings))
        self._tracked: Sequence[str] | None = None
        self._found: dict[_File, Mapping[tuple[str, ...], list[str]]] = {}

    def files(self, key: str, tracked: Sequence[str]) -> Iterator[str]:
        """The paths, of the sorted paths `tracked`, that a page is made of."""
        for row in self._rows:
            if (values := row.match(key)) is not None:
                for file in row.files:
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
        for page, match in {row.page: row.match for row in self._rows}.items():
            if all(match(key) is None for key in keys):
                yield page

    def pages(self, path: str) -> Iterator[str]:
        """The keys of the pages that are made of a file, by those rows from whose files the page can be derived."""
        for row in self._rows:
            for file in row.files_that_name_pages:
                if (values := file.match(path)) is not None:
                    yield _filled(row.page, values)


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
