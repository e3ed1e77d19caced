"""How pages are followed past changes that do not count."""

from collections.abc import Sequence, Set
from typing import NamedTuple

import pytest

from waypost.core.model import History
from waypost.core.page_changes import PageChange, Verdicts
from waypost.git.page_walk import PageWalk, moves, page_change

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


@pytest.mark.parametrize(
    ("raw", "change"),
    [
        (b":100644 100644 %b %b M" % (OLD, NEW), PageChange("a", OLD, NEW)),
        (b":100644 100755 %b %b M" % (OLD, NEW), PageChange("a", OLD, NEW)),
        (b":000000 100644 %b %b A" % (ZERO, NEW), None),
        (b":100644 000000 %b %b D" % (OLD, ZERO), None),
        (b":120000 100644 %b %b T" % (OLD, NEW), None),
        (b":100644 160000 %b %b T" % (OLD, NEW), None),
        (b"::100644 100644 100644 %b %b %b MM" % (OLD, ZERO, NEW), PageChange("a", OLD, NEW)),
        (b"::000000 100644 100644 %b %b %b AM" % (ZERO, OLD, NEW), PageChange("a", OLD, NEW, 1)),
    ],
)
def test_a_raw_line_is_a_change_if_both_versions_are_files(raw: bytes, change: PageChange | None) -> None:
    assert page_change("a", raw) == change


def test_a_page_is_followed_to_the_commit_that_changed_what_counts() -> None:
    walk = PageWalk(Ignoring(), ["a.html", "b.html", "c.css"])
    followed = walk.add(9, [PageChange("a.html", OLD, NEW, 1)], {"a.html", "b.html", "c.css"})
    assert followed == {1: {"a.html"}}
    assert walk.add(8, [], {"a.html"}) == {}
    assert walk.fill(History()).page_times == {"a.html": 8, "b.html": 9}


class Commit(NamedTuple):
    """A commit that modified pages."""

    changes: list[PageChange]


def test_the_newest_change_of_each_undecided_page_is_announced_before_the_commits() -> None:
    check = Ignoring("decided.html")
    walk = PageWalk(check, ["a.html", "b.html", "decided.html"])
    walk.add(9, [PageChange("decided.html", OLD, NEW)], {"decided.html"})
    newest, older, other = (
        PageChange("a.html", OLD, NEW),
        PageChange("a.html", ZERO, OLD),
        PageChange("b.html", OLD, NEW),
    )
    commits = [Commit([newest, PageChange("decided.html", ZERO, OLD)]), Commit([]), Commit([older, other])]
    announced = walk.announced(commits)
    assert next(announced) == commits[0]
    assert check.expected == [[newest, other]]
    assert [commits[0], *announced] == commits


def test_a_commit_of_many_changes_is_not_announced() -> None:
    check = Ignoring()
    paths = [f"{n}.html" for n in range(1_000)]
    large = Commit([PageChange(path, OLD, NEW) for path in paths])
    small = Commit(large.changes[:2])
    assert list(PageWalk(check, paths).announced([small, large, large])) == [small, large, large]
    assert check.expected == [small.changes]


def test_pages_that_were_not_read_have_no_time() -> None:
    walk = PageWalk(Ignoring(beyond={"a.html"}, unread={"b.html"}), ["a.html", "b.html"])
    changes = [PageChange("a.html", OLD, NEW), PageChange("b.html", OLD, NEW)]
    assert walk.add(9, changes, {"a.html", "b.html"}) == {}
    assert walk.fill(History()) == History(beyond_budget=frozenset({"a.html"}), unread=frozenset({"b.html"}))


def test_the_working_tree_is_the_newest_commit_and_has_no_time() -> None:
    walk = PageWalk(Ignoring("b.html"), ["a.html", "b.html", "c.html"])
    changes = [PageChange("a.html", OLD, "a.html"), PageChange("b.html", OLD, "b.html")]
    walk.add_uncommitted(changes, {"a.html", "b.html", "c.html"})
    walk.add(9, [], {"a.html", "b.html", "c.html"})
    assert walk.fill(History()).page_times == {"a.html": 9}


def test_a_file_was_moved_if_another_one_with_its_bytes_or_else_with_its_name_was_removed() -> None:
    removed = {"old/a.html": OLD, "old/b.html": b"3", "twin/c.html": b"4", "other/c.html": b"5"}
    added = {"new/x.html": OLD, "new/b.html": NEW, "new/c.html": NEW, "new/d.html": NEW}
    assert list(moves(added, removed)) == [
        PageChange("new/x.html", OLD, OLD, 0, "old/a.html"),
        PageChange("new/b.html", b"3", NEW, 0, "old/b.html"),
    ]


def test_a_file_with_the_same_bytes_was_moved_before_one_with_the_same_name() -> None:
    added = {"docs/v1/old/intro.html": NEW, "docs/v2/guide/intro.html": OLD}
    assert old_paths(added, {"docs/guide/intro.html": OLD}) == {"docs/v2/guide/intro.html": "docs/guide/intro.html"}


def test_of_several_files_with_the_same_bytes_the_nearest_path_was_moved() -> None:
    removed = {"en/1.0/ref/a.html": OLD, "zh/2.0/ref/a.html": OLD, "zh/2.0/b.html": OLD}
    added = {"zh/old/2.0/ref/a.html": OLD, "en/old/1.0/ref/a.html": OLD}
    assert old_paths(added, removed) == {
        "zh/old/2.0/ref/a.html": "zh/2.0/ref/a.html",
        "en/old/1.0/ref/a.html": "en/1.0/ref/a.html",
    }
    assert old_paths({"a.html": OLD}, {"v2/a.html": OLD, "v1/a.html": OLD}) == {"a.html": "v1/a.html"}
    patched = old_paths({"1.6.7/a.html": OLD, "1.7.2/a.html": OLD}, {"1.6.6/a.html": OLD, "1.7.1/a.html": OLD})
    assert patched == {"1.6.7/a.html": "1.6.6/a.html", "1.7.2/a.html": "1.7.1/a.html"}
    removed = {"learn/3.0/a.html": OLD, "learn/4.0/a.html": OLD}
    assert old_paths({"3.0/learn/a.html": OLD}, removed) == {"3.0/learn/a.html": "learn/3.0/a.html"}


def test_two_added_files_were_not_moved_from_one() -> None:
    assert old_paths({"b.html": OLD, "c.html": OLD}, {"a.html": OLD}) == {"b.html": "a.html"}


def test_of_very_many_empty_files_none_was_moved_to_a_certain_place() -> None:
    removed = {f"old/{n}/a{n}.html": OLD for n in range(60)}
    assert old_paths({f"new/{n}.html": OLD for n in range(60)}, removed) == {}


def old_paths(added: dict[str, bytes], removed: dict[str, bytes]) -> dict[str, str]:
    return {change.path: change.old_path for change in moves(added, removed)}


def test_a_page_is_followed_through_its_moves_under_its_older_paths() -> None:
    walk = PageWalk(Ignoring(), ["c.html"], follows_moves=True)
    first = list(walk.moves({"c.html": NEW}, {"b.html": NEW}))
    assert walk.add(9, first, {"c.html"}) == {0: {"b.html"}}
    assert walk.add(8, [PageChange("b.html", OLD, NEW)], {"b.html"}) == {0: {"b.html"}}
    assert walk.add(7, list(walk.moves({"b.html": OLD}, {"a.html": OLD})), {"b.html"}) == {0: {"a.html"}}
    walk.add(6, [], {"a.html"})
    assert walk.fill(History()).page_times == {"c.html": 6}


def test_moves_are_not_followed_unless_asked_for_and_never_to_a_file_that_exists() -> None:
    added, removed = {"b.html": NEW}, {"a.html": NEW}
    assert list(PageWalk(Ignoring(), ["b.html"]).moves(added, removed)) == []
    walk = PageWalk(Ignoring(), ["a.html", "b.html"], follows_moves=True)
    assert walk.add(9, list(walk.moves(added, removed)), {"b.html"}) == {}
    walk.add(8, [], {"a.html"})
    assert walk.fill(History()).page_times == {"a.html": 8, "b.html": 9}


def test_a_page_may_have_had_no_ending_of_a_page_before_it_was_moved() -> None:
    walk = PageWalk(Ignoring(), ["a.html"], follows_moves=True)
    assert walk.add(9, list(walk.moves({"a.html": OLD}, {"v1.2": OLD})), {"a.html"}) == {0: {"v1.2"}}
    assert walk.add(8, list(walk.moves({"v1.2": OLD}, {"old/v1.2": OLD})), {"v1.2"}) == {0: {"old/v1.2"}}


def test_no_other_file_with_the_same_bytes_takes_the_older_path_of_a_page() -> None:
    walk = PageWalk(Ignoring(), ["new/p.html"], follows_moves=True)
    assert walk.add(9, list(walk.moves({"a.bak": OLD, "new/p.html": OLD}, {"p.html": OLD})), {"new/p.html"}) == {
        0: {"p.html"}
    }


def test_of_two_pages_with_one_older_path_one_is_followed_and_the_other_dated_by_its_move() -> None:
    walk = PageWalk(Ignoring(), ["a/p.html", "b/p.html"], follows_moves=True)
    changes = list(walk.moves({"a/p.html": NEW, "b/p.html": NEW}, {"p.html": NEW}))
    assert walk.add(9, changes, {"a/p.html", "b/p.html"}) == {0: {"p.html"}}
    walk.add(8, [], {"p.html"})
    assert walk.fill(History()).page_times == {"a/p.html": 8, "b/p.html": 9}


def test_a_move_that_was_reverted_dates_no_page() -> None:
    walk = PageWalk(Ignoring(), ["p.html"], follows_moves=True)
    assert walk.add(9, list(walk.moves({"p.html": NEW}, {"a/p.html": NEW})), {"p.html"}) == {0: {"a/p.html"}}
    assert walk.add(8, list(walk.moves({"a/p.html": NEW}, {"p.html": NEW})), {"a/p.html"}) == {0: {"p.html"}}
    walk.add(7, [], {"p.html"})
    assert walk.fill(History()).page_times == {"p.html": 7}
