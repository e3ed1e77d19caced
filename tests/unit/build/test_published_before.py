import pytest
from fake_buckets import StatefulBucket

from waypost.build.adoption import NOTHING_PUBLISHED, what_is_published


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
    assert what_is_published(bucket.site()) == NOTHING_PUBLISHED


def test_a_page_beyond_the_bounds_keeps_its_published_date_until_its_text_can_be_read() -> None:
    bucket = published()
    bucket.change("1.html", b"<title>long</title>" + b"<p>x</p>" * 700_000)
    before = bucket.files()
    bucket.state.files.clear()
    for _ in range(2):
        bucket.rebuild()
        assert bucket.files() == before
    bucket.change("1.html", "<p>short")
    assert bucket.files() != before
