"""A bucket that is divided: each part is a site like any other, and together they list what the bucket has.

Questions about it have one answer about all its parts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from fake_buckets import BASE, StatefulBucket
from msgspec import UnsetType
from subscribers import Recorder

from waypost.build import divided_bucket
from waypost.build.bucket_check import check
from waypost.build.bucket_explanation import explain_objects
from waypost.build.bucket_run import RebuildOptions
from waypost.build.divided_bucket import DividedBucket, rebuild, rebuild_part, update, would_rebuild
from waypost.build.partitions import Division, Partition
from waypost.build.status import UP_TO_DATE, status
from waypost.core.clock import Retry
from waypost.core.errors import ConflictError, EventError, NewerVersionError, RebuildNeededError, RemovalError

FOLDERS = ("blog", "docs", "shop")


def large(**settings: Any) -> StatefulBucket:
    """A bucket with a page in its root, and 12 in each of three folders."""
    bucket = StatefulBucket(**{"urls": 1_000, **settings})
    for key in ("index.html", *(f"{folder}/{n:02}.html" for folder in FOLDERS for n in range(12))):
        bucket.put(key, f"<p>{key}")
    return bucket


def divided(bucket: StatefulBucket, most: int = 20, goal: int = 15) -> DividedBucket:
    bucket.clock.sleep(1)
    return DividedBucket(bucket.site(), most, goal)


def listed(bucket: StatefulBucket) -> dict[str, str]:
    """The URLs of all published sitemaps, with their dates."""
    found: dict[str, str] = {}
    for body in bucket.outputs.bodies().values():
        for loc, lastmod in re.findall(r"<url>\s*<loc>(.*?)</loc>(?:\s*<lastmod>(.*?)</lastmod>)?", body.decode()):
            assert loc not in found
            found[loc] = lastmod
    return found


def names(bucket: StatefulBucket) -> list[str]:
    return sorted(bucket.outputs.bodies())


def test_a_rebuild_divides_what_is_too_large_and_the_parts_list_all() -> None:
    bucket = large()
    answer = rebuild(divided(bucket))
    assert [each.prefix for each in divided(bucket).division().parts] == ["docs/", "shop/", ""]
    assert len(listed(bucket)) == 37
    assert names(bucket) == ["sitemap-part1.xml", "sitemap-part2.xml", "sitemap.xml"]
    assert answer.head is not None
    assert (answer.head.page_count, len(answer.written)) == (37, 3)


def test_what_is_small_enough_is_not_divided() -> None:
    bucket = large()
    rebuild(divided(bucket, 37))
    assert (names(bucket), "partitions" in bucket.state.bodies()) == (["sitemap.xml"], False)


def test_the_dates_of_a_state_that_is_divided_stay() -> None:
    bucket = large()
    rebuild(divided(bucket, 100))
    for folder in FOLDERS:
        bucket.clock.sleep(86_400)
        bucket.change(f"{folder}/01.html", "<p>new")
    before = listed(bucket)
    assert len(set(before.values())) == 4
    rebuild(divided(bucket))
    assert listed(bucket) == before
    bucket.clock.sleep(86_400)
    for key in list(bucket.source.objects):
        bucket.put(key, bucket.source.objects[key][0])
    rebuild(divided(bucket, 8, 7))
    assert listed(bucket) == before
    assert len(divided(bucket).division().partitions) > 2


def test_pages_that_move_to_a_partition_are_neither_removed_nor_drift() -> None:
    bucket, recorder = large(), Recorder()
    bucket.subscribers = [recorder]
    rebuild(divided(bucket, 100))
    recorder.urls.clear()
    results = [rebuild(divided(bucket))]
    for part in ("part1", "part2", ""):
        results.append(rebuild_part(divided(bucket), part, options=RebuildOptions(lag=0.0)))
    assert [each.drift for each in results] == [0] * 4
    assert recorder.urls == []


def test_an_event_costs_its_partition_alone() -> None:
    bucket = large()
    rebuild(divided(bucket))
    bucket.put("docs/new.html", "<p>new")
    requests = bucket.counted(lambda: update(divided(bucket), ["docs/new.html"]))
    assert f"{BASE}docs/new.html" in bucket.outputs.bodies()["sitemap-part1.xml"].decode()
    assert [each for each in requests if "part2" in each or each.endswith(" state")] == []


def test_a_deleted_file_of_a_partition_is_published_again_by_its_event() -> None:
    bucket = large()
    rebuild(divided(bucket))
    body = bucket.outputs.bodies()["sitemap-part2.xml"]
    bucket.outputs.remove("sitemap-part2.xml")
    update(divided(bucket), ["sitemap-part2.xml"])
    assert bucket.outputs.bodies()["sitemap-part2.xml"] == body


def test_a_new_partition_is_built_before_its_parent_lets_its_pages_go() -> None:
    bucket = large()
    rebuild(divided(bucket, 100))
    before = listed(bucket)
    bucket.state.write("partitions", b'{"partitions":[{"prefix":"docs/"},{"prefix":"shop/"}]}')
    with pytest.raises(RebuildNeededError):
        update(divided(bucket), ["docs/01.html"])
    assert rebuild_part(divided(bucket)).is_unfinished
    assert names(bucket) == ["sitemap-part1.xml", "sitemap.xml"]
    assert rebuild_part(divided(bucket)).is_unfinished
    assert not rebuild_part(divided(bucket)).is_unfinished
    assert listed(bucket) == before


def test_a_partition_that_fails_leaves_the_others_right_and_its_pages_listed() -> None:
    bucket = large()
    for n in range(12, 24):
        bucket.put(f"docs/{n}.html", f"<p>{n}")
    at = divided(bucket, 30, 25)
    rebuild(at)
    for n in range(1, 24):
        bucket.delete(f"docs/{n:02}.html")
    bucket.put("index.html", "<p>new")
    bucket.clock.sleep(60)
    with pytest.raises(RemovalError):
        rebuild_part(at, "part1")
    assert not rebuild_part(at).is_unfinished
    assert len(listed(bucket)) == 49
    since = bucket.remembered().head.built_at
    assert divided_bucket.not_rebuilt(at, at.division(), since) == ["part1"]


def test_robots_txt_names_the_sitemaps_of_all_parts() -> None:
    bucket = large(robots_sitemaps=True)
    rebuild(divided(bucket))
    robots = bucket.outputs.bodies()["robots.txt"].decode()
    assert re.findall("sitemap.*xml", robots) == ["sitemap.xml", "sitemap-part1.xml", "sitemap-part2.xml"]


def test_rules_of_robots_txt_apply_to_each_part() -> None:
    bucket = large()
    rebuild(divided(bucket))
    bucket.put("robots.txt", "User-agent: *\nDisallow: /docs/01\nDisallow: /shop/02")
    update(divided(bucket), ["robots.txt"])
    assert len(listed(bucket)) == 35


def test_a_lost_state_of_a_part_is_made_again_with_its_dates() -> None:
    bucket = large()
    rebuild(divided(bucket))
    before = listed(bucket)
    bucket.clock.sleep(86_400)
    for name in list(bucket.state.bodies()):
        if name != "partitions":
            bucket.state.remove(name)
    rebuild(divided(bucket))
    assert listed(bucket) == before


def test_a_dry_run_neither_divides_nor_builds() -> None:
    bucket = large()
    at = DividedBucket(bucket.site().dry_run(), 20, 15)
    result = would_rebuild(at)
    assert (result.head is not None, names(bucket), bucket.state.bodies()) == (True, [], {})
    bucket.state.write("partitions", b'{"partitions":[{"prefix":"docs/"}]}')
    head = would_rebuild(at).head
    assert head
    assert (head.page_count, len(head.files), list(bucket.state.bodies())) == (37, 2, ["partitions"])


def test_what_cannot_be_divided_stays_one_state() -> None:
    bucket = StatefulBucket(urls=1_000)
    for n in range(30):
        bucket.put("a" * (n + 1) + ".html", f"<p>{n}")
    rebuild(DividedBucket(bucket.site(), 20, 1))
    assert len(listed(bucket)) == 30
    for settings in ({"alternates": "folders"}, {"groups": {"part1": ["/docs/"]}}):
        other = large(**settings)
        assert not divided(other).can_be_divided
        rebuild(divided(other))
        assert divided(other).division() == Division()


def test_a_division_that_ran_out_of_time_goes_on() -> None:
    bucket = large()
    answers = iter([False, True])
    retry = Retry(lambda: next(answers, False), bucket.clock.sleep)
    at = divided(bucket)
    first = at.divide(Division().parts[0], Division(), retry)
    assert len(first.partitions) <= 2
    rebuild(divided(bucket))
    assert len(listed(bucket)) == 37


def test_an_unknown_partition_is_an_error_of_the_request() -> None:
    bucket = large()
    with pytest.raises(EventError, match="there is no partition 'part7'"):
        rebuild_part(divided(bucket), "part7")


def test_a_partition_has_neither_lists_nor_formats_for_a_whole_site() -> None:
    bucket = large(formats=["xml", "llms"])
    at = divided(bucket)
    site = at.site_named("part1", Division(partitions=(Partition("docs/"),)))
    assert (site.site.formats, site.named_sources(), site.site.robots_sitemaps) == (("xml",), (), False)
    assert replace(site, part=at.whole.part).made_with != site.made_with


def test_a_partition_of_a_newer_release_is_left_to_that_and_the_others_are_rebuilt() -> None:
    bucket = large(robots_sitemaps=True)
    at = divided(bucket)
    rebuild(at)
    bucket.state.write("part1-state", b'{"format":"waypost-bucket","version":9}\n')
    bucket.put("blog/new.html", "<p>new")
    bucket.clock.sleep(60)
    with pytest.raises(NewerVersionError):
        rebuild_part(at, "part1")
    assert not rebuild_part(at).is_unfinished
    assert len(listed(bucket)) == 38
    assert "sitemap-part1.xml" in bucket.outputs.bodies()["robots.txt"].decode()
    assert divided_bucket.not_rebuilt(at, at.division(), bucket.remembered().head.built_at) == ["part1", "part2"]


def test_a_division_that_another_run_has_changed_is_not_replaced() -> None:
    bucket = large()
    bucket.state.write("partitions", b'{"partitions":[{"prefix":"docs/"}]}')
    with pytest.raises(ConflictError):
        divided(bucket).divide(Division().parts[0], Division())
    assert len(divided(bucket).division().partitions) == 1


def two_parts(most: int = 20, **settings: Any) -> StatefulBucket:
    bucket = StatefulBucket(urls=1_000, **settings)
    for key in ("index.html", *(f"{folder}/{n:02}.html" for folder in ("docs", "shop") for n in range(12))):
        bucket.put(key, f"<p>{key}")
    rebuild(divided(bucket, most))
    return bucket


def test_a_status_has_the_counts_of_all_parts_and_each_part() -> None:
    bucket = two_parts()
    answer = status(divided(bucket))
    assert (answer.state, answer.url_count, answer.sitemap_count, answer.problems) == (UP_TO_DATE, 25, 2, [])
    assert not isinstance(answer.partitions, UnsetType)
    assert [(each.prefix, each.state, each.url_count) for each in answer.partitions] == [
        ("", UP_TO_DATE, 13),
        ("shop/", UP_TO_DATE, 12),
    ]
    assert answer.root_sitemaps == ["https://example.org/sitemap.xml", "https://example.org/sitemap-part1.xml"]


def test_a_status_names_the_part_that_is_not_up_to_date_and_its_problem() -> None:
    bucket = two_parts()
    bucket.state.write("part1-state", b"cut")
    answer = status(divided(bucket))
    assert answer.state == "partition shop/: the state cannot be read"
    assert [each.where for each in answer.problems] == ["s3://state/part1-state"]


def test_a_status_of_a_damaged_division_says_so() -> None:
    bucket = two_parts()
    bucket.state.write("partitions", b"{")
    answer = status(divided(bucket))
    assert answer.state == "the state cannot be read"
    assert [each.where for each in answer.problems] == ["s3://state/partitions"]


def test_a_bucket_that_should_be_divided_and_cannot_be_is_a_problem() -> None:
    bucket = two_parts(alternates="folders")
    assert ["is not divided" in each.problem for each in status(divided(bucket)).problems] == [True]
    assert status(divided(bucket, 25)).problems == []
    assert status(divided(two_parts(25), 25)).problems == []


def test_a_check_compares_each_part() -> None:
    bucket = two_parts()
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
    found = explain_objects(divided(two_parts()), ["shop/01.html", "https://example.org/docs/02.html", "nothing.html"])
    assert [(each.path, each.listed) for each in found] == [
        ("shop/01.html", True),
        ("docs/02.html", True),
        ("nothing.html", False),
    ]


def test_without_a_division_that_can_be_read_questions_are_answered_by_the_whole_state() -> None:
    bucket = two_parts()
    bucket.state.write("partitions", b"{")
    assert not check(divided(bucket)).in_sync
    assert [each.path for each in explain_objects(divided(bucket), ["index.html"])] == ["index.html"]
