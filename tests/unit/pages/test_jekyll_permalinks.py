"""Templates, URLs and the files that are written for them: what the recorded builds do not show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.errors import SourceError
from waypost.pages.jekyll_permalinks import (
    document_url,
    page_url,
    slugified,
    written_file,
)


def test_a_placeholder_that_jekyll_does_not_know_is_an_error() -> None:
    with pytest.raises(SourceError, match=r":nothing in the permalink /:nothing/ is no placeholder"):
        document_url("/:nothing/", {})


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
