from fake_buckets import StatefulBucket

from waypost.build.object_looks import ObjectLooks, differing_keys
from waypost.build.state_file import StoredState
from waypost.core.retry import ONE_ATTEMPT


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
    first = StoredState(etag="1")
    assert bucket.counted(lambda: looks.look(["a.html", "gone.html"], first)) == [
        "GET site/a.html",
        "GET site/gone.html",
    ]
    assert bucket.counted(lambda: looks.look(["a.html", "gone.html"], first)) == []
    other = bucket.counted(lambda: looks.look(["a.html", "gone.html"], StoredState(etag="2")))
    assert other == ["GET site/a.html", "GET site/gone.html"]  # each a look at the headers alone
    assert looks.count == 2


def test_an_object_that_other_settings_exclude_is_forgotten_without_reading_it() -> None:
    bucket = read_bucket()
    bucket.settings = StatefulBucket(exclude=["/b.html"]).settings
    assert "GET site/b.html" not in bucket.counted(bucket.rebuild)
    assert [each.key for each in bucket.remembered().memory.objects] == ["a.html"]
    assert differing(bucket) == []
