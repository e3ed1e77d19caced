"""Templates, URLs and the files that are written for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.errors import SourceError
from waypost.pages.jekyll_permalinks import (
    document_url,
    extension_of,
    page_url,
    permalink_extension,
    slugified,
    with_style_suffix,
    written_file,
)


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("/:path/:basename/", "/docs/a%25b/"),
        ("about", "/about"),
        ("../up/x", "/up/x"),
        ("/a//b/./c/", "/a/b/c/"),
        ("/:basename:output_ext", "/a%25b.html"),
    ],
)
def test_only_a_pages_own_placeholders_are_filled(template: str, url: str) -> None:
    assert page_url(template, {"path": "docs", "basename": "a%b", "output_ext": ".html"}) == url


@pytest.mark.parametrize(
    ("template", "url"), [("/:year/:month_:day", "/2024/05_01"), ("/:year:month", "/202405"), ("/X/:day_", "/X/01_")]
)
def test_a_placeholder_ends_before_an_underscore_that_is_not_its_own(template: str, url: str) -> None:
    values = {"year": lambda: "2024", "month": lambda: "05", "day": lambda: "01"}
    assert document_url(template, values) == url


def test_a_placeholder_that_jekyll_does_not_know_is_an_error() -> None:
    with pytest.raises(SourceError, match=r":nothing in the permalink /:nothing/ is no placeholder"):
        document_url("/:nothing/", {})


@pytest.mark.parametrize(
    ("url", "extension", "file"),
    [
        ("/", ".html", "index.html"),
        ("/about/", ".html", "about/index.html"),
        ("/v1.0", ".0", "v1.0"),
        ("/a%20b/", ".html", "a b/index.html"),
        ("/%ff/", ".html", "\udcff/index.html"),
        ("/a/../b", ".html", "b.html"),
    ],
)
def test_the_file_of_a_url_has_an_extension(url: str, extension: str, file: str) -> None:
    assert written_file(url, extension) == file


@pytest.mark.parametrize(
    ("permalink", "suffix"),
    [
        ("pretty", "/"),
        ("/x/", "/"),
        ("date", ":output_ext"),
        ("none", ":output_ext"),
        ("/:title:output_ext", ":output_ext"),
        ("/:title", ""),
    ],
)
def test_the_style_of_the_site_ends_the_urls_of_pages(permalink: str, suffix: str) -> None:
    assert with_style_suffix("/:path", permalink) == "/:path" + suffix


@pytest.mark.parametrize(("path", "extension"), [("a.b.md", ".md"), ("a", ""), (".htaccess", ""), ("/v1.0", ".0")])
def test_an_extension_is_what_follows_the_last_dot_of_the_name(path: str, extension: str) -> None:
    assert extension_of(path) == extension
    assert permalink_extension(f"{path}/") == ""


@pytest.mark.parametrize(
    ("text", "slug", "title"),
    [
        ("Hello World", "Hello-World", "Hello-World"),
        ("what?  is it", "what-is-it", "what-is-it"),
        ("c++_x.y", "c-x-y", "c++_x.y"),
        ("Ünï 日本", "Ünï-日本", "Ünï-日本"),
    ],
)
def test_a_slug_keeps_letters_and_digits_and_a_title_some_punctuation(text: str, slug: str, title: str) -> None:
    assert slugified(text) == slug
    assert slugified(text, keeps_punctuation=True) == title


@given(st.text("aZ9-_. /%+é日", max_size=20), st.booleans())
def test_a_slug_of_a_slug_is_the_same(text: str, keeps: bool) -> None:
    slug = slugified(text, keeps_punctuation=keeps)
    assert slugified(slug, keeps_punctuation=keeps) == slug
    assert "/" not in slug


@given(st.text(alphabet="ab./%20", max_size=12))
def test_no_permalink_leads_out_of_the_site(permalink: str) -> None:
    file = written_file(page_url(permalink, {}), ".html")
    assert not file.startswith("/")
    assert ".." not in file.split("/")


def test_a_url_that_is_too_long_for_a_path_is_refused() -> None:
    for template in ("/:slug" * 100_000, "/:slug" * 600, "a" * 5_000):
        with pytest.raises(SourceError, match="gives a URL of more than 4,096 characters"):
            document_url(template, {"slug": lambda: "s" * 1_000})
        with pytest.raises(SourceError, match="gives a URL of more than 4,096 characters"):
            page_url(template, {"slug": "s" * 1_000})
    with pytest.raises(SourceError, match="gives a URL of more than 4,096 characters"):
        document_url("/:slug", {"slug": lambda: "s" * 1_000_000})
