"""Builds Git commands that run without hooks, and whose output does not depend on the user's settings."""

import os
from collections.abc import Mapping
from pathlib import Path

_SETTINGS = (
    f"core.hooksPath={os.devnull}",
    "core.fileMode=false",
    "diff.relative=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.showRoot=true",
    "log.showSignature=false",
)
_REMOVED_VARIABLES = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"),
    *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
)
"""Variables that point Git to another repository (as in a Git hook), or that change how it reads paths."""


def git_command(folder: Path, *arguments: str) -> list[str]:
    """A Git command for a folder, with settings that override the user's."""
    return ["git", "-C", str(folder), *(word for setting in _SETTINGS for word in ("-c", setting)), *arguments]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a Git command: messages in English, no password prompts; `more` adds variables."""
    inherited = {name: value for name, value in os.environ.items() if name not in _REMOVED_VARIABLES}
    return inherited | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"} | dict(more or {})
