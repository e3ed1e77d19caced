"""Publishing in the lease of the only publisher: what is written in which order, and what others do meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
import quick
from fake_stores import Crash, MemoryStore, SimulatedSite, Writer
from msgspec.structs import replace
from unit.published_sites import BASE, LEASE, commit_only, listed_urls, published_site, watched

from waypost.core.errors import OtherRunError, StoreError, UncertainError
from waypost.ledger.ledger_state import PublisherLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import with_pending_files
from waypost.stores.base import NO_METADATA, FileInfo
from waypost.sync import rebuild
from waypost.sync.publisher import FileChanges

DAY = 86_400


def publish(site: SimulatedSite, **options: Any) -> FileChanges:
    return site.updater().publish(site.ledger().read(), **options)


def make_pending(site: SimulatedSite, *names: str) -> Manifest:
    """Note that these files may be wrong."""
    version = site.ledger().read()
    after = with_pending_files(version.manifest, version.manifest.files, names)
    return site.ledger().commit(version, after, {}).manifest


def pending_names(site: SimulatedSite) -> list[str]:
    return [each.name for each in site.manifest().pending]


def writes(requests: list[str]) -> list[str]:
    return [each.removeprefix("PUT outputs/") for each in requests if each.startswith("PUT outputs/")]


def is_settled(site: SimulatedSite) -> bool:
    """Whether nothing is pending, nobody is publisher, and all files are as they should be."""
    manifest = site.manifest()
    return (manifest.pending, manifest.publisher) == ((), None) and site.is_in_sync()


def test_after_a_publication_nothing_is_pending_nobody_is_publisher_and_all_etags_are_known() -> None:
    site = published_site()
    assert is_settled(site)
    assert {file.etag for file in site.manifest().files.values()} == {
        info.etag for name in site.outputs.files if (info := site.outputs.head(name))
    }


def test_without_pending_files_nothing_is_written_and_the_manifest_stays() -> None:
    site = published_site()
    version = site.ledger().read()
    requests = site.counted(lambda: publish(site))
    assert requests == ["GET state/manifest.json"]
    assert publish(site) == FileChanges(version=version)


def test_pending_files_that_are_right_are_not_written() -> None:
    site = published_site()
    make_pending(site, *site.manifest().files)
    assert publish(site).written == ()
    assert is_settled(site)


def test_only_pending_files_are_written() -> None:
    site = published_site()
    first, second, *_ = (entry.files[0].name for entry in site.manifest().entries)
    for name in (first, second):
        site.outputs.remove(name)
    make_pending(site, first)
    assert publish(site).written == (first,)
    assert second not in site.outputs.files


def test_nothing_is_published_or_deleted_while_nothing_is_listed() -> None:
    site = published_site(3)
    for n in range(3):
        site.delete(f"{n:03}.html")
    before = site.outputs.bodies()
    site.updater().update([f"{n:03}.html" for n in range(3)])
    for _ in range(3):
        site.clock.sleep(2 * DAY)
        rebuild.rebuild(site.updater(), max_removed=100)
        assert site.outputs.bodies() == before
    site.put("new.html", "x")
    site.updater().update(["new.html"])
    assert listed_urls(site) == {BASE + "new.html"}
    assert is_settled(site)


def test_nothing_is_published_by_a_process_with_other_settings_than_the_manifest() -> None:
    site = published_site()
    make_pending(site, "sitemap.xml")
    site.outputs.remove("sitemap.xml")
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["/never/"]).settings
    assert publish(site, collects=True).written == ()
    assert (pending_names(site), site.manifest().publisher) == (["sitemap.xml"], None)


def test_what_a_process_that_died_has_committed_is_published_by_the_next_one() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    commit_only(site, "005.html")
    assert BASE + "005.html" in listed_urls(site)
    result = site.updater().update(["005.html"])
    assert (result.records_changed, len(result.written)) == (0, 1)
    assert BASE + "005.html" not in listed_urls(site)
    assert is_settled(site)


def test_at_the_deadline_no_more_files_are_written_and_the_others_stay_pending_for_the_next_process() -> None:
    site = published_site(120, urls=2, sitemaps=1_000)
    names = list(site.manifest().files)
    site.outputs.files.clear()
    make_pending(site, *names)
    done = publish(site, deadline_reached=lambda: True)
    assert (done.is_complete, len(done.written)) == (False, 50)
    assert set(pending_names(site)) == {*names} - {*done.written} != set()
    assert site.manifest().publisher is None
    publish(site)
    assert is_settled(site)


class DeniedStore(MemoryStore):
    """A store that refuses to write one of its files."""

    denied = ""

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        if name == self.denied:
            raise StoreError(f"cannot write {name}: AccessDenied")
        return super().put_if_match(name, content, etag, metadata)


def test_a_failure_gives_the_lease_back_and_remembers_what_was_published_before_it() -> None:
    site = published_site()
    site.outputs = store = DeniedStore(site.gate, "outputs", clock=site.clock)
    make_pending(site, *site.manifest().files)
    store.denied = "sitemap.xml"
    with pytest.raises(StoreError, match="AccessDenied"):
        publish(site)
    assert pending_names(site) == ["sitemap.xml"]
    assert site.manifest().publisher is None
    store.denied = ""
    assert publish(site).written == ("sitemap.xml",)
    assert is_settled(site)


def test_files_that_become_pending_during_a_round_are_published_by_the_same_process() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    slow = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    slow.until("PUT outputs/")
    site.put("007.html", "<meta name=robots content=noindex>")
    other = Writer(site.gate, lambda: site.updater().update(["007.html"]))
    other.until("PUT state/manifest.json done")
    other.step(Crash())
    slow.finish()
    assert slow.error is None
    assert {BASE + "005.html", BASE + "007.html"}.isdisjoint(listed_urls(site))
    assert is_settled(site)


def test_a_process_waits_for_the_publisher_and_ends_once_that_has_published_its_files_too() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    slow = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    slow.until("PUT outputs/")
    site.put("007.html", "<meta name=robots content=noindex>")
    waiting = Writer(site.gate, lambda: site.updater().update(["007.html"]))
    waiting.until("HEAD state/manifest.json")
    slow.finish()
    waiting.finish()
    assert (slow.error, waiting.error) == (None, None)
    assert waiting.result.written == ()
    assert is_settled(site)


@pytest.mark.parametrize(("patience", "longest"), [(10, 20), (60, 70)])
def test_a_process_fails_if_another_one_publishes_longer_than_its_patience_and_its_files_stay_pending(
    patience: float, longest: float
) -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    slow = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    slow.until("PUT outputs/")
    site.put("007.html", "<meta name=robots content=noindex>")
    started = site.clock.time()
    with pytest.raises(OtherRunError) as raised:
        site.updater().update(["007.html"], patience=patience)
    assert patience <= site.clock.time() - started < longest
    assert raised.value.retry_after is not None
    assert 0 < raised.value.retry_after <= LEASE - patience
    slow.finish()
    assert is_settled(site)


def test_a_process_whose_patience_is_longer_than_a_lease_takes_that_of_one_that_died() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    dead = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    dead.until("PUT outputs/")
    site.put("007.html", "<meta name=robots content=noindex>")
    site.updater().update(["007.html"])
    assert {BASE + "005.html", BASE + "007.html"}.isdisjoint(listed_urls(site))
    assert is_settled(site)


def test_a_process_does_not_wait_for_a_distributed_run_that_publishes_and_leaves_its_files_to_that() -> None:
    site = published_site()
    version = site.ledger().read()
    run = PublisherLease("run", site.clock.time() + 3_600, is_run=True, start_generation=1)
    site.ledger().commit(version, replace(version.manifest, publisher=run), {})
    site.put("005.html", "<meta name=robots content=noindex>")
    started = site.clock.time()
    result = site.updater().update(["005.html"])
    assert (result.records_changed, result.written) == (1, ())
    assert site.clock.time() - started < 10
    assert pending_names(site) != []
    assert site.manifest().publisher == run


def stopped_in_a_round(site: SimulatedSite) -> Writer:
    """A process that has committed changes of several sitemaps, and stops before its first write."""
    keys = [f"{n:03}.html" for n in range(0, 30, 5)]
    for key in keys:
        site.put(key, "<meta name=robots content=noindex>")
    writer = Writer(site.gate, lambda: site.updater().update(keys))
    writer.until("PUT outputs/")
    return writer


def test_a_process_whose_lease_ends_in_the_middle_of_a_round_renews_it_and_goes_on_if_nobody_else_publishes() -> None:
    site = published_site(30)
    slow = stopped_in_a_round(site)
    slow.step()
    site.clock.sleep(LEASE + 10)
    slow.finish()
    assert slow.error is None
    assert is_settled(site)


@dataclass
class SlowStore(MemoryStore):
    """A store in which each look at a file takes a second; each is looked at `looks_left` times at most."""

    looks_left: dict[str, int] = field(default_factory=dict)

    def head(self, name: str) -> FileInfo | None:
        self.looks_left[name] = self.looks_left.get(name, 3) - 1
        assert self.looks_left[name] >= 0, f"{name} is looked at again and again"
        self.clock.sleep(1)
        return super().head(name)


def test_a_process_that_looks_at_its_files_for_longer_than_a_lease_renews_that_meanwhile() -> None:
    site = published_site(300)
    site.outputs = SlowStore(site.gate, "outputs", site.outputs.files, clock=site.clock)
    names = sorted(site.manifest().sitemap_names)
    assert len(names) > LEASE
    for name in names:
        site.outputs.files.pop(name)
    make_pending(site, *names)
    assert publish(site).written == tuple(names)
    assert site.manifest().pending == ()


def test_a_process_writes_nothing_once_its_lease_has_ended_and_another_one_publishes() -> None:
    site = published_site(30)
    slow = stopped_in_a_round(site)
    slow.step()
    site.clock.sleep(LEASE + 10)
    other = Writer(site.gate, lambda: site.updater().update(["000.html"]))
    other.until("PUT outputs/")
    requests = site.counted(lambda: run_until_waiting(slow))
    assert writes(requests) == []
    other.finish()
    slow.finish()
    assert (other.error, slow.error) == (None, None)
    assert is_settled(site)


def run_until_waiting(writer: Writer) -> None:
    """Let a process go on until it waits for the publisher."""
    while not (writer.is_done or writer.at == "HEAD state/manifest.json"):
        writer.step()


def test_a_process_that_wakes_up_after_another_one_has_published_everything_leaves_nothing_pending() -> None:
    site = published_site(30)
    slow = stopped_in_a_round(site)
    slow.step()
    site.clock.sleep(LEASE + 10)
    site.updater().update(["000.html"])
    assert is_settled(site)
    slow.finish()
    assert slow.error is None
    assert is_settled(site)


def test_a_write_that_took_effect_without_an_answer_is_recognised_after_the_margin() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    writer = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    writer.until("PUT outputs/")
    request = writer.at
    writer.until(f"{request} done")
    started = site.clock.time()
    writer.step(UncertainError("the connection was lost"))
    writer.finish()
    assert writer.error is None
    assert site.clock.time() - started >= 30
    assert is_settled(site)


def test_a_write_that_had_no_effect_and_no_answer_is_repeated_after_the_margin() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    writer = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    writer.until("PUT outputs/")
    writer.step(UncertainError("the connection was lost"))
    writer.finish()
    assert writer.error is None
    assert is_settled(site)


def test_another_commit_while_the_lease_is_given_back_loses_nothing() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    slow = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    slow.until("PUT outputs/")
    slow.until("PUT state/manifest.json")
    site.put("007.html", "<meta name=robots content=noindex>")
    other = Writer(site.gate, lambda: site.updater().update(["007.html"]))
    other.until("PUT state/manifest.json done")
    other.step(Crash())
    slow.finish()
    assert slow.error is None
    assert BASE + "007.html" not in listed_urls(site)
    assert is_settled(site)


def test_a_file_that_is_committed_again_while_it_is_written_stays_pending() -> None:
    site = published_site()
    site.put("005.html", "<meta name=robots content=noindex>")
    slow = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    slow.until("PUT outputs/")
    site.put("005.html", "x")
    other = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    other.until("PUT state/manifest.json done")
    other.step(Crash())
    slow.finish()
    assert BASE + "005.html" in listed_urls(site)
    assert is_settled(site)


@pytest.mark.parametrize(
    ("values", "is_crashing"),
    quick.every(
        3,
        product(
            [
                {},
                {"sitemaps": 3, "robots_sitemaps": True},
                {"formats": ["xml", "html", "text"], "robots_sitemaps": True, "stylesheet": True},
                {"groups": {"blog": ["/blog/"]}, "drop_html": True, "trailing_slash": "never", "robots_sitemaps": True},
            ],
            [False, True],
        ),
    ),
)
def test_while_a_site_grows_and_shrinks_all_pages_stay_listed_at_every_request(
    values: dict[str, Any], *, is_crashing: bool
) -> None:
    site = published_site(1, **values)
    keys = [name for n in range(1, 14) for name in (f"{n * 7 % 14:03}.html", f"blog/{n}.html", f"blog/{n}/index.html")]
    for n, key in enumerate([*keys, *keys]):
        if key in site.source.objects:
            site.delete(key)
        else:
            site.put(key, "x")
        if is_crashing and n % 2:
            commit_only(site, key)
        watched(site, lambda key=key: site.updater().update([key]))  # type: ignore[misc]
    assert listed_urls(site) == {BASE + ("000" if site.settings.drop_html else "000.html")}
    assert is_settled(site)


def test_a_sitemap_becomes_an_index_and_back() -> None:
    site = published_site(3)
    assert site.manifest().indexes == ()
    more = [f"{n:03}.html" for n in range(3, 30)]
    for key in more:
        site.put(key, "x")
    watched(site, lambda: site.updater().update(more))
    assert [index.name for index in site.manifest().indexes] == ["sitemap.xml"]
    for key in more:
        site.delete(key)
    watched(site, lambda: site.updater().update(more))
    assert site.manifest().indexes == ()
    assert len(listed_urls(site)) == 3
    assert is_settled(site)


def test_files_that_are_no_longer_named_are_deleted_by_a_daily_pass_after_a_day_and_by_nothing_else() -> None:
    site = published_site(30)
    old = set(site.outputs.files)
    for n in range(27):
        site.delete(f"{n:03}.html")
    site.updater().update([f"{n:03}.html" for n in range(27)])
    unnamed = old - site.manifest().files.keys()
    assert unnamed
    rebuild.rebuild(site.updater())
    site.clock.sleep(DAY)
    site.put("000.html", "x")
    site.updater().update(["000.html"])
    assert site.outputs.files.keys() >= unnamed
    result = rebuild.rebuild(site.updater())
    assert set(result.removed) >= unnamed - site.manifest().files.keys()
    assert site.outputs.files.keys() == site.manifest().files.keys()
    assert site.manifest().unreferenced == ()


def test_a_daily_pass_that_needed_most_of_its_lease_to_publish_still_deletes() -> None:
    site = published_site(30)
    for n in range(27):
        site.delete(f"{n:03}.html")
    site.updater().update([f"{n:03}.html" for n in range(27)])
    unnamed = {each.name for each in site.manifest().unreferenced}
    site.clock.sleep(DAY)
    site.outputs.remove("sitemap.xml")
    daily = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    for request in ("PUT outputs/sitemap.xml done", "PUT state/manifest.json done"):
        daily.until(request)
        site.clock.sleep(40)
    daily.finish()
    assert daily.error is None
    assert unnamed.isdisjoint(site.outputs.files)


def test_a_daily_pass_leaves_files_to_another_day_while_others_publish() -> None:
    site = published_site()
    version = site.ledger().read()
    lease = PublisherLease("other", site.clock.time() + 300)
    site.ledger().commit(version, replace(version.manifest, publisher=lease), {})
    assert publish(site, collects=True).removed == ()
    assert site.manifest().publisher == lease


def test_the_files_of_two_ledgers_in_one_folder_do_not_touch_each_other() -> None:
    german, english = published_site(name="sitemap"), SimulatedSite(urls=4, lastmod="none", name="sitemap-en")
    english.outputs.files = german.outputs.files
    for n in range(12):
        english.put(f"en/{n:03}.html", "x")
    rebuild.rebuild(english.updater())
    for site in (german, english):
        for key in list(site.source.objects)[1:]:
            site.delete(key)
        site.updater().update([f"{n:03}.html" for n in range(12)])
        site.clock.sleep(2 * DAY)
        rebuild.rebuild(site.updater(), max_removed=100)
        site.clock.sleep(2 * DAY)
        rebuild.rebuild(site.updater(), max_removed=100)
    assert german.outputs.files.keys() == german.manifest().files.keys() | english.manifest().files.keys()
    assert german.is_in_sync()
    assert english.is_in_sync()
