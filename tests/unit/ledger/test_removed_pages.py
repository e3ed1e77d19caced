"""The pages that updates remove within an hour."""

from __future__ import annotations

from msgspec.structs import replace

from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest, RemovedPages, ShardEntry
from waypost.ledger.removed_pages import with_removed_pages


def listing(pages: int, removed: RemovedPages | None = None) -> Manifest:
    return Manifest(config_digest="x", entries=(ShardEntry("", None, "", pages, "shards/a"),), removed=removed)


def after_updates(*steps: tuple[int, float]) -> RemovedPages | None:
    """What is counted after updates from 68 pages to each of these numbers, at these times."""
    manifest = listing(68)
    for pages, now in steps:
        manifest = with_removed_pages(manifest, listing(pages, manifest.removed), now)
    return manifest.removed


def test_removals_within_an_hour_are_counted_together() -> None:
    found = after_updates((58, 1_000), (34, 4_599))
    assert found == RemovedPages(1_000, 34, 68)
    assert found.percent == 50
    assert after_updates((58, 1_000), (34, 4_599), (33, 4_600)) == RemovedPages(4_600, 1, 34)


def test_pages_that_moved_or_came_back_do_not_count() -> None:
    assert after_updates((68, 1_000)) is None
    assert after_updates((128, 1_000), (68, 2_000)) == RemovedPages(1_000, 0, 68)
    uploads_first = after_updates((128, 1_000))
    assert uploads_first
    assert uploads_first.percent == 0
    manifest = listing(68)
    assert with_removed_pages(manifest, manifest, 1_000) is manifest


def test_the_entries_of_a_build_that_is_not_complete_say_nothing() -> None:
    building = replace(listing(10), builder=BuilderLease(position="k"))
    assert with_removed_pages(building, listing(5), 1_000).removed is None


def test_a_small_site_has_no_share() -> None:
    assert RemovedPages(1_000, 2, 3).percent == 0
    assert not RemovedPages(1_000, 2, 3).is_counted(4_600)
