"""The pages that updates remove within an hour."""

from __future__ import annotations

from waypost.core.model import Changes
from waypost.ledger.manifest import Manifest, RemovedPages
from waypost.ledger.removed_pages import with_removed_pages


def removed(count: int, added: int = 0) -> Changes:
    return Changes(tuple(map(str, range(added))), tuple(map(str, range(count))))


def test_removals_within_an_hour_are_counted_together() -> None:
    first = with_removed_pages(Manifest(), 68, removed(10), 1_000)
    second = with_removed_pages(first, 58, removed(24), 4_599)
    assert second.removed == RemovedPages(1_000, 34, 68)
    assert second.removed.percent == 50
    assert with_removed_pages(second, 34, removed(1), 4_600).removed == RemovedPages(4_600, 1, 34)


def test_pages_that_moved_or_came_back_do_not_count() -> None:
    first = with_removed_pages(Manifest(), 68, removed(10, added=10), 1_000)
    assert first.removed == RemovedPages(1_000, 0, 68)
    uploads_first = with_removed_pages(Manifest(), 68, removed(0, added=60), 1_000)
    assert with_removed_pages(uploads_first, 128, removed(60), 2_000).removed == RemovedPages(1_000, 0, 68)
    assert uploads_first.removed
    assert uploads_first.removed.percent == 0
    assert with_removed_pages(first, 58, removed(0), 2_000) is first


def test_a_small_site_has_no_share() -> None:
    assert RemovedPages(1_000, 2, 3).percent == 0
    assert not RemovedPages(1_000, 2, 3).is_counted(4_600)
