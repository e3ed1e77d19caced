from collections.abc import Mapping
from dataclasses import replace

import pytest
from fake_buckets import BASE, StatefulBucket
from fake_stores import Crash, MemoryStore, Writer
from subscribers import Recorder

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.files.store import NO_METADATA

WEEK = 604_800


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


def test_of_very_many_urls_only_the_files_are_told() -> None:
    recorder = Recorder()
    bucket = made(recorder)
    bucket.settings = StatefulBucket(urls=50_000, size=10_000_000).settings
    bucket.rebuild()
    bucket.source.page_size = 20_000
    bucket.source.objects |= {f"p{n}.html": (b"<p>x", "2026-11-01T00:00:00Z") for n in range(10_001)}
    bucket.rebuild()
    assert recorder.urls == []
    assert recorder.files[-1] == "sitemap.xml"


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
