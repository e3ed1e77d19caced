"""Subscribers are notified of all that runs over a bucket publish, once it is published."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from bucket_races import listed
from fake_buckets import BASE, StatefulBucket
from fake_stores import Crash, Writer
from subscribers import Recorder

from waypost.build import bucket_run
from waypost.core.errors import RebuildNeededError, TryLaterError

if TYPE_CHECKING:
    from waypost.build.bucket_site import BucketResult

DAY, WEEK = 86_400, 604_800
PAGE = "<title>x</title>"


def site_with(*subscribers: Recorder) -> StatefulBucket:
    """A site with two pages that is published; its subscribers have yet to be notified of anything."""
    site = StatefulBucket(urls=4, lastmod="none", state=None)
    for key in ("a.html", "b.html"):
        site.put(key, f"<title>{key}</title>")
    site.rebuild()
    site.subscribers += subscribers
    return site


def publish(site: StatefulBucket) -> BucketResult:
    return bucket_run.publish(site.site())


def test_subscribers_are_notified_when_all_is_published() -> None:
    seen: list[set[str]] = []
    site = StatefulBucket(urls=4, lastmod="none", state=None)
    site.subscribers.append(Recorder(on_call=lambda: seen.append(listed(site))))
    site.put("a.html", PAGE)
    site.rebuild()
    site.put("b.html", PAGE)
    site.update("b.html")
    assert seen[-1] == {BASE + "a.html", BASE + "b.html"}


def test_a_process_with_other_settings_notifies_nobody() -> None:
    recorder, other = Recorder(), Recorder("other")
    for each in (recorder, other):
        each.failures.append(TryLaterError("no answer", 60))
    site = site_with(recorder, other)
    site.put("c.html", PAGE)
    site.update("c.html")
    present = site.settings
    site.settings = StatefulBucket(urls=4, lastmod="none", state=None, exclude=["/x/"]).settings
    site.subscribers.remove(other)
    with pytest.raises(RebuildNeededError):
        publish(site)
    site.settings = present
    site.subscribers.append(other)
    publish(site)
    assert recorder.urls == other.urls == [BASE + "c.html"]


def test_a_first_build_and_a_change_of_settings_change_files_but_no_urls() -> None:
    recorder = Recorder()
    site = StatefulBucket(urls=4, lastmod="none", state=None)
    site.subscribers.append(recorder)
    site.put("a.html", PAGE)
    site.rebuild()
    assert (recorder.urls, recorder.files) == ([], ["sitemap.xml"])
    other = StatefulBucket(urls=4, lastmod="none", state=None, base_url="https://www.example.org/")
    site.settings = other.settings
    site.rebuild()
    assert (recorder.urls, recorder.files) == ([], ["sitemap.xml"] * 2)


def test_a_deletion_of_an_unreferenced_file_is_a_change_of_files() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    keys = [f"{n:03}.html" for n in range(12)]
    for key in keys:
        site.put(key, PAGE)
    site.update(*keys)
    shards = set(recorder.files) - {"sitemap.xml"}
    for key in keys:
        site.delete(key)
    site.update(*keys)
    recorder.results.clear()
    for _ in range(2):
        site.clock.sleep(DAY)
        site.rebuild()
    assert {name for result in recorder.results for name in result.removed} == shards


def test_pauses_between_failures_become_longer_up_to_a_quarter_of_an_hour() -> None:
    recorder = Recorder()
    recorder.failures += [TryLaterError("too many requests", 60)] * 4
    site = site_with(recorder)
    site.put("c.html", PAGE)
    pauses = [site.update("c.html").notify_after]
    for slept in (100, 900, DAY):
        site.clock.sleep(slept)
        pauses.append(publish(site).notify_after)
    first, second, third, last = (each or 0 for each in pauses)
    assert (first, second, last) == (60, 60, 900)
    assert 60 < third < 900


def test_a_subscriber_that_the_settings_no_longer_name_is_not_waited_for() -> None:
    gone, recorder = Recorder("gone"), Recorder()
    gone.failures.append(TryLaterError("no answer", 60))
    site = site_with(gone, recorder)
    site.put("c.html", PAGE)
    site.update("c.html")
    site.subscribers.remove(gone)
    site.put("d.html", PAGE)
    site.update("d.html")
    assert site.remembered().head.waiting == ()


@pytest.mark.parametrize("fails_first", [False, True])
def test_a_process_that_dies_at_any_request_loses_no_notification(*, fails_first: bool) -> None:
    """The next publication sends what it has not sent, and what it may not have sent."""
    steps = 0
    is_done = False
    while not is_done:
        site = site_with()
        recorder = Recorder(on_call=partial(site.gate.admit, "NOTIFY"))
        if fails_first:
            recorder.failures.append(TryLaterError("no answer", 60))
        site.subscribers.append(recorder)
        site.put("c.html", PAGE)
        site.delete("a.html")
        writer = Writer(site.gate, partial(site.update, "a.html", "c.html"))
        for _ in range(steps):
            if not writer.is_done:
                writer.step()
        is_done = writer.is_done
        if not is_done:
            writer.step(Crash())
        site.put("d.html", PAGE)
        site.update("a.html", "c.html", "d.html")
        publish(site)
        assert set(recorder.urls) == {BASE + key for key in ("a.html", "c.html", "d.html")}, f"after {steps} requests"
        assert len(recorder.urls) <= 5, f"after {steps} requests: {recorder.urls}"
        assert recorder.files, f"after {steps} requests"
        assert site.remembered().head.waiting == ()
        steps += 1
    assert steps > 10


def test_of_two_processes_each_change_is_sent_whoever_publishes_it() -> None:
    steps, is_done = 0, False
    while not is_done:
        site = site_with()
        recorder = Recorder(on_call=partial(site.gate.admit, "NOTIFY"))
        site.subscribers.append(recorder)
        site.put("c.html", PAGE)
        writer = Writer(site.gate, partial(site.update, "c.html"))
        for _ in range(steps):
            if not writer.is_done:
                writer.step()
        is_done = writer.is_done
        site.put("d.html", PAGE)
        other = Writer(site.gate, partial(site.update, "d.html"))
        while not (writer.is_done and other.is_done):
            for each in (writer, other):
                if not each.is_done:
                    each.step()
        assert (writer.error, other.error) == (None, None)
        assert set(recorder.urls) == {BASE + "c.html", BASE + "d.html"}, f"after {steps} requests"
        assert site.remembered().head.waiting == ()
        steps += 1
