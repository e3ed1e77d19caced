"""Removes from the titles of pages what most of them repeat, such as the name of the site."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

_SEPARATOR = re.compile("\\s+(?:[-\u2013\u2014|\u00b7\u2022\u00bb\u00ab~/]|::)\\s+")
_PREFIX_SEPARATOR = re.compile(rf"{_SEPARATOR.pattern}|:\s+")
_MIN_SHARE, _MIN_TITLES = 0.6, 3
"""A part is removed if this share of the titles has it, and so many at least."""
_MAX_PARTS = 2
"""So many parts are removed from each end, as in `Page | Guide | Site`."""


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
