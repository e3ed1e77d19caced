import pytest
from fake_buckets import StatefulBucket

from waypost.core.errors import BusyError, SourceError


@pytest.mark.parametrize(
    ("base_url", "rules"), [("https://a.org/", "User-agent: *\nDisallow: /x"), ("https://a.org/d/", "")]
)
def test_only_the_robots_txt_at_the_root_of_the_host_counts(base_url: str, rules: str) -> None:
    bucket = StatefulBucket(base_url=base_url)
    bucket.put("robots.txt", "# a comment\nUser-agent: *\nDisallow: /x\nSitemap: /a.xml\n")
    assert bucket.site().robots_rules() == rules


@pytest.mark.parametrize(
    ("error", "kind"), [(TimeoutError(110, "slow"), BusyError), (OSError(5, "denied"), SourceError)]
)
def test_a_robots_txt_that_cannot_be_read_is_an_error(error: OSError, kind: type[Exception]) -> None:
    bucket = StatefulBucket()
    bucket.source.broken["robots.txt"] = error
    with pytest.raises(kind, match=r"s3://site/robots\.txt cannot be read"):
        bucket.site().robots_rules()


def test_what_files_are_made_with_depends_on_the_settings() -> None:
    first, second = StatefulBucket().site(), StatefulBucket(exclude=["/x/"]).site()
    assert first.made_with == StatefulBucket().site().made_with != second.made_with


def test_only_objects_that_may_be_pages_are_listed() -> None:
    bucket = StatefulBucket()
    for key in ("a.html", "a.css", ".hidden/a.html", "sitemap.xml", "robots.txt"):
        bucket.put(key, "x")
    assert [item.key for item in bucket.site().listed()[0]] == ["a.html"]
