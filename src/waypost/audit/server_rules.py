"""Reads the files with which a site's folder gives its server rules: redirects, and answers for any URL."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

RULE_FILES = ("_redirects", ".htaccess", "200.html", "staticwebapp.config.json", "vercel.json", "netlify.toml")
"""Netlify's and Cloudflare's redirects, Apache's rules, the page that Surge serves for any URL, and others' rules."""
_PLACEHOLDER = re.compile(r":[A-Za-z]\w*")
_WILDCARD = re.compile(rf"\*|{_PLACEHOLDER.pattern}")
_MAX_RULES, _MAX_WILDCARDS = 1_000, 20
"""How many rules with wildcards are compared with a path, and how many wildcards each may have.

Of others, only their beginnings are.
"""
_APACHE_RULE = re.compile(r"^[^\S\n]*(?:Rewrite(?:Rule|Map)|RedirectMatch|FallbackResource|AliasMatch)\b", re.I | re.M)
_APACHE_REDIRECT = re.compile(
    r"^[^\S\n]*(?:Redirect(?:Permanent|Temp)?|Alias)\s+(?:\d{3}\s+|permanent\s+|temp\s+|seeother\s+)?\"?(/[^\s\"]*)",
    re.IGNORECASE | re.MULTILINE,
)

ServerRules = Callable[[str], bool]
"""Whether a rule may answer at a path below the site's root, which is not encoded."""
_Segment = Sequence[str]
"""What is between the placeholders of a segment: a segment without one has one part."""


class _Rule(NamedTuple):
    """The segments of a path before its `*`, and those after it; None if it has no `*`."""

    head: Sequence[_Segment]
    tail: Sequence[_Segment] | None

    def answers(self, names: Sequence[str]) -> bool:
        """Whether the rule is for a path, of which these are the segments."""
        if self.tail is None:
            return len(names) == len(self.head) and all(map(_fits, self.head, names))
        *head, (start,) = self.head
        (end,), *tail = self.tail
        last = len(names) - len(tail)
        if last <= len(head) or not all(map(_fits, head, names)) or not all(map(_fits, tail, names[last:])):
            return False
        rest = "/".join(names[len(head) : last])
        return len(rest) >= len(start) + len(end) and rest.startswith(start) and rest.endswith(end)


def read_server_rules(find: Callable[[str], bytes | None], site_path: str) -> ServerRules:
    """The rules in the files of a folder, which `find` reads; `site_path` is the path of the site's root.

    Where a file may have rules that only its server understands, any path may be answered.
    """
    texts = {name: text.decode("utf-8", "replace") for name in RULE_FILES if (text := find(name)) is not None}
    apache = texts.get(".htaccess", "")
    if texts.keys() - {"_redirects", ".htaccess"} or _APACHE_RULE.search(apache):
        return lambda path: True
    paths = set(_netlify(texts.get("_redirects", "")))
    with_wildcards = sorted(path for path in paths if _WILDCARD.search(path))
    compared = [path for path in with_wildcards if _is_comparable(path)][:_MAX_RULES]
    others = (_WILDCARD.split(path, maxsplit=1)[0] for path in set(with_wildcards).difference(compared))
    has_beginning = _begins_with([*_APACHE_REDIRECT.findall(apache), *others])
    rules = list(map(_rule, compared))

    def answers(path: str) -> bool:
        names = path.split("/")
        return path in paths or has_beginning(path) or any(rule.answers(names) for rule in rules)

    def may_answer(path: str) -> bool:
        whole = site_path + path
        return answers(whole) or (whole.endswith("/") and answers(whole[:-1]))

    return may_answer


def _begins_with(texts: Iterable[str]) -> ServerRules:
    """Finds out whether a path begins with one of many texts."""
    shortest: list[str] = []
    for text in sorted(texts):
        if not shortest or not text.startswith(shortest[-1]):
            shortest.append(text)

    def has_beginning(path: str) -> bool:
        # Only the last one that is not after the path in the order can be its beginning.
        number = bisect_right(shortest, path)
        return number > 0 and path.startswith(shortest[number - 1])

    return has_beginning


def _netlify(text: str) -> Iterator[str]:
    """The paths that `_redirects` names (one rule a line: from, to, status)."""
    for line in text.splitlines():
        path = line.split("#")[0].strip().partition(" ")[0].split("?")[0]
        if path.startswith("/"):
            yield path


def _is_comparable(path: str) -> bool:
    """Whether a path has few wildcards, and at most one `*`, which no placeholder is next to, as servers require."""
    head, _, tail = path.partition("*")
    beside = head.rpartition("/")[2] + "/" + tail.partition("/")[0]
    is_usual = "*" not in tail and ("*" not in path or not _PLACEHOLDER.search(beside))
    return is_usual and len(_WILDCARD.findall(path)) <= _MAX_WILDCARDS


def _rule(path: str) -> _Rule:
    head, star, tail = path.partition("*")
    return _Rule(_segments(head), _segments(tail) if star else None)


def _segments(path: str) -> list[_Segment]:
    return [_PLACEHOLDER.split(name) for name in path.split("/")]


def _fits(segment: _Segment, name: str) -> bool:
    """Whether a segment of a path fits a segment of a rule, where each placeholder is one or more characters."""
    first, *others = segment
    if not others:
        return name == first
    if not (name.startswith(first) and name.endswith(others[-1])):
        return False
    at = len(first)
    for text in others[:-1]:
        found = name.find(text, at + 1)
        if found < 0:
            return False
        at = found + len(text)
    return at < len(name) - len(others[-1])
