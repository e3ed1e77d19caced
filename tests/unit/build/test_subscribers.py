"""The subscribers of a site: subscribers in the settings, and one that is added from outside the package by one row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fake_buckets import BASE, StatefulBucket
from fake_stores import Crash, MemoryStore, RequestGate, Writer
from search_engine import KEY, SearchEngine
from servers import running
from subscribers import Recorder

from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.build.subscribers import (
    SUBSCRIBERS,
    Waiting,
    notify_now,
    notify_of_plan,
    plan_result,
    subscribers_of,
    with_result,
)
from waypost.core.errors import AnnounceError, TryLaterError
from waypost.core.model import Changes
from waypost.files.store import NO_METADATA
from waypost.notify.base import PublishResult, notify
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waypost.settings.schema import Site

pytestmark = pytest.mark.usefixtures("without_proxies")
WEEK = 604_800


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A subscriber of every site that is published at example.org."""
    found = Recorder()

    def make(site: Site, outputs: object) -> Recorder | None:
        del outputs
        return found if site.base_url == BASE else None

    SUBSCRIBERS.append(make)
    yield found
    SUBSCRIBERS.remove(make)


def job(folder: Path, **values: Any) -> Job:
    return prepare(folder, ConfigSource("test", {"base_url": BASE, "lastmod": "none", **values}, is_trusted=True))


def publish(folder: Path, **values: Any) -> PublishResult:
    """Publish a folder; returns what its subscribers are to be notified of."""
    run = job(folder, **values)
    plan = run.plan()
    run.apply(plan)
    return plan_result(run.site, plan)


def test_a_folder_s_build_notifies_of_its_files_and_urls_and_of_nothing_when_nothing_changed(
    tmp_path: Path, recorder: Recorder
) -> None:
    for name in ("a", "b", "b"):
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title>")
        run = job(tmp_path)
        plan = run.plan()
        run.apply(plan)
        assert not [each for each in notify_of_plan(run.site, plan).warnings if each.code == "not-announced"]
    first, second = recorder.results
    assert (first.written, second.written) == (("sitemap.xml",),) * 2
    assert second.changes.added == (f"{BASE}b.html",)


def test_a_first_build_has_no_urls_and_a_change_of_the_base_url_neither(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<title>x</title>")
    assert publish(tmp_path).changes.added == ()
    moved = publish(tmp_path, base_url="https://www.example.org/")
    assert moved.written == ("sitemap.xml",)
    assert (moved.changes.added, moved.changes.removed) == ((), ())


def test_the_same_publication_has_the_same_id_and_another_one_has_another(tmp_path: Path) -> None:
    ids: list[str] = []
    for text in ("1", "1", "2"):
        folder = tmp_path / str(len(ids))
        folder.mkdir()
        (folder / f"{text}.html").write_text("<title>x</title>")
        ids.append(publish(folder).id)
    assert ids[0] == ids[1] != ids[2]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({}, []),
        ({"indexnow": "a1b2c3d4"}, ["indexnow"]),
        ({"cloudfront": "E1", "event_bus": "default"}, ["cloudfront", "event_bus"]),
    ],
)
def test_each_setting_asks_for_one_subscriber(tmp_path: Path, values: dict[str, Any], names: list[str]) -> None:
    assert [each.name for each in subscribers_of(job(tmp_path, **values).site)] == names


def test_what_fails_for_now_is_tried_four_times_with_pauses_and_the_others_once() -> None:
    slow, refused, good = Recorder("slow"), Recorder("refused"), Recorder("good")
    slow.failures += [TryLaterError("no answer", seconds) for seconds in (5, 900, 1)]
    refused.failures.append(AnnounceError("wrong key"))
    slept: list[float] = []
    found = notify_now([slow, refused, good], [PublishResult("1", BASE, ("sitemap.xml",))], slept.append)
    assert (slow.calls, refused.calls, good.calls) == (4, 1, 1)
    assert slept == [5, 60, 1]
    assert {each.subscriber: each.warning is None for each in found} == {"slow": True, "refused": False, "good": True}


def test_after_the_last_attempt_the_failure_is_a_warning() -> None:
    slow = Recorder("slow")
    slow.failures += [TryLaterError("no answer", 1)] * 9
    (found,) = notify_now([slow], [PublishResult("1", BASE, ("sitemap.xml",))], lambda seconds: None)
    assert slow.calls == 4
    assert found.warning
    assert found.warning.message == "the sitemaps are published, but slow failed: no answer"


@pytest.mark.parametrize(
    ("written", "names"), [(True, {"a.html", "a1b2c3d4.txt", "sitemap.xml"}), (False, {"a.html", "sitemap.xml"})]
)
def test_a_folder_s_build_writes_the_key_file_if_the_settings_ask_for_it(
    tmp_path: Path, *, written: bool, names: set[str]
) -> None:
    (tmp_path / "a.html").write_text("<title>x</title>")
    run = job(tmp_path, indexnow={"key": "a1b2c3d4", "file": written})
    run.apply(run.plan())
    assert {file.name for file in tmp_path.iterdir()} == names
    if written:
        assert (tmp_path / "a1b2c3d4.txt").read_text() == "a1b2c3d4"


def test_a_bucket_gets_the_key_file_when_its_site_has_none(tmp_path: Path) -> None:
    outputs = MemoryStore(RequestGate(), "outputs")
    with running(SearchEngine()) as engine:
        engine.key_file = None
        settings = {"key": KEY, "file": True, "engine": f"{engine.url}/indexnow"}
        site = job(tmp_path, base_url=engine.site, indexnow=settings).site
        (subscriber,) = subscribers_of(site, outputs)
        results = [PublishResult("1", engine.site, changes=Changes((engine.site,)))]
        assert notify(subscriber, results).retry_after == 60
        assert outputs.bodies() == {f"{KEY}.txt": KEY.encode()}
        engine.key_file = KEY
        assert notify(subscriber, results).warning is None
        assert engine.submitted == [[engine.site]]


def made(*recorders: Recorder) -> StatefulBucket:
    bucket = StatefulBucket()
    bucket.put("a.html", "<p>a")
    bucket.subscribers = list(recorders)
    bucket.rebuild()
    return bucket


def test_subscribers_are_told_once_of_the_urls_and_the_files_that_a_run_published() -> None:
    recorder = Recorder()
    bucket = made(recorder)
    assert (recorder.urls, recorder.files) == ([], ["sitemap.xml"])  # a first build is no news of each page
    bucket.change("b.html", "<p>b")
    bucket.change("b.html", None)
    bucket.rebuild()
    assert recorder.urls == [BASE + "b.html"] * 2
    assert recorder.files == ["sitemap.xml"] * 3
    assert len({result.id for result in recorder.results}) == len(recorder.results)


def test_each_subscriber_is_told_what_it_wants() -> None:
    of_urls, of_files = Recorder("urls", files=False), Recorder("files", urls=False)
    made(of_urls, of_files).change("b.html", "<p>b")
    assert (of_urls.urls, of_urls.files) == ([BASE + "b.html"], [])
    assert (of_files.urls, of_files.files) == ([], ["sitemap.xml", "sitemap.xml"])


def test_what_may_succeed_later_waits_and_what_fails_for_good_does_not() -> None:
    later, never = Recorder("later"), Recorder("never")
    bucket = made(later, never)
    later.failures, never.failures = [TryLaterError("busy", 30)], [AnnounceError("denied")]
    result = bucket.change("b.html", "<p>b")
    assert result.notify_after == 30
    assert (later.calls, never.calls) == (2, 2)  # a rebuild before, and this run
    assert result.plan is not None
    assert [each.message.partition("but ")[2] for each in result.warnings if each.code == "not-announced"] == [
        "later failed: busy",
        "never failed: denied",
    ]
    bucket.change("c.html", "<p>c")
    assert (later.urls, never.urls) == ([BASE + "b.html", BASE + "c.html"], [BASE + "c.html"])


def test_a_run_that_dies_before_it_tells_leaves_that_to_the_next() -> None:
    recorder = Recorder()
    bucket = made(recorder)
    bucket.put("b.html", "<p>b")
    run = Writer(bucket.gate, lambda: bucket.update("b.html"))
    run.until("PUT outputs/sitemap.xml done")
    run.step(Crash())
    assert recorder.urls == []
    bucket.update("b.html")
    assert (recorder.urls, recorder.files) == ([BASE + "b.html"], ["sitemap.xml"] * 2)
    assert bucket.remembered().head.waiting == ()


def test_what_waits_for_a_week_is_dropped() -> None:
    recorder = Recorder()
    bucket = made(recorder)
    recorder.failures = [TryLaterError("busy", 30)] * 2
    bucket.change("b.html", "<p>b")
    bucket.clock.sleep(WEEK)
    bucket.rebuild()
    assert bucket.remembered().head.waiting == ()


@pytest.mark.parametrize("count", [10_000, 10_001])
def test_of_very_many_urls_only_the_files_are_told(count: int) -> None:
    results = (
        PublishResult("1", BASE, changes=Changes(tuple(map(str, range(count // 2))))),
        PublishResult("2", BASE, changes=Changes(tuple(map(str, range(count - count // 2))))),
    )
    waiting: Waiting = ()
    for each in (*results, PublishResult("3", BASE, ("sitemap.xml",))):
        waiting = with_result(waiting, each, [Recorder()], 0.0)
    assert [each.result.id for each in waiting] == (["1", "2", "3"] if count == 10_000 else ["1", "3"])


@pytest.mark.parametrize("is_first", [True, False])
def test_what_another_run_adds_while_subscribers_are_told_waits_on(*, is_first: bool) -> None:
    recorder = Recorder()
    bucket = made(recorder)
    bucket.put("b.html", "<p>b")
    run = Writer(bucket.gate, lambda: bucket.update("b.html"))
    run.until("PUT outputs/sitemap.xml")
    while not run.is_done and not recorder.urls:
        run.step()
    recorder.failures = [TryLaterError("busy", 30)] if is_first else []
    bucket.change("c.html", "<p>c")
    run.finish()
    bucket.rebuild()
    assert set(recorder.urls) == {BASE + "b.html", BASE + "c.html"}
    assert bucket.remembered().head.waiting == ()


def test_nobody_is_told_of_what_is_not_published_because_nothing_is_left_to_list() -> None:
    recorder = Recorder()
    bucket = made(recorder)
    bucket.put("b.html", "<p>b")
    run = Writer(bucket.gate, lambda: bucket.update("b.html"))
    run.until("HEAD outputs/sitemap.xml")
    run.step(Crash())
    for key in ("a.html", "b.html"):
        bucket.delete(key)
    bucket.update("a.html", "b.html")
    assert bucket.remembered().head.pending
    assert recorder.urls == []


def test_who_loses_a_race_against_other_settings_leaves_the_news_to_the_winner() -> None:
    recorder = Recorder()
    bucket = made(recorder)

    class Racing(MemoryStore):
        def put_if_match(
            self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
        ) -> str:
            if bucket.outputs is self:
                bucket.outputs = plain
                bucket.settings = replace(bucket.settings, stylesheet=True)
                bucket.rebuild()
            return super().put_if_match(name, content, etag, metadata)

    plain = bucket.outputs
    bucket.outputs = Racing(bucket.gate, "outputs", clock=bucket.clock)
    bucket.outputs.files, bucket.outputs.uploads = plain.files, plain.uploads
    bucket.change("b.html", "<p>b")
    assert recorder.urls == [BASE + "b.html"]
