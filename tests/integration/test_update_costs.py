"""What an update costs, counted: requests by kind, files written, shards loaded."""

from __future__ import annotations

from collections import Counter

import pytest
from fake_stores import SimulatedSite
from msgspec.structs import replace

from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.manifest import PublishedFile, ShardEntry
from waypost.ledger.records import Record
from waypost.ledger.store import MANIFEST_NAME
from waypost.rules.facts import PageFacts
from waypost.sitemaps.sharding import segments
from waypost.sync import rebuild

PAGES = 1_000_000


def key(n: int) -> str:
    return f"catalogue/item-{n:07}.html"


@pytest.fixture(scope="module")
def catalogue() -> SimulatedSite:
    """A ledger of 1,000,000 pages whose sitemaps were never published; objects are made when a test needs them."""
    world = SimulatedSite(urls=50_000, size=10_485_760, lastmod="content", state="x")
    keys = [key(n) for n in range(PAGES)]
    entries: list[ShardEntry] = []
    for span in segments(keys, 50_000):
        known = [Record(each, "etag", PageFacts(text_digest="d"), None) for each in keys[span.start : span.stop]]
        data = records.dump(known)
        name = records.records_name(span.id, data)
        world.state.write(name, data)
        begins = keys[span.start] if entries else ""
        entries.append(
            ShardEntry("", span.id, begins, len(span), name, (PublishedFile(f"sitemap-{span.id}.xml", "?"),))
        )
    rebuild.rebuild(world.updater())
    built = world.updater().ledger.read().manifest
    whole = replace(
        built, entries=tuple(entries), indexes=(PublishedFile("sitemap.xml", "?"),), pending=(), built_at=world.now()
    )
    world.state.write(MANIFEST_NAME, manifests.dump(whole))
    return world


def is_read(request: str) -> bool:
    return request.startswith("GET site/")


def update(world: SimulatedSite, *keys: str) -> list[str]:
    return world.counted(lambda: rebuild.update(world.updater(), keys))


def test_one_changed_page_among_a_million_costs_at_most_12_requests_and_one_read(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>New</title>")
    requests = update(catalogue, key(345_678))
    assert [request for request in requests if is_read(request)] == [f"GET site/{key(345_678)}"]
    assert len(requests) - 1 <= 12, requests
    assert Counter(request.split("/")[0] for request in requests if "shards" in request) == {
        "GET state": 1,
        "PUT state": 1,
    }
    assert len([request for request in requests if request.startswith("PUT outputs")]) == 2
    assert not any(request.startswith("LIST") for request in requests)


def test_a_new_page_and_a_deleted_one_cost_no_more(catalogue: SimulatedSite) -> None:
    catalogue.put("catalogue/item-0500000-b.html", "<title>New</title>")
    assert len(update(catalogue, "catalogue/item-0500000-b.html")) - 1 <= 12
    catalogue.delete("catalogue/item-0500000-b.html")
    assert len(update(catalogue, "catalogue/item-0500000-b.html")) - 1 <= 12


def test_an_upload_that_changes_no_content_writes_nothing_at_all(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>New</title>")
    update(catalogue, key(345_678))
    catalogue.put(key(345_678), "<title>New</title><!-- built again -->")
    requests = update(catalogue, key(345_678))
    assert not any(request.startswith(("PUT", "DELETE")) for request in requests)
    assert len(requests) <= 6


def test_an_event_of_what_can_be_no_page_costs_nothing(catalogue: SimulatedSite) -> None:
    assert update(catalogue, "logo.png", "style.css", ".git/config", "robots.txt.bak") == []


def test_an_output_that_comes_back_as_an_event_writes_nothing(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>Changed before the event</title>")
    update(catalogue, key(345_678))
    requests = update(catalogue, "sitemap.xml")
    changed = "HEAD outputs/sitemap-3dad29a5255f0738.xml"  # until another writer has seen that it is right
    assert {"GET state/manifest.json", changed, "HEAD outputs/sitemap.xml"} <= set(requests)
    assert not any(request.startswith("PUT") for request in requests)
    assert len(requests) <= 5  # a sitemap that an earlier update changed is looked at too


def test_ten_thousand_changes_at_once_cost_each_shard_once(catalogue: SimulatedSite) -> None:
    keys = [key(n) for n in range(400_000, 410_000)]
    for each in keys:
        catalogue.put(each, "<title>Again</title>")
    requests = update(catalogue, *keys)
    shards = Counter(request for request in requests if "shards/" in request and request.startswith("GET"))
    assert set(shards.values()) == {1}
    assert len(shards) <= 2
    assert len([request for request in requests if request.startswith("PUT outputs")]) == len(shards) + 1
    others = [request for request in requests if "site/" not in request]
    assert len(others) <= 12


def test_a_page_that_is_all_there_is_costs_few_requests_too() -> None:
    world = SimulatedSite(lastmod="content", state="x")
    world.put("a.html", "one")
    rebuild.rebuild(world.updater())
    world.put("a.html", "two")
    assert len(update(world, "a.html")) - 1 <= 10


def test_pages_are_read_again_only_where_their_etag_is_new() -> None:
    world = SimulatedSite(lastmod="content", state="x", urls=10)
    for n in range(50):
        world.put(key(n), "one")
    rebuild.rebuild(world.updater())
    world.put(key(7), "two")
    requests = world.counted(lambda: rebuild.rebuild(world.updater()))
    assert [request for request in requests if is_read(request) and "robots" not in request] == [f"GET site/{key(7)}"]
    again = world.counted(lambda: rebuild.rebuild(world.updater()))
    assert not any(is_read(request) and "robots" not in request for request in again)
