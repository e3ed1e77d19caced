"""Patterns in the two forms that Jekyll uses: in `exclude` and `include`, and in a scope's path.

Each becomes a regular expression that never returns to an earlier `*` or `**/`: what follows one is taken where it
first matches, because a later place would leave less of the path for the rest. So matching takes no more steps than
the product of the lengths of the pattern and of the path.
"""

import re
import warnings
from fnmatch import translate
from functools import lru_cache

MOST_PATTERN_TEXT = 1_000
"""How many characters a pattern may have, and all patterns together that its braces expand to."""
_ELEMENT = re.compile(r"\*\*/|\*+|\?|\[[^\]]+\]|[^*?\[]+|\[")
_BRACES = re.compile(r"\{([^{}]*)\}")
_FOLDERS = r"(?:(?!\.)[^/]++/)*"
_NO_TEXT = "(?!)"


@lru_cache(1_024)
def entry_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of `exclude` or `include`: `*` matches any text, also slashes and a dot at the beginning."""
    return _compiled(translate(pattern.replace("[^", "[!")))


@lru_cache(1_024)
def path_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of a scope's path: `*` matches within a segment, `**/` any folders; none matches hidden names.

    Raises ValueError if it is too long.
    """
    return _compiled("|".join(map(_regex, _alternatives(pattern))))


def _compiled(expression: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # `re` warns of sets such as `[a&&b]`
        return re.compile(expression)


def _alternatives(pattern: str) -> list[str]:
    """The patterns without braces that one with `{a,b}` is short for; raises ValueError."""
    done: list[str] = []
    open_patterns, size = [pattern], 0
    while open_patterns:
        each = open_patterns.pop()
        braces = _BRACES.search(each)
        size += len(each)
        if size > MOST_PATTERN_TEXT:
            raise ValueError(f"it expands to patterns of more than {MOST_PATTERN_TEXT:,} characters")
        if braces is None:
            done.append(each)
        else:
            before, after = each[: braces.start()], each[braces.end() :]
            open_patterns += [before + part + after for part in braces[1].split(",")]
    return done


def _regex(pattern: str) -> str:
    """The regular expression of a pattern: what is between each two `**/` is matched where it first can be."""
    between = [[("", "")]]
    previous = "/"
    for element in _ELEMENT.findall(pattern):
        not_hidden = r"(?!\.)" if previous.endswith("/") and element[0] in "*?[" else ""
        if element == "**/":
            between.append([("", "")])
        elif element[0] == "*":
            between[-1].append((not_hidden, ""))
        else:
            before, text = between[-1][-1]
            between[-1][-1] = before, text + not_hidden + _without_star(element)
        previous = element
    if len(between) == 1:
        return _part(between[0])
    inner = "".join(f"(?>{_FOLDERS}?{_part(each)})" for each in between[1:-1])
    return f"(?>{_part(between[0])}){inner}{_FOLDERS}{_part(between[-1])}"


def _part(pieces: list[tuple[str, str]]) -> str:
    """What begins a part of a pattern, and what follows each `*` in it; also this is matched where it first can be."""
    (_, start), *others = pieces
    if not others:
        return start
    inner = "".join(f"{not_hidden}(?>[^/]*?{text})" for not_hidden, text in others[:-1])
    not_hidden, end = others[-1]
    return f"{start}{inner}{not_hidden}[^/]*{end}"


def _without_star(element: str) -> str:
    """An element but `*` as a regular expression; a set that Ruby refuses, as `[z-a]`, matches nothing."""
    if element == "?":
        return "[^/]"
    if element[0] != "[" or len(element) == 1:
        return re.escape(element)
    found = element.replace("[^", "[^/").replace("[!", "[^/")
    try:
        _compiled(found)
    except re.error:
        return _NO_TEXT
    return found
