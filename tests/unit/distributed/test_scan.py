"""Scanning one range of keys of a bucket in memory: its fragments, dates, duplicates and failures."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import Any

import pytest
from fake_stores import SimulatedSite
from msgspec.structs import replace
from unit.sync.rebuilt_sites import lose, lost_warnings

from waypost.core.errors import BusyError
from waypost.core.model import Body, Item
from waypost.distributed.artifacts import OpenKey, RunContext, ScanTask
from waypost.distributed.scan import RangeScanner, ScanOutput
from waypost.ledger import records
from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild

SERVED = {"drop_html": True, "trailing_slash": "never"}
NOINDEX = '<meta name="robots" content="noindex">'


def simulated_site(keys: dict[str, str], **values: Any) -> SimulatedSite:
    made = SimulatedSite(**{"urls": 4, "lastmod": "content", "state": "x", **values})
    for key, content in keys.items():
        made.put(key, content)
    made.clock.sleep(60)
    return made


def scan(site: SimulatedSite, start_after: str = "", through: str | None = None, **values: Any) -> ScanOutput:
    updater = site.updater()
    known = updater.ledger.read().manifest
    context = RunContext(
        "any",
        base_is_current=bool(known.built_at),
        has_base=bool(known.built_at),
        recorded_facts=known.recorded_facts or "digest",
        listed_since=known.listed_since,
    )
    deadline_reached, max_objects = values.pop("deadline_reached", lambda: False), values.pop("max_objects", 100)
    max_reads = values.pop("max_reads", None)
    scanner = RangeScanner(updater, replace(context, **values), max_objects, deadline_reached)
    return scanner.scan(ScanTask(0, start_after, through, known.entries, max_reads=max_reads))


def numbered(count: int) -> dict[str, str]:
    return {f"{n:0{max(3, len(str(count)))}}.html": "x" for n in range(count)}


def test_a_fragment_begins_at_each_boundary_and_at_the_start_of_the_range() -> None:
    found = scan(simulated_site(numbered(30)), "004.html", "020.html").result
    keys = [f"{n:03}.html" for n in range(5, 21)]
    assert [part.first_key for part in found.fragments] == [
        k for n, k in enumerate(keys) if n == 0 or begins_segment(k, 4)
    ]
    assert sum(part.page_count for part in found.fragments) == len(keys)
    assert (found.start_after, found.through, found.result.objects_listed) == ("004.html", "020.html", 16)


def test_a_key_that_is_not_listed_is_no_boundary() -> None:
    boundary = next(key for key in numbered(30) if begins_segment(key, 4) and key > "000.html")
    site = simulated_site(numbered(30))
    assert boundary in [part.first_key for part in scan(site).result.fragments]
    site.put(boundary, NOINDEX)
    assert boundary not in [part.first_key for part in scan(site).result.fragments]


def test_unchanged_objects_are_not_read_and_keep_their_entries() -> None:
    site = simulated_site(numbered(30))
    rebuild.rebuild(site.updater())
    known = site.updater().ledger.read().manifest
    requests = site.counted(lambda: scan(site))
    assert not any(request.startswith(("GET site/", "PUT")) for request in requests)
    found = scan(site)
    assert [each.records_file for each in found.result.fragments] == [each.records_file for each in known.entries]
    assert not found.files


def test_a_fragment_begins_at_its_first_key_also_if_the_shard_with_its_records_begins_before() -> None:
    site = simulated_site(numbered(30))
    rebuild.rebuild(site.updater())
    first = site.updater().ledger.read().manifest.entries[0]
    found = scan(site).result.fragments[0]
    assert (first.first_key, found.first_key) == ("", "000.html")
    assert found.records_file == first.records_file


def test_an_object_of_the_same_bytes_that_was_uploaded_since_is_read_for_its_metadata() -> None:
    site = simulated_site(numbered(30))
    rebuild.rebuild(site.updater())
    site.source.robots["003.html"] = "noindex"
    site.put("003.html", numbered(30)["003.html"])
    found = scan(site).result
    assert found.result.objects_read == 1
    assert sum(part.page_count for part in found.fragments) == 29


def test_old_uploads_that_no_event_reported_are_counted_if_that_is_asked_for() -> None:
    site = simulated_site(numbered(30))
    rebuild.rebuild(site.updater())
    site.put("003.html", "other")
    site.put("new.html", "x")
    before = site.now()
    site.clock.sleep(10)
    site.put("recent.html", "x")
    assert scan(site).result.result.drift == 0
    assert scan(site, reported_before=before).result.result.drift == 2


def test_old_uploads_whose_records_are_lost_are_no_drift() -> None:
    site = simulated_site(numbered(30))
    rebuild.rebuild(site.updater())
    lose(site, 0)
    site.clock.sleep(10)
    found = scan(site, reported_before=site.now()).result.result
    assert (found.drift, lost_warnings(found)) == (0, [1])


def test_only_the_fragment_of_a_changed_page_differs_from_the_ledger() -> None:
    site = simulated_site(numbered(30))
    rebuild.rebuild(site.updater())
    known = site.updater().ledger.read().manifest
    site.put("017.html", "other")
    found = scan(site).result
    assert len({each.records_file for each in found.fragments} - {each.records_file for each in known.entries}) == 1
    assert found.result.objects_read == found.result.records_changed == 1


def test_an_unchanged_page_keeps_its_date_and_a_changed_one_has_the_date_of_its_upload() -> None:
    site = simulated_site(numbered(3))
    rebuild.rebuild(site.updater())
    site.put("001.html", "other")
    found = scan(site)
    known = {r.key: r.lastmod for data in found.files.values() for r in records.load(data, "")}
    assert known == {"000.html": None, "001.html": site.source.objects["001.html"][1], "002.html": None}


def test_a_scan_past_its_deadline_scans_the_first_chunk_all_the_same() -> None:
    site = simulated_site(numbered(3))
    site.source.page_size = 1
    assert scan(site, deadline_reached=lambda: True).result.through is None  # the first chunk is always scanned


def test_keys_that_may_have_duplicates_outside_the_range_are_reported() -> None:
    site = simulated_site(
        {"a.html": "x", "a/b.html": "x", "a/c.html": NOINDEX, "z.html": "x"}, drop_html=True, trailing_slash="never"
    )
    found = scan(site, "", "a/c.html").result
    assert [each for each in found.open_keys if each.key == "a.html"] == [
        OpenKey("a.html", True, "https://example.org/a")
    ]
    assert [each for each in found.open_keys if each.key == "a/c.html"] == [
        OpenKey("a/c.html", False, "https://example.org/a/c")
    ]
    assert "a/b.html" not in [each.key for each in found.open_keys]
    assert scan(site).result.open_keys == ()


def test_duplicates_within_a_range_are_resolved() -> None:
    site = simulated_site({"a.html": "x", "a/b.html": "x", "a/index.html": "x"}, **SERVED)
    found = scan(site)
    known = {r.key: r.duplicate_of for data in found.files.values() for r in records.load(data, "")}
    assert known == {"a.html": "a/index.html", "a/b.html": "", "a/index.html": ""}


class FailingSource:
    """A source whose reads of one object fail."""

    def __init__(self, site: SimulatedSite, key: str, error: OSError) -> None:
        self.__dict__.update(site.source.__dict__)
        self._source, self._key, self._error = site.source, key, error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == self._key:
            raise self._error
        return self._source.read(item, size)


def test_a_source_that_throttles_fails_the_scan_instead_of_leaving_pages_out() -> None:
    site = simulated_site(numbered(3))
    site.source = FailingSource(site, "001.html", TimeoutError(110, "SlowDown: reduce your rate"))  # type: ignore[assignment]
    with pytest.raises(BusyError, match=r"001\.html cannot be read now: SlowDown"):
        scan(site)


def test_a_source_that_throttles_later_ends_the_scan_with_what_was_read_until_then() -> None:
    site = simulated_site(numbered(10_500), urls=50_000)
    site.source.page_size = 1_000
    site.source = FailingSource(site, "10400.html", TimeoutError(110, "SlowDown: reduce your rate"))  # type: ignore[assignment]
    found = scan(site, max_objects=100_000).result
    assert found.through is not None
    assert 0 < found.result.objects_read < 10_500
    assert sum(part.page_count for part in found.fragments) == found.result.objects_read


def test_a_scan_stops_after_its_maximum_of_reads() -> None:
    site = simulated_site(numbered(18_000), urls=50_000)
    site.source.page_size = 1_000
    found = scan(site, max_objects=100_000, max_reads=10_000).result
    assert found.through is not None
    assert found.result.objects_read == 10_000
    assert found.split_points == ()  # the rest is too small to be split
    assert found.through < "18000.html"


@pytest.mark.slow
def test_a_scan_that_leaves_a_large_rest_reports_where_to_split_it() -> None:
    site = simulated_site(numbered(25_000) | {f"b/{n:06}.html": "x" for n in range(30_000)}, urls=50_000)
    site.source.page_size = 250
    found = scan(site, max_objects=100_000, max_reads=10_000).result
    assert found.through is not None
    edges = [found.through, *found.split_points]
    assert edges == sorted(edges)
    keys = sorted(site.source.objects)
    sizes = [bisect_right(keys, end) - bisect_right(keys, begin) for begin, end in pairwise([*edges, keys[-1]])]
    assert len(sizes) > 2
    assert max(sizes) <= 15_000


def test_an_object_that_cannot_be_read_is_left_out_with_a_warning() -> None:
    site = simulated_site(numbered(3))
    site.source = FailingSource(site, "001.html", OSError(5, "it is damaged"))  # type: ignore[assignment]
    found = scan(site).result
    assert sum(part.page_count for part in found.fragments) == 2
    assert found.result.failed == {"001.html": "it is damaged"}
    assert [warned.code for warned in found.result.warnings] == ["unreadable"]


def test_an_object_that_can_no_longer_be_read_keeps_its_record() -> None:
    site = simulated_site(numbered(3))
    rebuild.rebuild(site.updater())
    site.put("001.html", "other")
    site.source = FailingSource(site, "001.html", OSError(5, "it is damaged"))  # type: ignore[assignment]
    known = site.updater().ledger.read().manifest.entries
    assert [each.records_file for each in scan(site).result.fragments] == [each.records_file for each in known]
