"""A folder's build as lines of text."""

from __future__ import annotations

from waypost.build.build_answer import change_lines
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


def test_added_urls_and_those_with_another_date_have_their_dates() -> None:
    url = "https://example.org/{}".format
    changes = Changes(added=(url("a"), url("b")), removed=(url("c"),), lastmod_changed=(url("d"),))
    assert list(change_lines(changes, {url("a"): "2026-01-02", url("d"): "2026-03-04"}))[1:] == [
        "  + https://example.org/a  2026-01-02",
        "  + https://example.org/b  no date",
        "another date (1):",
        "  ~ https://example.org/d  2026-03-04",
        "removed (1):",
        "  - https://example.org/c",
    ]
