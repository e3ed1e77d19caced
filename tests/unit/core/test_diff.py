from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.diff import (
    Move,
    MoveGroup,
    MoveKind,
    SectionChanges,
    compare,
    find_moves,
    section_of,
    sections,
    summary,
)
from waypost.core.model import Changes

BASE = "https://example.org/"


def test_each_kind_of_change_is_told_in_the_order_of_the_locs() -> None:
    old = {"a": ("2026-01-01", 1), "b": ("", 1), "c": ("2026-01-01", 1), "gone": ("", 1), "also": ("", 1)}
    new = {"c": ("2026-01-01", 2), "a": ("2026-01-02", 1), "b": ("", 1), "new": ("", 1), "also new": ("", 1)}
    assert compare(old, new) == Changes(("also new", "new"), ("also", "gone"), ("a",), ("c",))


def test_a_list_that_can_have_no_dates_shows_none_changed() -> None:
    assert compare({"a": ("2026-01-01", 1), "b": ("", 1)}, {"a": ("", 0)}, are_dated=False) == Changes(removed=("b",))


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (Changes(), "0 added, 0 removed, 0 with another date"),
        (Changes(("a",), ("b", "c"), ("d",)), "1 added, 2 removed, 1 with another date"),
        (Changes(metadata_changed=("a",)), "0 added, 0 removed, 0 with another date, 1 with other metadata"),
        (Changes(tuple(map(str, range(1_234)))), "1,234 added, 0 removed, 0 with another date"),
    ],
)
def test_the_changes_are_summed_up_in_a_line(found: Changes, line: str) -> None:
    assert summary(found) == line


@pytest.mark.parametrize(
    ("loc", "section"),
    [
        (BASE, "/"),
        (f"{BASE}blog/a/b.html", "/blog/"),
        (f"{BASE}blog", "/"),
        (f"{BASE}a?b=/c", "/"),
        (f"{BASE}%C3%BC%20x/a", "/ü x/"),
        (f"{BASE}/a", "//"),
    ],
)
def test_a_section_is_the_first_folder(loc: str, section: str) -> None:
    assert section_of(loc) == section


def locs(**counts: int) -> tuple[str, ...]:
    return tuple(f"{BASE}{name}/{n}" for name, count in counts.items() for n in range(count))


def test_sections_with_the_most_changes_come_first_and_then_by_name() -> None:
    found = Changes(locs(b=1, a=1, c=2), locs(d=1), locs(d=1), locs(d=1))
    assert sections(found) == [
        SectionChanges("/d/", 0, 1, 1, 1),
        SectionChanges("/c/", 2),
        SectionChanges("/a/", 1),
        SectionChanges("/b/", 1),
    ]


def test_twenty_sections_are_shown_and_of_more_the_rest_together() -> None:
    names = [f"s{n:02}" for n in range(20)]
    assert [each.name for each in sections(Changes(locs(**dict.fromkeys(names, 1))))] == [f"/{name}/" for name in names]
    folded = sections(Changes(locs(**dict.fromkeys(names, 3), last=1, other=1), locs(last=1)))
    assert [each.name for each in folded] == [*(f"/s{n:02}/" for n in range(19)), "…"]
    assert folded[-1] == SectionChanges("…", added=5, removed=1)


def test_a_section_s_name_is_nothing_that_a_terminal_obeys() -> None:
    assert section_of("https://e.org/%1B]0;owned%07/x") == "/\\x1b]0;owned\\x07/"


HOST = "https://e.org/"
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
        ("http://e.org/a", f"{HOST}a", ("scheme",)),
        ("https://www.e.org/a", f"{HOST}a", ("host",)),
        ("http://e.net/a", f"{HOST}a/", ("scheme", "host", "form")),
        (f"{HOST}a", f"{HOST}a/", ("form",)),
        (f"{HOST}a.html", f"{HOST}a", ("form",)),
        (f"{HOST}a/index.html", f"{HOST}a/", ("form",)),
        (f"{HOST}%7Ea", f"{HOST}~a", ("spelling",)),
        ("https://E.ORG/a", f"{HOST}a", ("spelling",)),
    ],
)
def test_a_page_has_moved_if_only_this_differs(old: str, new: str, kinds: tuple[MoveKind, ...]) -> None:
    assert find_moves([old], [new]) == ((Move(old, new, kinds, 0),), (MoveGroup(old, new, kinds, 1),))


@pytest.mark.parametrize(
    "other", [f"{HOST}b", f"{HOST}a/b", f"{HOST}a?x=1", "https://e.net/b", "ftp://e.org/b", f"{HOST}x/a"]
)
def test_another_page_has_not_moved_here(other: str) -> None:
    assert find_moves([f"{HOST}a"], [other]) == ((), ())


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
    _, groups = find_moves([f"{HOST}%7Ea", f"{HOST}%7Eb"], [f"{HOST}~a", f"{HOST}~b"])
    assert groups == (MoveGroup(f"{HOST}%7Ea", f"{HOST}~a", ("spelling",), 2),)


def test_the_largest_group_is_the_first_and_each_move_names_its_group() -> None:
    removed = [f"{HOST}a", *(f"http://e.org/{n}" for n in range(3))]
    moves, groups = find_moves(removed, [f"{HOST}a/", *(f"{HOST}{n}" for n in range(3))])
    assert [group.count for group in groups] == [3, 1]
    assert [move.group for move in moves] == [0, 0, 0, 1]


def test_two_forms_of_one_page_become_two_others_in_order_and_a_third_is_not_moved() -> None:
    moves, _ = find_moves([f"{HOST}a", f"{HOST}a/", f"{HOST}a.html"], ["http://e.org/a", "http://e.org/a/"])
    assert [(move.old, move.new) for move in moves] == [
        (f"{HOST}a", "http://e.org/a"),
        (f"{HOST}a.html", "http://e.org/a/"),
    ]


def test_a_subdomain_of_a_language_does_not_move_to_that_of_another() -> None:
    assert find_moves(["https://de.e.org/a"], ["https://fr.e.org/a"]) == ((), ())
    assert len(find_moves(["https://de.e.org/a"], ["https://e.org/a"])[0]) == 1


def test_a_path_that_two_hosts_had_has_not_moved() -> None:
    assert find_moves(["https://one.org/a", "https://two.org/a"], [f"{HOST}a"]) == ((), ())


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
