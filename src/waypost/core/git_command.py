"""Starts Git: the only place that does, so that no file of a repository, and no setting of one, can run a program.

A folder's repository is found by the rules of `find`, and Git is then told where it is: it searches no folder of the
site for another one. Hooks, filters, the file system monitor and external diffs are switched off in every command.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from waypost.core.errors import SourceError

_SETTINGS = (
    "safe.bareRepository=explicit",
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.fileMode=false",
    "diff.relative=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "i18n.logOutputEncoding=UTF-8",
    "log.showRoot=true",
    "log.showSignature=false",
    "maintenance.auto=false",
    "push.gpgSign=false",
    "push.recurseSubmodules=no",
    "submodule.recurse=false",
)
_REMOVED_VARIABLES = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES", "GIT_GRAFT_FILE"),
    *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
    *("GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER", "PAGER", "GIT_ATTR_SOURCE", "GIT_REPLACE_REF_BASE"),
)
"""Variables that point Git to another repository (as in a Git hook), run a program, or change how it reads paths."""
_OFFLINE = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
"""Git asks no remote, neither by itself for the missing objects of a partial clone."""
DIFF_OPTIONS = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "-z")
"""What each comparison needs: no attribute of a repository names a program for it, and paths end with NUL."""
Config = Sequence[tuple[str, str]]
"""Settings of Git by name, for one command; a later one overrides an earlier one."""
_NONE: Mapping[str, str] = {}


@dataclass(frozen=True)
class GitFolder:
    """A folder in the working tree of a repository: `root` is the tree's top folder, `git_dir` is Git's own.

    `common_dir` is Git's own folder of the repository, which several working trees share. `without_filters` are the
    settings that switch off each configured filter. Where `is_offline`, no command of Git's asks a remote.
    """

    folder: Path
    root: Path
    git_dir: Path
    common_dir: Path
    without_filters: Config = ()
    is_offline: bool = False

    @property
    def is_submodule(self) -> bool:
        """Whether the repository is a submodule of another one."""
        return "modules" in self.git_dir.parts and (self.root / ".git").is_file()

    def at(self, folder: Path) -> "GitFolder":
        """Another folder in the same working tree."""
        return replace(self, folder=folder)

    def run(
        self, *arguments: str, stdin: bytes = b"", config: Config = (), environment: Mapping[str, str] = _NONE
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command of Git in the folder, and wait for its end; its exit code is not checked."""
        return subprocess.run(
            _command(self.folder, arguments),
            input=stdin,
            capture_output=True,
            check=False,
            env=self._environment(config, environment),
        )

    def start(
        self, *arguments: str, stdin: IO[bytes] | int, stderr: IO[bytes] | int, buffer: int = -1, pipe: int = -1
    ) -> "subprocess.Popen[bytes]":
        """Start a command of Git in the folder, whose output is read while it runs."""
        return subprocess.Popen(
            _command(self.folder, arguments),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=self._environment((), _NONE),
            bufsize=buffer,
            pipesize=pipe,
        )

    def _environment(self, config: Config, more: Mapping[str, str]) -> dict[str, str]:
        place = {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(self.root)}
        offline = _OFFLINE if self.is_offline else _NONE
        return _environment((*self.without_filters, *config), {**place, **offline, **more})


def find(folder: Path, workspace: Path | None = None) -> GitFolder | None:
    """A folder in its repository; None if it is in none, or if Git is not installed.

    Only these are opened: the repository that contains the workspace, by default the folder; that one's submodules and
    other working trees. A `.git` below it that is neither, as in an unpacked archive, is not: its settings could name
    programs. A folder outside of the workspace's repository was named by the user; its own repository is opened
    offline. Raises SourceError if Git refuses the repository.
    """
    folder, workspace = (Path(os.path.realpath(each)) for each in (folder, workspace or folder))
    own = _first((workspace, *workspace.parents))
    if own is None or not folder.is_relative_to(own.root):
        found = None if folder == workspace else _first((folder, *folder.parents))
        return replace(found, folder=folder, is_offline=True) if found else None
    belonging = _first([each for each in _below(folder, own.root) if _belongs_to(each, own)])
    return (belonging or own).at(folder)


def unopened(folder: Path, found: GitFolder | None) -> Path | None:
    """The nearest folder with a `.git` of its own, from this folder up, that is in the repository that was found."""
    folder = Path(os.path.realpath(folder))
    nearest = next((each for each in (folder, *folder.parents) if _has_git(each)), None)
    if nearest is None or found is None or nearest == found.root or not nearest.is_relative_to(found.root):
        return None
    return nearest


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a Git command: messages in English, no password prompts; `more` adds variables."""
    inherited = {name: value for name, value in os.environ.items() if name not in _REMOVED_VARIABLES}
    return inherited | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"} | dict(more or {})


def _environment(config: Config, more: Mapping[str, str]) -> dict[str, str]:
    """The environment with settings that override those of files: variables hold any name, and no list shows them."""
    variables = environment(more)
    first = int(count) if (count := variables.get("GIT_CONFIG_COUNT", "")).isdecimal() else 0
    variables["GIT_CONFIG_COUNT"] = str(first + len(config))
    for number, (name, value) in enumerate(config, first):
        variables |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def _command(folder: Path, arguments: Sequence[str]) -> list[str]:
    settings = (word for setting in _SETTINGS for word in ("-c", setting))
    return [_program(), "--no-pager", "-C", str(folder), *settings, *arguments]


def _program() -> str:
    """The program git on PATH; `git` if there is none. Windows would look for it in the working folder first."""
    folders = [each for each in os.get_exec_path() if Path(each).is_absolute()]
    found = (Path(each) / name for each in folders for name in ("git", "git.exe"))
    return next((str(each) for each in found if each.is_file() and os.access(each, os.X_OK)), "git")


def _below(folder: Path, root: Path) -> Iterator[Path]:
    """The folder and those that contain it, down from the root and without it."""
    return (each for each in (folder, *folder.parents) if each != root and each.is_relative_to(root))


def _belongs_to(folder: Path, own: GitFolder) -> bool:
    """Whether a folder is a submodule or another working tree of a repository: Git keeps what belongs to it there."""
    try:
        text = (folder / ".git").read_text("utf-8", "surrogateescape") if (folder / ".git").is_file() else ""
    except OSError:
        return False
    prefix, _, place = text.strip().partition(": ")
    target = Path(os.path.realpath(folder / place))
    return prefix == "gitdir" and any(target.is_relative_to(own.common_dir / name) for name in ("modules", "worktrees"))


def _has_git(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _first(folders: Sequence[Path]) -> GitFolder | None:
    """The repository of the first folder that is the top of a working tree."""
    return next(filter(None, (_open(each) for each in folders if _has_git(each))), None)


def _open(root: Path) -> GitFolder | None:
    """The repository whose working tree has this top folder; raises SourceError if Git refuses it."""
    here = environment({"GIT_CEILING_DIRECTORIES": str(root.parent)})
    command = _command(root, ("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"))
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=here)
    except FileNotFoundError:
        return None
    message = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode and ("not a git repository" in message or "must be run in a work tree" in message):
        return None
    if done.returncode:
        raise SourceError(f"git cannot read the repository at {root}: {message}")
    top, git_dir, common_dir = done.stdout.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
    if Path(top) != root:
        raise SourceError(f"git cannot read the repository at {root}: its core.worktree names the folder {top}")
    return GitFolder(root, root, Path(git_dir), Path(os.path.realpath(root / common_dir)), _without_filters(root, here))


def _without_filters(root: Path, here: Mapping[str, str]) -> Config:
    """Settings that switch off each filter that is configured; Git has none for all of them at once."""
    command = _command(root, ("config", "--null", "--name-only", "--get-regexp", r"^filter\."))
    listed = subprocess.run(command, capture_output=True, check=False, env=here).stdout
    names = listed.decode("utf-8", "surrogateescape").split("\0")
    drivers = sorted({name.rpartition(".")[0] for name in names if name.count(".") > 1})
    values = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    return [(f"{driver}.{name}", value) for driver in drivers for name, value in values]
