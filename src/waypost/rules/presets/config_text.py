"""Reads settings from the configuration files of site generators, without running them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from waypost.core.data_files import DataError, load_json, load_toml
from waypost.core.yaml_values import load_yaml
from waypost.sources.project_folder import ProjectFolder

_START = re.compile(r"""["'`]|//|/\*|[\[{(]|[\]})]""")
_INSIDE = {
    '"': re.compile(r"""[^"\\\n]*+(?:\\.[^"\\\n]*+)*+""", re.DOTALL),
    "'": re.compile(r"""[^'\\\n]*+(?:\\.[^'\\\n]*+)*+""", re.DOTALL),
    "`": re.compile(r"""[^`\\]*+(?:\\.[^`\\]*+)*+""", re.DOTALL),
}
"""What may be in a string of a script, by its quotation mark."""
_PYTHON_TAG = re.compile(r"!!python/[\w/.:]+")
"""Names of functions, which MkDocs allows in its configuration."""
_STRING = r"""\s*(["'`])(?P<value>.*?)\1"""


def table(project: ProjectFolder, paths: Iterable[str]) -> dict[str, Any]:
    """The values of the first of these TOML, YAML and JSON files that exists; empty without one, or if it is wrong."""
    path = next(filter(project.has_file, paths), None)
    if path is None:
        return {}
    try:
        found = _parse(path, project.text(path))
    except DataError:
        return {}
    return found if isinstance(found, dict) else {}


def _parse(path: str, text: str) -> object:
    if path.endswith(".toml"):
        return load_toml(text)
    return load_json(text) if path.endswith(".json") else load_yaml(_PYTHON_TAG.sub("", text))


def script(project: ProjectFolder, paths: Iterable[str]) -> str:
    """The text of the first of these JavaScript or TypeScript files that exists, without comments."""
    path = next(filter(project.has_file, paths), None)
    text = project.text(path) if path else ""
    parts: list[str] = []
    end = 0
    for token in _tokens(text):
        if token.kind == "comment":
            parts.append(text[end : token.start])
            end = token.end
    return "".join([*parts, text[end:]])


class _Token(NamedTuple):
    """A string (`text`), a comment, or a bracket (`open`, `close`) of a script."""

    kind: str
    start: int
    end: int


def _tokens(text: str, place: int = 0) -> Iterator[_Token]:
    """The tokens of a script, in order; a mark whose string or comment does not end is none.

    `unclosed` is up to where it is known, by mark, that none of them begins a string or a comment that ends.
    """
    unclosed: dict[str, int] = {}
    while found := _START.search(text, place):
        mark, start = found[0], found.start()
        place = start + 1
        if mark in "([{":
            yield _Token("open", start, place)
        elif mark in ")]}":
            yield _Token("close", start, place)
        elif start >= unclosed.get(mark, 0):
            end, is_closed = _end(text, mark, found.end())
            if is_closed:
                yield _Token("text" if mark in _INSIDE else "comment", start, end)
                place = end
            else:
                unclosed[mark] = end


def _end(text: str, mark: str, start: int) -> tuple[int, bool]:
    """Where a string or a comment ends, or how far it was searched, and whether it ends there."""
    if mark == "//":
        end = text.find("\n", start)
        return (len(text) if end < 0 else end), True
    if mark == "/*":
        end = text.find("*/", start)
        return (len(text), False) if end < 0 else (end + 2, True)
    inside = _INSIDE[mark].match(text, start)
    end = inside.end() if inside else start
    is_closed = text.startswith(mark, end)
    return end + is_closed, is_closed


def value(text: str, key: str) -> str | None:
    """The first string that a key has in a script (`key: "a"`) or in Python (`KEY = "a"`); None without one."""
    found = re.search(rf"""(?<![\w.-])["']?{re.escape(key)}["']?\s*[:=](?!=){_STRING}""", text)
    return found["value"] if found else None


def has_key(text: str, key: str) -> bool:
    """Whether a script gives a key a value, whatever it is."""
    return bool(re.search(rf"""(?<![\w.-])["']?{re.escape(key)}["']?\s*[:=](?!=)""", text))


def block(text: str, key: str) -> str:
    """What is between the braces or brackets after a key of a script; an empty string without the key."""
    found = re.search(rf"""(?<![\w.-])["']?{re.escape(key)}["']?\s*[:=]\s*[{{[]""", text)
    if not found:
        return ""
    depth, start = 0, found.end()
    for token in _tokens(text, start - 1):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0 and token.kind == "close":
            return text[start : token.start]
    return ""


def strings(text: str) -> list[str]:
    """The strings of a list in a script."""
    return [text[token.start + 1 : token.end - 1] for token in _tokens(text) if token.kind == "text"]


def scripts(*stems: str) -> list[str]:
    """The names that a configuration in JavaScript or TypeScript may have."""
    return [f"{stem}.{ending}" for stem in stems for ending in ("js", "ts", "mjs", "mts", "cjs", "cts")]


def tables(*stems: str) -> list[str]:
    """The names that a configuration in TOML, YAML or JSON may have."""
    return [f"{stem}.{ending}" for stem in stems for ending in ("toml", "yaml", "yml", "json")]
