"""Which published files a commit must write, since when others are unreferenced, and where ranges end."""

from __future__ import annotations

from typing import Any

import pytest

from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry, UnreferencedFile
from waypost.ledger.pending_files import (
    ROBOTS,
    gains_range,
    range_ends,
    with_dated_unreferenced_files,
    with_pending_files,
)

A, B = PublishedFile("sitemap-a.xml", "a1"), PublishedFile("sitemap-b.xml", "b1")
PUBLISHED = {file.name: file for file in (A, B)}
NOW = 1_000.0


def manifest(*files: PublishedFile, pages: int = 1, **values: Any) -> Manifest:
    entries = tuple(ShardEntry("", file.name, file.name, pages, "shards/x", (file,)) for file in files)
    return Manifest(config_digest="settings", generation=7, entries=entries, **values)


def test_files_that_differ_from_the_published_ones_are_pending_in_this_generation() -> None:
    after = with_pending_files(manifest(A, PublishedFile(B.name, "b2"), PublishedFile("new.xml", "n")), PUBLISHED)
    assert after.pending == (PendingFile("new.xml", 7), PendingFile("sitemap-b.xml", 7))


def test_files_are_pending_by_name_too() -> None:
    after = with_pending_files(manifest(A, B), PUBLISHED, [ROBOTS, A.name])
    assert after.pending == (PendingFile(ROBOTS, 7), PendingFile(A.name, 7))


def test_a_file_that_is_pending_already_keeps_its_generation_unless_it_changes_again() -> None:
    before = (PendingFile(A.name, 3), PendingFile(B.name, 4))
    after = with_pending_files(manifest(A, PublishedFile(B.name, "b2"), pending=before), PUBLISHED)
    assert after.pending == (PendingFile(A.name, 3), PendingFile(B.name, 7))


def test_a_file_that_changes_back_before_it_was_published_stays_pending() -> None:
    changed = with_pending_files(manifest(PublishedFile(A.name, "a2"), B), PUBLISHED)
    back = with_pending_files(manifest(A, B, pending=changed.pending), changed.files)
    assert [each.name for each in back.pending] == [A.name]


def test_a_file_that_the_manifest_no_longer_names_is_not_pending_apart_from_robots_txt() -> None:
    before = (PendingFile(ROBOTS, 3), PendingFile(B.name, 3))
    after = with_pending_files(manifest(A, pending=before), PUBLISHED)
    assert after.pending == (PendingFile(ROBOTS, 3),)


def test_pending_files_are_in_the_order_of_their_names() -> None:
    names = ["c.xml", "a.xml", "b.xml"]
    after = with_pending_files(manifest(*(PublishedFile(name, "d") for name in names)), {})
    assert [each.name for each in after.pending] == sorted(names)


def test_what_a_build_made_pending_stays_marked_until_it_is_published() -> None:
    changed = manifest(PublishedFile(A.name, "a2"), PublishedFile(B.name, "b2"))
    built = with_pending_files(changed, PUBLISHED, is_from_build=True)
    assert built.pending == (PendingFile(A.name, 7, is_from_build=True), PendingFile(B.name, 7, is_from_build=True))
    later = manifest(PublishedFile(A.name, "a3"), PublishedFile(B.name, "b2"), pending=built.pending)
    assert with_pending_files(later, built.files).pending == built.pending
    others = manifest(PublishedFile(A.name, "a2"), B, pending=(PendingFile(B.name, 6),))
    assert not any(each.is_from_build for each in with_pending_files(others, PUBLISHED).pending)


def test_a_file_that_the_manifest_no_longer_names_is_unreferenced() -> None:
    after = with_pending_files(manifest(A), PUBLISHED)
    assert after.unreferenced == (UnreferencedFile(B.name),)
    dated = (UnreferencedFile(B.name, NOW),)
    assert with_pending_files(manifest(A, unreferenced=dated), PUBLISHED).unreferenced == dated


@pytest.mark.parametrize(
    ("values", "is_dated"),
    [
        ({}, True),
        ({"pending": (PendingFile("sitemap.xml", 7),)}, False),
        ({"pages": 0}, False),
        ({"builder": BuilderLease("process", 2_000, position="a")}, False),
    ],
    ids=["all is published", "an index may be pending", "nothing is listed", "a build is in progress"],
)
def test_files_are_unreferenced_since_all_was_published(values: dict[str, Any], *, is_dated: bool) -> None:
    files = (UnreferencedFile("a.xml", 5), UnreferencedFile("b.xml"))
    found = with_dated_unreferenced_files(manifest(A, unreferenced=files, **values), NOW)
    assert [each.since for each in found.unreferenced] == [5, NOW if is_dated else 0]


def test_a_file_that_is_named_again_is_no_longer_unreferenced() -> None:
    after = with_pending_files(manifest(A, B, unreferenced=(UnreferencedFile(B.name, 1),)), {A.name: A})
    assert after.unreferenced == ()
    assert [each.name for each in after.pending] == [B.name], "it may have been deleted meanwhile"


def test_a_sitemap_s_range_ends_at_the_next_first_key_of_its_group() -> None:
    entries = [
        ShardEntry("", "1", "", 2, "x", (PublishedFile("1.xml", "d"), PublishedFile("1.txt", "d"))),
        ShardEntry("", "2", "k.html", 2, "x", (PublishedFile("2.xml", "d"),)),
        ShardEntry("blog", "3", "", 2, "x", (PublishedFile("3.xml", "d"),)),
    ]
    assert range_ends(entries, ()) == {"1.xml": "k.html", "1.txt": "k.html", "2.xml": "", "3.xml": ""}


def test_an_index_s_range_ends_where_the_manifest_says() -> None:
    indexes = [PublishedFile("sitemap-index-1.xml", "d", end="0000 k.html"), PublishedFile("sitemap.xml", "d")]
    assert range_ends([], indexes) == {"sitemap-index-1.xml": "0000 k.html", "sitemap.xml": ""}


@pytest.mark.parametrize(
    ("end", "published_end", "expected"),
    [("m", "k", True), ("k", "m", False), ("k", "k", False), ("", "k", True), ("k", "", False), ("", "", False)],
)
def test_a_range_gains_if_it_ends_later_and_no_end_is_the_latest(
    end: str, published_end: str, *, expected: bool
) -> None:
    assert gains_range(end, published_end) is expected
