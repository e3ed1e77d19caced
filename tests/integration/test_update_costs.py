"""The cost of an update: its requests by kind, the files that it writes and the shards that it loads."""

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
    site = SimulatedSite(urls=50_000, size=10_485_760, lastmod="content", state="x")
    keys = [key(n) for n in range(PAGES)]
    entries: list[ShardEntry] = []
    for span in segments(keys, 50_000):
        known = [Record(each, "etag", PageFacts(text_digest="d"), None) for each in keys[span.start : span.stop]]
        data = records.dump(known)
        name = records.records_name(span.id, data)
        site.state.write(name, data)
        first_key = keys[span.start] if entries else ""
        entries.append(
            ShardEntry("", span.id, first_key, len(span), name, (PublishedFile(f"sitemap-{span.id}.xml", "?"),))
        )
    rebuild.rebuild(site.updater())
    built = site.manifest()
    complete = replace(
        built, entries=tuple(entries), indexes=(PublishedFile("sitemap.xml", "?"),), pending=(), built_at=site.now()
    )
    site.state.write(MANIFEST_NAME, manifests.dump(complete))
    return site


def is_read(request: str) -> bool:
    return request.startswith("GET site/")


def update(site: SimulatedSite, *keys: str) -> list[str]:
    return site.counted(lambda: rebuild.update(site.updater(), keys))


def test_one_changed_page_of_a_million_takes_at_most_12_requests_and_one_read(catalogue: SimulatedSite) -> None:
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


def test_a_new_page_or_a_deleted_one_takes_at_most_12_requests(catalogue: SimulatedSite) -> None:
    catalogue.put("catalogue/item-0500000-b.html", "<title>New</title>")
    assert len(update(catalogue, "catalogue/item-0500000-b.html")) - 1 <= 12
    catalogue.delete("catalogue/item-0500000-b.html")
    assert len(update(catalogue, "catalogue/item-0500000-b.html")) - 1 <= 12


def test_an_upload_that_changes_no_content_writes_nothing(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>New</title>")
    update(catalogue, key(345_678))
    catalogue.put(key(345_678), "<title>New</title><!-- built again -->")
    requests = update(catalogue, key(345_678))
    assert not any(request.startswith(("PUT", "DELETE")) for request in requests)
    assert len(requests) <= 6


def test_an_event_of_an_object_that_cannot_be_a_page_takes_no_request(catalogue: SimulatedSite) -> None:
    assert update(catalogue, "logo.png", "style.css", ".git/config", "robots.txt.bak") == []


def test_the_event_of_a_published_file_writes_nothing(catalogue: SimulatedSite) -> None:
    catalogue.put(key(345_678), "<title>Changed before the event</title>")
    update(catalogue, key(345_678))
    requests = update(catalogue, "sitemap.xml")
    changed = "HEAD outputs/sitemap-3dad29a5255f0738.xml"  # pending, until another writer has found it right
    assert {"GET state/manifest.json", changed, "HEAD outputs/sitemap.xml"} <= set(requests)
    assert not any(request.startswith("PUT") for request in requests)
    assert len(requests) <= 5  # a sitemap that an earlier update changed is checked, too


def test_an_update_of_ten_thousand_pages_loads_and_writes_each_shard_once(catalogue: SimulatedSite) -> None:
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


def test_an_update_of_the_only_page_takes_at_most_10_requests() -> None:
    site = SimulatedSite(lastmod="content", state="x")
    site.put("a.html", "one")
    rebuild.rebuild(site.updater())
    site.put("a.html", "two")
    assert len(update(site, "a.html")) - 1 <= 10


def test_a_rebuild_reads_only_objects_with_a_new_etag() -> None:
    site = SimulatedSite(lastmod="content", state="x", urls=10)
    for n in range(50):
        site.put(key(n), "one")
    rebuild.rebuild(site.updater())
    site.put(key(7), "two")
    requests = site.counted(lambda: rebuild.rebuild(site.updater()))
    assert [request for request in requests if is_read(request) and "robots" not in request] == [f"GET site/{key(7)}"]
    again = site.counted(lambda: rebuild.rebuild(site.updater()))
    assert not any(is_read(request) and "robots" not in request for request in again)
