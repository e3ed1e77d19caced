from __future__ import annotations

from typing import TYPE_CHECKING

from worlds import Gate, Objects, Shelf

from waypost.model import Item
from waypost.sources import runs
from waypost.sources.reported import Reported

if TYPE_CHECKING:
    from waypost.sources import ObjectSource


def reported(bucket: Objects) -> ObjectSource:
    """A source over a report on what the bucket holds now."""
    store = Shelf(Gate(), "state")
    found = [item for item in bucket.items(lambda key: None) if isinstance(item, Item)]
    return Reported(runs.write(reversed(found), store.write, "run", most=10, block=3), store.part, bucket)


def numbered(count: int) -> Objects:
    return Objects(Gate(), {f"{n:06}.html": (str(n).encode(), "2026-03-01T12:00:00Z") for n in range(count)})


def test_objects_are_listed_from_the_report_in_the_order_of_their_keys() -> None:
    bucket = numbered(50)
    source = reported(bucket)
    wanted = list(bucket.items(lambda key: None))
    bucket.gate.requests.clear()
    assert list(source.items(lambda key: None)) == wanted
    assert bucket.gate.requests == []


def test_a_range_is_listed_some_thousands_at_a_time() -> None:
    bucket = numbered(6_000)
    some = list(reported(bucket).walk("000199.html", ["000300.html"], "005899.html"))
    assert [len(each) for each in some] == [5_000, 700]
    assert (some[0][0].key, some[-1][-1].key) == ("000200.html", "005899.html")


def test_the_bucket_itself_tells_what_its_objects_are_now() -> None:
    bucket = numbered(3)
    source = reported(bucket)
    bucket.objects["000001.html"] = b"new", "2026-03-02T12:00:00Z"
    del bucket.objects["000002.html"]
    assert source.read(Item("000001.html", "000001.html")).data == b"new"
    assert source.find("000001.html") == b"new"
    assert source.etags(["000001.html", "000002.html"]) == bucket.etags(["000001.html", "000002.html"])
    assert (source.width, source.has_etags) == (bucket.width, bucket.has_etags)
