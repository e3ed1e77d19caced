"""What is published after a process died between its commit and its last file, and while groups come and go."""

from __future__ import annotations

from functools import partial
from itertools import permutations, product
from typing import TYPE_CHECKING

import pytest
import quick
from fake_stores import Crash, SimulatedSite, Writer
from unit.published_sites import BASE, commit_only, listed_urls, published_site, watched

from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable

NO_PAGE = '<meta name="robots" content="noindex">'
DAY = 90_000
PAST_ALL_LEASES = 1_000


def pass_two_days(site: SimulatedSite) -> None:
    site.clock.sleep(2 * DAY)
    watched(site, partial(rebuild.rebuild, site.updater()))


def delete_an_output(site: SimulatedSite) -> None:
    name = next(iter(site.manifest().sitemap_names & site.outputs.files.keys()))
    site.outputs.files.pop("sitemap.xml")
    watched(site, lambda: site.updater().update(["sitemap.xml"]))
    site.outputs.files.pop(name)
    site.updater().update([name])


def update_another_page(site: SimulatedSite) -> None:
    site.put("011.html", "other")
    watched(site, lambda: site.updater().update(["011.html"]))


def rebuild_now(site: SimulatedSite) -> None:
    watched(site, partial(rebuild.rebuild, site.updater()))


@pytest.mark.parametrize("cure", [pass_two_days, delete_an_output, update_another_page, rebuild_now])
def test_what_a_process_that_died_before_publishing_has_committed_is_published_by_whatever_comes_next(
    cure: Callable[[SimulatedSite], None],
) -> None:
    site = published_site()
    for n in range(5):
        site.put(f"{n:03}.html", NO_PAGE)
    for n in range(20, 30):
        site.put(f"{n:03}.html", "x")
    commit_only(site, *(f"{n:03}.html" for n in (*range(5), *range(20, 30))))
    assert len(listed_urls(site)) == 12
    cure(site)
    assert len(listed_urls(site)) == 17
    assert site.manifest().pending == ()
    assert site.wrong_files() == {}


@pytest.mark.parametrize(("gone", "come"), quick.every(5, product(permutations("abc"), permutations("abc"))))
def test_groups_whose_files_come_and_go_in_any_order_are_listed_at_every_request(
    come: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    site = published_site(1, urls=2, groups={name: [f"/{name}/"] for name in "abc"})
    for folders, content in ((come, "x"), (gone, NO_PAGE)):
        for folder in folders:
            keys = [f"{folder}/{m}.html" for m in range(5)]
            for key in keys:
                site.put(key, content)
            watched(site, lambda keys=keys: site.updater().update(keys))  # type: ignore[misc]
    assert listed_urls(site) == {BASE + "000.html"}
    assert site.is_in_sync()


def test_a_site_that_is_emptied_while_its_index_is_wrong_is_right_once_there_is_a_page_again() -> None:
    site = published_site()
    site.put("020.html", "x")
    commit_only(site, "020.html")
    site.outputs.files.pop("sitemap.xml")
    keys = list(site.source.objects)
    for key in keys:
        site.delete(key)
    watched(site, lambda: site.updater().update(keys))
    site.put("new.html", "x")
    watched(site, lambda: site.updater().update(["new.html", "sitemap.xml"]))
    assert listed_urls(site) == {BASE + "new.html"}
    assert site.is_in_sync()


def test_a_crash_among_more_than_500_files_leaves_all_pages_listed_and_the_next_process_writes_the_rest() -> None:
    site = SimulatedSite(urls=2, sitemaps=5_000, lastmod="none")
    site.source.page_size = 1_000
    for n in range(1_400):
        site.put(f"{n:04}.html", "x")
    building = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    building.until("PUT outputs/")
    for _ in range(600):
        building.step()
    building.step(Crash())
    assert len(site.outputs.files) > 250
    site.clock.sleep(PAST_ALL_LEASES)
    site.put("0000.html", NO_PAGE)
    site.updater().update(["0000.html"])
    assert len(site.manifest().sitemap_names) > 500
    assert len(listed_urls(site)) == 1_399
    assert site.manifest().pending == ()


@pytest.mark.slow
@pytest.mark.parametrize("written", [1, 600])
def test_a_crash_while_more_than_500_published_files_are_replaced_leaves_all_pages_listed(written: int) -> None:
    site = SimulatedSite(urls=2, sitemaps=5_000, lastmod="content", state="x")
    site.source.page_size = 1_000
    keys = [f"{n:04}.html" for n in range(1_400)]
    for key in keys:
        site.put(key, "one")
    rebuild.rebuild(site.updater())
    listed = listed_urls(site)
    for key in keys:
        site.put(key, "two")
    update = Writer(site.gate, lambda: site.updater().update(keys))
    for n in range(written):
        update.until("PUT outputs/")
        update.step()
        if n % 100 == 0:
            assert listed_urls(site) == listed
    update.step(Crash())
    assert listed_urls(site) == listed
    site.clock.sleep(PAST_ALL_LEASES)
    site.updater().update([keys[0]])
    assert listed_urls(site) == listed
    assert (site.manifest().pending, site.wrong_files()) == ((), {})
