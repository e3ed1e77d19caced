"""Who publishes what when processes are late, die, or work with other rules or settings: at every request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import quick
from distributed_sites import differing_files, execution, settings, simulated_site
from fake_stores import MemoryStore, SimulatedSite, Writer
from unit.published_sites import BASE, LEASE, listed_urls, published_site

from waypost.core.errors import ConflictError, OtherRunError, OutdatedSettingsError, StoreError, UncertainError
from waypost.stores.base import NO_METADATA
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NO_PAGE = '<meta name="robots" content="noindex">'
DAY = 90_000
PAST_ALL_LEASES = 1_000
EXPECTED = ConflictError | OtherRunError | OutdatedSettingsError | StoreError
"""The errors with which a late process may end."""
STEPS = ("build", "publish", "finalize")
"""The steps of a distributed rebuild before which an older rebuild ends."""


def started_update(site: SimulatedSite, *keys: str) -> Writer:
    return Writer(site.gate, lambda: site.updater().update(keys))


def started_rebuild(site: SimulatedSite) -> Writer:
    return Writer(site.gate, partial(rebuild.rebuild, site.updater()))


def step_to(writer: Writer, count: int) -> None:
    """Let a process make so many requests, or end."""
    for _ in range(count):
        if not writer.is_done:
            writer.step()


def finish_watched(site: SimulatedSite, writer: Writer) -> None:
    """Let a process end; no index may ever name a missing sitemap."""
    while not writer.is_done:
        writer.step()
        listed_urls(site)
    assert writer.error is None or isinstance(writer.error, EXPECTED), writer.error


def count_requests(make: Callable[[], SimulatedSite], start: Callable[[SimulatedSite], Writer]) -> int:
    """How many requests a process makes."""
    writer, count = start(make()), 0
    while not writer.is_done:
        writer.step()
        count += 1
    return count


def delete_some_pages(site: SimulatedSite) -> Writer:
    keys = [f"{n:03}.html" for n in range(0, 12, 2)]
    for key in keys:
        site.put(key, NO_PAGE)
    return started_update(site, *keys)


@pytest.mark.slow
@pytest.mark.parametrize("has_content_etags", [True, False])
def test_a_process_that_sleeps_at_any_request_while_files_are_replaced_and_deleted_leaves_no_index_over_missing_files(
    *, has_content_etags: bool
) -> None:
    def make() -> SimulatedSite:
        site = SimulatedSite(urls=4, lastmod="none")
        site.outputs.has_content_etags = has_content_etags
        for n in range(12):
            site.put(f"{n:03}.html", "x")
        rebuild.rebuild(site.updater())
        return site

    for asleep in range(count_requests(make, delete_some_pages)):
        site = make()
        slow = delete_some_pages(site)
        step_to(slow, asleep)
        site.clock.sleep(LEASE + 10)
        for n in range(1, 12, 2):
            site.put(f"{n:03}.html", NO_PAGE)
        site.put("000.html", "x")
        site.updater().update([f"{n:03}.html" for n in range(12)])
        for _ in range(3):
            site.clock.sleep(DAY)
            rebuild.rebuild(site.updater(), max_removed=100)
        finish_watched(site, slow)
        site.updater().update([f"{n:03}.html" for n in range(12)])
        assert listed_urls(site) == {BASE + "000.html"}, f"after a pause at request {asleep}"


def test_a_deleted_sitemap_is_written_again_also_if_a_page_came_and_went_before_its_publisher_looked() -> None:
    """The page is gone again before the first process publishes, so the sitemap it knows of would be right."""

    def site_without_sitemap() -> SimulatedSite:
        site = SimulatedSite(lastmod="none")
        site.put("a.html", "x")
        rebuild.rebuild(site.updater())
        site.outputs.remove("sitemap.xml")
        site.put("b.html", "x")
        return site

    def update_page(site: SimulatedSite) -> Writer:
        return started_update(site, "b.html")

    for asleep in range(count_requests(site_without_sitemap, update_page)):
        for steps in (8, 9, 10, 11, 12):
            site = site_without_sitemap()
            slow = update_page(site)
            step_to(slow, asleep)
            site.put("b.html", NO_PAGE)
            other = started_update(site, "b.html", "sitemap.xml")
            step_to(other, steps)
            finish_watched(site, slow)
            finish_watched(site, other)
            assert listed_urls(site) == {BASE + "a.html"}, f"after {asleep} and {steps} requests"


def test_an_index_that_an_update_commits_as_a_sitemap_and_then_as_an_index_again_is_written_before_robots_txt() -> None:
    """Its second commit moves p2.html from another index, which robots.txt names until then, to `sitemap.xml`."""
    site = SimulatedSite(urls=2, sitemaps=2, lastmod="none", robots_sitemaps=True)
    for key in ("index.html", "p2.html", "p3.html"):
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    assert len(site.manifest().indexes) == 3
    site.put("index.html", NO_PAGE)
    site.put("p7.html", NO_PAGE)
    update = started_update(site, "index.html", "p7.html")
    update.until("PUT state/manifest.json done")
    assert site.manifest().indexes == ()
    site.put("p7.html", "x")
    while not update.is_done:
        update.step()
        assert {BASE + "p2.html", BASE + "p3.html"} <= listed_urls(site)
    assert len(site.manifest().indexes) == 3
    assert listed_urls(site) == {BASE + "p2.html", BASE + "p3.html", BASE + "p7.html"}


DISALLOW_BLOG, DISALLOW_NUMBERS = b"User-agent: *\nDisallow: /blog/\n", b"User-agent: *\nDisallow: /0\n"


def site_with_blog(*, is_built: bool = True, **values: Any) -> SimulatedSite:
    site = SimulatedSite(urls=4, lastmod="none", **values)
    for n in range(4):
        site.put(f"{n:03}.html", "x")
        site.put(f"blog/{n}.html", "x")
    if is_built:
        rebuild.rebuild(site.updater())
    return site


@pytest.mark.parametrize("last", [DISALLOW_NUMBERS, None], ids=["v1, v2", "v0, v1, v0"])
def test_a_rebuild_for_an_earlier_robots_txt_that_ends_last_publishes_by_the_present_one(last: bytes | None) -> None:
    def start(site: SimulatedSite) -> Writer:
        site.put("robots.txt", DISALLOW_BLOG)
        return started_rebuild(site)

    for asleep in range(count_requests(site_with_blog, start)):
        site = site_with_blog()
        slow = start(site)
        step_to(slow, asleep)
        site.clock.sleep(PAST_ALL_LEASES)
        if last is None:
            site.delete("robots.txt")
        else:
            site.put("robots.txt", last)
        rebuild.rebuild(site.updater())
        finish_watched(site, slow)
        expected = {f"blog/{n}.html" for n in range(4)} | (set() if last else {f"{n:03}.html" for n in range(4)})
        assert listed_urls(site) == {BASE + key for key in expected}, f"after a pause at request {asleep}"


def test_a_build_follows_a_robots_txt_that_changes_at_any_request_before_its_last_records_without_an_event() -> None:
    asleep, has_begun = 0, False
    while not has_begun:
        site = site_with_blog(is_built=False)
        build = started_rebuild(site)
        for _ in range(asleep):
            build.step()
        has_begun = build.at.startswith("PUT state/shards/") and "conditional-write" not in build.at
        if not has_begun:
            site.put("robots.txt", DISALLOW_BLOG)
        while not build.is_done:
            build.step()
            assert has_begun or not any("/blog/" in url for url in listed_urls(site))
        assert build.error is None
        assert len(listed_urls(site)) == (8 if has_begun else 4), f"robots.txt came at request {asleep}"
        asleep += 1


class SlowStore(MemoryStore):
    """A store in which one replacement gets no answer; what it would write is kept, and may arrive later."""

    _then: Callable[[], None] | None = None

    def lose_next_answer(self, then: Callable[[], None]) -> None:
        """Let the next replacement have no answer; `then` is what happens while its process waits for one."""
        self._then = then

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        then, self._then = self._then, None
        if then is None:
            return super().put_if_match(name, content, etag, metadata)
        self.arrive = partial(super().put_if_match, name, content, etag, metadata)
        then()
        raise UncertainError(f"PUT {name} had no answer")


def test_a_replacement_without_an_answer_cannot_take_effect_once_its_process_has_ended_with_nothing_changed() -> None:
    site = published_site()
    slow = site.state = SlowStore(site.gate, "state", site.state.files, clock=site.clock)
    listed = listed_urls(site)
    site.put("000.html", NO_PAGE)
    slow.lose_next_answer(lambda: site.put("000.html", "x"))
    site.updater().update(["000.html"])
    with pytest.raises(ConflictError):
        slow.arrive()
    site.clock.sleep(PAST_ALL_LEASES)
    assert listed_urls(site) == listed
    assert site.is_in_sync()


def test_a_process_with_settings_that_were_rolled_out_and_back_meanwhile_changes_nothing_of_theirs() -> None:
    excluding = SimulatedSite(urls=4, lastmod="none", exclude=["/blog/"]).settings
    for asleep in range(count_requests(site_with_blog, started_rebuild_with(excluding))):
        site = site_with_blog()
        own = site.settings
        slow = started_rebuild_with(excluding)(site)
        step_to(slow, asleep)
        site.settings = own
        site.clock.sleep(PAST_ALL_LEASES)
        rebuild.rebuild(site.updater())
        finish_watched(site, slow)
        assert len(listed_urls(site)) == 8, f"after a pause at request {asleep}"


def test_a_publisher_that_writes_after_settings_were_rolled_out_and_back_leaves_no_wrong_file() -> None:
    site = published_site(2, urls=2, max_removed=100)
    own = site.settings
    keys = [f"{n}.html" for n in range(100, 106)]
    for key in keys:
        site.put(key, "x")
    slow = started_update(site, *keys)
    slow.until("PUT outputs/sitemap.xml")
    for key in keys:
        site.delete(key)
    for present in (SimulatedSite(urls=2, lastmod="none", max_removed=100, exclude=["/0*"]).settings, own):
        site.clock.sleep(5)
        site.settings = present
        rebuild.rebuild(site.updater())
    finish_watched(site, slow)
    site.updater().update(keys)
    assert len(listed_urls(site)) == 2
    assert (site.wrong_files(), site.manifest().pending) == ({}, ())


def started_rebuild_with(other: Any) -> Callable[[SimulatedSite], Writer]:
    def start(site: SimulatedSite) -> Writer:
        site.clock.sleep(60)
        site.settings = other
        return started_rebuild(site)

    return start


def test_an_update_that_read_its_settings_before_new_ones_were_built_commits_nothing_under_these() -> None:
    site = site_with_blog()
    site.put("blog/9.html", "x")
    old = started_update(site, "blog/9.html")
    old.until("PUT state/manifest.json")
    site.clock.sleep(60)
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["/blog/"]).settings
    rebuild.rebuild(site.updater())
    old.finish()
    assert old.error is not None
    assert {url for url in listed_urls(site) if "/blog/" in url} == set()


def test_a_rebuild_with_settings_from_before_a_deployment_writes_nothing() -> None:
    site = site_with_blog()
    own, old = site.settings, started_rebuild(site)
    site.clock.sleep(60)
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["/blog/"]).settings
    rebuild.rebuild(site.updater())
    new, manifest = site.settings, site.manifest()
    site.settings = own
    with pytest.raises(OutdatedSettingsError):
        finish(old)
    site.settings = new
    assert site.manifest() == manifest
    assert {url for url in listed_urls(site) if "/blog/" in url} == set()


def finish(writer: Writer) -> None:
    writer.finish()
    if writer.error:
        raise writer.error


def test_records_that_a_late_update_has_yet_to_read_may_be_collected_meanwhile() -> None:
    def start(site: SimulatedSite) -> Writer:
        site.put("005.html", NO_PAGE)
        return started_update(site, "005.html")

    for asleep in range(count_requests(published_site, start)):
        site = published_site()
        slow = start(site)
        step_to(slow, asleep)
        for n in range(12):
            site.put(f"{n:03}.html", f"<title>{n}</title>")
            site.updater().update([f"{n:03}.html"])
        site.put("005.html", NO_PAGE)
        for _ in range(3):
            site.clock.sleep(DAY)
            rebuild.rebuild(site.updater())
        finish_watched(site, slow)
        site.updater().update(["005.html"])
        assert len(listed_urls(site)) == 11
        assert site.is_in_sync()


def test_a_rebuild_does_not_disturb_a_distributed_one_that_is_under_way() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run(until="build")
    before = site.manifest()
    with pytest.raises(OtherRunError):
        rebuild.rebuild(site.updater())
    assert site.manifest() == before
    workers.run()
    assert not differing_files(site)


@pytest.mark.parametrize("step", quick.every(3, STEPS))
def test_a_rebuild_that_began_before_a_distributed_one_and_ends_in_it_changes_nothing_of_that(step: str) -> None:
    """It sleeps at every request in one of the steps."""

    def made() -> SimulatedSite:
        site = simulated_site()
        rebuild.rebuild(site.updater())
        site.put("new.html", "x")
        return site

    for asleep in range(STEPS.index(step), count_requests(made, started_rebuild), len(STEPS)):
        site = made()
        late = started_rebuild(site)
        step_to(late, asleep)
        site.clock.sleep(PAST_ALL_LEASES)
        workers = execution(site)
        workers.run(until=step)
        run = site.manifest().run
        finish_watched(site, late)
        assert site.manifest().run == run, f"after a pause at request {asleep}"
        workers.run()
        assert (differing_files(site), site.manifest().pending) == (set(), ())


def test_a_rebuild_that_ends_after_a_run_with_other_settings_has_begun_changes_nothing_of_that() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.put("new.html", "x")
    late = started_rebuild(site)
    late.until("PUT state/manifest.json")
    site.clock.sleep(60)
    site.settings = settings(exclude=["/000.html"])
    workers = execution(site)
    workers.run(until="build")
    builder = site.manifest().builder
    late.finish()
    assert late.error is not None
    assert site.manifest().builder == builder
    workers.run()
    assert not differing_files(site)


def test_a_stopped_rebuild_that_is_continued_days_later_finds_changes_before_its_position() -> None:
    site = published_site(30)
    stopped_at = site.clock.time()
    site.put("000.html", NO_PAGE)
    site.put("0000.html", "x")
    site.clock.sleep(3 * DAY)
    rebuild.rebuild(site.updater(), start_after="015.html", stopped_at=stopped_at)
    assert listed_urls(site) >= {BASE + "0000.html"}
    assert BASE + "000.html" not in listed_urls(site)
    assert site.is_in_sync()
