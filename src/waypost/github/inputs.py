"""The Action's inputs: texts from a workflow, checked and given their types."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from waypost.announce.git_commit import AUTHOR
from waypost.config.load import ConfigSource
from waypost.config.schema import SETTINGS
from waypost.core.errors import ConfigIssue

WHERE = "the step's inputs"
_WORDS = {"pages", "formats", "index_files", "image_hosts"}
_BY_INPUT = {setting.key.replace("_", "-"): setting for setting in SETTINGS}
_TABLES = {"sources", "overrides", "groups", "news"}
_BRANCH = r"(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|$)))[^\s\x00-\x20~^:?*\[\\./-][^\x00-\x20\x7f~^:?*\[\\]*(?<![./])"
"""The names that `git check-ref-format --branch` lets pass."""
_BOT = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a workflow asks for; `layers` are the settings among it, the last beats those before.

    `mistakes` are those found so far, for the settings' check to report with its own.
    """

    sources: tuple[ConfigSource, ...]
    source: str
    output: str
    config: str
    is_committed: bool
    push: str
    branch: str
    message: str
    author: str
    is_signed_off: bool
    fetches_history: bool
    state_branch: str
    report: str
    issues: tuple[ConfigIssue, ...]


def read(environ: Mapping[str, str]) -> Inputs:
    """Read the inputs, a JSON object in WAYPOST_INPUTS."""
    raw = {key: str(value) for key, value in json.loads(environ.get("WAYPOST_INPUTS") or "{}").items()}
    issues: list[ConfigIssue] = []
    settings = _toml("settings", raw.get("settings", ""), issues)
    values = {
        setting.key: _value(name, raw[name], setting.default, issues)
        for name, setting in _BY_INPUT.items()
        if raw.get(name, "").strip()
    }
    if values.get("state") or raw.get("state-branch"):
        values.setdefault("lastmod", "content")
    author = raw.get("author", "").strip() or _BOT
    if not re.fullmatch(AUTHOR, author):
        issues.append(ConfigIssue(WHERE, "author", f"{author!r} is no author", "Name <address>"))
    return Inputs(
        sources=(
            ConfigSource("the input settings", settings),
            ConfigSource(WHERE, values, spellings={s.key: n for n, s in _BY_INPUT.items()}),
        ),
        source=raw.get("source", "").strip() or ".",
        output=raw.get("output", "").strip(),
        config=raw.get("config", "").strip(),
        is_committed=_flag("commit", raw, issues, default=False),
        push=_choice("push", raw, ("auto", "true", "false"), issues),
        branch=_branch("branch", raw, issues),
        message=raw.get("message", "").strip() or "Update the sitemaps",
        author=author,
        is_signed_off=_flag("sign-off", raw, issues, default=False),
        fetches_history=_flag("fetch-history", raw, issues, default=True),
        state_branch=_branch("state-branch", raw, issues),
        report=raw.get("report", "").strip(),
        issues=tuple(issues),
    )


def _toml(name: str, text: str, issues: list[ConfigIssue]) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        allowed = "settings in TOML, as in waypost.toml" if name == "settings" else "a value in TOML, with its brackets"
        issues.append(ConfigIssue(WHERE, name, str(error), allowed))
        return {}


def _value(name: str, text: str, default: Any, issues: list[ConfigIssue]) -> Any:
    if isinstance(default, bool):
        return _flag(name, {name: text}, issues, default=default)
    if name in _TABLES:
        found = _toml(name, f"{name} = {text}", issues)
        if len(found) > 1:
            issues.append(ConfigIssue(WHERE, name, "it holds more than its value", "one value in TOML"))
        return found.get(name, default)
    if not isinstance(default, list):
        return text.strip()
    separators = r"[\s,]+" if name.replace("-", "_") in _WORDS else r"\n"
    return [part for line in re.split(separators, text) if (part := line.strip())]


def _flag(name: str, raw: Mapping[str, str], issues: list[ConfigIssue], *, default: bool) -> bool:
    text = raw.get(name, "").strip().lower()
    if text not in ("", "true", "false"):
        issues.append(ConfigIssue(WHERE, name, f"{raw[name]!r} is neither true nor false"))
    return text == "true" if text else default


def _branch(name: str, raw: Mapping[str, str], issues: list[ConfigIssue]) -> str:
    text = raw.get(name, "").strip()
    if text and not re.fullmatch(_BRANCH, text):
        issues.append(ConfigIssue(WHERE, name, f"{text!r} is no name of a branch"))
    return text


def _choice(name: str, raw: Mapping[str, str], allowed: tuple[str, ...], issues: list[ConfigIssue]) -> str:
    text = raw.get(name, "").strip().lower() or allowed[0]
    if text not in allowed:
        issues.append(ConfigIssue(WHERE, name, f"{raw[name]!r} is not known", ", ".join(allowed)))
    return text
