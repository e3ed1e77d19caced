"""Reads settings from the configuration files of site generators, without running them."""

import re
from collections.abc import Iterable
from typing import Any

from waypost.core.data_files import DataError, load_json, load_toml
from waypost.jekyll.yaml_values import load_yaml
from waypost.sources.project_folder import ProjectFolder

_TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_PYTHON_TAG = re.compile(r"!!python/[\w/.:]+")
"""Names of functions, which MkDocs allows in its configuration."""
_STRING = r"""\s*(["'`])(?P<value>(?:(?!\1).)*)\1"""


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
    return _TOKEN.sub(lambda token: token["text"] or "", project.text(path)) if path else ""


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
    for token in re.finditer(rf"{_TOKEN.pattern}|(?P<open>[{{[(])|(?P<close>[}}\])])", text[start - 1 :], re.DOTALL):
        depth += bool(token["open"]) - bool(token["close"])
        if depth == 0 and token["close"]:
            return text[start : start - 1 + token.start()]
    return ""


def strings(text: str) -> list[str]:
    """The strings of a list in a script."""
    return [token["text"][1:-1] for token in _TOKEN.finditer(text) if token["text"]]


def scripts(*stems: str) -> list[str]:
    """The names that a configuration in JavaScript or TypeScript may have."""
    return [f"{stem}.{ending}" for stem in stems for ending in ("js", "ts", "mjs", "mts", "cjs", "cts")]


def tables(*stems: str) -> list[str]:
    """The names that a configuration in TOML, YAML or JSON may have."""
    return [f"{stem}.{ending}" for stem in stems for ending in ("toml", "yaml", "yml", "json")]
