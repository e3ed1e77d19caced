"""How pages are followed past changes that do not count, and which files of a commit were at another path before."""

from collections.abc import Sequence, Set

from waypost.core.model import History
from waypost.core.page_changes import PageChange, Verdicts
from waypost.git.page_walk import PageWalk, moves
from waypost.git.raw_changes import Commit

OLD, NEW, ZERO = b"1" * 40, b"2" * 40, b"0" * 40


class Ignoring:
    """A check for which only changes of the named pages count."""

    endings: tuple[str, ...] = (".html",)

    def __init__(self, *changed: str, beyond: Set[str] = frozenset(), unread: Set[str] = frozenset()) -> None:
        self.changed, self.beyond, self.unread = frozenset(changed), beyond, unread
        self.expected: list[Sequence[PageChange]] = []

    def begin(self, page_count: int) -> None:
        self.page_count = page_count

    def expect(self, changes: Sequence[PageChange]) -> None:
        self.expected.append(changes)

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        return changes

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        modified = {change.path for change in changes} & undecided
        beyond, unread = modified & self.beyond, modified & self.unread
        return Verdicts(modified - self.changed - beyond - unread, beyond, unread)

    def combined(self, by_parent: Sequence[Sequence[PageChange]], undecided: Set[str]) -> Set[str]:
        del by_parent, undecided
        return set()


def test_a_page_is_followed_to_the_commit_that_changed_what_counts() -> None:
    walk = PageWalk(Ignoring(), ["a.html", "b.html", "c.css"])
    followed = walk.add(9, [[], [PageChange("a.html", OLD, NEW)]], at("a.html", "b.html", "c.css"))
    assert followed == {1: {"a.html": "a.html"}}
    assert walk.add(8, [[]], at("a.html")) == {}
    assert walk.fill(History()).page_times == {"a.html": 8, "b.html": 9}


def test_a_page_is_followed_to_the_first_parent_that_has_what_counts_of_it() -> None:
    walk = PageWalk(Ignoring(), ["a.html"])
    change = PageChange("a.html", OLD, NEW)
    assert walk.add(9, [[change], [change]], at("a.html")) == {0: {"a.html": "a.html"}}


def at(*paths: str) -> dict[str, str]:
    """Pages at their own paths."""
    return {path: path for path in paths}


def modifying(*changes: PageChange) -> Commit:
    return Commit(b"1", 1, [b"2"], set(), {}, {}, list(changes))


def test_the_newest_change_of_each_undecided_page_is_announced_before_the_commits() -> None:
    check = Ignoring("decided.html")
    walk = PageWalk(check, ["a.html", "b.html", "decided.html"])
    walk.add(9, [[PageChange("decided.html", OLD, NEW)]], at("decided.html"))
    newest, older, other = (
        PageChange("a.html", OLD, NEW),
        PageChange("a.html", ZERO, OLD),
        PageChange("b.html", OLD, NEW),
    )
    commits = [modifying(newest, PageChange("decided.html", ZERO, OLD)), modifying(), modifying(older, other)]
    announced = walk.announced(commits)
    assert next(announced) == commits[0]
    assert check.expected == [[newest, other]]
    assert [commits[0], *announced] == commits


def test_a_commit_of_many_changes_is_not_announced() -> None:
    check = Ignoring()
    paths = [f"{n}.html" for n in range(1_000)]
    large = modifying(*(PageChange(path, OLD, NEW) for path in paths))
    small = modifying(*large.changes[:2])
    assert list(PageWalk(check, paths).announced([small, large, large])) == [small, large, large]
    assert check.expected == [small.changes]


def test_pages_that_were_not_read_have_no_time() -> None:
    walk = PageWalk(Ignoring(beyond={"a.html"}, unread={"b.html"}), ["a.html", "b.html"])
    changes = [PageChange("a.html", OLD, NEW), PageChange("b.html", OLD, NEW)]
    assert walk.add(9, [changes], at("a.html", "b.html")) == {}
    assert walk.fill(History()) == History(beyond_budget=frozenset({"a.html"}), unread=frozenset({"b.html"}))


def test_the_working_tree_is_the_newest_commit_and_has_no_time() -> None:
    walk = PageWalk(Ignoring("b.html"), ["a.html", "b.html", "c.html"])
    changes = [PageChange("a.html", OLD, "a.html"), PageChange("b.html", OLD, "b.html")]
    walk.add_uncommitted(changes, {"a.html", "b.html", "c.html"})
    walk.add(9, [[]], at("a.html", "b.html", "c.html"))
    assert walk.fill(History()).page_times == {"a.html": 9}


def commit(before: dict[str, bytes], after: dict[str, bytes]) -> Commit:
    changes = [PageChange(path, before[path], after[path]) for path in sorted(before.keys() & after.keys())]
    return Commit(b"1", 1, [b"2"], {*before, *after}, before, after, changes)


def test_a_page_is_followed_through_its_moves_under_its_older_paths() -> None:
    walk = PageWalk(Ignoring(), ["c.html"], follows_moves=True)
    first = walk.with_moves(commit({"b.html": NEW}, {"c.html": NEW}))
    assert walk.add(9, [first], {"c.html": "c.html"}) == {0: {"c.html": "b.html"}}
    assert walk.add(8, [[PageChange("b.html", OLD, NEW)]], {"c.html": "b.html"}) == {0: {"c.html": "b.html"}}
    second = walk.with_moves(commit({"a.html": OLD}, {"b.html": OLD}))
    assert walk.add(7, [second], {"c.html": "b.html"}) == {0: {"c.html": "a.html"}}
    walk.add(6, [[]], {"c.html": "a.html"})
    assert walk.fill(History()).page_times == {"c.html": 6}


def test_moves_are_not_followed_unless_asked_for() -> None:
    made = commit({"a.html": NEW}, {"b.html": NEW})
    assert PageWalk(Ignoring(), ["b.html"]).with_moves(made) == []


def test_several_pages_may_have_been_one_file_and_a_page_of_its_name_is_another() -> None:
    walk = PageWalk(Ignoring("b.html"), ["a.html", "b.html", "c.html"], follows_moves=True)
    walk.add(9, [[]], {"a.html": "a.html"})
    change = PageChange("a.html", OLD, NEW)
    assert walk.add(8, [[change]], {"b.html": "a.html", "c.html": "a.html"}) == {0: {"c.html": "a.html"}}
    assert walk.fill(History()).page_times == {"a.html": 9, "b.html": 8, "c.html": None}


def test_a_file_at_the_name_of_a_page_that_was_elsewhere_is_not_that_page() -> None:
    walk = PageWalk(Ignoring(), ["a.html"], follows_moves=True)
    assert walk.add(9, [[PageChange("a.html", OLD, NEW)]], {"a.html": "b.html"}) == {}
    assert walk.fill(History()).page_times == {"a.html": 9}


def test_a_page_may_have_had_no_ending_of_a_page_before_it_was_moved() -> None:
    walk = PageWalk(Ignoring(), ["a.html"], follows_moves=True)
    first, second = commit({"v1.2": OLD}, {"a.html": OLD}), commit({"old/v1.2": OLD}, {"v1.2": OLD})
    assert walk.add(9, [walk.with_moves(first)], {"a.html": "a.html"}) == {0: {"a.html": "v1.2"}}
    assert walk.add(8, [walk.with_moves(second)], {"a.html": "v1.2"}) == {0: {"a.html": "old/v1.2"}}


def test_no_other_file_with_the_same_bytes_takes_the_older_path_of_a_page() -> None:
    walk = PageWalk(Ignoring(), ["new/p.html"], follows_moves=True)
    made = commit({"old/v1.2": OLD}, {"a/v1.2": OLD, "new/p.html": OLD})
    assert walk.add(9, [walk.with_moves(made)], {"new/p.html": "new/p.html"}) == {0: {"new/p.html": "old/v1.2"}}


# Moves


def test_a_file_was_moved_if_another_one_with_its_bytes_or_else_with_its_name_was_removed() -> None:
    removed = {"old/a.html": OLD, "old/b.html": b"3", "twin/c.html": b"4", "other/c.html": b"5"}
    added = {"new/x.html": OLD, "new/b.html": NEW, "new/c.html": NEW, "new/d.html": NEW}
    assert list(moves(removed, added)) == [
        PageChange("new/b.html", b"3", NEW, "old/b.html"),
        PageChange("new/x.html", OLD, OLD, "old/a.html"),
    ]


def test_a_file_with_the_same_bytes_was_moved_before_one_with_the_same_name() -> None:
    added = {"docs/v1/old/intro.html": NEW, "docs/v2/guide/intro.html": OLD}
    assert old_paths(added, {"docs/guide/intro.html": OLD}) == {"docs/v2/guide/intro.html": "docs/guide/intro.html"}


def test_a_file_that_is_overwritten_may_have_been_moved_and_one_of_its_name_was_not() -> None:
    before, after = {"a/x.html": OLD, "b/x.html": b"3"}, {"a/x.html": NEW, "b/x.html": OLD}
    assert old_paths(after, before) == {"b/x.html": "a/x.html"}
    assert old_paths({"a/x.html": NEW, "b/x.html": ZERO}, {"a/x.html": OLD}) == {}


def test_of_several_files_with_the_same_bytes_the_nearest_path_was_moved() -> None:
    removed = {"en/1.0/ref/a.html": OLD, "zh/2.0/ref/a.html": OLD, "zh/2.0/b.html": OLD}
    added = {"zh/old/2.0/ref/a.html": OLD, "en/old/1.0/ref/a.html": OLD}
    assert old_paths(added, removed) == {
        "zh/old/2.0/ref/a.html": "zh/2.0/ref/a.html",
        "en/old/1.0/ref/a.html": "en/1.0/ref/a.html",
    }
    assert old_paths({"a.html": OLD}, {"v2/a.html": OLD, "v1/a.html": OLD}) == {"a.html": "v1/a.html"}
    patched = old_paths({"1.6.7/a.html": OLD, "1.7.2/a.html": OLD}, {"1.6.6/a.html": OLD, "1.7.1/a.html": OLD})
    assert old_paths({"1.7.2/a.html": OLD}, {"1.6.6/a.html": OLD, "1.7.1/a.html": OLD}) == {
        "1.7.2/a.html": "1.7.1/a.html"
    }
    assert patched == {"1.6.7/a.html": "1.6.6/a.html", "1.7.2/a.html": "1.7.1/a.html"}
    removed = {"learn/3.0/a.html": OLD, "learn/4.0/a.html": OLD}
    assert old_paths({"3.0/learn/a.html": OLD}, removed) == {"3.0/learn/a.html": "learn/3.0/a.html"}


def test_two_added_files_were_not_moved_from_one() -> None:
    assert old_paths({"b.html": OLD, "c.html": OLD}, {"a.html": OLD}) == {"b.html": "a.html"}


def test_a_file_may_get_another_ending_where_it_is() -> None:
    assert old_paths({"a/b.html": NEW}, {"a/b.htm": OLD, "c/b.htm": OLD}) == {"a/b.html": "a/b.htm"}
    assert old_paths({"a/b.html": NEW, "c/b.html": NEW}, {"a/b.html": OLD, "c/b.xhtml": OLD}) == {
        "c/b.html": "c/b.xhtml"
    }
    assert old_paths({"a/b.html": NEW, "a/b.xhtml": NEW}, {"a/b.htm": OLD}) == {"a/b.html": "a/b.htm"}


def test_very_many_equal_files_are_moved_beside_each_other() -> None:
    removed = {f"old/v{n:03}/index.html": OLD for n in range(300)}
    added = {f"new/v{n:03}/index.html": OLD for n in range(300)}
    assert old_paths(added, removed) == {path: path.replace("new", "old") for path in added}
    renamed = {f"{n:03}-old.html": OLD for n in range(300)}
    again = {f"{n:03}-new.html": OLD for n in range(300)}
    assert old_paths(again, renamed) == {path: path.replace("new", "old") for path in again}


def old_paths(after: dict[str, bytes], before: dict[str, bytes]) -> dict[str, str]:
    return {change.path: change.old_path for change in moves(before, after)}
