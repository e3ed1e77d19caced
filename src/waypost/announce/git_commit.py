"""Commits exactly the files that Waypost wrote, and pushes them.

Commits are made with an index of their own: what the user has staged or changed stays as it
is. No hook of theirs runs, whatever git does on the way.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from waypost.core import git_command
from waypost.core.errors import AnnounceError

AUTHOR = r"\s*([^<>\n]*[^<>\s])\s*<([^<>\s]+)>\s*"
"""An author as people write one: `Name <address>`."""

_RACED = re.compile(
    r"non-fast-forward|fetch first|stale info|cannot lock ref|failed to update ref|reference already exists"
)
_PROTECTED = re.compile(
    r"protected branch|GH006|GH013|rule violations|pre-receive hook declined|hook declined", re.IGNORECASE
)
_FORBIDDEN = re.compile(
    r"403|denied|not permitted|permission|authentication failed|could not read username", re.IGNORECASE
)


_TRAILER = re.compile(r"[A-Za-z0-9-]+: \S")
_SUBMODULE = "160000"
"""The mode of a submodule's entry in a tree."""


class RaceLostError(AnnounceError):
    """Somebody else pushed first."""


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """What a commit says, and in whose name (`Name <address>`)."""

    text: str
    author: str
    is_signed_off: bool = False

    @property
    def whole(self) -> str:
        """The message with its trailer."""
        text = self.text.rstrip()
        if not self.is_signed_off:
            return f"{text}\n"
        has_trailers = "\n\n" in text and all(_TRAILER.match(line) for line in text.rpartition("\n\n")[2].splitlines())
        return f"{text}\n" + ("" if has_trailers else "\n") + f"Signed-off-by: {self.author}\n"

    @property
    def identity(self) -> dict[str, str]:
        """The author as Git's environment; raises AnnounceError where the address is missing."""
        match = re.fullmatch(AUTHOR, self.author)
        if match is None:
            raise AnnounceError(f"{self.author!r} is no author; write `Name <address>`")
        names = {f"GIT_{role}_NAME": match[1] for role in ("AUTHOR", "COMMITTER")}
        return names | {f"GIT_{role}_EMAIL": match[2] for role in ("AUTHOR", "COMMITTER")}


@dataclass(frozen=True, slots=True)
class GitCheckout:
    """A Git working tree; `root` is its top folder."""

    root: Path

    def head(self) -> str | None:
        """The commit at HEAD, or None before the first."""
        return self._try("rev-parse", "--verify", "--quiet", "HEAD") or None

    def branch(self) -> str | None:
        """The branch that is checked out, or None where HEAD is detached."""
        return self._try("symbolic-ref", "--quiet", "--short", "HEAD") or None

    def is_submodule(self) -> bool:
        """Whether the tree is a submodule's: what a workflow runs for is then another repository's branch."""
        return bool(self._try("rev-parse", "--show-superproject-working-tree"))

    def is_shallow(self) -> bool:
        """Whether part of the history is missing."""
        return self._git("rev-parse", "--is-shallow-repository") == "true"

    def is_ancestor(self, commit: str | None, later: str) -> bool:
        """Whether a commit is part of a later one's history; before the first commit nothing is."""
        return commit is not None and self._run("merge-base", "--is-ancestor", commit, later).returncode == 0

    def differs(self, old: str | None, new: str, paths: Iterable[Path]) -> bool:
        """Whether two commits hold other bytes at any of the paths."""
        listed = [self._listing(commit) if commit else {} for commit in (old, new)]
        names = [os.path.relpath(path, self.root) for path in paths]
        return any(listed[0].get(name) != listed[1].get(name) for name in names)

    def carries(self, paths: Iterable[Path]) -> bool:
        """Whether HEAD holds these files, and whatever links among them lead to, just as they stand here."""
        head = self.head()
        if head is None:
            return False
        changed = self._git("diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", head)
        stored = {name for name, entry in self._listing(head).items() if not entry.startswith(_SUBMODULE)}
        stored -= set(changed.split("\0"))
        return all(self._is_held(way, stored) for path in paths for way in (path, Path(os.path.realpath(path))))

    def ignores(self, paths: Sequence[Path]) -> list[str]:
        """Which of the paths Git is told to ignore."""
        names = "\0".join(map(str, paths))
        found = self._run("check-ignore", "-z", "--stdin", stdin=names)
        return [name for name in found.stdout.split("\0") if name]

    def commit(self, paths: Sequence[Path], message: CommitMessage, parent: str | None) -> str | None:
        """Make a commit of the paths as they stand here on top of `parent`; None where that changes nothing.

        Neither HEAD nor the user's index moves.
        """
        tree = self._tree(paths, parent)
        if parent and tree == self._git("rev-parse", f"{parent}^{{tree}}"):
            return None
        parents = ("-p", parent) if parent else ()
        return self._git("commit-tree", tree, *parents, "-F", "-", stdin=message.whole, environment=message.identity)

    def advance(self, commit: str, paths: Sequence[Path]) -> None:
        """Move HEAD, and its branch, to a commit made on top of it, and the paths' entries in the index."""
        self._git("update-ref", "-m", "waypost: sitemaps", "HEAD", commit)
        self._add(paths, {})

    def push(self, commit: str, branch: str, remote: str = "origin") -> None:
        """Push a commit to a branch; raises RaceLostError, or AnnounceError with the remedy."""
        done = self._run("push", "--porcelain", remote, f"{commit}:refs/heads/{branch}")
        if done.returncode:
            raise _push_error(f"{done.stdout}\n{done.stderr}".strip(), branch)

    def fetch(self, branch: str, remote: str = "origin") -> str | None:
        """Fetch a branch's newest commit; None where the remote has no such branch."""
        done = self._run("fetch", "--no-tags", remote, f"refs/heads/{branch}")
        if done.returncode == 0:
            return self._git("rev-parse", "FETCH_HEAD")
        if "couldn't find remote ref" in done.stderr:
            return None
        raise AnnounceError(f"git could not fetch {branch} from {remote}: {done.stderr.strip()}")

    def fetch_history(self, remote: str = "origin") -> str:
        """Fetch what a shallow clone lacks of HEAD's history, without files; returns Git's complaint if it fails.

        Where the server gives no commit by its name, the remote's branches are fetched instead.
        """
        fetch = ("fetch", "--unshallow", "--filter=blob:none", "--no-tags", remote)
        if self._run(*fetch, self.head() or "HEAD").returncode == 0:
            return ""
        done = self._run(*fetch)
        return done.stderr.strip() if done.returncode else ""

    def read(self, commit: str, path: str) -> bytes | None:
        """A file's bytes at a commit, or None where it has none."""
        done = subprocess.run(
            git_command.git_command(self.root, "cat-file", "blob", f"{commit}:{path}"),
            capture_output=True,
            check=False,
            env=git_command.environment(),
        )
        return done.stdout if done.returncode == 0 else None

    def files(self, commit: str) -> list[str]:
        """The paths of every file of a commit."""
        return list(self._listing(commit))

    def commit_file(self, name: str, content: bytes, message: CommitMessage, parent: str | None) -> str:
        """Commit a tree of this one file, as a branch of its own keeps it; the working tree has no part in it."""
        with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
            (Path(folder) / "file").write_bytes(content)
            blob = self._git("hash-object", "-w", "--no-filters", str(Path(folder) / "file"))
        tree = self._git("mktree", stdin=f"100644 blob {blob}\t{name}\n")
        parents = ("-p", parent) if parent else ()
        return self._git("commit-tree", tree, *parents, "-F", "-", stdin=message.whole, environment=message.identity)

    @contextmanager
    def worktree(self, commit: str) -> Iterator["GitCheckout"]:
        """A second working tree at a commit, for as long as the block lasts."""
        with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
            path = Path(folder).resolve() / "tree"
            self._git("worktree", "add", "--quiet", "--detach", str(path), commit)
            try:
                yield GitCheckout(path)
            finally:
                self._git("worktree", "remove", "--force", str(path))

    def _listing(self, commit: str) -> dict[str, str]:
        """Every file of a commit by its path: its mode, type and object."""
        entries = self._git("ls-tree", "-r", "-z", commit).split("\0")
        return {name: entry for entry, _, name in (line.partition("\t") for line in entries if line)}

    def _is_held(self, path: Path, stored: set[str]) -> bool:
        if not path.is_relative_to(self.root):
            return False
        below = path.relative_to(self.root)
        return any(str(each) in stored for each in (below, *below.parents))

    def _tree(self, paths: Sequence[Path], parent: str | None) -> str:
        with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self._git("read-tree", parent or "--empty", environment=index)
            self._add(paths, index)
            return self._git("write-tree", environment=index)

    def _add(self, paths: Sequence[Path], index: dict[str, str]) -> None:
        """Put paths into an index as they stand; those that are gone leave it, if it knows them."""
        known = self._git("ls-files", "-z", environment=index).split("\0")
        names = [os.path.relpath(path, self.root) for path in paths]
        there = [name for name in names if (self.root / name).exists() or name in set(known)]
        if there:
            literal = {"GIT_LITERAL_PATHSPECS": "1"} | index
            self._git(
                *("add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"),
                stdin="\0".join(there),
                environment=literal,
            )

    def _git(self, *arguments: str, stdin: str | None = None, environment: dict[str, str] | None = None) -> str:
        done = self._run(*arguments, stdin=stdin, environment=environment)
        if done.returncode:
            raise AnnounceError(f"git {arguments[0]} failed in {self.root}: {done.stderr.strip()}")
        return done.stdout.strip()

    def _try(self, *arguments: str) -> str:
        return self._run(*arguments).stdout.strip()

    def _run(
        self, *arguments: str, stdin: str | None = None, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            git_command.git_command(self.root, *arguments),
            input=stdin,
            capture_output=True,
            check=False,
            env=git_command.environment(environment),
            encoding="utf-8",
            errors="surrogateescape",
        )


def _push_error(message: str, branch: str) -> AnnounceError:
    if _PROTECTED.search(message):
        return AnnounceError(
            f"{branch} is protected, so the sitemaps were not pushed: {message}\nLet the workflow's token bypass the "
            "rule, or set `branch` to one that it may push to and open a pull request from there"
        )
    if _RACED.search(message):
        return RaceLostError(f"{branch} moved while the sitemaps were rendered")
    if _FORBIDDEN.search(message):
        return AnnounceError(
            f"the token may not write to this repository: {message}\nGive the job `permissions: contents: write`, "
            "and leave actions/checkout its `persist-credentials`"
        )
    return AnnounceError(f"git could not push to {branch}: {message}")
