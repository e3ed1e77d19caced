"""Questions about a bucket that is divided have one answer about all its parts."""

from __future__ import annotations

from typing import Any

from fake_buckets import StatefulBucket
from msgspec import UnsetType

from waypost.build.bucket_check import check
from waypost.build.bucket_explanation import explain_objects
from waypost.build.divided_bucket import DividedBucket, rebuild
from waypost.build.status import UP_TO_DATE, status


def divided(bucket: StatefulBucket, most: int = 20) -> DividedBucket:
    bucket.clock.sleep(1)
    return DividedBucket(bucket.site(), most, 15)


def made(most: int = 20, **settings: Any) -> StatefulBucket:
    bucket = StatefulBucket(urls=1_000, **settings)
    for key in ("index.html", *(f"{folder}/{n:02}.html" for folder in ("docs", "shop") for n in range(12))):
        bucket.put(key, f"<p>{key}")
    rebuild(divided(bucket, most))
    return bucket


def test_a_status_has_the_counts_of_all_parts_and_each_part() -> None:
    bucket = made()
    answer = status(divided(bucket))
    assert (answer.state, answer.url_count, answer.sitemap_count, answer.problems) == (UP_TO_DATE, 25, 2, [])
    assert not isinstance(answer.partitions, UnsetType)
    assert [(each.prefix, each.state, each.url_count) for each in answer.partitions] == [
        ("", UP_TO_DATE, 13),
        ("shop/", UP_TO_DATE, 12),
    ]
    assert answer.root_sitemaps == ["https://example.org/sitemap.xml", "https://example.org/sitemap-part1.xml"]


def test_a_status_names_the_part_that_is_not_up_to_date_and_its_problem() -> None:
    bucket = made()
    bucket.state.write("part1-state", b"cut")
    answer = status(divided(bucket))
    assert answer.state == "partition shop/: the state cannot be read"
    assert [each.where for each in answer.problems] == ["s3://state/part1-state"]


def test_a_status_of_a_damaged_division_says_so() -> None:
    bucket = made()
    bucket.state.write("partitions", b"{")
    answer = status(divided(bucket))
    assert answer.state == "the state cannot be read"
    assert [each.where for each in answer.problems] == ["s3://state/partitions"]


def test_a_bucket_that_should_be_divided_and_cannot_be_is_a_problem() -> None:
    bucket = made(alternates="folders")
    assert ["is not divided" in each.problem for each in status(divided(bucket)).problems] == [True]
    assert status(divided(bucket, 25)).problems == []
    assert status(divided(made(25), 25)).problems == []


def test_a_check_compares_each_part() -> None:
    bucket = made()
    assert check(divided(bucket)).in_sync
    bucket.put("shop/new.html", "<p>new")
    bucket.delete("docs/01.html")
    bucket.outputs.remove("sitemap-part1.xml")
    answer = check(divided(bucket))
    assert not answer.in_sync
    assert not isinstance(answer.drift, UnsetType)
    assert (answer.drift.new.first, answer.drift.removed.first) == (["shop/new.html"], ["docs/01.html"])
    assert answer.files == {"sitemap-part1.xml": "is missing"}


def test_an_explanation_is_by_the_state_of_its_part() -> None:
    found = explain_objects(divided(made()), ["shop/01.html", "https://example.org/docs/02.html", "nothing.html"])
    assert [(each.path, each.listed) for each in found] == [
        ("shop/01.html", True),
        ("docs/02.html", True),
        ("nothing.html", False),
    ]


def test_without_a_division_that_can_be_read_questions_are_answered_by_the_whole_state() -> None:
    bucket = made()
    bucket.state.write("partitions", b"{")
    assert not check(divided(bucket)).in_sync
    assert [each.path for each in explain_objects(divided(bucket), ["index.html"])] == ["index.html"]
