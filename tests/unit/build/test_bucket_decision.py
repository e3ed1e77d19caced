import pytest
from bucket_races import undated
from fake_buckets import StatefulBucket


def made(**settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    for key in ("a.html", "b.html"):
        bucket.put(key, f"<title>{key}</title><p>text")
    bucket.rebuild()
    return bucket


def dates(bucket: StatefulBucket) -> dict[str, str | None]:
    return {each.key: each.lastmod for each in bucket.remembered().memory.objects}


def test_a_first_build_knows_no_dates_and_later_content_has_the_time_of_its_upload() -> None:
    bucket = made()
    assert dates(bucket) == {"a.html": None, "b.html": None}
    bucket.change("a.html", "<title>a.html</title><p>new")
    bucket.change("c.html", "<p>c")
    uploaded = {key: modified for key, (_, modified) in bucket.source.objects.items()}
    assert dates(bucket) == {"a.html": uploaded["a.html"], "b.html": None, "c.html": uploaded["c.html"]}


def test_the_same_text_in_other_bytes_keeps_its_date_also_while_the_page_is_left_out() -> None:
    bucket = made()
    bucket.change("c.html", "<p>c")
    before = dates(bucket)["c.html"]
    bucket.change("c.html", "<meta name=robots content=noindex><p>c")
    bucket.change("c.html", "<!-- build 2 --><p>c")
    assert dates(bucket)["c.html"] == before
    bucket.change("c.html", "<meta name=robots content=noindex><p>d")
    edited = bucket.source.objects["c.html"][1]
    bucket.change("c.html", "<p>d")
    assert dates(bucket)["c.html"] == edited


def test_the_plan_says_what_readers_of_the_sitemaps_see() -> None:
    bucket = made(images=True)
    plan = bucket.change("a.html", "<title>a.html</title><p>text<img src=/i.png>").plan
    assert plan is not None
    assert plan.changes.metadata_changed == ("https://example.org/a.html",)
    plan = bucket.change("b.html", None).plan
    assert plan is not None
    assert plan.changes.removed == ("https://example.org/b.html",)
    plan = bucket.change("c.html", "<p>c").plan
    assert plan is not None
    assert (plan.changes.added, plan.listed_before) == (("https://example.org/c.html",), 1)


def test_a_page_that_loses_its_place_to_another_file_with_its_url_is_listed_again_when_that_is_gone() -> None:
    bucket = made(drop_html=True)
    bucket.change("a/index.html", "<p>the same URL")
    bucket.change("a/index.html", None)
    assert bucket.files() == bucket.from_nothing()


def test_while_nothing_is_listed_the_published_files_stay_as_they_are() -> None:
    bucket = made()
    before = bucket.outputs.bodies()
    for key in ("a.html", "b.html"):
        bucket.change(key, None)
    bucket.rebuild()
    assert bucket.outputs.bodies() != {}
    assert b"b.html" in bucket.outputs.bodies()["sitemap.xml"]
    assert before.keys() == bucket.outputs.bodies().keys()
    bucket.change("c.html", "<p>c")
    assert b"b.html" not in bucket.outputs.bodies()["sitemap.xml"]


@pytest.mark.parametrize("settings", [{"versions": "newest"}, {"alternates": "folders"}])
def test_rules_that_look_at_a_whole_site_hold_for_a_bucket_as_for_a_folder(settings: dict[str, object]) -> None:
    bucket = StatefulBucket(**settings)
    for folder in ("1.0", "2.0", "de", "en"):
        for n in range(3):
            bucket.put(f"{folder}/{n}.html", f"<title>{n}</title><p>{folder}")
    bucket.rebuild()
    assert (b"/1.0/0.html" in b"".join(bucket.files().values())) == ("versions" not in settings)
    bucket.change("1.0/4.html", "<p>only in the older version")
    bucket.change("de/1.html", None)
    assert undated(bucket.files()) == undated(bucket.from_nothing())
