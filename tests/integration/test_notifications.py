"""Subscribers are notified of all that a ledger publishes, once it is published."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import pytest
from distributed_sites import KEYS, execution, simulated_site
from fake_stores import Crash, SimulatedSite, Writer
from subscribers import Recorder
from unit.published_sites import BASE, LEASE, listed_urls

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.ledger.outbox import CLAIM_SECONDS, LONGEST_WAIT
from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable

DAY = 86_400
NOINDEX = "<meta name=robots content=noindex>"


def site_with(*subscribers: Recorder) -> SimulatedSite:
    """A site with two pages that is published; its subscribers have yet to be notified of anything."""
    site = SimulatedSite(urls=4, lastmod="none")
    for key in ("a.html", "b.html"):
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    site.subscribers += subscribers
    return site


def update(site: SimulatedSite, *keys: str) -> Callable[[], object]:
    return lambda: site.updater().update(keys)


def test_subscribers_are_notified_of_exactly_the_urls_and_files_that_changed() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    site.put("c.html", "x")
    site.put("a.html", NOINDEX)
    site.updater().update(["c.html", "a.html", "b.html"])
    assert sorted(recorder.urls) == [BASE + "a.html", BASE + "c.html"]
    assert recorder.files == ["sitemap.xml"]
    assert site.manifest().outbox == ()


def test_changes_are_complete_however_many_there_are() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    keys = [f"{n:04}.html" for n in range(1_500)]
    for key in keys:
        site.put(key, "x")
    site.updater().update(keys)
    assert sorted(recorder.urls) == [BASE + key for key in keys]
    assert set(recorder.files) >= {"sitemap.xml"}


def test_each_subscriber_gets_what_it_wants() -> None:
    urls, files = Recorder("urls", files=False), Recorder("files", urls=False)
    site = site_with(urls, files)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    assert (urls.urls, urls.files) == ([BASE + "c.html"], [])
    assert (files.urls, files.files) == ([], ["sitemap.xml"])


def test_subscribers_are_notified_when_all_is_published() -> None:
    listed: list[set[str]] = []
    site = SimulatedSite(urls=4, lastmod="none")
    site.subscribers.append(Recorder(on_call=lambda: listed.append(listed_urls(site))))
    site.put("a.html", "x")
    rebuild.rebuild(site.updater())
    site.put("b.html", "x")
    site.updater().update(["b.html"])
    assert listed[-1] == {BASE + "a.html", BASE + "b.html"}


def test_of_a_site_that_is_emptied_subscribers_are_notified_once_something_is_published_again() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    for key in ("a.html", "b.html"):
        site.delete(key)
    site.updater().update(["a.html", "b.html"])
    rebuild.rebuild(site.updater())
    assert recorder.results == []
    site.put("b.html", "x")
    site.updater().update(["b.html"])
    assert {BASE + "a.html", BASE + "b.html"} == set(recorder.urls)
    assert site.manifest().outbox == ()


def test_a_process_with_other_settings_notifies_nobody() -> None:
    recorder, other = Recorder(), Recorder("other")
    for each in (recorder, other):
        each.failures.append(TryLaterError("no answer", 60))
    site = site_with(recorder, other)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    present = site.settings
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["/x/"]).settings
    site.subscribers.remove(other)
    site.updater().publish(site.ledger().read())
    site.settings = present
    site.subscribers.append(other)
    site.updater().publish(site.ledger().read())
    assert recorder.urls == other.urls == [BASE + "c.html"]


def test_a_first_build_and_a_change_of_settings_change_files_but_no_urls() -> None:
    recorder = Recorder()
    site = SimulatedSite(urls=4, lastmod="none")
    site.subscribers.append(recorder)
    site.put("a.html", "x")
    rebuild.rebuild(site.updater())
    assert (recorder.urls, recorder.files) == ([], ["sitemap.xml"])
    other = SimulatedSite(urls=4, lastmod="none", base_url="https://www.example.org/")
    site.settings = other.settings
    rebuild.rebuild(site.updater())
    assert (recorder.urls, recorder.files) == ([], ["sitemap.xml"] * 2)


def test_a_daily_rebuild_notifies_of_what_it_found() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    site.put("c.html", "x")
    rebuild.rebuild(site.updater())
    assert recorder.urls == [BASE + "c.html"]


def test_a_deletion_of_an_unreferenced_file_is_a_change_of_files() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    keys = [f"{n:03}.html" for n in range(12)]
    for key in keys:
        site.put(key, "x")
    site.updater().update(keys)
    shards = set(recorder.files) - {"sitemap.xml"}
    for key in keys:
        site.delete(key)
    site.updater().update(keys)
    recorder.results.clear()
    for _ in range(2):
        site.clock.sleep(DAY)
        rebuild.rebuild(site.updater())
    assert {name for result in recorder.results for name in result.removed} == shards


def test_nothing_is_sent_when_nothing_changed() -> None:
    recorder = Recorder()
    site = site_with(recorder)
    site.updater().update(["a.html"])
    rebuild.rebuild(site.updater())
    assert recorder.calls == 0


def test_what_fails_for_now_is_sent_with_the_next_publication() -> None:
    recorder, other = Recorder(), Recorder("other")
    recorder.failures.append(TryLaterError("too many requests", 60))
    site = site_with(recorder, other)
    site.put("c.html", "x")
    found = site.updater().update(["c.html"])
    assert found.notify_after == 60
    assert [(each.code, each.message) for each in found.warnings] == [
        ("not-announced", "the sitemaps are published, but recorder failed: too many requests")
    ]
    assert {each.waiting for each in site.manifest().outbox} == {("recorder",)}
    site.put("d.html", "x")
    assert site.updater().update(["d.html"]).notify_after is None
    assert (recorder.urls, other.urls) == ([BASE + "c.html", BASE + "d.html"],) * 2
    assert site.manifest().outbox == ()


def test_what_failed_for_now_is_sent_by_a_message_to_publish_although_nothing_is_pending() -> None:
    recorder = Recorder()
    recorder.failures.append(TryLaterError("too many requests", 60))
    site = site_with(recorder)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    site.updater().publish(site.ledger().read())
    assert recorder.urls == [BASE + "c.html"]
    assert recorder.calls == 2
    site.updater().publish(site.ledger().read())
    assert recorder.calls == 2


def test_pauses_between_failures_become_longer_up_to_a_quarter_of_an_hour() -> None:
    recorder = Recorder()
    recorder.failures += [TryLaterError("too many requests", 60)] * 4
    site = site_with(recorder)
    site.put("c.html", "x")
    pauses = [site.updater().update(["c.html"]).notify_after]
    for slept in (100, 900, DAY):
        site.clock.sleep(slept)
        pauses.append(site.updater().publish(site.ledger().read()).notify_after)
    first, second, third, last = (each or 0 for each in pauses)
    assert (first, second, last) == (60, 60, 900)
    assert 60 < third < 900


def test_a_refusal_is_reported_and_not_sent_again() -> None:
    recorder = Recorder()
    recorder.failures.append(AnnounceError("the key is wrong"))
    site = site_with(recorder)
    site.put("c.html", "x")
    found = site.updater().update(["c.html"])
    assert [each.code for each in found.warnings] == ["not-announced"]
    assert found.notify_after is None
    assert site.manifest().outbox == ()
    assert listed_urls(site) == {BASE + key for key in ("a.html", "b.html", "c.html")}


def test_after_a_week_of_failures_changes_are_dropped() -> None:
    recorder = Recorder()
    recorder.failures += [TryLaterError("no answer", 60)] * 2
    site = site_with(recorder)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    site.clock.sleep(LONGEST_WAIT + 60)
    site.updater().publish(site.ledger().read())
    assert site.manifest().outbox == ()
    assert recorder.results == []


def test_a_subscriber_that_the_settings_no_longer_name_is_not_waited_for() -> None:
    gone, recorder = Recorder("gone"), Recorder()
    gone.failures.append(TryLaterError("no answer", 60))
    site = site_with(gone, recorder)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    site.subscribers.remove(gone)
    site.put("d.html", "x")
    site.updater().update(["d.html"])
    assert site.manifest().outbox == ()


def test_a_lost_file_of_the_outbox_is_a_warning() -> None:
    recorder = Recorder()
    recorder.failures.append(TryLaterError("no answer", 60))
    site = site_with(recorder)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    lost = {each.name for each in site.manifest().outbox}
    for name in lost:
        site.state.remove(name)
    found = site.updater().publish(site.ledger().read())
    assert {each.message.rpartition(": ")[2] for each in found.warnings} == {f"{name} is lost" for name in lost}
    assert site.manifest().outbox == ()


def test_a_page_that_was_found_while_lost_records_were_made_again_is_notified_of() -> None:
    """A process dies before it publishes; the next one needs the records, and reads a page of which no event tells."""
    recorder = Recorder()
    site = site_with(recorder)
    site.put("c.html", "x")
    writer = Writer(site.gate, update(site, "c.html"))
    while not site.manifest().pending:
        writer.step()
    writer.step(Crash())
    for entry in site.manifest().entries:
        site.state.remove(entry.records_file)
    site.put("d.html", "x")
    site.clock.sleep(LEASE)
    site.updater().publish(site.ledger().read())
    assert listed_urls(site) == {BASE + f"{name}.html" for name in "abcd"}
    assert set(recorder.urls) >= {BASE + "c.html", BASE + "d.html"}


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
        site.put("c.html", "x")
        site.delete("a.html")
        writer = Writer(site.gate, update(site, "a.html", "c.html"))
        for _ in range(steps):
            if not writer.is_done:
                writer.step()
        is_done = writer.is_done
        if not is_done:
            writer.step(Crash())
        site.clock.sleep(max(LEASE, CLAIM_SECONDS))
        site.put("d.html", "x")
        site.updater().update(["a.html", "c.html", "d.html"])
        site.updater().publish(site.ledger().read())
        assert set(recorder.urls) == {BASE + key for key in ("a.html", "c.html", "d.html")}, f"after {steps} requests"
        assert len(recorder.urls) <= 5, f"after {steps} requests: {recorder.urls}"
        assert recorder.files, f"after {steps} requests"
        assert site.manifest().outbox == ()
        steps += 1
    assert steps > 12


def test_of_two_processes_each_change_is_sent_once_whoever_publishes_it() -> None:
    steps, is_done = 0, False
    while not is_done:
        site = site_with()
        recorder = Recorder(on_call=partial(site.gate.admit, "NOTIFY"))
        site.subscribers.append(recorder)
        site.put("c.html", "x")
        writer = Writer(site.gate, update(site, "c.html"))
        for _ in range(steps):
            if not writer.is_done:
                writer.step()
        is_done = writer.is_done
        site.put("d.html", "x")
        other = Writer(site.gate, update(site, "d.html"))
        while not (writer.is_done and other.is_done):
            for each in (writer, other):
                if not each.is_done:
                    each.step()
        assert (writer.error, other.error) == (None, None)
        assert sorted(recorder.urls) == [BASE + "c.html", BASE + "d.html"], f"after {steps} requests"
        assert site.manifest().outbox == ()
        steps += 1


def test_files_of_the_outbox_are_collected_once_nothing_names_them() -> None:
    recorder = Recorder()
    recorder.failures.append(TryLaterError("no answer", 60))
    site = site_with(recorder)
    site.put("c.html", "x")
    site.updater().update(["c.html"])
    waiting = set(site.state.list_files("outbox/"))
    assert waiting
    recorder.failures += [TryLaterError("no answer", 60)] * 3
    for _ in range(3):
        site.clock.sleep(DAY)
        rebuild.rebuild(site.updater())
    assert waiting <= set(site.state.list_files("outbox/"))
    for _ in range(3):
        site.clock.sleep(DAY)
        rebuild.rebuild(site.updater())
    assert site.state.list_files("outbox/") == []


def test_subscribers_cost_two_files_their_reading_and_one_replacement_of_the_manifest() -> None:
    site, other = site_with(Recorder()), site_with()
    for each in (site, other):
        each.put("c.html", "x")
    with_recorder, without = (each.counted(update(each, "c.html")) for each in (site, other))
    assert len(with_recorder) == len(without) + 6


@pytest.mark.parametrize("alternates", [False, True])
def test_a_distributed_rebuild_notifies_of_exactly_what_it_changed(*, alternates: bool) -> None:
    recorder = Recorder()
    site = simulated_site(alternates=alternates)
    execution(site).run()
    kept, removed = KEYS[3], KEYS[5]
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    site.delete(removed)
    for key in ("zz-new.html", "aa-new.html"):
        site.put(key, "x")
    site.put(kept, "changed")
    execution(site, "second").run()
    expected = {"zz-new.html", "aa-new.html", removed, *([kept] if site.settings.lastmod == "content" else [])}
    assert sorted(recorder.urls) == sorted(BASE + key for key in expected)
    assert recorder.files
    assert site.manifest().outbox == ()


def test_a_first_distributed_build_notifies_of_its_files_only() -> None:
    recorder = Recorder()
    site = simulated_site()
    site.subscribers.append(recorder)
    execution(site).run()
    assert recorder.urls == []
    assert set(recorder.files) >= {file.name for entry in site.manifest().entries for file in entry.files}


def test_events_during_a_distributed_rebuild_are_among_its_notifications() -> None:
    """A page that came and went meanwhile is sent for both, although the run finds it as it was."""
    recorder = Recorder()
    site = simulated_site()
    execution(site).run()
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    run = execution(site, "second")
    run.run(until="commit")
    for key in ("late.html", "came-and-went.html"):
        site.put(key, "x")
        site.updater().update([key])
    site.delete("came-and-went.html")
    run.run()
    came_and_went = [result.changes for result in recorder.results if BASE + "came-and-went.html" in str(result)]
    assert next((len(each.added), len(each.removed)) for each in came_and_went) == (1, 0)
    assert BASE + "came-and-went.html" in came_and_went[-1].removed
    assert BASE + "late.html" in recorder.urls


def test_a_url_that_another_object_got_during_a_distributed_rebuild_is_sent_again() -> None:
    """An update removes the URL meanwhile. It is in the ledger before the run, and in that after it."""
    recorder = Recorder()
    site = SimulatedSite(urls=6, lastmod="none")
    for key in (*KEYS, "index.htm"):
        site.put(key, "x")
    execution(site).run()
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    site.delete("index.htm")
    site.put("index.html", "x")
    run = execution(site, "second")
    run.run_workers("build")
    site.updater().update(["index.htm"])
    assert recorder.urls == [BASE]
    run.run()
    assert recorder.urls == [BASE, BASE]


def test_a_distributed_rebuild_notifies_of_a_page_that_an_update_listed_because_another_with_its_url_was_gone() -> None:
    """Only the other page's key is reported during the run, which then finds both gone."""
    recorder = Recorder()
    site = SimulatedSite(urls=6, lastmod="none")
    for key in (*KEYS, "index.htm"):
        site.put(key, "x")
    site.put("index.html", NOINDEX)
    execution(site).run()
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    run = execution(site, "second")
    site.delete("index.html")
    run.run_workers("scan")
    site.updater().update(["index.html"])
    assert recorder.urls == [BASE]
    site.delete("index.htm")
    run.run()
    assert recorder.urls == [BASE, BASE]
    assert BASE not in listed_urls(site)


def test_a_distributed_rebuild_notifies_of_a_page_that_an_update_gave_alternates_because_of_another_page() -> None:
    recorder = Recorder()
    links = f"<link rel=alternate hreflang=en href={BASE}en.html><link rel=alternate hreflang=de href={BASE}de.html>"
    site = simulated_site(alternates=True)
    site.put("en.html", links)
    site.put("de.html", "x")
    execution(site).run()
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    run = execution(site, "second")
    run.run_workers("build")
    site.put("de.html", links)
    site.updater().update(["de.html"])
    assert recorder.urls.count(BASE + "en.html") == 1
    site.put("de.html", "x")
    run.run()
    assert recorder.urls.count(BASE + "en.html") == 2


def test_a_distributed_rebuild_notifies_of_pages_of_which_no_sitemap_is_left() -> None:
    recorder = Recorder()
    site = simulated_site()
    execution(site).run()
    last = max(site.manifest().entries, key=lambda entry: entry.first_key)
    gone = [key for key in KEYS if key >= last.first_key]
    assert 0 < len(gone) < len(KEYS)
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    for key in gone:
        site.delete(key)
    execution(site, "second").run()
    assert sorted(recorder.urls) == [BASE + key for key in gone]


def test_a_distributed_rebuild_notifies_of_a_vanished_shard_although_another_run_replaced_it_meanwhile() -> None:
    """Updates make one sitemap of all pages; then the others return, before the run has listed anything."""
    recorder = Recorder()
    site = simulated_site()
    execution(site).run()
    last = max(site.manifest().entries, key=lambda entry: entry.first_key)
    gone = [key for key in KEYS if key >= last.first_key]
    others = [key for key in KEYS if key < last.first_key]
    assert 0 < len(gone) <= site.settings.file_limits.urls
    site.clock.sleep(60)
    run = execution(site, "second")
    run.run(until="scan")
    for key in others:
        site.delete(key)
    site.updater().update(others)
    assert len(site.manifest().entries) == 1
    for key in others:
        site.put(key, "x")
    for key in gone:
        site.delete(key)
    site.subscribers.append(recorder)
    run.run()
    assert set(recorder.urls) >= {BASE + key for key in gone}
    assert listed_urls(site) == {BASE + key for key in others}


def test_a_distributed_rebuild_does_not_call_removed_what_moves_from_a_vanished_shard_to_a_new_one() -> None:
    recorder = Recorder()
    site = simulated_site()
    execution(site).run()
    last = max(site.manifest().entries, key=lambda entry: entry.first_key)
    kept = [key for key in KEYS if key > last.first_key]
    added = (f"{last.first_key}-{n}.html" for n in count())
    boundary = next(key for key in added if begins_segment(key, site.settings.file_limits.urls))
    assert last.first_key < boundary < kept[0]
    site.subscribers.append(recorder)
    site.clock.sleep(60)
    site.delete(last.first_key)
    site.put(boundary, "x")
    execution(site, "second").run()
    assert sorted(recorder.urls) == sorted([BASE + last.first_key, BASE + boundary])
