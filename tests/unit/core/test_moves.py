"""Moves of pages: by what their URLs differ, how they are grouped, and the laws that they keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.diff import Move, MoveGroup, MoveKind, find_moves

BASE = "https://e.org/"
NAMES = st.sampled_from(["a", "b", "c", "d", "index", "%7Ea", "de", "fr"])
URLS = st.builds(
    lambda origin, names, form: origin + "".join(f"/{name}" for name in names) + form,
    st.sampled_from(["http://e.org", "https://e.org", "https://www.e.org", "https://de.e.org", "e.org", ""]),
    st.lists(NAMES, max_size=4),
    st.sampled_from(["", "/", ".html", "/index.html", "?q=a/b"]),
)
SIDES = st.tuples(st.sets(URLS, max_size=40), st.sets(URLS, max_size=40)).map(
    lambda sides: (sides[0] - sides[1], sides[1] - sides[0])
)


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("http://e.org/a", f"{BASE}a", ("scheme",)),
        ("https://www.e.org/a", f"{BASE}a", ("host",)),
        ("http://e.net/a", f"{BASE}a/", ("scheme", "host", "form")),
        (f"{BASE}a", f"{BASE}a/", ("form",)),
        (f"{BASE}a.html", f"{BASE}a", ("form",)),
        (f"{BASE}a/index.html", f"{BASE}a/", ("form",)),
        (f"{BASE}%7Ea", f"{BASE}~a", ("spelling",)),
        ("https://E.ORG/a", f"{BASE}a", ("spelling",)),
    ],
)
def test_a_page_has_moved_if_only_this_differs(old: str, new: str, kinds: tuple[MoveKind, ...]) -> None:
    assert find_moves([old], [new]) == ((Move(old, new, kinds, 0),), (MoveGroup(old, new, kinds, 1),))


@pytest.mark.parametrize(
    "other", [f"{BASE}b", f"{BASE}a/b", f"{BASE}a?x=1", "https://e.net/b", "ftp://e.org/b", f"{BASE}x/a"]
)
def test_another_page_has_not_moved_here(other: str) -> None:
    assert find_moves([f"{BASE}a"], [other]) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "group"),
    [
        ("http://e.org/{}", "https://e.org/{}", ("http://e.org/*", "https://e.org/*", ("scheme",))),
        ("https://e.org/{}.html", "https://e.org/{}/", ("https://e.org/*.html", "https://e.org/*/", ("form",))),
        (
            "http://www.e.net/blog/{}.html",
            "https://e.org/blog/{}/",
            ("http://www.e.net/*.html", "https://e.org/*/", ("scheme", "host", "form")),
        ),
    ],
)
def test_pages_that_moved_alike_are_one_group(old: str, new: str, group: tuple[str, str, tuple[MoveKind, ...]]) -> None:
    names = ("one", "two", "three", "deep/four")
    moves, groups = find_moves(map(old.format, names), map(new.format, names))
    assert groups == (MoveGroup(*group, 4),)
    assert {(move.old, move.new, move.group) for move in moves} == {
        (old.format(name), new.format(name), 0) for name in names
    }


def test_a_group_that_differs_in_spelling_alone_is_shown_by_its_first_urls() -> None:
    _, groups = find_moves([f"{BASE}%7Ea", f"{BASE}%7Eb"], [f"{BASE}~a", f"{BASE}~b"])
    assert groups == (MoveGroup(f"{BASE}%7Ea", f"{BASE}~a", ("spelling",), 2),)


def test_the_largest_group_is_the_first_and_each_move_names_its_group() -> None:
    removed = [f"{BASE}a", *(f"http://e.org/{n}" for n in range(3))]
    moves, groups = find_moves(removed, [f"{BASE}a/", *(f"{BASE}{n}" for n in range(3))])
    assert [group.count for group in groups] == [3, 1]
    assert [move.group for move in moves] == [0, 0, 0, 1]


def test_two_forms_of_one_page_become_two_others_in_order_and_a_third_is_not_moved() -> None:
    moves, _ = find_moves([f"{BASE}a", f"{BASE}a/", f"{BASE}a.html"], ["http://e.org/a", "http://e.org/a/"])
    assert [(move.old, move.new) for move in moves] == [
        (f"{BASE}a", "http://e.org/a"),
        (f"{BASE}a.html", "http://e.org/a/"),
    ]


def test_a_subdomain_of_a_language_does_not_move_to_that_of_another() -> None:
    assert find_moves(["https://de.e.org/a"], ["https://fr.e.org/a"]) == ((), ())
    assert len(find_moves(["https://de.e.org/a"], ["https://e.org/a"])[0]) == 1


def test_a_path_that_two_hosts_had_has_not_moved() -> None:
    assert find_moves(["https://one.org/a", "https://two.org/a"], [f"{BASE}a"]) == ((), ())


@given(SIDES)
def test_each_url_is_in_one_move_at_most(sides: tuple[set[str], set[str]]) -> None:
    moves, groups = find_moves(*sides)
    assert len({move.old for move in moves}) == len({move.new for move in moves}) == len(moves)
    assert {move.old for move in moves} <= sides[0]
    assert {move.new for move in moves} <= sides[1]
    assert sum(group.count for group in groups) == len(moves)
    assert all(groups[move.group].kinds == move.kinds != () for move in moves)


@given(SIDES)
def test_with_the_sides_swapped_the_moves_are_reversed(sides: tuple[set[str], set[str]]) -> None:
    (moves, groups), (back, back_groups) = find_moves(*sides), find_moves(*reversed(sides))
    assert {(move.old, move.new, move.kinds) for move in moves} == {(move.new, move.old, move.kinds) for move in back}
    assert {(each.old, each.new, each.count) for each in groups} == {
        (each.new, each.old, each.count) for each in back_groups
    }
