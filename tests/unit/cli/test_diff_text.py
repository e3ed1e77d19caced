"""The changes as text: a mark for each kind, old and new values, and what is cut."""

from __future__ import annotations

import pytest
from click import unstyle

from waypost.build.diff_answer import diff_answer
from waypost.cli.diff_command import diff_lines
from waypost.validate import SITEMAP_NAMESPACE, ListedUrls
from waypost.validate.sitemap_entry import IMAGE_NAMESPACE, Content

BASE = "https://e.org/"


def fields(**values: str) -> tuple[Content, ...]:
    return tuple((SITEMAP_NAMESPACE, name, (), text, ()) for name, text in values.items())


def lines(old: ListedUrls, new: ListedUrls, most: int = 50) -> list[str]:
    return [unstyle(line) for line in diff_lines(diff_answer(old, new), most)][1:]


def test_a_move_of_many_pages_is_one_line_with_its_count() -> None:
    old = {f"http://www.e.org/{n}.html": ("", ()) for n in range(1_234)}
    new = {f"{BASE}{n}/": ("", ()) for n in range(1_234)}
    assert lines(old, new) == [f"> http://www.e.org/*.html → {BASE}*/  (1,234 URLs, scheme, host, form)"]


def test_moves_follow_removals_and_at_most_so_many_are_printed() -> None:
    names = {f"{BASE}{name}": ("", ()) for name in ("a", "b.html", "c/", "gone")}
    moved = {f"{BASE}{name}": ("", ()) for name in ("a/", "b", "c/index.html")}
    assert lines(names, moved, 1)[2:] == [f"- {BASE}gone", f"> {BASE}a → {BASE}a/  (form)", "> … and 2 more (moved)"]


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (fields(priority="0.1"), fields(priority="0.9"), "priority 0.1 → 0.9"),
        ((), fields(changefreq="daily", priority="1"), "changefreq none → daily, priority none → 1"),
        ((), fields(a="1", b="2", c="3", d="4", e="5"), "a none → 1, b none → 2, c none → 3, and 2 more"),
        ((), fields(a="x" * 200), f"a none → {'x' * 99}…"),
        ((), ((IMAGE_NAMESPACE, "loc", (), "\x1b[2J", ()),), "image:loc none → \\x1b[2J"),
    ],
)
def test_old_and_new_metadata_are_printed(old: tuple[Content, ...], new: tuple[Content, ...], shown: str) -> None:
    assert lines({BASE: ("", old)}, {BASE: ("", new)})[2:] == [f"* {BASE}  {shown}"]


def test_old_and_new_dates_are_printed() -> None:
    assert lines({BASE: ("2026-01-01", ())}, {BASE: ("", ())})[2:] == [f"~ {BASE}  2026-01-01 → none"]
