"""Why objects of a bucket with a state are listed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fake_buckets import StatefulBucket

from waypost.build.bucket_explanation import existing_key, explain_objects, explain_without_settings, object_key
from waypost.build.divided_bucket import DividedBucket
from waypost.core.errors import RenderError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waypost.build.explanation import Explanation

NOINDEX = '<title>x</title><meta name="robots" content="noindex">'


def built(**objects: str) -> StatefulBucket:
    bucket = StatefulBucket(urls=4, exclude=["/private/"])
    for name, content in (objects or {f"p{n}": f"<title>{n}</title>" for n in range(6)}).items():
        bucket.put(f"{name}.html", content)
    bucket.rebuild()
    return bucket


def explained(bucket: StatefulBucket, path: str) -> Explanation:
    (found,) = explain_objects(DividedBucket(bucket.site()), [path])
    return found


def test_a_listed_key_is_explained_with_its_url_date_and_sitemap() -> None:
    bucket = built()
    bucket.change("p1.html", "<title>other</title>")
    found = explained(bucket, "p1.html")
    assert (found.loc, found.lastmod) == ("https://example.org/p1.html", bucket.source.objects["p1.html"][1])
    assert isinstance(found.sitemap, str)
    assert b"/p1.html<" in bucket.outputs.bodies()[found.sitemap]
    assert found.state == "has the current object"


def test_an_object_that_has_changed_is_explained_as_it_is_now() -> None:
    bucket = built()
    bucket.put("p1.html", "<title>other</title>")
    found = explained(bucket, "p1.html")
    assert (found.listed, found.lastmod) == (True, bucket.source.objects["p1.html"][1])
    assert found.state == "does not have the current object; an update adds it"
    bucket.put("p1.html", NOINDEX)
    assert (explained(bucket, "p1.html").listed, explained(bucket, "p1.html").reason) == (False, "noindex")


@pytest.mark.parametrize(
    ("key", "reason", "detail"),
    [
        ("gone.html", "not-found", "there is no s3://site/gone.html; keys are relative to s3://site/"),
        ("style.css", "not-a-page", "its file type is not among `pages`"),
        ("private/a.html", "excluded", "a pattern of `exclude` matches it"),
        ("hidden.html", "noindex", "says noindex or none (noindex)"),
        ("denied.html", "unreadable", "AccessDenied"),
    ],
)
def test_a_key_that_is_not_listed_is_explained_with_the_reason(key: str, reason: str, detail: str) -> None:
    bucket = built(a="<title>a</title>", hidden=NOINDEX)
    bucket.source.broken = {"denied.html": PermissionError(13, "AccessDenied")}
    found = explained(bucket, key)
    assert (found.path, found.listed, found.reason) == (key, False, reason)
    assert detail in str(found.detail)


def test_an_object_that_can_no_longer_be_read_is_listed_as_it_was_and_that_is_a_problem() -> None:
    bucket = built()
    bucket.source.broken = {"p1.html": PermissionError(13, "AccessDenied")}
    found = explained(bucket, "p1.html")
    assert (found.listed, found.state) == (True, "has the object as it was when it could be read last")
    (problem,) = found.problems or ()
    assert (problem.where, "allow this access" in problem.what_to_do) == ("s3://site/p1.html", True)


def test_a_duplicate_is_explained_by_the_key_that_is_listed_in_its_place() -> None:
    bucket = StatefulBucket(drop_html=True, trailing_slash="never")
    for key in ("a.html", "a/index.html"):
        bucket.put(key, f"<title>{key}</title>")
    bucket.rebuild()
    assert explained(bucket, "a.html").reason == "duplicate-loc"
    assert "(a/index.html)" in str(explained(bucket, "a.html").detail)
    assert explained(bucket, "a/index.html").sitemap == "sitemap.xml"


def test_a_page_without_a_date_is_explained_with_the_reason() -> None:
    bucket = built()
    found = explained(bucket, "p1.html")
    assert (found.lastmod, "has not changed since the state was made" in str(found.no_date_reason)) == (None, True)
    bucket.change("p1.html", "<title>other</title>")
    assert explained(bucket, "p1.html").no_date_reason == ""


def test_a_path_is_explained_though_the_bucket_denies_whether_the_object_exists() -> None:
    bucket = built()

    class Denied(type(bucket.source)):  # type: ignore[misc]  # the class of a bucket in memory
        def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
            raise SourceError(f"403: Forbidden: {keys}")

    bucket.source.__class__ = Denied
    assert explained(bucket, "s3://site/p1.html").listed


def test_a_state_that_cannot_be_read_is_a_problem_and_the_object_is_explained_as_it_is() -> None:
    bucket = built()
    bucket.state.write("state", b"{")
    found: Any = explained(bucket, "p1.html")
    assert (found.listed, "is damaged" in found.problems[0].problem) == (True, True)


def test_without_settings_each_explanation_is_the_problem() -> None:
    error = RenderError("mine/sitemap.xml.j2: the template cannot be read")
    assert [each.listed for each in explain_without_settings(["a", "b"], error)] == [None, None]


def key(path: str, **values: Any) -> str:
    return object_key(path, StatefulBucket(**values).settings, "s3://site/www/")


@pytest.mark.parametrize("path", ["docs/a.html", "s3://site/www/docs/a.html", "https://example.org/docs/a.html"])
def test_a_key_is_given_as_it_is_or_by_the_object_s_uri_or_by_the_page_s_url(path: str) -> None:
    assert key(path) == "docs/a.html"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/", "index.html"),
        ("https://example.org/docs/", "docs/index.html"),
        ("https://example.org/caf%C3%A9%20bar.html", "café bar.html"),
        ("https://example.org/paper.pdf", "paper.pdf"),
    ],
)
def test_a_url_has_the_key_of_the_object_whose_page_it_is(url: str, expected: str) -> None:
    assert key(url) == expected


def test_a_url_without_its_ending_has_the_key_of_the_page_if_the_settings_drop_endings() -> None:
    url = "https://example.org/docs/a"
    assert key(url) == "docs/a"
    assert key(url, drop_html=True) == "docs/a.html"


def test_a_url_of_another_site_and_a_uri_of_another_prefix_are_no_keys_of_this_site() -> None:
    for path in ("https://example.com/a.html", "s3://site/a.html"):
        assert key(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "/docs/ü.html",
        "docs/ü",
        "docs/%C3%BC.html",
        "https://example.org/docs/%C3%BC",
        "http://www.example.org/docs/ü/?x=1#part",
        "s3://site/www/docs/ü.html",
    ],
)
def test_an_existing_key_is_found_by_a_path_or_a_url_in_any_form(path: str) -> None:
    assert existing(path, "docs/ü.html") == "docs/ü.html"


@pytest.mark.parametrize("path", ["/", "https://example.org", "https://example.org/index.html", "index.html"])
def test_the_home_page_is_found_by_the_url_of_the_site(path: str) -> None:
    assert existing(path, "index.html") == "index.html"


def test_a_key_that_exists_as_it_is_written_is_not_another_form() -> None:
    assert existing("a%20b.html", "a%20b.html", "a b.html") == "a%20b.html"
    assert existing("a.html", "a/index.html", "a.html") == "a.html"


@pytest.mark.parametrize(("path", "expected"), [("absent", "absent"), ("https://example.org/absent", "absent")])
def test_a_path_that_no_object_has_is_the_key_that_it_says(path: str, expected: str) -> None:
    assert existing(path, "a.html") == expected


def existing(path: str, *keys: str) -> str:
    bucket = StatefulBucket()
    bucket.site_uri = "s3://site/www/"
    for each in keys:
        bucket.put(each, "x")
    return existing_key(path, bucket.site())
