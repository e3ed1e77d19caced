"""Random histories of branches and merges for tests."""

from __future__ import annotations

import random
import subprocess
from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repositories import Repository

Tree = dict[str, str]


class Chronicle:
    """A seeded history of branches and merges, written with `git fast-import`."""

    PATHS: tuple[str, ...] = ("a.html", "b.html", "c/d.html", "c/e.html", "f.html")

    def __init__(self, seed: int, *, repeats: bool = True) -> None:
        """With `repeats`, branches may give a file a content that it has or had elsewhere."""
        self.random = random.Random(seed)
        self.repeats = repeats
        self.commits: list[tuple[tuple[int, ...], Tree]] = []
        self.branches: list[int] = []
        self.lines: list[str] = []
        self._grow()

    def stream(self) -> bytes:
        return "".join([*self.lines, f"reset refs/heads/main\nfrom :{self.branches[0] + 1}\n\n"]).encode()

    def import_into(self, repository: Repository) -> None:
        """Write the history into an empty repository, and check it out."""
        command = ["git", "fast-import", "--quiet", "--force"]
        subprocess.run(command, cwd=repository.folder, input=self.stream(), check=True, capture_output=True)
        repository.git("reset", "--quiet", "--hard", "main")

    def _grow(self) -> None:
        self.branches = [self._commit((), dict.fromkeys(self.PATHS[:3], "old"))]
        for _ in range(50):
            change = self.random.choice([self._edit, self._edit, self._remove, self._rename, self._branch, self._merge])
            self._octopus() if change == self._merge and len(
                self.branches
            ) > 2 and self.random.random() < 0.5 else change()
        while len(self.branches) > 1:
            self._merge()

    def _commit(self, parents: tuple[int, ...], tree: Tree) -> int:
        self.commits.append((parents, tree))
        number = len(self.commits)
        self.lines.append(
            f"commit refs/heads/work{number}\nmark :{number}\n"
            f"committer T <t@example.org> {1_600_000_000 + 100 * number} +0000\ndata 1\nx\n"
            + "".join(
                f"{word} :{parent + 1}\n" for word, parent in zip(("from", *["merge"] * 3), parents, strict=False)
            )
            + "deleteall\n"
            + "".join(f"M 100644 inline {p}\ndata {len(c)}\n{c}\n" for p, c in sorted(tree.items()))
            + "\n"
        )
        return number - 1

    def _tree(self, branch: int) -> Tree:
        return dict(self.commits[self.branches[branch]][1])

    def _advance(self, branch: int, tree: Tree) -> None:
        self.branches[branch] = self._commit((self.branches[branch],), tree)

    def _edit(self) -> None:
        """Edit a file or add it again; with a content of before, this reverts it or changes nothing."""
        branch = self.random.randrange(len(self.branches))
        content = self.random.choice(["old", "new", self._fresh()]) if self._may_repeat() else self._fresh()
        self._advance(branch, self._tree(branch) | {self.random.choice(self.PATHS): content})

    def _may_repeat(self) -> bool:
        return self.repeats or len(self.branches) == 1

    def _fresh(self) -> str:
        return f"only {len(self.commits)}"

    def _remove(self) -> None:
        branch = self.random.randrange(len(self.branches))
        tree = self._tree(branch)
        tree.pop(self.random.choice(self.PATHS), None)
        self._advance(branch, tree)

    def _rename(self) -> None:
        branch = self.random.randrange(len(self.branches))
        tree = self._tree(branch)
        if tree:
            content = tree.pop(self.random.choice(sorted(tree)))
            tree[self.random.choice(self.PATHS)] = content if self._may_repeat() else self._fresh()
            self._advance(branch, tree)

    def _branch(self) -> None:
        if len(self.branches) < 4:
            self.branches.append(self.random.choice(self.branches))

    def _merge(self) -> None:
        """Merge as Git does, conflicts resolved by hand; some merges throw the other side away."""
        if len(self.branches) < 2:
            return
        mine, other = self.branches[0], self.branches.pop()
        if mine in self._ancestors(other) or other in self._ancestors(mine):
            return
        ours, theirs = self.commits[mine][1], self.commits[other][1]
        base = self.commits[max(self._ancestors(mine) & self._ancestors(other))][1]
        tree = dict(ours)
        for path in self.PATHS if self.random.random() < 0.8 else ():
            sides = ours.get(path), theirs.get(path), base.get(path)
            content = self._resolved(*sides)
            tree.pop(path, None)
            if content is not None:
                tree[path] = content
        self.branches[0] = self._commit((mine, other), tree)

    def _octopus(self) -> None:
        """Merge all branches at once, each path as one of them has it or resolved by hand."""
        heads = self.branches
        if any(one in self._ancestors(other) for one, other in permutations(heads, 2)):
            return
        trees = [self.commits[head][1] for head in heads]
        found = {path: self.random.choice([*(tree.get(path) for tree in trees), self._fresh()]) for path in self.PATHS}
        self.branches = [self._commit(tuple(heads), {path: content for path, content in found.items() if content})]

    def _resolved(self, ours: str | None, theirs: str | None, base: str | None) -> str | None:
        if theirs in (base, ours):
            return ours
        if ours == base:
            return theirs
        return self.random.choice([ours, theirs, self._fresh()])

    def _ancestors(self, commit: int) -> set[int]:
        found, rest = set(), [commit]
        while rest:
            found.add(at := rest.pop())
            rest.extend(self.commits[at][0])
        return found
