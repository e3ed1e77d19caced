from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from bucket_races import Race, listed, undated
from fake_buckets import BASE, StatefulBucket
from fake_stores import Crash, MemoryStore, Writer
from msgspec.structs import replace

from waypost.build.bucket_state import dump_memory
from waypost.core.clock import ONE_ATTEMPT
from waypost.core.errors import (
    ConflictError,
    OtherRunError,
    OutdatedSettingsError,
    RebuildNeededError,
    RemovalError,
    SourceError,
    StoreError,
    UncertainError,
    WrongSiteError,
)
from waypost.files.store import NO_METADATA
from waypost.pages.facts import RULES_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waypost.build.bucket_site import BucketResult

HIDDEN = "<title>x</title><meta name=robots content=noindex>"


def made(*keys: str, **settings: object) -> StatefulBucket:
    """A bucket with pages at these keys, and a state of it."""
    bucket = StatefulBucket(**settings)
    for key in keys:
        bucket.put(key, f"<title>{key}</title><p>text")
    bucket.rebuild()
    return bucket


def keys_of(bucket: StatefulBucket) -> set[str]:
    return {url.removeprefix(BASE) for url in listed(bucket)}


def numbered(count: int) -> list[str]:
    return [f"p{n:03}.html" for n in range(count)]


@pytest.mark.parametrize("seed", range(25))
def test_runs_that_interleave_crash_and_lose_answers_keep_every_page_listed_and_end_right(seed: int) -> None:
    Race(seed).check()


@pytest.mark.parametrize("seed", range(10))
def test_events_one_by_one_publish_what_a_build_from_nothing_does(seed: int) -> None:
    chance = random.Random(seed)
    bucket, keys = made("a.html", "b.html", urls=4, robots_sitemaps=True), numbered(12)
    for _ in range(12):
        key = chance.choice(keys)
        bucket.change(key, chance.choice([None, "<p>x", "<p>y", HIDDEN]))
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def test_an_upload_of_a_known_page_costs_a_handful_of_requests_and_reads_one_object() -> None:
    bucket = made(*numbered(30))
    bucket.put("p004.html", "<title>x</title><p>new")
    requests = bucket.counted(lambda: bucket.update("p004.html"))
    assert [request.partition("-")[0] for request in requests] == [
        "GET state/state",
        "GET site/p004.html",
        "PUT state/state",
        *["HEAD outputs/sitemap", "HEAD outputs/sitemap.xml"],
        *["PUT outputs/sitemap", "PUT outputs/sitemap.xml"],
        "PUT state/state",
    ]


def test_the_event_of_a_published_file_that_is_right_costs_the_head_of_the_state_and_a_look() -> None:
    bucket = made(*numbered(3))
    requests = bucket.counted(lambda: bucket.update("sitemap.xml"))
    assert requests == ["GET state/state start", "HEAD outputs/sitemap.xml"]


def test_an_event_with_the_etag_of_the_very_write_that_the_state_remembers_needs_no_look() -> None:
    bucket = made(*numbered(3))
    etag = bucket.remembered().head.by_name["sitemap.xml"].etag
    assert bucket.counted(lambda: bucket.update("sitemap.xml", etags={"sitemap.xml": etag})) == [
        "GET state/state start"
    ]
    bucket.outputs.write("sitemap.xml", b"another writer's")
    bucket.update("sitemap.xml", etags={"sitemap.xml": "of another write"})
    assert keys_of(bucket) == set(numbered(3))


def test_a_rebuild_of_unchanged_objects_lists_them_and_reads_none() -> None:
    bucket = made(*numbered(60), drop_html=None, trailing_slash=None)
    requests = bucket.counted(bucket.rebuild)
    assert [each for each in requests if each.startswith("GET site/")] == ["GET site/robots.txt"]


def test_an_event_that_comes_twice_writes_nothing() -> None:
    bucket = made(*numbered(3))
    bucket.change("p001.html", "<p>new")
    requests = bucket.counted(lambda: bucket.update("p001.html"))
    assert not [request for request in requests if request.startswith("PUT")]


@pytest.mark.parametrize("body", [None, b"<urlset/>", b"not xml"])
def test_a_published_file_that_somebody_deletes_or_overwrites_is_restored_by_its_event_and_by_a_rebuild(
    body: bytes | None,
) -> None:
    bucket = made(*numbered(3))
    right = bucket.outputs.bodies()
    repairs: list[Callable[[], object]] = [lambda: bucket.update("sitemap.xml"), lambda: bucket.rebuild()]
    for repair in repairs:
        bucket.outputs.files.pop("sitemap.xml")
        if body is not None:
            bucket.outputs.write("sitemap.xml", body)
        repair()
        assert bucket.outputs.bodies() == right


def test_a_write_of_an_older_run_that_comes_late_is_looked_at_and_replaced() -> None:
    bucket = made("a.html")
    bucket.put("b.html", "<p>b")
    late = Writer(bucket.gate, lambda: bucket.update("b.html"))
    late.until("PUT outputs/sitemap.xml")
    bucket.change("b.html", None)
    late.finish()
    assert keys_of(bucket) == {"a.html"}


def test_a_run_of_an_older_state_writes_nothing_over_what_a_newer_one_has_published() -> None:
    bucket = made("a.html")
    bucket.put("b.html", "<p>b")
    late = Writer(bucket.gate, lambda: bucket.update("b.html"))
    late.until("HEAD outputs/sitemap.xml")
    bucket.change("c.html", "<p>c")
    bucket.gate.requests.clear()
    late.finish()
    assert not [request for request in bucket.gate.requests if request.startswith("PUT outputs")]
    assert keys_of(bucket) == {"a.html", "b.html", "c.html"}


@pytest.mark.parametrize("is_metadata", [False, True])
def test_of_two_runs_with_one_state_the_later_asks_each_object_again(*, is_metadata: bool) -> None:
    bucket = made("a.html")
    bucket.put("b.html", "<p>b")
    late = Writer(bucket.gate, lambda: bucket.update("b.html"))
    late.until("PUT state/state")
    bucket.source.robots["b.html"] = "noindex" if is_metadata else ""
    bucket.change("b.html", "<p>b" if is_metadata else HIDDEN)
    late.finish()
    assert keys_of(bucket) == {"a.html"}


def test_events_during_the_listing_of_a_rebuild_do_not_make_it_list_again() -> None:
    bucket = made(*numbered(9))
    bucket.put("lost.html", "<p>its event is lost")
    rebuild = Writer(bucket.gate, bucket.rebuild)
    rebuild.until("LIST site/ after p004.html")
    bucket.change("p001.html", None)
    rebuild.until("PUT state/state")
    bucket.change("p002.html", None)
    rebuild.finish()
    assert rebuild.error is None
    assert bucket.gate.requests.count("LIST site/ after p004.html") == 1
    assert keys_of(bucket) == {*numbered(9)[3:], "p000.html", "lost.html"}


def test_a_rebuild_asks_an_object_again_that_another_run_may_have_looked_at_later() -> None:
    bucket = made(*numbered(3))
    bucket.put("lost.html", "<p>its event is lost")
    rebuild = Writer(bucket.gate, bucket.rebuild)
    rebuild.until("PUT state/state")
    bucket.change("lost.html", HIDDEN)
    rebuild.finish()
    assert keys_of(bucket) == set(numbered(3))


@pytest.mark.parametrize("has_effect", [True, False])
def test_a_replacement_of_the_state_without_an_answer_is_found_out(*, has_effect: bool) -> None:
    bucket = made("a.html")
    bucket.put("b.html", "<p>b")
    run = Writer(bucket.gate, lambda: bucket.update("b.html"))
    run.until("PUT state/state done" if has_effect else "PUT state/state")
    bucket.gate.requests.clear()
    run.step(UncertainError("no answer"))
    run.finish()
    assert run.error is None
    assert keys_of(bucket) == {"a.html", "b.html"}
    assert "GET site/b.html" not in bucket.gate.requests
    changes = [each for each in bucket.gate.requests if each.startswith("PUT") and not each.endswith("done")]
    assert changes == [*([] if has_effect else ["PUT state/state"]), "PUT outputs/sitemap.xml", "PUT state/state"]
    assert bucket.remembered().head.number == 5


def test_a_file_that_gains_and_loses_pages_is_written_again_if_others_replace_it_between() -> None:
    bucket = made(*numbered(40), urls=12)
    for key in numbered(40):
        bucket.put(f"{key[:-5]}x.html", "<p>x")
    run, writes = Writer(bucket.gate, bucket.rebuild), list[str]()
    while not run.is_done:
        if run.at.startswith("PUT outputs/sitemap-") and not run.at.endswith("done"):
            if run.at in writes:
                bucket.outputs.write(run.at.removeprefix("PUT outputs/"), b"another writer's")
            writes.append(run.at)
        run.step()
    assert run.error is None
    assert len(writes) > len(set(writes))
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def pages_read(bucket: StatefulBucket) -> int:
    return sum(request.startswith("GET site/") and request.endswith(".html") for request in bucket.gate.requests)


def left(*, urls: int = 4) -> StatefulBucket:
    """A bucket of which a rebuild has left a file to be deleted."""
    bucket = made(*numbered(9), urls=urls)
    for key in numbered(9)[3:]:
        bucket.delete(key)
    bucket.rebuild()
    assert bucket.remembered().head.leaving
    return bucket


def test_a_file_that_no_index_names_is_deleted_by_a_later_rebuild_and_by_no_event() -> None:
    bucket = left()
    names = {each.name for each in bucket.remembered().head.leaving}
    bucket.change("p000.html", "<p>new")
    assert names <= bucket.outputs.files.keys()
    result = bucket.rebuild()
    assert set(result.removed) == names
    assert not names & bucket.outputs.files.keys()
    assert bucket.remembered().head.leaving == ()


def test_a_file_is_not_deleted_that_is_published_again_at_this_moment() -> None:
    bucket = left()
    rebuild = Writer(bucket.gate, bucket.rebuild)
    rebuild.until("HEAD outputs/sitemap-")
    for key in numbered(9)[3:]:
        bucket.put(key, f"<title>{key}</title><p>text")
    with pytest.raises(OtherRunError, match="a rebuild is deleting sitemap-"):
        bucket.update(*numbered(9)[3:])
    rebuild.finish()
    bucket.clock.sleep(301)
    bucket.update(*numbered(9)[3:])
    assert keys_of(bucket) == set(numbered(9))


def test_what_another_writer_puts_in_the_place_of_a_file_is_not_deleted() -> None:
    bucket = left()
    rebuild = Writer(bucket.gate, bucket.rebuild)
    rebuild.until("DELETE outputs/")
    name = rebuild.at.removeprefix("DELETE outputs/")
    bucket.outputs.write(name, b"<p>somebody else's")
    rebuild.finish()
    assert bucket.outputs.files[name][0] == b"<p>somebody else's"


def test_a_file_counts_as_left_only_once_the_index_that_does_not_name_it_is_published() -> None:
    bucket = made(*numbered(9), urls=4)
    for key in numbered(9)[3:]:
        bucket.delete(key)
    run = Writer(bucket.gate, bucket.rebuild)
    run.until("HEAD outputs/")
    run.step(Crash())
    assert [each.since for each in bucket.remembered().head.leaving if each.since] == []
    bucket.rebuild()
    assert all(each.since for each in bucket.remembered().head.leaving)


def test_pages_that_an_event_names_may_all_go_and_others_count_against_max_removed() -> None:
    bucket = made(*numbered(40))
    for key in numbered(40)[5:]:
        bucket.delete(key)
    with pytest.raises(RemovalError, match="35 of the 40 pages in the state of the last run"):
        bucket.rebuild()
    assert len(keys_of(bucket)) == 40
    bucket.update(*numbered(40)[5:])
    assert keys_of(bucket) == set(numbered(40)[:5])


def test_a_rule_of_robots_txt_that_removes_most_pages_is_refused_until_it_is_accepted() -> None:
    bucket = made(*numbered(40))
    with pytest.raises(RemovalError):
        bucket.change("robots.txt", "User-agent: *\nDisallow: /p\n")
    bucket.rebuild(max_removed=100)
    assert keys_of(bucket) == set(numbered(40))  # nothing would be listed, so nothing is published
    bucket.change("index.html", "<p>home")
    assert keys_of(bucket) == {""}


def needs_rebuild(bucket: StatefulBucket, key: str) -> None:
    with pytest.raises(RebuildNeededError):
        bucket.update(key)


def test_without_a_complete_state_of_these_settings_an_event_asks_for_a_rebuild_and_reads_no_page() -> None:
    bucket = StatefulBucket()
    bucket.put("a.html", "<p>a")
    assert bucket.counted(lambda: needs_rebuild(bucket, "a.html")) == ["GET state/state"]
    bucket.rebuild()
    bucket.settings = StatefulBucket(exclude=["/x/"]).settings
    assert bucket.counted(lambda: needs_rebuild(bucket, "a.html")) == ["GET state/state"]


def next_part(bucket: StatefulBucket) -> BucketResult:
    """The next part of a build, which has time for one batch."""
    build = bucket.remembered().head.build
    return bucket.rebuild(ONE_ATTEMPT, part=build.part if build else "")


def test_a_build_goes_on_where_the_last_run_had_no_more_time_and_publishes_at_its_end() -> None:
    bucket = StatefulBucket(urls=5_000)
    bucket.source.page_size = 5_000
    for key in numbered(2_001):
        bucket.source.objects[key] = b"<title>x</title><p>x", "2026-01-01T00:00:00Z"
    for part in range(3):
        bucket.gate.requests.clear()
        assert next_part(bucket).is_unfinished == (part < 2)
        assert pages_read(bucket) == (1_000 if part < 2 else 1)
        assert bool(bucket.outputs.files) == (part == 2)
    assert len(keys_of(bucket)) == 2_001


def test_under_other_settings_that_read_more_the_parts_of_a_build_read_each_object_once() -> None:
    bucket = made(*numbered(1_001), urls=5_000)
    bucket.settings = StatefulBucket(urls=5_000, images=True).settings
    for part in range(2):
        bucket.gate.requests.clear()
        assert next_part(bucket).is_unfinished == (part == 0)
        assert bucket.remembered().head.page_count == 1_001  # what is published
        assert pages_read(bucket) == (1_000 if part == 0 else 1)


def test_an_object_that_cannot_be_read_stays_as_it_was_read_last_and_is_told() -> None:
    bucket = made("a.html", "b.html")
    bucket.source.broken = {"b.html": OSError(5, "broken")}
    bucket.put("b.html", HIDDEN)
    assert dict(bucket.update("b.html").failed) == {"b.html": "broken"}
    assert keys_of(bucket) == {"a.html", "b.html"}
    bucket.source.broken = {}
    bucket.rebuild()
    assert keys_of(bucket) == {"a.html"}


def test_of_very_many_events_those_that_were_not_read_in_time_are_told_beside_those_that_cannot_be_read() -> None:
    bucket = made("a.html", urls=5_000)
    keys = numbered(1_001)
    for key in keys:
        bucket.source.objects[key] = b"<title>x</title><p>x", "2026-01-01T00:00:00Z"
    bucket.source.broken[keys[0]] = OSError(5, "broken")
    failed = bucket.update(*keys, retry=ONE_ATTEMPT).failed
    assert len(failed) == 2
    assert failed[keys[0]] == "broken"
    assert failed[keys[-1]] == "the deadline was reached before it was read"


def test_while_a_build_is_under_way_no_other_begins_and_a_part_is_done_once() -> None:
    bucket = StatefulBucket(urls=5_000)
    for key in numbered(2_001):
        bucket.source.objects[key] = b"<p>x", "2026-01-01T00:00:00Z"
    bucket.rebuild(ONE_ATTEMPT)
    build = bucket.remembered().head.build
    assert build is not None
    with pytest.raises(OtherRunError, match="another call builds"):
        bucket.rebuild()
    bucket.rebuild(ONE_ATTEMPT, part=build.part)
    with pytest.raises(OtherRunError, match="another call builds"):
        bucket.rebuild(ONE_ATTEMPT, part=build.part)


def test_a_build_that_was_killed_is_taken_over_and_one_that_failed_at_once() -> None:
    bucket = StatefulBucket()
    bucket.put("a.html", "<p>a")
    writer = Writer(bucket.gate, bucket.rebuild)
    writer.until("PUT state/state done")
    writer.step(Crash())
    with pytest.raises(OtherRunError):
        bucket.rebuild()
    bucket.clock.sleep(1_200)
    writer = Writer(bucket.gate, bucket.rebuild)
    writer.until("LIST site/")
    writer.step(SourceError("the bucket cannot be listed"))
    writer.finish()
    bucket.rebuild()
    assert keys_of(bucket) == {"a.html"}


def test_a_run_with_settings_from_before_those_of_the_state_changes_nothing() -> None:
    bucket = made("a.html")
    old = bucket.settings
    bucket.settings_since, bucket.settings = 100.0, StatefulBucket(images=True).settings
    bucket.rebuild()
    bucket.settings_since, bucket.settings = 50.0, old
    runs: list[Callable[[], object]] = [lambda: bucket.change("b.html", "<p>b"), bucket.rebuild]
    for run in runs:
        with pytest.raises(OutdatedSettingsError):
            run()
    bucket.settings_since = 150.0
    bucket.rebuild()
    assert keys_of(bucket) == {"a.html", "b.html"}


def test_a_state_belongs_to_one_location() -> None:
    bucket = made("a.html")
    bucket.site_uri = "s3://elsewhere/"
    with pytest.raises(WrongSiteError, match="s3://elsewhere/ needs one of its own"):
        bucket.rebuild()


def test_a_scheduled_rebuild_counts_late_uploads_and_deletions_of_which_no_event_came_until_the_next() -> None:
    bucket = made("a.html", "b.html", "c.html")
    bucket.put("d.html", "<p>d")
    bucket.put("a.html", "<p>a, edited")
    bucket.clock.sleep(100)
    bucket.put("late.html", "<p>its event may be on its way")
    bucket.delete("b.html")
    bucket.delete("c.html")
    assert bucket.rebuild(lag=60).drift == 2
    bucket.update("c.html")
    assert bucket.rebuild(lag=60).drift == 1
    assert bucket.rebuild(lag=60).drift == 0


def test_an_update_warns_of_the_objects_that_it_read_and_a_rebuild_of_all() -> None:
    bucket = made("a.html")
    odd = "<title>x</title><link rel=canonical href='https://other.org/a'>"
    bucket.change("b.html", odd)
    assert [each.examples[0].key for each in bucket.change("c.html", odd).warnings] == ["c.html"]
    assert [each.count for each in bucket.rebuild().warnings] == [2]


def test_a_key_without_object_and_record_is_not_found_and_one_with_a_record_is() -> None:
    bucket = made("a.html", "b.html")
    bucket.delete("b.html")
    assert bucket.update("b.html", "typo.html").not_found == ("typo.html",)


def test_what_must_be_told_is_in_the_head() -> None:
    bucket = made("a.html", "b.html")
    bucket.source.broken = {"b.html": OSError(5, "broken")}
    bucket.put("b.html", HIDDEN)
    bucket.update("b.html")
    (problem,) = bucket.remembered().head.problems
    assert (problem.code, problem.count, problem.first) == ("unreadable", 1, ("b.html: broken",))
    bucket.source.broken = {}
    bucket.update("b.html")
    assert bucket.remembered().head.problems == ()
    assert bucket.remembered().head.excluded_by_reason == {"noindex": 1}


def test_a_rebuild_follows_the_form_of_the_links_that_events_have_changed() -> None:
    def with_links(ending: str) -> str:
        return "<title>x</title>" + "".join(f"<a href='/p{n:03}{ending}'>x</a>" for n in range(40))

    bucket = StatefulBucket(drop_html=None, urls=5_000)
    for key in numbered(40):
        bucket.put(key, with_links(".html"))
    bucket.rebuild()
    for key in numbered(40):
        bucket.put(key, with_links(""))
    bucket.update(*numbered(40))
    assert "p000.html" in keys_of(bucket)
    bucket.rebuild()
    assert "p000" in keys_of(bucket)
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def test_a_file_of_earlier_settings_that_may_not_be_deleted_is_a_warning_and_stays_to_be_deleted() -> None:
    bucket = made(*numbered(9), urls=4)
    bucket.settings = StatefulBucket(urls=100).settings
    bucket.rebuild()
    bucket.clock.sleep(60)
    denied = Writer(bucket.gate, bucket.rebuild)
    while not denied.is_done:
        denied.step(StoreError("AccessDenied") if denied.at.startswith("DELETE outputs/") else None)
    assert denied.error is None
    (warning,) = (each for each in denied.result.warnings if each.code == "output-left")
    assert warning.count == len(bucket.remembered().head.leaving) > 1
    bucket.rebuild()
    assert bucket.remembered().head.leaving == ()


def test_a_rebuild_by_older_rules_than_those_of_the_state_is_warned_of() -> None:
    bucket = made("a.html")
    state = bucket.site().state
    stored = state.read()
    newer = dump_memory(replace(stored.memory, rules_version=RULES_VERSION + 1))
    state.replace(stored, replace(stored.head, made_with="newer rules"), newer)
    assert "newer-release" in {each.code for each in bucket.rebuild().warnings}
    assert "newer-release" not in {each.code for each in bucket.rebuild().warnings}


def test_a_command_that_changes_nothing_writes_nothing() -> None:
    bucket = made("a.html")
    before = dict(bucket.state.files)
    bucket.settings_since = 1_000_000.0
    bucket.update("a.html")
    assert bucket.state.files == before


@pytest.mark.parametrize("later", [1, 2, 4])
def test_over_an_older_state_no_event_publishes_anything_until_a_rebuild_has_made_it_again(later: int) -> None:
    bucket = made("a.html")
    older = bucket.state.files["state"]
    for n in range(later):
        bucket.change(f"p{n}.html", f"<p>{n}")
    published = bucket.outputs.bodies()
    bucket.state.files["state"] = older
    for n in range(6):
        with pytest.raises(RebuildNeededError, match="the present state is an older one"):
            bucket.change(f"q{n}.html", f"<p>q{n}")
        assert bucket.outputs.bodies() == published
    result = bucket.rebuild()
    assert "state-damaged" in {warning.code for warning in result.warnings}
    assert len(keys_of(bucket)) == 1 + later + 6
    assert bucket.remembered().head.damage
    bucket.change("r.html", "<p>r")
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def test_runs_that_begin_again_wait_a_while() -> None:
    bucket = made("a.html")
    before = bucket.clock.seconds
    races = iter(range(3))

    class Racing(MemoryStore):
        def put_if_match(
            self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
        ) -> str:
            if next(races, None) is not None:
                raise ConflictError(name)
            return super().put_if_match(name, content, etag, metadata)

    racing = Racing(bucket.gate, "state", clock=bucket.clock)
    racing.files, racing.uploads, bucket.state = bucket.state.files, bucket.state.uploads, racing
    bucket.change("b.html", "<p>b")
    assert keys_of(bucket) == {"a.html", "b.html"}
    assert 2 < bucket.clock.seconds - before <= 2 + 0.5 + 1 + 1.5
