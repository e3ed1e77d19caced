from fake_buckets import BASE, StatefulBucket
from msgspec.structs import replace

from waypost.build.bucket_listing import ListedObjects, Looked, list_objects, merged
from waypost.build.bucket_state import NO_FACTS, BucketState, ObjectRecord
from waypost.build.object_looks import ObjectLooks
from waypost.core.clock import ONE_ATTEMPT


def made(**settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    for key in ("a.html", "b.html"):
        bucket.put(key, f"<title>{key}</title><p>text")
    bucket.rebuild()
    return bucket


def listed(bucket: StatefulBucket, *keys: str, **looked: object) -> ListedObjects:
    """What is listed after a look at the objects with these keys."""
    stored = bucket.site().state.read()
    seen, failed = ObjectLooks(bucket.site(), ONE_ATTEMPT).look(keys, stored)
    return list_objects(bucket.site(), stored, Looked(seen, failed, **looked))  # type: ignore[arg-type]


def test_an_object_that_is_known_is_listed_without_a_request() -> None:
    bucket = made()
    requests = bucket.counted(lambda: listed(bucket))
    assert requests == ["GET state/state"]
    assert [page.loc for page in listed(bucket).listing.pages] == [f"{BASE}a.html", f"{BASE}b.html"]


def test_what_was_looked_at_counts_in_place_of_what_is_remembered() -> None:
    bucket = made()
    bucket.delete("a.html")
    bucket.put("c.html", "<title>c</title>")
    found = listed(bucket, "a.html", "c.html")
    assert [page.key for page in found.listing.pages] == ["b.html", "c.html"]
    assert found.has_changed
    assert not listed(bucket, "b.html").has_changed


def test_records_are_in_the_order_of_their_keys_and_an_unreadable_object_keeps_what_was_read_before() -> None:
    bucket = made()
    before = bucket.remembered().memory.objects
    found = merged(before, Looked(seen={"a.html": None}, failed={"b.html": "denied", "0.html": "denied"}))
    assert list(found) == ["0.html", "b.html"]
    assert found["b.html"] == replace(before[1], error="denied")
    assert found["0.html"] == ObjectRecord("0.html", "", "", NO_FACTS, error="denied")


def test_new_rules_of_robots_txt_leave_pages_out_and_without_a_look_the_remembered_ones_do() -> None:
    bucket = made()
    rules = "User-agent: *\nDisallow: /a"
    found = listed(bucket, robots_rules=rules)
    assert (found.robots_rules, [page.key for page in found.listing.pages]) == (rules, ["b.html"])
    bucket.put("robots.txt", rules)
    bucket.rebuild()
    assert [page.key for page in listed(bucket).listing.pages] == ["b.html"]


def test_pages_decide_the_form_of_urls_anew_in_a_rebuild_after_a_change_and_never_for_an_event() -> None:
    bucket = StatefulBucket(drop_html=None)
    for n in range(6):
        bucket.put(f"{n}.html", "<title>x</title>" + "".join(f"<a href=/{m}.html>x</a>" for m in range(6)))
    bucket.rebuild()
    keys = [f"{n}.html" for n in range(6)]
    for key in keys:
        bucket.put(key, "<title>x</title>" + "".join(f"<a href=/{m}>x</a>" for m in range(6)))
    for_event, in_rebuild = listed(bucket, *keys), listed(bucket, *keys, is_rebuild=True)
    assert [page.loc for page in for_event.listing.pages] == [f"{BASE}{key}" for key in keys]
    assert [page.loc for page in in_rebuild.listing.pages] == [f"{BASE}{n}" for n in range(6)]


def test_a_page_that_is_left_out_keeps_the_date_of_its_text() -> None:
    bucket = made()
    bucket.change("c.html", "<title>c</title><p>c")
    date = {each.key: each.lastmod for each in bucket.remembered().memory.objects}["c.html"]
    bucket.put("c.html", "<title>c</title><meta name=robots content=noindex><p>c")
    stored = bucket.site().state.read()
    seen, failed = ObjectLooks(bucket.site(), ONE_ATTEMPT).look(["c.html"], stored)
    looked = Looked(seen, failed)
    records = list_objects(bucket.site(), stored, looked).records(looked)
    assert [(each.listed, each.lastmod) for each in records if each.key == "c.html"] == [("", date)]


def test_nothing_is_rendered_of_a_bucket_without_pages() -> None:
    bucket = StatefulBucket()
    found = listed(bucket)
    assert not found.has_urls
    assert found.documents(bucket.site()) == ()
    assert bucket.remembered() == BucketState()
