"""Explanations as lines of text."""

from __future__ import annotations

from waypost.build.explanation import Explanation, excluded, explanation_lines


def test_an_explanation_names_the_folder_that_decided_it() -> None:
    own = excluded("a.html", "noindex", "it says so")
    folder = excluded("lib/a.html", "dependency", "it is in node_modules", "lib/")
    assert list(explanation_lines(own)) == ["a.html", "  left out  noindex: it says so"]
    assert list(explanation_lines(folder))[-1] == "  decided   for the folder lib/"


def test_an_explanation_of_a_page_in_a_bucket_has_what_the_state_knows() -> None:
    page = Explanation(
        "a.html", listed=True, loc="https://example.org/a", lastmod=None, no_date_reason="", sitemap=None, state="new"
    )
    assert list(explanation_lines(page)) == [
        "a.html",
        "  listed    https://example.org/a",
        "  lastmod   none",
        "  sitemap   none",
        "  state     new",
    ]
