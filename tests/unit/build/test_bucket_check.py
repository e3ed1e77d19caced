"""A check of a bucket: what differs from its state, and which published files are wrong."""

from __future__ import annotations

import msgspec
from fake_buckets import StatefulBucket
from fake_stores import Crash, Writer
from msgspec import UNSET

from waypost.build.bucket_check import CheckAnswer, Drift, KeySample, check, check_without_settings
from waypost.build.divided_bucket import DividedBucket
from waypost.core.errors import RenderError


def built(count: int = 6, **settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**{"urls": 4, **settings})
    for n in range(count):
        bucket.put(f"p{n}.html", f"<title>{n}</title><p>text")
    bucket.rebuild()
    return bucket


def drift(bucket: StatefulBucket) -> list[list[str]]:
    """The keys that a check finds new, changed and gone."""
    found = check(DividedBucket(bucket.site())).drift
    assert found is not UNSET
    return [list(sample.first) for sample in (found.new, found.changed, found.removed)]


def test_a_check_of_an_unchanged_site_finds_it_in_sync() -> None:
    bucket = built()
    found = check(DividedBucket(bucket.site()))
    assert (found.in_sync, found.files, found.problems) == (True, {}, [])
    assert drift(bucket) == [[], [], []]


def test_a_check_finds_objects_that_no_event_reported_and_changes_nothing() -> None:
    bucket = built()
    bucket.put("new.html", "<p>x")
    bucket.put("p1.html", "<title>other</title>")
    bucket.delete("p2.html")
    before = bucket.state.bodies(), bucket.outputs.bodies()
    assert drift(bucket) == [["new.html"], ["p1.html"], ["p2.html"]]
    assert not check(DividedBucket(bucket.site())).in_sync
    assert (bucket.state.bodies(), bucket.outputs.bodies()) == before


def test_an_object_with_another_etag_that_says_the_same_is_no_drift() -> None:
    bucket = built()
    bucket.put("p1.html", "<title>1</title><p>text\n")
    assert drift(bucket) == [[], [], []]


def test_a_check_finds_missing_foreign_and_changed_files() -> None:
    bucket = built()
    names = sorted(name for name in bucket.outputs.files if name.startswith("sitemap-"))
    bucket.outputs.remove(names[0])
    bucket.outputs.write("sitemap.xml", b"overwritten")
    content, metadata = bucket.outputs.files[names[1]]
    bucket.outputs.files[names[1]] = content + b" ", metadata
    assert check(DividedBucket(bucket.site())).files == {
        names[0]: "is missing",
        names[1]: "differs from what the state describes",
        "sitemap.xml": "was written by another writer",
    }


def test_a_check_of_a_state_of_other_settings_is_not_in_sync() -> None:
    bucket = built()
    bucket.settings = StatefulBucket(images=True).settings
    assert not check(DividedBucket(bucket.site())).in_sync


def test_a_check_without_a_complete_state_has_nothing_to_compare() -> None:
    building = StatefulBucket()
    rebuild = Writer(building.gate, building.rebuild)
    rebuild.until("LIST site/")
    rebuild.step(Crash())
    for bucket, text in ((StatefulBucket(), "there is no state yet"), (building, "a build is under way")):
        found = check(DividedBucket(bucket.site()))
        assert (found.in_sync, found.drift, found.files) == (False, UNSET, UNSET)
        assert text in found.state


def test_other_rules_of_robots_txt_are_the_reason_why_nothing_is_in_sync() -> None:
    bucket = built()
    bucket.put("robots.txt", "User-agent: *\nDisallow: /a")
    found = check(DividedBucket(bucket.site()))
    assert found.state.startswith("robots.txt has other rules than the sitemaps follow")
    assert not found.in_sync


def test_links_of_another_form_than_the_sitemaps_are_told() -> None:
    def linking(ending: str) -> str:
        return "<title>x</title>" + "".join(f"<a href='/p{n}{ending}'>x</a>" for n in range(40))

    bucket = StatefulBucket(drop_html=None)
    for n in range(40):
        bucket.put(f"p{n}.html", linking(".html"))
    bucket.rebuild()
    assert check(DividedBucket(bucket.site())).linked_form is UNSET
    for n in range(40):
        bucket.put(f"p{n}.html", linking(""))
    bucket.update(*(f"p{n}.html" for n in range(40)))
    assert "became" in str(check(DividedBucket(bucket.site())).linked_form)


def test_an_answer_is_read_back_as_it_was_written() -> None:
    found = Drift(KeySample(2, ["a", "b"]), KeySample(0, []), KeySample(1, ["c"]))
    answer = CheckAnswer(False, "complete", found, {"sitemap.xml": "it is missing"})
    assert msgspec.json.decode(msgspec.json.encode(answer), type=CheckAnswer) == answer


def test_without_settings_the_check_is_the_problem() -> None:
    found = check_without_settings(RenderError("the template cannot be read"))
    assert (found.in_sync, found.problems[0].kind) == (False, "templates")
