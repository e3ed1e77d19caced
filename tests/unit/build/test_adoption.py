from __future__ import annotations

import pytest
from fake_buckets import StatefulBucket

from waypost.build import adoption
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
