"""What the kinds of content are."""

from __future__ import annotations

import pytest

from waypost.live.answer import is_html


@pytest.mark.parametrize(
    ("content_type", "is_page"),
    [("text/html", True), ("application/xhtml+xml", True), ("application/pdf", False), ("", False)],
)
def test_a_page_is_html_or_xhtml(content_type: str, *, is_page: bool) -> None:
    assert is_html(content_type) is is_page
