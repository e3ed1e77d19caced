from __future__ import annotations

from typing import TYPE_CHECKING

from builds import page
from unit.sample_sites import pages

from waypost.build.head_counts import HeadCounts, count_heads
from waypost.sources.filesystem import FolderSource

if TYPE_CHECKING:
    from sites import Write


def test_html_pages_with_a_title_and_a_description_are_counted(write: Write) -> None:
    described = '<meta name="description" content="About it">'
    source = FolderSource(
        write({"a.html": page("A", described), "b.html": page("B"), "c.html": page(""), "d.pdf": "x"})
    )
    assert count_heads(source, pages(["a.html", "b.html", "c.html", "d.pdf"])) == HeadCounts(3, 2, 1)


def test_a_page_that_is_gone_is_not_counted(write: Write) -> None:
    assert count_heads(FolderSource(write({"a.html": page()})), pages(["a.html", "gone.html"])) == HeadCounts(1, 1, 0)
