"""A folder's build as lines of text."""

from __future__ import annotations

from waypost.app.build_text import change_lines
from waypost.core.model import Changes


def test_the_first_ten_urls_of_each_kind_of_change_are_printed() -> None:
    added = tuple(f"https://example.org/{n:02}" for n in range(12))
    lines = list(change_lines(Changes(added=added, removed=("https://example.org/x",))))
    assert lines[:2] == ["added (12):", "  + https://example.org/00"]
    assert lines[10:] == [
        "  + https://example.org/09",
        "  … and 2 more; --json lists all",
        "removed (1):",
        "  - https://example.org/x",
    ]
    assert list(change_lines(Changes())) == []


def test_added_urls_have_their_dates() -> None:
    changes = Changes(added=("https://example.org/a", "https://example.org/b"), removed=("https://example.org/c",))
    assert list(change_lines(changes, {"https://example.org/a": "2026-01-02"}))[1:] == [
        "  + https://example.org/a  2026-01-02",
        "  + https://example.org/b  no date",
        "removed (1):",
        "  - https://example.org/c",
    ]
