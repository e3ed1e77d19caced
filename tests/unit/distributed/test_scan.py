"""One worker's range, over a bucket in memory."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import Any

import pytest
from fake_stores import SimulatedSite
from msgspec.structs import replace

from waypost.core.errors import BusyError
from waypost.core.model import Body, Item
from waypost.distributed.artifacts import OpenKey, RunContext, ScanTask
from waypost.distributed.scan import RangeScanner, ScanOutput
from waypost.ledger import records
from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild

SERVED = {"drop_html": True, "trailing_slash": "never"}
NOINDEX = '<meta name="robots" content="noindex">'


def world(keys: dict[str, str], **values: Any) -> SimulatedSite:
    made = SimulatedSite(**{"urls": 4, "lastmod": "content", "state": "x", **values})
    for key, content in keys.items():
        made.put(key, content)
    return made


def output(given: SimulatedSite, after: str = "", upto: str | None = None, **values: Any) -> ScanOutput:
    updater = given.updater()
    known = updater.ledger.read().manifest
    context = RunContext(
        "any",
        base_is_current=bool(known.built_at),
        has_base=bool(known.built_at),
        recorded_facts=known.recorded_facts or "digest",
    )
    over, most = values.pop("deadline_reached", lambda: False), values.pop("most", 100)
    reads = values.pop("reads", None)
    gathering = RangeScanner(updater, replace(context, **values), most, over)
    return gathering.scan(ScanTask(0, after, upto, known.entries, max_reads=reads))


def numbered(count: int) -> dict[str, str]:
    return {f"{n:0{max(3, len(str(count)))}}.html": "x" for n in range(count)}


def test_a_fragment_begins_at_each_boundary_and_where_the_range_does() -> None:
    found = output(world(numbered(30)), "004.html", "020.html").result
    keys = [f"{n:03}.html" for n in range(5, 21)]
    assert [part.first_key for part in found.fragments] == [
        k for n, k in enumerate(keys) if n == 0 or begins_segment(k, 4)
    ]
    assert sum(part.page_count for part in found.fragments) == len(keys)
    assert (found.start_after, found.through, found.result.objects_listed) == ("004.html", "020.html", 16)


def test_a_key_that_is_not_listed_is_no_boundary() -> None:
    boundary = next(key for key in numbered(30) if begins_segment(key, 4) and key > "000.html")
    given = world(numbered(30))
    assert boundary in [part.first_key for part in output(given).result.fragments]
    given.put(boundary, NOINDEX)
    assert boundary not in [part.first_key for part in output(given).result.fragments]


def test_what_nothing_happened_to_is_neither_read_nor_written_again() -> None:
    given = world(numbered(30))
    rebuild.rebuild(given.updater())
    known = given.updater().ledger.read().manifest
    requests = given.counted(lambda: output(given))
    assert not any(request.startswith(("GET site/", "PUT")) for request in requests)
    found = output(given)
    assert found.result.fragments == known.entries
    assert found.files.keys() == {entry.records_file for entry in known.entries}


def test_only_the_shard_of_a_changed_page_is_told_anew() -> None:
    given = world(numbered(30))
    rebuild.rebuild(given.updater())
    known = given.updater().ledger.read().manifest
    given.put("017.html", "other")
    found = output(given).result
    changed = [n for n, (old, new) in enumerate(zip(known.entries, found.fragments, strict=True)) if old != new]
    assert len(changed) == 1
    assert found.result.objects_read == found.result.records_changed == 1


def test_a_page_keeps_its_date_and_a_changed_one_has_that_of_its_upload() -> None:
    given = world(numbered(3))
    rebuild.rebuild(given.updater())
    given.put("001.html", "other")
    found = output(given)
    known = {r.key: r.lastmod for data in found.files.values() for r in records.load(data, "")}
    assert known == {"000.html": None, "001.html": given.source.objects["001.html"][1], "002.html": None}


def test_a_worker_whose_time_is_over_tells_where_it_stopped() -> None:
    given = world(numbered(3))
    given.source.some = 1
    assert output(given, deadline_reached=lambda: True).result.through is None  # a first stretch is always gathered


def test_keys_whose_rivals_may_lie_beyond_the_range_are_told_of() -> None:
    given = world(
        {"a.html": "x", "a/b.html": "x", "a/c.html": NOINDEX, "z.html": "x"}, drop_html=True, trailing_slash="never"
    )
    found = output(given, "", "a/c.html").result
    assert [each for each in found.open_keys if each.key == "a.html"] == [OpenKey("a.html", True)]
    assert [each for each in found.open_keys if each.key == "a/c.html"] == [OpenKey("a/c.html", False)]
    assert "a/b.html" not in [each.key for each in found.open_keys]
    assert output(given).result.open_keys == ()


def test_rivals_of_one_range_are_settled_in_it() -> None:
    given = world({"a.html": "x", "a/b.html": "x", "a/index.html": "x"}, **SERVED)
    found = output(given)
    known = {r.key: r.duplicate_of for data in found.files.values() for r in records.load(data, "")}
    assert known == {"a.html": "a/index.html", "a/b.html": "", "a/index.html": ""}


class Busy:
    """A source that is too busy for one of its objects."""

    def __init__(self, given: SimulatedSite, key: str, error: OSError) -> None:
        self.__dict__.update(given.source.__dict__)
        self._source, self._key, self._error = given.source, key, error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == self._key:
            raise self._error
        return self._source.read(item, size)


def test_a_source_that_is_too_busy_fails_the_range_and_leaves_no_page_out() -> None:
    given = world(numbered(3))
    given.source = Busy(given, "001.html", TimeoutError(110, "SlowDown: reduce your rate"))  # type: ignore[assignment]
    with pytest.raises(BusyError, match=r"001\.html cannot be read now: SlowDown"):
        output(given)


def test_what_was_gathered_before_a_source_is_too_busy_is_handed_in() -> None:
    given = world(numbered(10_500), urls=50_000)
    given.source.some = 1_000
    given.source = Busy(given, "10400.html", TimeoutError(110, "SlowDown: reduce your rate"))  # type: ignore[assignment]
    found = output(given, most=100_000).result
    assert found.through is not None
    assert 0 < found.result.objects_read < 10_500
    assert sum(part.page_count for part in found.fragments) == found.result.objects_read


def test_who_has_read_many_objects_leaves_the_rest_of_a_range_to_others() -> None:
    given = world(numbered(18_000), urls=50_000)
    given.source.some = 1_000
    found = output(given, most=100_000, reads=10_000).result
    assert found.through is not None
    assert found.result.objects_read == 10_000
    assert found.split_points == ()  # so little is left that it is not worth parting
    assert found.through < "18000.html"


def test_who_leaves_much_of_a_range_tells_where_the_keys_of_the_rest_branch() -> None:
    given = world(numbered(25_000) | {f"b/{n:06}.html": "x" for n in range(30_000)}, urls=50_000)
    given.source.some = 250
    found = output(given, most=100_000, reads=10_000).result
    assert found.through is not None
    edges = [found.through, *found.split_points]
    assert edges == sorted(edges)
    keys = sorted(given.source.objects)
    sizes = [bisect_right(keys, end) - bisect_right(keys, begin) for begin, end in pairwise([*edges, keys[-1]])]
    assert len(sizes) > 2
    assert max(sizes) <= 15_000


def test_an_object_that_cannot_be_read_is_left_out_and_told_of() -> None:
    given = world(numbered(3))
    given.source = Busy(given, "001.html", OSError(5, "it is damaged"))  # type: ignore[assignment]
    found = output(given).result
    assert sum(part.page_count for part in found.fragments) == 2
    assert found.result.failed == {"001.html": "it is damaged"}
    assert [warned.code for warned in found.result.warnings] == ["unreadable"]


def test_an_object_that_cannot_be_read_again_stays_as_it_was_known() -> None:
    given = world(numbered(3))
    rebuild.rebuild(given.updater())
    given.put("001.html", "other")
    given.source = Busy(given, "001.html", OSError(5, "it is damaged"))  # type: ignore[assignment]
    assert output(given).result.fragments == given.updater().ledger.read().manifest.entries
