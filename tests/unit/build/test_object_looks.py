from __future__ import annotations

import pytest
from fake_buckets import StatefulBucket
from fake_stores import MemoryBucket, RequestGate, etag_of
from unit.sample_sites import site

from waypost.build.bucket_state import BucketState
from waypost.build.object_looks import ObjectLooks, differing_keys, read_objects
from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.model import Body, Item
from waypost.files.source import ItemChangedError

SITE = site()
UPLOADED = "2026-01-01T00:00:00Z"


def read_bucket() -> StatefulBucket:
    bucket = StatefulBucket()
    for key in ("a.html", "b.html"):
        bucket.put(key, "<p>x")
    bucket.rebuild()
    return bucket


def differing(bucket: StatefulBucket) -> list[str]:
    site = bucket.site()
    return differing_keys(site.state.read(), site.listed()[0], site.read_as)


def test_only_objects_that_are_new_changed_gone_or_unreadable_differ_from_the_state() -> None:
    bucket = read_bucket()
    assert differing(bucket) == []
    bucket.put("new.html", "<p>x")
    bucket.put("a.html", "<p>x")  # the same bytes, and perhaps other metadata
    bucket.delete("b.html")
    assert differing(bucket) == ["a.html", "new.html", "b.html"]


def test_an_object_that_could_not_be_read_differs_until_it_is_read() -> None:
    bucket = read_bucket()
    bucket.source.broken["a.html"] = OSError(5, "broken")
    bucket.update("a.html")
    assert differing(bucket) == ["a.html"]


def test_under_other_settings_that_read_more_all_objects_differ() -> None:
    bucket = read_bucket()
    bucket.settings = StatefulBucket(images=True).settings
    assert differing(bucket) == ["a.html", "b.html"]


def test_under_one_state_an_object_is_read_once_and_under_another_it_is_asked_again() -> None:
    bucket = read_bucket()
    looks = ObjectLooks(bucket.site(), ONE_ATTEMPT)
    first = BucketState(etag="1")
    assert bucket.counted(lambda: looks.look(["a.html", "gone.html"], first)) == [
        "GET site/a.html",
        "GET site/gone.html",
    ]
    assert bucket.counted(lambda: looks.look(["a.html", "gone.html"], first)) == []
    other = bucket.counted(lambda: looks.look(["a.html", "gone.html"], BucketState(etag="2")))
    assert other == ["GET site/a.html", "GET site/gone.html"]  # each a look at the headers alone
    assert looks.count == 2


def test_an_object_that_other_settings_exclude_is_forgotten_without_reading_it() -> None:
    bucket = read_bucket()
    bucket.settings = StatefulBucket(exclude=["/b.html"]).settings
    assert "GET site/b.html" not in bucket.counted(bucket.rebuild)
    assert [each.key for each in bucket.remembered().memory.objects] == ["a.html"]
    assert differing(bucket) == []


class FailingBucket(MemoryBucket):
    """A bucket in which reading `denied.html` and `slow.html` fails."""

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == "denied.html":
            raise PermissionError(13, "AccessDenied")
        if item.key == "slow.html":
            raise TimeoutError(110, "SlowDown")
        return super().read(item, size)


def bucket(width: int = 1) -> FailingBucket:
    return FailingBucket(
        RequestGate(),
        {"a.html": (b"<meta name=robots content=noindex>", UPLOADED), "b.html": (b"text", UPLOADED)},
        width=width,
    )


def items(*keys: str) -> list[Item]:
    return [Item(key, key) for key in keys]


@pytest.mark.parametrize("width", [1, 8])
def test_each_object_has_its_snapshot(width: int) -> None:
    snapshots, failed = read_objects(bucket(width), SITE, items("a.html", "b.html"))
    assert list(snapshots) == ["a.html", "b.html"]
    first, second = snapshots.values()
    assert first is not None
    assert second is not None
    assert (first.facts.head.noindex, second.facts.head.noindex) == ("noindex", "")
    assert (second.etag, second.uploaded_at) == (etag_of(b"text"), UPLOADED)
    assert failed == {}


def test_an_object_that_is_gone_has_no_snapshot_and_one_that_cannot_be_read_fails_alone() -> None:
    keys = ("a.html", "denied.html", "gone.html", "slow.html", "b.html")
    snapshots, failed = read_objects(bucket(), SITE, items(*keys))
    assert [key for key, each in snapshots.items() if each] == ["a.html", "b.html"]
    assert snapshots["gone.html"] is None
    assert failed == {"denied.html": "AccessDenied", "slow.html": "SlowDown"}


class BucketInTrouble(MemoryBucket):
    """A bucket in which each read of an object fails until that object's number of errors is used up."""

    errors: dict[str, int]

    def read(self, item: Item, size: int | None = None) -> Body:
        self.gate.admit(f"TRY {item.key}")
        if self.errors.get(item.key, 0):
            self.errors[item.key] -= 1
            raise TimeoutError(110, "SlowDown")
        return super().read(item, size)


def in_trouble(**errors: int) -> BucketInTrouble:
    made = BucketInTrouble(RequestGate(), {f"{name}.html": (b"text", UPLOADED) for name in "abc"})
    made.errors = {f"{name}.html": count for name, count in errors.items()}
    return made


def tries(made: BucketInTrouble) -> list[str]:
    return [request.removeprefix("TRY ") for request in made.gate.requests if request.startswith("TRY")]


def test_only_throttled_reads_are_repeated_after_growing_pauses() -> None:
    made, paused = in_trouble(b=3, c=1), list[float]()
    retry = Retry(lambda: False, paused.append, lambda: 0)
    snapshots, failed = read_objects(made, SITE, items("a.html", "b.html", "c.html", "gone.html"), retry=retry)
    assert (list(snapshots), failed) == (["a.html", "b.html", "c.html", "gone.html"], {})
    assert all(snapshots[f"{name}.html"] for name in "abc")
    assert tries(made) == ["a.html", "b.html", "c.html", "gone.html", "b.html", "c.html", "b.html", "b.html"]
    assert paused == [1, 2, 4]


def test_half_a_minute_of_trouble_fails_no_object() -> None:
    paused = list[float]()

    class Recovers(MemoryBucket):
        def read(self, item: Item, size: int | None = None) -> Body:
            if sum(paused) < 30:
                raise TimeoutError(110, "SlowDown")
            return super().read(item, size)

    recovering = Recovers(RequestGate(), {"a.html": (b"text", UPLOADED)})
    retry = Retry(lambda: False, paused.append, lambda: 0)
    assert read_objects(recovering, SITE, items("a.html"), retry=retry)[1] == {}


def test_reads_are_not_repeated_after_the_deadline() -> None:
    made, paused = in_trouble(a=99), list[float]()
    retry = Retry(lambda: len(paused) == 2, paused.append, lambda: 0)
    assert read_objects(made, SITE, items("a.html", "b.html"), retry=retry)[1] == {"a.html": "SlowDown"}
    assert tries(made) == ["a.html", "b.html", "a.html", "a.html"]


def test_an_object_that_is_denied_is_not_read_again() -> None:
    paused = list[float]()
    retry = Retry(lambda: False, paused.append)
    assert read_objects(bucket(), SITE, items("denied.html"), retry=retry)[1] == {"denied.html": "AccessDenied"}
    assert paused == []


def test_an_object_that_is_replaced_whenever_it_is_read_is_read_again_later() -> None:
    made, paused = in_trouble(), list[float]()

    class Replaced(MemoryBucket):
        def read(self, item: Item, size: int | None = None) -> Body:
            if not paused:
                raise ItemChangedError(11, "the object was replaced while it was read")
            return super().read(item, size)

    replaced = Replaced(RequestGate(), made.objects)
    assert read_objects(replaced, SITE, items("a.html"))[1] == {"a.html": "the object was replaced while it was read"}
    assert read_objects(replaced, SITE, items("a.html"), retry=Retry(lambda: False, paused.append))[1] == {}
