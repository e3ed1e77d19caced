"""Which files of a commit were at another path before."""

from waypost.core.page_changes import PageChange
from waypost.git.page_walk import moves

OLD, NEW, ZERO = b"1" * 40, b"2" * 40, b"0" * 40


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


def test_very_many_equal_files_are_moved_beside_each_other() -> None:
    removed = {f"old/v{n:03}/index.html": OLD for n in range(300)}
    added = {f"new/v{n:03}/index.html": OLD for n in range(300)}
    assert old_paths(added, removed) == {path: path.replace("new", "old") for path in added}
    renamed = {f"{n:03}-old.html": OLD for n in range(300)}
    again = {f"{n:03}-new.html": OLD for n in range(300)}
    assert old_paths(again, renamed) == {path: path.replace("new", "old") for path in again}


def old_paths(after: dict[str, bytes], before: dict[str, bytes]) -> dict[str, str]:
    return {change.path: change.old_path for change in moves(before, after)}
