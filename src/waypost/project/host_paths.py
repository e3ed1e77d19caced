"""Patterns of paths in the rules of hosts: each host's own syntax, as one kind of pattern that is quick to compare."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from waypost.settings.host_rules import PathPattern, first_name

_MOST_WILDCARDS, _MOST_RESTS = 8, 2
"""Of one pattern; a rest fits any text, a placeholder only what is between two slashes."""
_REDIRECTS_PART = re.compile(r"(\*|:[A-Za-z]\w*)")
_VERCEL_REST = re.compile(r"/:[A-Za-z]\w*\*\Z")
_VERCEL_PART = re.compile(r"(\(\.\*\)|:[A-Za-z]\w*(?:\(\.\*\)|\+)?)")
_GLOB_PART = re.compile(r"((?<=/)\*\*/|\*\*|\*|:[A-Za-z]\w*\*?)")
_GLOB_WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}


class UnreadablePattern(ValueError):
    """A pattern that only its host understands."""


def redirects_pattern(text: str, *, ignores_slash: bool = False) -> PathPattern:
    """A pattern of a `_redirects` or `_headers` file: `:name` is a folder or a name, and `*` any text.

    Raises UnreadablePattern.
    """
    parts = _REDIRECTS_PART.split(text)
    wildcards = [".*" if part == "*" else "[^/]+" for part in parts[1::2]]
    return _pattern(parts[::2], wildcards, ignores_slash=ignores_slash)


def has_wildcards(text: str) -> bool:
    """Whether a pattern of a `_redirects` file fits more than one path."""
    return _REDIRECTS_PART.search(text) is not None


def vercel_pattern(text: str) -> PathPattern:
    """The `source` of a rule of Vercel's, in the syntax of path-to-regexp; raises UnreadablePattern."""
    head = _VERCEL_REST.sub("", text)  # `/docs/:path*` fits `/docs`, too
    parts = _VERCEL_PART.split(head)
    _refuse_syntax(parts[::2], "()[]{}*+?\\|:")
    wildcards = [".*" if part.endswith((")", "+")) else "[^/]+" for part in parts[1::2]]
    return _pattern(parts[::2], wildcards, may_go_on=head != text)


def firebase_pattern(text: str) -> PathPattern:
    """The `source` of a rule of Firebase's, a glob; raises UnreadablePattern."""
    parts = _GLOB_PART.split(text if text.startswith("/") else f"/{text}")
    _refuse_syntax(parts[::2], "()[]{}?!@|\\")
    return _pattern(parts[::2], [_GLOB_WILDCARDS.get(part) or _named_wildcard(part) for part in parts[1::2]])


def _named_wildcard(part: str) -> str:
    return ".*" if part.endswith("*") else "[^/]+"


def _pattern(
    texts: Sequence[str], wildcards: Sequence[str], *, ignores_slash: bool = False, may_go_on: bool = False
) -> PathPattern:
    """A pattern of texts, which may be encoded, with an expression for a wildcard after each but the last.

    If it `may_go_on`, it fits also what is below such a path.
    """
    start = unquote(texts[0])
    if not wildcards and not may_go_on:
        return PathPattern(start, ignores_slash=ignores_slash, first=first_name(start))
    if len(wildcards) > _MOST_WILDCARDS or sum(map(_is_rest, wildcards)) > _MOST_RESTS:
        raise UnreadablePattern("".join(texts))
    expression = _expression([re.escape(unquote(text)) for text in texts], wildcards)
    below = "(?:/.*)?" if may_go_on else ""
    first = first_name(start) if start.count("/") > 1 or not wildcards else ""
    return PathPattern(expression=re.compile(expression + below), ignores_slash=ignores_slash, first=first)


def _expression(texts: Sequence[str], wildcards: Sequence[str]) -> str:
    """One expression for all texts and wildcards, which takes time in proportion to the square of a path at most.

    Each wildcard but the last takes as little as it can, and then keeps that: what a longer one would fit, a later one
    fits, too. Only a rest may have to be longer for the placeholders after it, up to the next rest.
    """
    expression, *others = texts
    parts = [*zip(wildcards, others, strict=True)]
    while parts:
        wildcard, text = parts.pop(0)
        if not parts:
            return expression + wildcard + text
        block = _least(wildcard) + text
        while _is_rest(wildcard) and len(parts) > 1 and not _is_rest(parts[0][0]):
            placeholder, text = parts.pop(0)
            block += f"(?>{_least(placeholder)}{text})"
        is_last_rest = _is_rest(wildcard) and len(parts) == 1 and not _is_rest(parts[0][0])
        expression += block if is_last_rest else f"(?>{block})"
    return expression


def _is_rest(wildcard: str) -> bool:
    return ".*" in wildcard


def _least(wildcard: str) -> str:
    """The same wildcard, which takes as little as it can."""
    return re.sub(r"([*+]|\)\?)\Z", r"\1?", wildcard.replace(".*/", ".*?/"))


def _refuse_syntax(texts: Sequence[str], characters: str) -> None:
    if any(each in text for text in texts for each in characters):
        raise UnreadablePattern("".join(texts))
