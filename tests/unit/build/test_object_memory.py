import pytest
from bucket_races import undated
from fake_buckets import StatefulBucket

from waypost.build.bucket_listing import facts_of

EXPIRES = '<meta name="robots" content="unavailable_after: 2026-11-22">'


def made(content: str = "<p>a", **settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    bucket.put("a.html", content)
    bucket.put("b.html", "<p>b")
    bucket.rebuild()
    return bucket


def listed(bucket: StatefulBucket) -> bool:
    return b"a.html" in bucket.files()["sitemap.xml"]


def test_what_the_time_decides_is_decided_in_each_run() -> None:
    bucket = made(EXPIRES)
    assert listed(bucket)
    bucket.clock.sleep(3 * 86_400)
    bucket.change("b.html", "<p>new")
    assert not listed(bucket)


@pytest.mark.parametrize(
    "content", ["<p>a", "<meta name=robots content=noindex>", '<link rel=canonical href="/b.html">']
)
@pytest.mark.parametrize("settings", [{}, {"alternates": True, "images": True}])
def test_what_is_remembered_of_pages_gives_the_same_files_as_reading_them(
    content: str, settings: dict[str, object]
) -> None:
    bucket = made(content, **settings)
    bucket.change("b.html", '<link rel=alternate hreflang=de href="/a.html"><img src=/i.png>')
    bucket.change("c.html", "<p>c")
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def test_a_page_that_exceeds_a_bound_keeps_what_was_read_of_it_before_and_its_date() -> None:
    bucket = made("<title>x</title><p>a<img src=/i.png>", images=True)
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
