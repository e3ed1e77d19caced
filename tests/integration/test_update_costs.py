"""The cost of an update: its requests besides the reading of pages, the files it writes, the shards it loads."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import quick
from fake_stores import SimulatedSite, etag_of
from msgspec.structs import replace
from unit.published_sites import sitemap_changes
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import PublishedFile, ShardEntry
from waypost.ledger.records import Record
from waypost.ledger.store import MANIFEST_NAME
from waypost.sync import rebuild

from waypost.core.hashing import content_digest
from waypost.rules.facts import PageFacts
from waypost.sitemaps.sharding import begins_segment, segments

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGES, URLS = 1_000_000, 50
HOUR = 3_600
ONE_CHANGE = [
    "GET state/manifest.json",
    "GET state/shards",
    "PUT state/shards",
    "PUT state/manifest.json",
    "HEAD site",
    "PUT outputs",
    "PUT outputs",
    "PUT state/manifest.json",
]
"""The requests of an update by which one page has another date, besides the read of that page."""


def update(site: SimulatedSite, *keys: str) -> list[str]:
    """The requests of an update."""
    return site.counted(lambda: rebuild.update(site.updater(), keys))


def without_reads(requests: Iterable[str]) -> list[str]:
    """Those of the requests that are no read of a page."""
    return [request for request in requests if not request.startswith("GET site/")]


def shortened(request: str) -> str:
    """A request without the names of files that tests do not know."""
    return request if "manifest" in request else request.rpartition("/")[0].replace("site/catalogue", "site")


def segment_sizes(site: SimulatedSite) -> dict[str, int]:
    """How many sitemaps the segment of each sitemap has, by its first key."""
    sizes: dict[str, int] = {}
    segment: list[str] = []
    for entry in site.manifest().entries:
        segment = (
            [*segment, entry.first_key] if segment and not begins_segment(entry.first_key, URLS) else [entry.first_key]
        )
        sizes |= dict.fromkeys(segment, len(segment))
    return sizes


def key(n: int, more: str = "") -> str:
    return f"catalogue/item-{n:07}{more}.html"


def large_site(sitemaps: int, count: int = 5_500) -> SimulatedSite:
    """A published site of more than 250 sitemaps with at most so many under one index, in the default formats."""
    site = SimulatedSite(urls=URLS, sitemaps=sitemaps, lastmod="content", state="x")
    site.source.page_size = 1_000
    for n in range(count):
        site.put(key(n), "x")
    rebuild.rebuild(site.updater())
    assert len(site.manifest().entries) > 250
    return site


@pytest.fixture(scope="module", params=[(1_000, 1), (4, 130)], ids=["one index", "130 indexes and more"])
def site(request: pytest.FixtureRequest) -> SimulatedSite:
    sitemaps, indexes = request.param
    found = large_site(sitemaps)
    assert len(found.manifest().indexes) >= indexes
    assert (sitemaps == 4) is (len(found.manifest().indexes) > 1)
    return found


def costs_of_changes(site: SimulatedSite) -> dict[int, set[int]]:
    """How many requests a changed page costs, by the number of sitemaps of its segment."""
    sizes, costs = segment_sizes(site), dict[int, set[int]]()
    for entry in site.manifest().entries[::11]:
        changed = entry.first_key or key(0)
        site.put(changed, site.now())
        requests = without_reads(update(site, changed))
        costs.setdefault(sizes[entry.first_key], set()).add(len(requests))
    return costs


@pytest.mark.slow
def test_one_changed_page_takes_8_requests_however_many_sitemaps_its_segment_has(site: SimulatedSite) -> None:
    costs = costs_of_changes(site)
    assert {1, 2, 3} <= costs.keys()
    assert costs == {size: {8} for size in costs}


def test_one_changed_page_takes_these_requests(site: SimulatedSite) -> None:
    sizes = segment_sizes(site)
    changed = next(first_key for first_key, size in sizes.items() if size == 1 and first_key)
    site.put(changed, "other")
    requests = update(site, changed)
    assert [request for request in requests if request.startswith("GET site")] == [f"GET site/{changed}"]
    assert [shortened(request) for request in without_reads(requests)] == ONE_CHANGE


class Cost(NamedTuple):
    """What an update takes: its requests, and for how many of them it loads records."""

    requests: int
    loaded: int

    @classmethod
    def of(cls, requests: list[str]) -> Cost:
        loaded = [request for request in requests if request.startswith("GET state/shards")]
        return cls(len(requests), len(loaded))


def inserted_until_split(site: SimulatedSite, splits: int) -> tuple[list[str], list[Cost]]:
    """Add pages to the fullest sitemaps until so many updates have split one.

    Returns the keys of the pages by which sitemaps were split, and what each split cost.
    """
    keys, costs = list[str](), list[Cost]()
    for entry in sorted(site.manifest().entries, key=lambda entry: (-entry.page_count, entry.first_key)):
        for n in range(URLS):
            added, before = f"{entry.first_key or key(0)}-new-{n:02}.html", site.manifest()
            site.put(added, "x")
            requests = without_reads(update(site, added))
            if sitemap_changes(before, site.manifest())[0]:
                keys.append(added)
                costs.append(Cost.of(requests))
                break
        if len(costs) == splits:
            return keys, costs
    raise AssertionError(f"only {len(costs)} sitemaps were split")


def check_cost_of_moves(costs: list[Cost]) -> None:
    """A split or a merge of up to three sitemaps takes at most 14 requests, and otherwise a request more for each."""
    assert max(cost.requests for cost in costs if cost.loaded <= 3) <= 14
    assert max(cost.requests - cost.loaded for cost in costs) <= 12


@pytest.mark.slow
def test_a_split_and_a_merge_take_at_most_14_requests_and_an_hour_after_40_of_them_a_change_costs_the_same(
    site: SimulatedSite,
) -> None:
    keys, splits = inserted_until_split(site, 40)
    check_cost_of_moves(splits)
    site.clock.sleep(HOUR)
    costs = costs_of_changes(site)
    assert costs == {size: {8} for size in costs}
    merges = list[Cost]()
    for added in keys:
        before = site.manifest()
        site.delete(added)
        requests = without_reads(update(site, added))
        if sitemap_changes(before, site.manifest())[2]:
            merges.append(Cost.of(requests))
    assert len(merges) > 10
    check_cost_of_moves(merges)
    site.clock.sleep(HOUR)
    costs = costs_of_changes(site)
    assert costs == {size: {8} for size in costs}


def test_an_update_that_changes_nothing_takes_2_requests_besides_the_read_and_writes_nothing(
    site: SimulatedSite,
) -> None:
    changed = site.manifest().entries[5].first_key
    requests = update(site, changed)
    assert [shortened(each) for each in without_reads(requests)] == ["GET state/manifest.json", "GET state/shards"]
    assert len(requests) == 3


@pytest.fixture(scope="module")
def catalogue() -> SimulatedSite:
    """A ledger of 1,000,000 pages, whose published files have other contents than its records give.

    Objects are made when a test needs them.
    """
    site = SimulatedSite(urls=50_000, size=10_485_760, lastmod="content", state="x")
    keys = [key(n) for n in range(PAGES)]
    entries: list[ShardEntry] = []
    for span in segments(keys, 50_000):
        known = [Record(each, "etag", PageFacts(text_digest="d"), None) for each in keys[span.start : span.stop]]
        data = records.dump(known)
        name = records.records_name(span.id, data, (), lambda: "0")
        site.state.write(name, data)
        first_key = keys[span.start] if entries else ""
        entries.append(
            ShardEntry("", span.id, first_key, len(span), name, (published(site, f"sitemap-{span.id}.xml"),))
        )
    rebuild.rebuild(site.updater())
    complete = replace(
        site.manifest(),
        entries=tuple(entries),
        indexes=(published(site, "sitemap.xml"),),
        pending=(),
        built_at=site.now(),
    )
    site.state.write(MANIFEST_NAME, manifests.dump(complete))
    return site


def published(site: SimulatedSite, name: str) -> PublishedFile:
    """A published file of any content, as a manifest describes it."""
    site.outputs.write(name, name.encode())
    return PublishedFile(name, content_digest(name.encode()), None, etag_of(name.encode()))


def is_read(request: str) -> bool:
    return request.startswith("GET site/")


@pytest.mark.parametrize("change", quick.every(2, ["changed", "new", "deleted"]))
def test_one_page_of_a_million_takes_8_requests_and_at_most_one_read(catalogue: SimulatedSite, change: str) -> None:
    one = key(345_678) if change == "changed" else key(500_000, "-b")
    if change == "deleted":
        catalogue.put(one, "x")
        update(catalogue, one)
        catalogue.delete(one)
    else:
        catalogue.put(one, f"<title>{change}</title>")
    requests = update(catalogue, one)
    assert [request for request in requests if is_read(request)] == [f"GET site/{one}"]
    assert [shortened(request) for request in without_reads(requests)] == ONE_CHANGE


def test_an_upload_that_changes_no_content_writes_nothing(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>New</title>")
    update(catalogue, key(345_678))
    catalogue.put(key(345_678), "<title>New</title><!-- built again -->")
    requests = update(catalogue, key(345_678))
    assert not any(request.startswith(("PUT", "DELETE")) for request in requests)
    assert len(without_reads(requests)) == 2


def test_an_event_of_an_object_that_cannot_be_a_page_takes_no_request(catalogue: SimulatedSite) -> None:
    assert update(catalogue, "logo.png", "style.css", ".git/config", "robots.txt.bak") == []


def test_the_event_of_a_published_file_takes_two_requests_and_writes_nothing(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>Changed before the event</title>")
    update(catalogue, key(345_678))
    assert update(catalogue, "sitemap.xml") == ["GET state/manifest.json", "HEAD outputs/sitemap.xml"]


@pytest.mark.slow
def test_an_update_of_ten_thousand_pages_loads_and_writes_each_shard_once(catalogue: SimulatedSite) -> None:
    keys = [key(n) for n in range(400_000, 410_000)]
    for each in keys:
        catalogue.put(each, "<title>Again</title>")
    requests = update(catalogue, *keys)
    shards = Counter(request for request in requests if "shards/" in request and request.startswith("GET"))
    assert set(shards.values()) == {1}
    assert len(shards) <= 2
    assert Counter(request for request in requests if is_read(request)).total() == len(keys)
    assert len([request for request in requests if request.startswith("PUT outputs")]) == len(shards) + 1
    assert len([request for request in requests if request.startswith("PUT state/shards")]) == len(shards)
    assert len([request for request in requests if "site/" not in request]) <= 12


def test_pages_of_sixteen_shards_load_and_write_each_of_them_once(site: SimulatedSite) -> None:
    entries = site.manifest().entries
    changed = [entry.first_key or key(0) for entry in entries[100:116]]
    for each in changed:
        site.put(each, "other")
    requests = update(site, *changed)
    read = Counter(request for request in requests if request.startswith("GET state/shards"))
    assert set(read.values()) == {1}
    assert len(read) < 16 + 2 * max(segment_sizes(site).values())
    assert len([request for request in requests if request.startswith("PUT state/shards")]) == 16
    indexes = len([request for request in requests if request.startswith("PUT outputs")]) - 16
    assert 1 <= indexes <= 16


SMALL: dict[str, Any] = {"lastmod": "content", "state": "x"}


def test_an_update_of_the_only_page_takes_7_requests() -> None:
    found = SimulatedSite(**SMALL)
    found.put("a.html", "one")
    rebuild.rebuild(found.updater())
    found.put("a.html", "two")
    assert len(without_reads(update(found, "a.html"))) == 7


def test_a_rebuild_reads_only_objects_with_a_new_etag() -> None:
    found = SimulatedSite(urls=10, **SMALL)
    for n in range(50):
        found.put(key(n), "one")
    found.clock.sleep(60)
    rebuild.rebuild(found.updater())
    found.put(key(7), "two")
    requests = found.counted(lambda: rebuild.rebuild(found.updater()))
    assert [request for request in requests if is_read(request) and "robots" not in request] == [f"GET site/{key(7)}"]
    again = found.counted(lambda: rebuild.rebuild(found.updater()))
    assert not any(is_read(request) and "robots" not in request for request in again)


def test_pages_of_all_shards_load_and_write_each_of_them_once(site: SimulatedSite) -> None:
    changed = [entry.first_key or key(0) for entry in site.manifest().entries]
    for each in changed:
        site.put(each, "once more")
    requests = update(site, *changed)
    for verb in ("GET", "PUT"):
        files = Counter(request for request in requests if request.startswith(f"{verb} state/shards"))
        assert len(files) == len(changed) > 250
        assert set(files.values()) == {1}
