"""Which URLs are forms of one page."""

import pytest

from waypost.core.urls import page_identity, path_identity

PAGE = "https://example.org/docs/guide"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/docs/guide",
        "https://www.example.org/docs/guide",
        "http://example.org:80/docs/guide",
        "https://example.org/docs/guide/",
        "https://example.org/docs/guide.html",
        "https://example.org/docs/guide/index.html",
        "https://example.org/docs/%67uide",
    ],
)
def test_forms_of_a_page_have_one_identity(url: str) -> None:
    assert page_identity(url) == page_identity(PAGE)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/docs/Guide",
        "https://blog.example.org/docs/guide",
        "https://example.org:8443/docs/guide",
        "https://example.org/docs/guide?page=2",
        "https://example.org/docs/guide.pdf",
    ],
)
def test_other_pages_have_other_identities(url: str) -> None:
    assert page_identity(url) != page_identity(PAGE)


@pytest.mark.parametrize("url", ["https://example.org", "http://www.example.org/", "https://example.org/index.html"])
def test_a_home_page_is_identified_by_its_host(url: str) -> None:
    assert page_identity(url) == "example.org"


@pytest.mark.parametrize(
    ("path", "identity"),
    [
        ("/", ""),
        ("/a/b.html", "a/b"),
        ("a/index.html", "a"),
        ("a/myindex.html", "a/myindex"),
        ("%C3%BC.html", "ü"),
        (".html", ".html"),
    ],
)
def test_a_key_and_a_path_have_the_identity_of_their_page(path: str, identity: str) -> None:
    assert path_identity(path) == identity
