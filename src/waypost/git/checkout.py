"""Commits exactly the files that Waypost wrote, and pushes them.

Commits are made with a temporary index, so the user's staged and changed files stay as they are. No Git hooks run.
"""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from waypost.core.errors import AnnounceError, RaceLostError, UnsignedError
from waypost.git.command import DIFF_OPTIONS, Config
from waypost.git.repository import GitFolder, Repositories

_AUTHOR = re.compile(r"\s*([^<>\n]*[^<>\s])\s*<([^<>\s]+)>\s*")

_OUTDATED = re.compile(
    r"non-fast-forward|fetch first|stale info|cannot lock ref|failed to update ref|reference already exists"
)
_PROTECTED = re.compile(
    r"protected branch|GH006|GH013|rule violations|pre-receive hook declined|hook declined", re.IGNORECASE
)
_UNSIGNED = re.compile(r"verified signature|must be signed|required_signatures", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"403|denied|not permitted|permission|authentication failed|could not read username", re.IGNORECASE
)
_CREDENTIALS = (
    "Give the job `permissions: contents: write`, and set `token`, or do not set `persist-credentials: false` for "
    "actions/checkout"
)
_NONE: Mapping[str, str] = {}
_REMOTE = "origin"
_SUBMODULE = "160000"
"""The mode of a submodule in a Git tree."""
FileChanges = Mapping[str, bytes | None]
"""The contents of the files that a commit changes, by their paths from the repository's root; None removes a file."""


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """The message of a commit, and its author (`Name <address>`)."""

    text: str
    author: str

    @staticmethod
    def is_author(text: str) -> bool:
        """Whether a text is an author: `Name <address>`."""
        return _AUTHOR.fullmatch(text) is not None

    @property
    def stored(self) -> str:
        """The message as Git stores it."""
        return f"{self.text.rstrip()}\n"

    @property
    def identity(self) -> dict[str, str]:
        """The environment variables that set the author; raises AnnounceError if the author has no address."""
        match = _AUTHOR.fullmatch(self.author)
        if match is None:
            raise AnnounceError(f"{self.author!r} is not an author; write `Name <address>`")
        names = {f"GIT_{role}_NAME": match[1] for role in ("AUTHOR", "COMMITTER")}
        return names | {f"GIT_{role}_EMAIL": match[2] for role in ("AUTHOR", "COMMITTER")}


@dataclass(frozen=True, slots=True)
class GitCheckout:
    """A Git working tree; `credentials` are settings for Git's requests to the remote."""

    tree: GitFolder
    credentials: Config = ()

    @property
    def root(self) -> Path:
        """The top folder of the working tree."""
        return self.tree.root

    def head(self) -> str | None:
        """The commit at HEAD, or None if there is no commit yet."""
        return self.tree.repository.head.commit

    def is_ancestor(self, commit: str | None, later: str) -> bool:
        """Whether a commit is in the history of a later one; False for None."""
        return commit is not None and (
            commit == later or self._run("merge-base", "--is-ancestor", commit, later).returncode == 0
        )

    def differs(self, old: str | None, new: str, paths: Iterable[Path]) -> bool:
        """Whether two commits differ in any of the paths; None is an empty commit."""
        trees = [self._tree_entries(commit) if commit else {} for commit in (old, new)]
        names = [os.path.relpath(path, self.root) for path in paths]
        return any(trees[0].get(name) != trees[1].get(name) for name in names)

    def is_committed(self, paths: Iterable[Path]) -> bool:
        """Whether HEAD has these files, and the targets of links among them, as they are in the working tree."""
        head = self.head()
        if head is None:
            return False
        changed = self._git("diff", "--name-only", *DIFF_OPTIONS, head)
        committed = {name for name, entry in self._tree_entries(head).items() if not entry.startswith(_SUBMODULE)}
        committed -= set(changed.split("\0"))
        return all(self._is_in(each, committed) for path in paths for each in (path, Path(os.path.realpath(path))))

    def commit(self, paths: Sequence[Path], message: CommitMessage, parent: str | None) -> str | None:
        """Commit the paths as they are in the working tree on top of `parent`; None if that changes nothing.

        Neither HEAD nor the user's index changes. Raises AnnounceError if Git ignores one of the paths.
        """
        tree = self._write_tree(paths, parent)
        if parent and tree == self._tree_of(parent):
            return None
        return self._commit_tree(tree, message, parent)

    def advance(self, commit: str, paths: Sequence[Path]) -> None:
        """Move HEAD and its branch to a commit that was made on top of it, and update the paths in the index."""
        self._git("update-ref", "-m", "waypost: sitemaps", "HEAD", commit)
        repository = self.tree.repository
        repository.head = repository.head._replace(commit=commit, tree=None)
        self._add(paths, {}, force=True)

    def changes(self, parent: str, commit: str) -> FileChanges:
        """The files that a commit changes, in the order of their names."""
        old, new = self._tree_entries(parent), self._tree_entries(commit)
        names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
        return {name: self.read(commit, name) if name in new else None for name in names}

    def has_same_files(self, commit: str, other: str) -> bool:
        """Whether two commits have the same files."""
        return self._tree_of(commit) == self._tree_of(other)

    def push(self, commit: str, branch: str, *options: str) -> None:
        """Push a commit to a branch; raises RaceLostError, UnsignedError, or AnnounceError that says what to do.

        `options` are those of `git push`.
        """
        done = self._run("push", "--porcelain", *options, "--", _REMOTE, f"{commit}:refs/heads/{branch}")
        if done.returncode:
            raise _push_error(f"{done.stdout}\n{done.stderr}".strip(), branch)

    def replace_branch(self, commit: str, branch: str, present: str | None) -> None:
        """Push a commit to a branch whose newest commit is `present`, which it replaces; raises as `push`."""
        self.push(commit, branch, f"--force-with-lease=refs/heads/{branch}:{present or ''}")

    def fetch(self, branch: str) -> str | None:
        """Fetch the newest commit of a branch; None if the remote has no such branch."""
        return self.fetch_ref(f"refs/heads/{branch}")

    def fetch_ref(self, ref: str) -> str | None:
        """Fetch the commit of a branch or a tag by its whole name; None if the remote has no such name."""
        done = self._run("fetch", "--no-tags", "--", _REMOTE, ref)
        if done.returncode == 0:
            return self._git("rev-parse", "FETCH_HEAD^{commit}")
        if "couldn't find remote ref" in done.stderr:
            return None
        advice = f"\n{_CREDENTIALS}" if _FORBIDDEN.search(done.stderr) else ""
        raise AnnounceError(
            f"git could not fetch {ref.removeprefix('refs/heads/')} from {_REMOTE}: {done.stderr}{advice}"
        )

    def fetch_history(self) -> str:
        """Fetch the missing history of a shallow clone, without files; returns Git's error message, or `""`.

        If the server does not allow a commit to be fetched by its hash, all branches of the remote are fetched.
        """
        fetch = ("fetch", "--unshallow", "--filter=blob:none", "--no-tags", "--", _REMOTE)
        done = self._run(*fetch, self.head() or "HEAD")
        if done.returncode:
            done = self._run(*fetch)
        self.tree.repository.read_settings_again()
        return done.stderr if done.returncode else ""

    def read(self, commit: str, path: str) -> bytes | None:
        """A file's bytes in a commit, or None if the commit does not have it."""
        done = self.tree.run("cat-file", "blob", f"{commit}:{path}")
        return done.stdout if done.returncode == 0 else None

    def files(self, commit: str) -> list[str]:
        """The paths of all files of a commit."""
        return list(self._tree_entries(commit))

    def commit_file(self, name: str, content: bytes, message: CommitMessage, parent: str | None) -> str:
        """Commit this file beside the parent's, for a branch of its own; the working tree does not change."""
        with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
            (Path(folder) / "file").write_bytes(content)
            blob = self._git("hash-object", "-w", "--no-filters", str(Path(folder) / "file"))
        entries = self._tree_entries(parent) if parent else {}
        entries[name] = f"100644 blob {blob}"
        tree = self._git("mktree", "-z", stdin="".join(f"{entry}\t{path}\0" for path, entry in entries.items()))
        return self._commit_tree(tree, message, parent)

    @contextmanager
    def worktree(self, commit: str) -> Iterator["GitCheckout"]:
        """A temporary second working tree at a commit, which is removed at the end of the block."""
        with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
            path = Path(folder).resolve() / "tree"
            self._git("worktree", "add", "--quiet", "--detach", str(path), commit)
            try:
                tree = Repositories(path).find(path)
                if tree is None:
                    raise AnnounceError(f"{path} is no working tree of Git any more")
                yield GitCheckout(tree, self.credentials)
            finally:
                self._git("worktree", "remove", "--force", str(path))

    def _tree_entries(self, commit: str) -> dict[str, str]:
        """The mode, type and object of each file of a commit, by its path."""
        entries = self._git("ls-tree", "-r", "-z", commit).split("\0")
        return {name: entry for entry, _, name in (line.partition("\t") for line in entries if line)}

    def _is_in(self, path: Path, committed: set[str]) -> bool:
        """Whether a path, or a link in the place of one of its folders, is in a commit."""
        if not path.is_relative_to(self.root):
            return False
        relative = path.relative_to(self.root)
        return any(str(each) in committed for each in (relative, *relative.parents))

    def _write_tree(self, paths: Sequence[Path], parent: str | None) -> str:
        with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self._git("read-tree", parent or "--empty", environment=index)
            self._add(paths, index)
            return self._git("write-tree", environment=index)

    def _commit_tree(self, tree: str, message: CommitMessage, parent: str | None) -> str:
        command = ("commit-tree", tree, *(("-p", parent) if parent else ()), "-F", "-")
        return self._git(*command, stdin=message.stored, environment=message.identity)

    def _add(self, paths: Sequence[Path], index: dict[str, str], *, force: bool = False) -> None:
        """Add paths to an index as they are in the working tree; paths that do not exist are removed from it."""
        names = self._existing_or_indexed([os.path.relpath(path, self.root) for path in paths], index)
        if not names:
            return
        command = ("add", "--all", *(["--force"] if force else []), "--pathspec-from-file=-", "--pathspec-file-nul")
        done = self._run(*command, stdin="\0".join(names), environment={"GIT_LITERAL_PATHSPECS": "1"} | index)
        if done.returncode and force:
            raise self._failure("add", done)
        if done.returncode:
            self._require_none_ignored(names, index)
            self._add(paths, index, force=True)

    def _require_none_ignored(self, names: Sequence[str], index: dict[str, str]) -> None:
        """Raise AnnounceError if Git ignores a file that is not in the index; it ignores the folders of others."""
        existing = "\0".join(name for name in names if (self.root / name).exists())
        ignored = self._run("check-ignore", "-z", "--stdin", stdin=existing, environment=index).stdout.split("\0")[0]
        if ignored:
            raise AnnounceError(
                f"Git ignores {self.root / ignored}, so it was not committed; remove it from .gitignore, or do not set "
                "`commit`"
            )

    def _existing_or_indexed(self, names: Sequence[str], index: dict[str, str]) -> list[str]:
        existing = {name for name in names if (self.root / name).exists()}
        if len(existing) < len(names):
            existing |= set(self._git("ls-files", "-z", environment=index).split("\0"))
        return [name for name in names if name in existing]

    def _tree_of(self, commit: str) -> str:
        head = self.tree.repository.head
        return head.tree if head.tree and commit == head.commit else self._git("rev-parse", f"{commit}^{{tree}}")

    def _git(self, *arguments: str, stdin: str = "", environment: Mapping[str, str] = _NONE) -> str:
        done = self._run(*arguments, stdin=stdin, environment=environment)
        if done.returncode:
            raise self._failure(arguments[0], done)
        return done.stdout

    def _failure(self, command: str, done: CompletedProcess[str]) -> AnnounceError:
        return AnnounceError(f"git {command} failed in {self.root}: {done.stderr}")

    def _run(self, *arguments: str, stdin: str = "", environment: Mapping[str, str] = _NONE) -> CompletedProcess[str]:
        """Run a command in the top folder; its output and its messages are without space at their ends."""
        at = self.tree.at(self.root)
        encoded = stdin.encode("utf-8", "surrogateescape")
        done = at.run(*arguments, stdin=encoded, config=self.credentials, environment=environment)
        output, message = (each.decode("utf-8", "surrogateescape").strip() for each in (done.stdout, done.stderr))
        return CompletedProcess(arguments, done.returncode, output, message)


def _push_error(message: str, branch: str) -> AnnounceError:
    if _UNSIGNED.search(message):
        return UnsignedError(
            f"{branch} takes only signed commits, so the sitemaps were not pushed: {message}\nSet `verified: true`"
        )
    if _PROTECTED.search(message):
        return AnnounceError(
            f"{branch} is protected: set `commit: pull-request`, or allow the workflow's token to bypass the rule. The "
            f"sitemaps were not pushed: {message}"
        )
    if _OUTDATED.search(message):
        return RaceLostError(f"another push to {branch} came while the sitemaps were rendered")
    if _FORBIDDEN.search(message):
        return AnnounceError(f"the token may not write to this repository: {message}\n{_CREDENTIALS}")
    return AnnounceError(f"git could not push to {branch}: {message}")
