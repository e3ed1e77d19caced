"""The date on which a file of a Git repository last changed, for comparison; shares no code with Waypost.

The date is the committer time of the newest commit in which the file's text changed. The commits are those of
`git log -- FILE`, which follows the parent that has the same file through merges. Such a commit does not count if

- it changed white space only, as where it wraps lines anew, compared with one of its parents;
- it is a merge of which each line is in a parent, by Git's combined diff, and which has all that they share;
- it renamed the file and left its bytes as they were: then the search goes on with the older name, before that commit;
- `.git-blame-ignore-revs` of the current commit names it.

A commit that copied the file, or renamed and changed it, added it: that is a change. If no commit counts, the file has
the date of the newest one. A file that no commit has has no date.

With `has_words_only`, only letters and digits count, in place of all but white space. So no commit counts that only
writes a text in another way; nor one that only corrects its punctuation.
"""

import re
import subprocess
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class History:
    """The history of the checked out commit of a repository."""

    def __init__(self, repository: Path, *, has_words_only: bool = False) -> None:
        self._repository = repository
        self._ignored_characters = re.compile(r"[\W_]+" if has_words_only else r"\s+")
        self._renames: dict[str, dict[str, str]] = {}

    def date(self, path: str) -> int | None:
        """When the file last changed, in Unix seconds; None if no commit has it."""
        start = "HEAD"
        while True:
            first: int | None = None
            for commit, when, parents in self._commits(path, start):
                first = first or when
                if older := self._older_name(commit, parents, path):
                    path, start = older, parents[0]
                    break
                if commit not in self._ignored and self._is_change(commit, parents, path):
                    return when
            else:
                return first

    def _commits(self, path: str, start: str) -> Iterator[tuple[str, int, list[str]]]:
        for line in self._git("log", "--format=%H %ct %P", start, "--", path).splitlines():
            commit, when, *parents = line.split()
            yield commit, int(when), parents

    def _is_change(self, commit: str, parents: list[str], path: str) -> bool:
        """Whether the file differs from that in each parent, other than in white space, and not as they combined do."""
        if len(parents) > 1 and not self._has_own_lines(commit, len(parents), path):
            return False
        return all(self._differs(parent, commit, path) for parent in parents or [_EMPTY_TREE])

    def _has_own_lines(self, merge: str, parents: int, path: str) -> bool:
        """Whether a merge has lines that no parent has, or lacks some that all have."""
        lines = self._git("diff-tree", "--cc", "--format=", merge, "--", path).partition("@@@")[2].splitlines()
        return any(line.startswith(("+" * parents, "-" * parents)) for line in lines)

    def _differs(self, parent: str, commit: str, path: str) -> bool:
        return self._characters(parent, path) != self._characters(commit, path)

    def _characters(self, commit: str, path: str) -> str:
        """The characters of a file that count; empty if a commit does not have it."""
        exists = commit != _EMPTY_TREE and self._git("ls-tree", "--name-only", commit, "--", path)
        return self._ignored_characters.sub("", self._git("show", f"{commit}:{path}")) if exists else ""

    def _older_name(self, commit: str, parents: list[str], path: str) -> str:
        """The name that the file had before, if this commit renamed it and changed no byte; else the empty string."""
        if len(parents) != 1:
            return ""
        if commit not in self._renames:
            options = ("-r", "-z", "-M100%", "-l0", "--diff-filter=R", "--raw")
            fields = self._git("diff-tree", *options, parents[0], commit).split("\0")
            pairs = zip(fields[1::3], fields[2::3], strict=False)
            self._renames[commit] = {new: old for old, new in pairs}
        return self._renames[commit].get(path, "")

    @cached_property
    def _ignored(self) -> frozenset[str]:
        file = self._repository / ".git-blame-ignore-revs"
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        return frozenset(re.findall(r"^\s*([0-9a-f]{40})\b", text, re.MULTILINE))

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self._repository), "-c", "core.quotePath=false", *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
