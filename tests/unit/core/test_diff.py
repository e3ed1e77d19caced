import pytest

from waypost.core.diff import SectionChanges, compare, section_of, sections, summary
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
