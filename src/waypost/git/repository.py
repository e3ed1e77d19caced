"""Opens the repositories of a workspace, each once, and remembers where they are and what is at HEAD.

A folder's repository is found by the rules of `Repositories`, and Git is then told where it is: it searches no folder
of the site for another one.
"""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple

from waypost.core import tree_files
from waypost.core.errors import SourceError
from waypost.git import command
from waypost.git.command import OTHERS, OWN, REMOTE, Config, Patience

_OFFLINE = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
"""Git asks no remote, neither by itself for the missing objects of a partial clone."""
_NONE: Mapping[str, str] = {}
_BRANCHES, _ORIGIN_BRANCHES = "refs/heads/", "refs/remotes/origin/"
_REMOTE_COMMANDS = frozenset({"fetch", "push"})
_MOST_PLACE = 65_536
"""The most bytes of a file `.git`, which has one path."""
_ID = re.compile("[0-9a-f]{40,64}")
"""The id of an object, by SHA-1 or SHA-256."""
_GITHUB_REMOTE = re.compile(
    r"(?:https://|ssh://git@|git@)(?:[^@/\s]+@)?github\.com[:/]([\w.-]+)/([\w.-]+?)(?:\.git)?/?\Z"
)


class GitHead(NamedTuple):
    """The commit at HEAD, its tree, and the branch that is checked out, by its whole name.

    Before the first commit, there is only a branch; where HEAD is detached, there is none.
    """

    commit: str | None = None
    tree: str | None = None
    ref: str | None = None


class Repository:
    """A working tree of Git: `root` is its top folder, `git_dir` is Git's own.

    `common_dir` is Git's own folder of the repository, which several working trees share. Where `is_offline`, no
    command of Git's asks a remote, or reads a file that a setting names: the repository is not the workspace's own.
    """

    def __init__(
        self, root: Path, git_dir: Path, common_dir: Path, head: GitHead, *, is_offline: bool, patience: Patience
    ) -> None:
        self.root, self.git_dir, self.common_dir = root, git_dir, common_dir
        self.head, self.is_offline, self.patience = head, is_offline, patience
        self._settings = _settings(root, patience)

    @property
    def is_submodule(self) -> bool:
        """Whether the repository is a submodule of another one."""
        return "modules" in self.git_dir.parts and (self.root / ".git").is_file()

    @property
    def shallow_commits(self) -> frozenset[bytes]:
        """The commits whose parents a shallow clone does not have; none of a clone with its whole history."""
        file = self.common_dir / "shallow"
        return frozenset(file.read_bytes().split()) if file.is_file() else frozenset()

    @property
    def promisor_remote(self) -> str | None:
        """The remote that a partial clone (`git clone --filter=…`) fetches missing objects from."""
        remotes = (name for name in self._settings if name.startswith("remote.") and name.endswith(".promisor"))
        name = next(remotes, None)
        return name.removeprefix("remote.").removesuffix(".promisor") if name else None

    @property
    def origin_url(self) -> str:
        """The URL of the remote `origin`; empty if it has none."""
        return self._settings.get("remote.origin.url", "")

    @property
    def github_name(self) -> str:
        """The repository's `owner/name` on GitHub, by the URL of origin; empty if that is elsewhere."""
        found = _GITHUB_REMOTE.match(self.origin_url)
        return f"{found[1]}/{found[2]}" if found else ""

    def read_settings_again(self) -> None:
        """Read the settings of remotes and filters again, after a command that may have changed them."""
        self._settings = _settings(self.root, self.patience)

    def environment(self, config: Config, more: Mapping[str, str]) -> dict[str, str]:
        """The environment of a command in this working tree, in which no filter runs."""
        place = {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(self.root)}
        offline = _OFFLINE if self.is_offline else _NONE
        unread = command.NO_FILES if self.is_offline else ()
        return command.environment({**place, **offline, **more}, (*self._without_filters, *unread, *config))

    @property
    def _without_filters(self) -> Config:
        """Settings that switch off each filter that is configured; Git has none for all of them at once."""
        names = (name for name in self._settings if name.startswith("filter.") and name.count(".") > 1)
        drivers = sorted({name.rpartition(".")[0] for name in names})
        values = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        return [(f"{driver}.{name}", value) for driver in drivers for name, value in values]


@dataclass(frozen=True, slots=True)
class GitFolder:
    """A folder in the working tree of a repository."""

    folder: Path
    repository: Repository

    @property
    def root(self) -> Path:
        """The top folder of the working tree."""
        return self.repository.root

    @property
    def prefix(self) -> str:
        """What the paths of the folder's files begin with, in the repository: empty, or with `/` at its end."""
        below = self.folder.relative_to(self.root).as_posix()
        return "" if below == "." else f"{below}/"

    def at(self, folder: Path) -> "GitFolder":
        """Another folder in the same working tree."""
        return GitFolder(folder, self.repository)

    def branch(self) -> str | None:
        """The branch that is checked out, or None if HEAD is detached."""
        ref = self.repository.head.ref
        return ref.removeprefix(_BRANCHES) if ref and ref.startswith(_BRANCHES) else None

    def default_branch(self) -> str | None:
        """The branch that origin shows by default, as the clone has noted it; None if it has not."""
        ref = _text(self.run("symbolic-ref", "--quiet", f"{_ORIGIN_BRANCHES}HEAD"))
        return ref.removeprefix(_ORIGIN_BRANCHES) if ref.startswith(_ORIGIN_BRANCHES) else None

    def message_in_origin(self, name: str) -> str | None:
        """The first line of the message of the newest commit in a branch of origin; None if the clone knows no such."""
        shown = self.run("log", "-1", "--format=%s", f"{_ORIGIN_BRANCHES}{name}", "--")
        return None if shown.returncode else _text(shown)

    def head_time(self) -> int | None:
        """The time of HEAD's commit in Unix seconds; None before the first commit."""
        shown = self.run("show", "--no-patch", "--format=%ct", "HEAD", "--")
        return int(shown.stdout) if shown.returncode == 0 and shown.stdout.strip().isdigit() else None

    def commit_at(self, paths: Iterable[str], time: int) -> str:
        """The abbreviated id of the newest commit of this time that changed one of these files; empty if none did."""
        log = self.run("log", "--format=%h %ct", f"--since={time}", f"--until={time}", "--", *paths).stdout
        lines = (line.split() for line in log.decode("ascii", "replace").splitlines())
        return next((id for id, seconds in lines if seconds == str(time)), "")

    def ignored(self) -> frozenset[str]:
        """The untracked paths below the folder that Git ignores; folders' paths end with `/`.

        In a folder that is ignored itself they are all files: Git cannot gather these there ("directory entry not
        superset of prefix").
        """
        arguments = ("ls-files", "--others", "--ignored", "--exclude-standard", "-z")
        listed = self.run(*arguments, "--directory")
        return frozenset(command.names(self.output(*arguments) if listed.returncode else listed.stdout))

    def tracks(self, path: Path) -> bool:
        """Whether Git tracks a file."""
        return self.run("ls-files", "--error-unmatch", "--", str(path.absolute())).returncode == 0

    def tracked(self, name: str) -> Sequence[str]:
        """The paths of the files with this name that Git tracks, from the root of the repository."""
        return command.names(self.output("ls-files", "-z", "--full-name", "--", f":(top,glob)**/{name}"))

    def run(
        self, *arguments: str, stdin: bytes = b"", config: Config = (), environment: Mapping[str, str] = _NONE
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command of Git in the folder, and wait for its end; its exit code is not checked."""
        variables = self.repository.environment(config, environment)
        patience = REMOTE if _REMOTE_COMMANDS.intersection(arguments) else self.repository.patience
        return command.run(self.folder, arguments, variables, stdin, patience)

    def output(self, *arguments: str) -> bytes:
        """What a command of Git prints; raises SourceError if it fails."""
        done = self.run(*arguments)
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace").strip()
            raise SourceError(f"git {arguments[0]} failed in {self.folder}: {message}")
        return done.stdout

    def start(
        self,
        *arguments: str,
        stdin: IO[bytes] | int = subprocess.DEVNULL,
        stderr: IO[bytes] | int = subprocess.DEVNULL,
        read_ahead: int = 0,
    ) -> "subprocess.Popen[bytes]":
        """Start a command of Git in the folder, whose output is read while it runs, by so many bytes ahead."""
        variables, patience = self.repository.environment((), _NONE), self.repository.patience
        return command.start(
            self.folder, arguments, variables, patience, stdin=stdin, stderr=stderr, read_ahead=read_ahead
        )


class Repositories:
    """The repositories that a run may open, each of which is opened once.

    Only these are opened: the repository that contains the workspace; that one's submodules and other working trees. A
    `.git` below it that is neither, as in an unpacked archive, is not: its settings could name programs. A folder
    outside of the workspace's repository was named by the user; its own repository is opened offline, and read with
    little patience.
    """

    def __init__(self, workspace: Path, opened: Repository | None = None, others: Patience = OTHERS) -> None:
        """Begin with the folder in which a run works, and the repository that is its top folder, if it is open."""
        self.workspace, self._others = Path(os.path.realpath(workspace)), others
        self._opened: dict[Path, Repository | SourceError | None] = {opened.root: opened} if opened else {}

    def find(self, folder: Path) -> GitFolder | None:
        """A folder in its repository; None if it is in none, or if Git is not installed.

        Raises SourceError if Git refuses the repository.
        """
        folder = Path(os.path.realpath(folder))
        own = self._own
        if own is None or not folder.is_relative_to(own.root):
            outside = () if folder == self.workspace else (folder, *folder.parents)
            found = self._first(outside, is_offline=True)
        else:
            found = self._first([each for each in _below(folder, own.root) if _belongs_to(each, own)]) or own
        return GitFolder(folder, found) if found else None

    @property
    def of_workspace(self) -> GitFolder | None:
        """The workspace in its repository; None if it is in none, or if Git refuses that or is not installed."""
        try:
            return self.find(self.workspace)
        except SourceError:
            return None

    def named(self, folder: Path) -> GitFolder | None:
        """A folder in the repository that a setting names for it, which asks no remote; None if there is none."""
        folder = Path(os.path.realpath(folder))
        found = self._first((folder, *folder.parents), is_offline=True)
        return GitFolder(folder, found) if found else None

    def unopened(self, folder: Path) -> Path | None:
        """The nearest folder from this one up that has a `.git` of its own, if that is not opened."""
        found, folder = self.find(folder), Path(os.path.realpath(folder))
        nearest = next((each for each in (folder, *folder.parents) if _has_git(each)), None)
        if nearest is None or found is None or nearest == found.root or not nearest.is_relative_to(found.root):
            return None
        return nearest

    @cached_property
    def _own(self) -> Repository | None:
        """The repository that contains the workspace."""
        return self._first((self.workspace, *self.workspace.parents))

    def _first(self, folders: Sequence[Path], *, is_offline: bool = False) -> Repository | None:
        """The repository of the first folder that is the top of a working tree."""
        return next(filter(None, (self._open(each, is_offline=is_offline) for each in folders if _has_git(each))), None)

    def _open(self, root: Path, *, is_offline: bool) -> Repository | None:
        if root not in self._opened:
            try:
                self._opened[root] = _open(root, self._others if is_offline else OWN, is_offline=is_offline)
            except SourceError as error:  # it is asked once: it may have taken its time
                self._opened[root] = error
        if isinstance(found := self._opened[root], SourceError):
            raise found
        return found


def _below(folder: Path, root: Path) -> Iterator[Path]:
    """The folder and those that contain it, down from the root and without it."""
    return (each for each in (folder, *folder.parents) if each != root and each.is_relative_to(root))


def _belongs_to(folder: Path, own: Repository) -> bool:
    """Whether a folder is a submodule or another working tree of a repository: Git keeps what belongs to it there."""
    try:
        text = tree_files.read_start(folder / ".git", size=_MOST_PLACE).decode("utf-8", "surrogateescape")
    except OSError:
        return False
    prefix, _, place = text.strip().partition(": ")
    target = Path(os.path.realpath(folder / place))
    return prefix == "gitdir" and any(target.is_relative_to(own.common_dir / name) for name in ("modules", "worktrees"))


def _has_git(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _open(root: Path, patience: Patience, *, is_offline: bool) -> Repository | None:
    """The repository whose working tree has this top folder; raises SourceError if Git refuses it."""
    places = ("--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    # Before the first commit HEAD names none, of which --revs-only makes no error.
    head = ("--revs-only", "HEAD", "HEAD^{tree}", "--symbolic-full-name", "HEAD")
    try:
        done = _run_before_open(root, patience, "rev-parse", *places, *head)
    except FileNotFoundError:
        return None
    message = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode and ("not a git repository" in message or "must be run in a work tree" in message):
        return None
    if done.returncode:
        lines = "\n  ".join(line.strip() for line in message.splitlines() if line.strip())
        raise SourceError(f"git cannot read the repository at {root}: {lines}")
    top, git_dir, common_dir, *at_head = _text(done).split("\n")
    if Path(top) != root:
        raise SourceError(f"git cannot read the repository at {root}: its core.worktree names the folder {top}")
    common = Path(os.path.realpath(root / common_dir))
    return Repository(
        root, Path(git_dir), common, _head(root, patience, at_head), is_offline=is_offline, patience=patience
    )


def _head(root: Path, patience: Patience, found: Sequence[str]) -> GitHead:
    """What these lines of `git rev-parse` say; a tag of the name HEAD, as before the first commit, hides the branch."""
    commit, tree, *_ = (*(line for line in found if _ID.fullmatch(line)), None, None)
    refs = (line for line in found if not _ID.fullmatch(line))
    ref = next(refs, None) or _text(_run_before_open(root, patience, "symbolic-ref", "--quiet", "HEAD")) or None
    return GitHead(commit, tree, ref)


def _text(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def _settings(root: Path, patience: Patience) -> dict[str, str]:
    """The settings of filters and remotes in the repository, by name; the last of several values."""
    listed = _text(_run_before_open(root, patience, "config", "--null", "--get-regexp", r"^(filter|remote)\."))
    items = (item.partition("\n") for item in listed.split("\0") if item)
    return {name: value for name, _, value in items}


def _run_before_open(root: Path, patience: Patience, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command that reads no file of the working tree, in a folder whose repository is not open yet.

    It asks no remote: a partial clone would fetch a commit that is missing, by a program that its settings name.
    """
    environment = command.environment({**_OFFLINE, "GIT_CEILING_DIRECTORIES": str(root.parent)})
    return command.run(root, arguments, environment, patience=patience)
