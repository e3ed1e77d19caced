import pytest
from bucket_races import undated
from fake_buckets import BASE, StatefulBucket
from msgspec.structs import replace

from waypost.build.bucket_listing import ListedObjects, Looked, facts_of, list_objects, merged
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


def test_nothing_is_rendered_of_a_bucket_without_pages() -> None:
    bucket = StatefulBucket()
    found = listed(bucket)
    assert not found.has_urls
    assert found.documents(bucket.site()) == ()
    assert bucket.remembered() == BucketState()


EXPIRES = '<meta name="robots" content="unavailable_after: 2026-11-22">'


def with_content(content: str = "<p>a", **settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    bucket.put("a.html", content)
    bucket.put("b.html", "<p>b")
    bucket.rebuild()
    return bucket


def lists_a(bucket: StatefulBucket) -> bool:
    return b"a.html" in bucket.files()["sitemap.xml"]


def test_what_the_time_decides_is_decided_in_each_run() -> None:
    bucket = with_content(EXPIRES)
    assert lists_a(bucket)
    bucket.clock.sleep(3 * 86_400)
    bucket.change("b.html", "<p>new")
    assert not lists_a(bucket)


@pytest.mark.parametrize(
    "content", ["<p>a", "<meta name=robots content=noindex>", '<link rel=canonical href="/b.html">']
)
@pytest.mark.parametrize("settings", [{}, {"alternates": True, "images": True}])
def test_what_is_remembered_of_pages_gives_the_same_files_as_reading_them(
    content: str, settings: dict[str, object]
) -> None:
    bucket = with_content(content, **settings)
    bucket.change("b.html", '<link rel=alternate hreflang=de href="/a.html"><img src=/i.png>')
    bucket.change("c.html", "<p>c")
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def test_a_page_that_exceeds_a_bound_keeps_what_was_read_of_it_before_and_its_date() -> None:
    bucket = with_content("<title>x</title><p>a<img src=/i.png>", images=True)
    bucket.change("a.html", "<title>x</title><p>b<img src=/i.png>")
    before = bucket.files()["sitemap.xml"]
    bucket.change("a.html", "<title>x</title>" + "<p>" * 100_001)
    record = next(each for each in bucket.remembered().memory.objects if each.key == "a.html")
    assert facts_of(record).is_cut
    assert bucket.files()["sitemap.xml"] == before


def test_an_object_that_could_never_be_read_is_left_out_with_its_error() -> None:
    bucket = made()
    bucket.source.broken["c.html"] = OSError(5, "broken")
    result = bucket.change("c.html", "<p>c")
    assert result.plan is not None
    assert [(each.key, str(each.reason), each.detail) for each in result.plan.skipped] == [
        ("c.html", "unreadable", "broken")
    ]


def test_a_bucket_without_rules_in_robots_txt_has_no_warning_about_them() -> None:
    bucket = StatefulBucket(base_url="https://example.org/docs/")
    bucket.put("a.html", "<p>a")
    plan = bucket.rebuild().plan
    assert plan is not None
    assert [warning.code for warning in plan.warnings] == []
