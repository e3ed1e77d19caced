from __future__ import annotations

import pytest
from fake_buckets import StatefulBucket

from waypost.build import adoption
from waypost.build.adoption import PublishedBefore, what_is_published
from waypost.core.errors import StateError


def made() -> StatefulBucket:
    """A site with a page that was edited after the first build, and so has a date."""
    bucket = StatefulBucket()
    for key in ("edited.html", "same.html"):
        bucket.put(key, f"<p>{key}")
    bucket.rebuild()
    bucket.change("edited.html", "<p>edited")
    return bucket


def moved(bucket: StatefulBucket) -> StatefulBucket:
    """The same objects, uploaded to another place."""
    other = StatefulBucket()
    other.site_uri, other.clock.seconds = "s3://elsewhere/", bucket.clock.seconds
    for key, (body, _) in bucket.source.objects.items():
        other.put(key, body)
    return other


def dates(bucket: StatefulBucket) -> dict[str, str | None]:
    return {each.key: each.lastmod for each in bucket.remembered().memory.objects}


def test_a_site_that_has_moved_keeps_the_dates_of_its_pages() -> None:
    bucket = made()
    other = moved(bucket)
    other.rebuild(adopted=adoption.read_other(bucket.site().state))
    assert dates(other) == dates(bucket)
    assert other.remembered().head.site_id == bucket.remembered().head.site_id


def test_dates_may_be_adopted_after_the_first_build() -> None:
    bucket = made()
    other = moved(bucket)
    other.rebuild()
    assert dates(other) != dates(bucket)
    other.rebuild(adopted=adoption.read_other(bucket.site().state))
    assert dates(other) == dates(bucket)


def test_a_state_in_its_place_of_which_the_site_has_moved_may_be_adopted() -> None:
    bucket = made()
    expected = dates(bucket)
    other = moved(bucket)
    other.state.files = dict(bucket.state.files)
    other.rebuild(adopted=adoption.read_other(other.site().state))
    assert dates(other) == expected
    assert b"edited.html" in other.outputs.bodies()["sitemap.xml"]


def test_there_is_nothing_to_adopt_where_no_state_is() -> None:
    with pytest.raises(StateError, match="no complete state at s3://state/state"):
        adoption.read_other(StatefulBucket().site().state)


def published(**settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    for n in range(9):
        bucket.put(f"{n}.html", "<p>x")
    bucket.rebuild()
    bucket.change("1.html", "<p>new")
    return bucket


@pytest.mark.parametrize("settings", [{}, {"urls": 4}, {"gzip": True}])
def test_a_bucket_whose_state_is_lost_keeps_its_dates_and_its_files(settings: dict[str, object]) -> None:
    bucket = published(**settings)
    before, number = bucket.files(), bucket.remembered().head.number
    bucket.state.files.clear()
    result = bucket.rebuild()
    assert bucket.files() == before
    assert bucket.remembered().head.number > number
    assert result.plan is not None
    codes = {warning.code for warning in result.warnings}
    assert ("state-damaged" in codes, "foreign-replaced" in codes) == (True, False)
    assert "state-damaged" not in {warning.code for warning in bucket.rebuild().warnings}


def test_a_file_that_somebody_edited_dates_nothing() -> None:
    bucket = published()
    body, metadata = bucket.outputs.files["sitemap.xml"]
    bucket.outputs.files["sitemap.xml"] = body + b"\n", metadata
    assert what_is_published(bucket.site()) == PublishedBefore()


def test_a_page_beyond_the_bounds_keeps_its_published_date_until_its_text_can_be_read() -> None:
    bucket = published()
    bucket.change("1.html", b"<title>long</title>" + b"<p>" * 100_001)
    before = bucket.files()
    bucket.state.files.clear()
    for _ in range(2):
        bucket.rebuild()
        assert bucket.files() == before
    bucket.change("1.html", "<p>short")
    assert bucket.files() != before
