"""What `waypost notify` sends."""

from __future__ import annotations

from fake_buckets import StatefulBucket
from subscribers import Recorder

from waypost.build.divided_bucket import DividedBucket
from waypost.build.notifications import AllUrls, NotifiedAnswer, notify_answer, send_waiting, waiting_results
from waypost.core.errors import TryLaterError
from waypost.core.model import Changes, SiteWarning
from waypost.notify.base import Notification, PublishResult

BASE = "https://example.org/"


def test_all_urls_come_in_portions_and_can_be_listed_again() -> None:
    urls = [f"{BASE}{n}.html" for n in range(20_001)]
    results = AllUrls(BASE, lambda: iter(urls))
    for _ in range(2):
        assert [len(each.changes.added) for each in results] == [10_000, 10_000, 1]
    assert [url for each in results for url in each.changes.added] == urls


def test_what_waits_in_a_state_is_sent_and_waits_no_longer() -> None:
    recorder, bucket = Recorder(), StatefulBucket()
    bucket.put("a.html", "<p>a")
    bucket.rebuild()
    bucket.subscribers.append(recorder)
    recorder.failures.append(TryLaterError("no answer", 60))
    bucket.change("b.html", "<p>b")
    assert [each.changes.added for each in waiting_results(DividedBucket(bucket.site())) if each.changes.added] == [
        (f"{BASE}b.html",)
    ]
    assert send_waiting(DividedBucket(bucket.site())) == []
    assert recorder.urls == [f"{BASE}b.html"]
    assert waiting_results(DividedBucket(bucket.site())) == []


def test_a_subscriber_that_cannot_be_told_is_a_problem_of_the_answer() -> None:
    recorder, bucket = Recorder(), StatefulBucket()
    bucket.put("a.html", "<p>a")
    bucket.rebuild()
    bucket.subscribers.append(recorder)
    recorder.failures += [TryLaterError("no answer", 60)] * 2
    bucket.change("b.html", "<p>b")
    (failed,) = send_waiting(DividedBucket(bucket.site()))
    assert "no answer" in failed.problem


def test_the_answer_names_each_url_once_and_counts_them_all() -> None:
    results = [
        PublishResult("1", BASE, changes=Changes(("a", "b"), ("c",), ("a",))),
        PublishResult("2", BASE, ("sitemap.xml",), ("old.xml",)),
    ]
    failed = Notification(
        "other", SiteWarning("not-announced", "the sitemaps are published, but it failed"), problem="it failed"
    )
    answer = notify_answer(results, [Notification("indexnow"), failed])
    assert (answer.url_count, answer.urls) == (3, ("a", "b", "c"))
    assert (answer.written, answer.removed) == (("sitemap.xml",), ("old.xml",))
    assert answer.subscribers == [NotifiedAnswer("indexnow"), NotifiedAnswer("other", "it failed")]


def test_the_answer_has_at_most_10_000_urls() -> None:
    urls = tuple(map(str, range(25_000)))
    answer = notify_answer([PublishResult("1", BASE, changes=Changes(urls[:9_000], urls[9_000:]))], [])
    assert (answer.url_count, answer.urls) == (25_000, urls[:10_000])
