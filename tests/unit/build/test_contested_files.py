import pytest
from fake_buckets import StatefulBucket

FOREIGN = b"<urlset><url><loc>https://example.org/other</loc></url></urlset>"


def made() -> StatefulBucket:
    bucket = StatefulBucket()
    bucket.put("a.html", "<p>a")
    bucket.rebuild()
    return bucket


def disturbed(bucket: StatefulBucket, body: bytes | None) -> tuple[bool, list[str]]:
    """Whether a file that somebody replaced or deleted is repaired, and the warnings."""
    right = bucket.outputs.files.pop("sitemap.xml")
    if body is not None:
        bucket.outputs.write("sitemap.xml", body)
    warnings = bucket.update("sitemap.xml").warnings
    is_repaired = bucket.outputs.bodies().get("sitemap.xml") == right[0]
    if not is_repaired:
        bucket.outputs.files["sitemap.xml"] = right
    return is_repaired, [warning.code for warning in warnings]


@pytest.mark.parametrize(("body", "most"), [(FOREIGN, 3), (None, 30)])
def test_a_file_that_others_replace_or_delete_again_and_again_is_left_until_the_next_rebuild(
    body: bytes | None, most: int
) -> None:
    bucket = made()
    for _ in range(most):
        assert disturbed(bucket, body)[0]
    assert disturbed(bucket, body) == (False, ["contested"])
    bucket.clock.sleep(7_200)
    assert not disturbed(bucket, body)[0]
    bucket.rebuild()
    assert disturbed(bucket, body)[0]


def test_what_happens_once_an_hour_is_not_contested() -> None:
    bucket = made()
    for _ in range(8):
        assert disturbed(bucket, FOREIGN)[0]
        bucket.clock.sleep(3_601)
