"""A source that moves keeps its date, whatever happens to its old path, then or later."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import pytest
import quick
from chronicles import Chronicle, Tree
from repositories import Repository, in_repository

from waypost.dates.page_history import KeptHistories, page_history, source_history
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from waypost.core.model import History

T = 1_700_000_000
SITE = Site(base_url="https://www.example.org/")


def dates(folder: Path, kept: KeptHistories | None = None) -> dict[str, int | None]:
    found: History = source_history(in_repository(folder), SITE, (), kept)
    if kept:
        kept.keep()
    return found.page_times


def text(name: str) -> str:
    return f"The text about {name} is long enough and goes on.\n\nA second part of {name} that is its own.\n"


def test_a_moved_file_keeps_its_date_when_a_copy_comes_back_to_its_old_path_later(repository: Repository) -> None:
    old = {f"v1/{name}.md": text(name) for name in ("pumps", "tanks")}
    new = {path.replace("v1", "docs"): content for path, content in old.items()}
    repository.commit({**old}, T)
    repository.commit({**dict.fromkeys(old), **new}, T + 1)
    repository.commit({**old}, T + 2)
    assert dates(repository.folder) == dict.fromkeys(new, T) | dict.fromkeys(old, T + 2)


def test_files_that_exchange_their_names_keep_their_dates(repository: Repository) -> None:
    repository.commit({"a.md": text("a"), "b.md": text("b"), "c.md": text("c")}, T)
    repository.commit({"a.md": text("a"), "b.md": text("new b")}, T + 1)
    repository.commit({"a.md": text("new b"), "b.md": text("c"), "c.md": text("a")}, T + 2)
    assert dates(repository.folder) == {"a.md": T + 1, "b.md": T, "c.md": T}


def test_any_number_of_equal_files_moves_together(repository: Repository) -> None:
    for n, folder in enumerate(("old", "middle", "new")):
        before = {f"{('', 'old', 'middle')[n]}/{m}/a.md": None for m in range(200) if n}
        repository.commit({**before, **{f"{folder}/{m}/a.md": text("same") for m in range(200)}}, T + n)
    repository.commit({"new/7/a.md": text("other")}, T + 9)
    found = dates(repository.folder)
    assert found.pop("new/7/a.md") == T + 9
    assert set(found.values()) == {T}


def test_an_edit_on_one_branch_and_a_move_on_another_give_the_date_of_the_edit(repository: Repository) -> None:
    repository.commit({"a.md": text("a"), "x.md": "other words stand here"}, T)
    repository.git("switch", "--quiet", "--create", "move")
    repository.commit({"a.md": None, "b.md": text("a")}, T + 2)
    repository.git("switch", "--quiet", "main")
    repository.commit({"a.md": text("a") + "edited words at the end\n"}, T + 1)
    repository.git("merge", "--quiet", "--no-edit", "move", when=T + 9)
    assert dates(repository.folder) == {"b.md": T + 1, "x.md": T}
    assert "edited words" in (repository.folder / "b.md").read_text()


def test_a_merge_that_only_formats_what_the_second_parent_has_is_no_change(repository: Repository) -> None:
    repository.commit({"a.md": text("a")}, T)
    repository.git("switch", "--quiet", "--create", "other")
    repository.commit({"a.md": text("b")}, T + 1)
    repository.git("switch", "--quiet", "main")
    repository.commit({"a.md": text("c")}, T + 2)
    repository.git("merge", "--quiet", "--strategy=ours", "--no-commit", "other")
    repository.commit({"a.md": text("b").replace(" is ", "\nis ")}, T + 3)
    assert dates(repository.folder) == {"a.md": T + 1}


LINES = [f"Line {n} has words of its own.\n" for n in range(9)]


def merged_edits(repository: Repository, name: str, of_merge: dict[int, str], later: int = 0) -> None:
    """A file of which one branch edits the second line and the other the eighth, and a merge of both.

    On the other branch there are some later commits of another file.
    """
    repository.commit({name: "".join(LINES), "other.md": "other"}, T)
    repository.git("switch", "--quiet", "--create", "other")
    repository.commit({name: edited({7: "Theirs.\n"})}, T + 2)
    for n in range(later):
        repository.commit({"other.md": f"other {n}"}, T + 3 + n)
    repository.git("switch", "--quiet", "main")
    repository.commit({name: edited({1: "Ours.\n"})}, T + 1)
    repository.git("merge", "--quiet", "--no-commit", "--strategy=ours", "other")
    repository.commit({name: edited(of_merge)}, T + 9)


def edited(lines: dict[int, str]) -> str:
    return "".join(lines.get(n, line) for n, line in enumerate(LINES))


@pytest.mark.parametrize(
    ("of_merge", "date"),
    [
        pytest.param({1: "Ours.\n", 7: "Theirs.\n"}, T + 2, id="both edits"),
        pytest.param({1: "Ours.\n", 7: "Theirs and more.\n"}, T + 9, id="another word in one of them"),
        pytest.param({1: "Ours.\n", 7: "Theirs.\n", 4: ""}, T + 9, id="a line less, which both have"),
        pytest.param({1: "Ours.\n", 7: "Theirs.\nTheirs.\n"}, T + 9, id="a line twice"),
    ],
)
def test_a_merge_that_combines_what_its_parents_have_dates_a_source_by_the_newest_of_them(
    repository: Repository, of_merge: dict[int, str], date: int
) -> None:
    merged_edits(repository, "a.md", of_merge)
    assert dates(repository.folder)["a.md"] == date


def test_a_merge_of_two_edits_dates_a_committed_page_by_the_newest_of_them(repository: Repository) -> None:
    merged_edits(repository, "a.html", {1: "Ours.\n", 7: "Theirs.\n"})
    found = page_history(in_repository(repository.folder), SITE)
    assert found.page_times["a.html"] == T + 2


def test_a_merge_of_two_edits_is_continued_from_a_kept_history_as_from_the_whole_one(repository: Repository) -> None:
    merged_edits(repository, "a.md", {1: "Ours.\n", 7: "Theirs.\n"})
    kept = KeptHistories()
    assert dates(repository.folder, kept)["a.md"] == T + 2
    repository.git("switch", "--quiet", "--create", "late", "other")
    repository.commit({"a.md": edited({6: "Late.\n", 7: "Theirs.\n"})}, T + 20)
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-edit", "late", when=T + 30)
    assert dates(repository.folder, kept)["a.md"] == dates(repository.folder)["a.md"] == T + 20


def test_a_merge_of_two_edits_has_no_date_where_the_clone_lacks_one_of_them(
    repository: Repository, tmp_path: Path
) -> None:
    merged_edits(repository, "a.md", {1: "Ours.\n", 7: "Theirs.\n"}, later=2)
    repository.git("clone", "--quiet", "--depth=3", repository.folder.as_uri(), str(tmp_path / "shallow"))
    assert dates(tmp_path / "shallow")["a.md"] is None


class Moves(Chronicle):
    """A history of sources that are moved, copied, exchanged, returned, formatted, branched, merged and released."""

    PATHS: tuple[str, ...] = ("a.md", "b.md", "v1/a.md", "v1/c.md", "v2/a.md", "docs/a.md", "docs/c.md")

    def _fresh(self) -> str:
        return "\n".join(f"text {len(self.commits)} {n}{' ' * self.random.randrange(3)}" for n in range(3))

    def _edit(self) -> None:
        changes = [self._format, self._exchange, self._copy, self._return, self._release, self._line, self._line]
        self.random.choice([super()._edit, *changes])()

    def _line(self) -> None:
        """Change one line of a file, as most edits do."""
        branch = self.random.randrange(len(self.branches))
        if tree := self._tree(branch):
            path = self.random.choice(sorted(tree))
            lines = tree[path].split("\n")
            lines[self.random.randrange(len(lines))] = f"line {len(self.commits)}"
            self._changed(branch, tree | {path: "\n".join(lines)})

    def _resolved(self, ours: str | None, theirs: str | None, base: str | None) -> str | None:
        """Of a file that both sides changed, mostly the lines of both."""
        resolved = super()._resolved(ours, theirs, base)
        if resolved is None or not (ours and theirs) or theirs in (base, ours) or self.random.random() < 0.2:
            return resolved
        return "\n".join(map(self.random.choice, zip(ours.split("\n"), theirs.split("\n"), strict=False)))

    def _changed(self, branch: int, tree: Tree) -> None:
        self._advance(branch, {path: content for path, content in tree.items() if content})

    def _format(self) -> None:
        branch = self.random.randrange(len(self.branches))
        tree = self._tree(branch)
        if tree:
            path = self.random.choice(sorted(tree))
            self._changed(branch, tree | {path: f"{tree[path]} "})

    def _exchange(self) -> None:
        branch, (one, other) = self.random.randrange(len(self.branches)), self.random.sample(self.PATHS, 2)
        tree = self._tree(branch)
        self._changed(branch, tree | {one: tree.get(other, ""), other: tree.get(one, "")})

    def _copy(self) -> None:
        branch, (one, other) = self.random.randrange(len(self.branches)), self.random.sample(self.PATHS, 2)
        tree = self._tree(branch)
        self._changed(branch, tree | {other: tree.get(one, "")})

    def _return(self) -> None:
        """Give a path a content that it had in some earlier commit."""
        branch, path = self.random.randrange(len(self.branches)), self.random.choice(self.PATHS)
        older = self.random.choice(self.commits)[1]
        self._changed(branch, self._tree(branch) | {path: older.get(path, "")})

    def _release(self) -> None:
        """Move a folder to another one, and sometimes keep a copy where it was."""
        branch, (one, other) = self.random.randrange(len(self.branches)), self.random.sample(["v1", "v2", "docs"], 2)
        tree, keeps = self._tree(branch), self.random.random() < 0.3
        for path in [path for path in self._tree(branch) if path.startswith(f"{one}/")]:
            tree[path.replace(one, other)] = tree[path] if keeps else tree.pop(path)
        self._changed(branch, tree)


class Model(NamedTuple):
    """When each path of each commit got its words, told from whole trees, one path after another."""

    commits: list[tuple[tuple[int, ...], Tree]]

    def date(self, commit: int, path: str) -> int:
        parents, tree = self.commits[commit]
        if same := [each for each in parents if self.commits[each][1].get(path) == tree[path]]:
            return self.date(same[0], path)
        for parent in parents:
            older = self.commits[parent][1]
            source = self.sources(older, tree).get(path, path)
            if source in older and older[source].split() == tree[path].split():
                return self.date(parent, source)
        if combined := self.combined(parents, path, tree):
            return max(self.date(parent, source) for parent, source in combined.items())
        return 1_600_000_000 + 100 * (commit + 1)

    def combined(self, parents: Sequence[int], path: str, tree: Tree) -> dict[int, str]:
        """Where the parents of a merge have a file, if each line of it is theirs, and it has all that they share."""
        sources = {parent: self.sources(self.commits[parent][1], tree).get(path, path) for parent in parents}
        older = [self.commits[parent][1].get(source) for parent, source in sources.items()]
        counts = [Counter(filter(None, map(str.strip, text.split("\n")))) for text in (tree[path], *older) if text]
        if len(parents) < 2 or len(counts) <= len(parents):
            return {}
        own, *others = counts
        for line in {line for count in counts for line in count}:
            numbers = [count[line] for count in others]
            least, most = (min(numbers), max(numbers)) if max(numbers) < 2 else (0, sum(numbers))
            if not least <= own[line] <= most:
                return {}
        return sources

    def sources(self, before: Tree, after: Tree) -> dict[str, str]:
        """Where each file was: its bytes were there and are no more, or else the only removed file of its name was."""
        free = {path for path in before if after.get(path) != before[path]}
        new = {path for path in after if after[path] != before.get(path)}
        found: dict[str, str] = {}
        while pair := min(
            ((-nearness(one, other)[0], one) for one in new for other in free if after[one] == before[other]),
            default=None,
        ):
            path = pair[1]
            equal = sorted(other for other in free if after[path] == before[other])
            found[path] = max(equal, key=lambda other: nearness(path, other))
            free, new = free - {found[path]}, new - {path}
        removed = before.keys() - after.keys()
        for path in sorted(free & removed):
            if [name(each) for each in removed].count(name(path)) == 1:
                added = sorted(each for each in new - before.keys() if name(each) == name(path))
                if added:
                    found[max(added, key=lambda each: nearness(each, path)[0])] = path
        return found


def nearness(one: str, other: str) -> tuple[int, int, int]:
    parts, others = one.split("/"), other.split("/")
    return common(parts[::-1], others[::-1]), len(set(parts) & set(others)), common(one, other)


def common(one: Sequence[str], other: Sequence[str]) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


def name(path: str) -> str:
    return path.rpartition("/")[2]


@pytest.mark.parametrize(("seed", "repeats"), quick.every(5, [(seed // 2, seed % 2 == 0) for seed in range(100)]))
def test_each_source_of_a_tangled_history_has_the_date_of_its_words(
    repository: Repository, seed: int, repeats: bool
) -> None:
    made = Moves(seed, repeats=repeats)
    made.import_into(repository)
    model, head = Model(made.commits), made.branches[0]
    assert dates(repository.folder) == {path: model.date(head, path) for path in made.commits[head][1]}


@pytest.mark.parametrize("seed", quick.every(5, range(20)))
def test_a_later_commit_changes_no_date_of_a_file_that_it_does_not_touch(repository: Repository, seed: int) -> None:
    made = Moves(seed)
    made.import_into(repository)
    before, kept = dates(repository.folder), KeptHistories()
    assert dates(repository.folder, kept) == before
    for number, path in enumerate(Moves.PATHS):
        changed = None if (repository.folder / path).exists() else text(path)
        if changed is None and path not in before:
            continue
        repository.commit({path: changed, f"more/{number}.md": text(str(number))}, T + number)
        found = dates(repository.folder)
        assert {each: found[each] for each in before.keys() & found.keys() - {path}} == {
            each: before[each] for each in before.keys() & found.keys() - {path}
        }
        assert dates(repository.folder, KeptHistories()) == found
