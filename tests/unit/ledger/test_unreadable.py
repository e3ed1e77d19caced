"""The objects that a ledger remembers as unreadable."""

from __future__ import annotations

from waypost.ledger.manifest import Manifest, UnreadableObject
from waypost.ledger.unreadable import MOST, with_unreadable


def test_an_object_is_remembered_until_it_was_read_or_is_gone() -> None:
    first = with_unreadable(Manifest(), (), {"b": "AccessDenied", "a": "x" * 999})
    assert first.unreadable == (UnreadableObject("a", "x" * 300), UnreadableObject("b", "AccessDenied"))
    second = with_unreadable(first, {"a"}, {"b": "cut short"})
    assert second.unreadable == (UnreadableObject("b", "cut short"),)
    assert with_unreadable(second, {"c"}, {}) is second
    assert with_unreadable(second, {"b"}, {}).unreadable == ()


def test_no_more_are_remembered_than_a_manifest_should_hold() -> None:
    found = with_unreadable(Manifest(), (), {f"{n:05}": "x" for n in range(MOST + 9)})
    assert len(found.unreadable) == MOST
