"""What `waypost notify` sends."""

from __future__ import annotations

from fake_stores import SimulatedSite

from waypost.announce.base import Notification, PublishResult
from waypost.app.notifications import AllUrls, NotifiedAnswer, ledger_urls, notify_answer
from waypost.core.model import Changes, SiteWarning
from waypost.sync import rebuild

BASE = "https://example.org/"


def test_all_urls_come_in_portions_and_can_be_listed_again() -> None:
    urls = [f"{BASE}{n}.html" for n in range(20_001)]
    results = AllUrls(BASE, lambda: iter(urls))
    for _ in range(2):
        assert [len(each.changes.added) for each in results] == [10_000, 10_000, 1]
    assert [url for each in results for url in each.changes.added] == urls


def test_the_urls_of_a_ledger_are_those_that_it_lists() -> None:
    site = SimulatedSite(lastmod="none")
    for n in range(3):
        site.put(f"{n}.html", "x")
    site.put("hidden.html", "<meta name=robots content=noindex>")
    rebuild.rebuild(site.updater())
    assert list(ledger_urls(site.updater())) == [f"{BASE}{n}.html" for n in range(3)]


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
