"""Patterns in the two forms that Jekyll uses: those of `exclude` and `include`, and those of a scope's path."""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache


@lru_cache(1_024)
def entry_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of `exclude` or `include`: `*` matches any text, also slashes and a dot at the beginning."""
    return re.compile(translate(pattern.replace("[^", "[!")))


def path_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of a scope's path: `*` matches within a segment, `**/` any folders; none matches hidden names."""
    return re.compile("|".join(map(_regex, _alternatives(pattern))))


def _alternatives(pattern: str) -> Iterable[str]:
    """The patterns without braces that one with `{a,b}` is short for."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [each for part in braces[1].split(",") for each in _alternatives(before + part + after)]


def _regex(pattern: str) -> str:
    parts: list[str] = []
    for part in re.findall(r"\*\*/|\*+|\?|\[[^\]]+\]|[^*?\[]+|\[", pattern):
        is_first = not parts or parts[-1].endswith(("/", "/)*"))
        not_hidden = r"(?!\.)" if is_first and part[0] in "*?[" else ""
        if part == "**/":
            parts.append(r"(?:(?!\.)[^/]+/)*")
        elif part[0] == "*":
            parts.append(not_hidden + "[^/]*")
        elif part == "?":
            parts.append(not_hidden + "[^/]")
        elif part[0] == "[" and len(part) > 1:
            parts.append(not_hidden + part.replace("[^", "[^/").replace("[!", "[^/"))
        else:
            parts.append(re.escape(part))
    return "".join(parts)
