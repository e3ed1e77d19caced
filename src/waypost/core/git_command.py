"""How git is started: in which folder, without hooks, whatever its user's settings and environment say."""

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
_TIED = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"),
    *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
)
"""What ties git to another repository, as in a hook of it, or changes what a path means."""


def git_command(folder: Path, *arguments: str) -> list[str]:
    """A git command that a user's configuration cannot bend."""
    return ["git", "-C", str(folder), *(word for setting in _SETTINGS for word in ("-c", setting)), *arguments]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for it, in English and never asking for a password."""
    kept = {name: value for name, value in os.environ.items() if name not in _TIED}
    return kept | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"} | dict(more or {})
