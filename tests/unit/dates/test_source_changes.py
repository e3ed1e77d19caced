"""Which files a commit changed, and which versions are read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.core.page_changes import PageChange, Verdicts, Version
from waypost.dates.source_changes import SourceChanges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def checker(versions: dict[bytes, bytes | None], budget: int = 100) -> SourceChanges:
    def read(wanted: Sequence[Version]) -> Iterator[bytes | None]:
        return (versions[each] for each in wanted if isinstance(each, bytes))

    return SourceChanges(read, budget, lambda versions: None)


def test_a_move_of_the_same_bytes_is_unchanged_without_being_read() -> None:
    assert checker({}).check([PageChange("b.md", b"1", b"1", "a.md")], {"b.md"}) == Verdicts({"b.md"})


def test_only_files_that_are_asked_about_are_read_and_those_that_cannot_be_read_are_named() -> None:
    changes = [PageChange(f"{name}.md", b"1", b"2") for name in "ab"]
    check = checker({b"1": b"text", b"2": None})
    assert check.check(changes, {"a.md"}) == Verdicts(unread=frozenset({"a.md"}))
    assert check.sample(changes) == ()


def test_beyond_the_budget_files_are_changed() -> None:
    check = checker({b"1": b"text", b"2": b"text\n"}, budget=1)
    assert check.check([PageChange(f"{name}.md", b"1", b"2") for name in "ab"], {"a.md", "b.md"}).unchanged == {"a.md"}
    assert check.check([PageChange("c.md", b"1", b"2")], {"c.md"}).unchanged == set()


def test_a_file_that_is_too_long_to_be_compared_is_changed() -> None:
    check = checker({b"1": b"x" * 600_000, b"2": b"x" * 600_000 + b"\n"})
    assert check.check([PageChange("a.md", b"1", b"2")], {"a.md"}) == Verdicts()
