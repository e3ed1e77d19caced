"""Mappings of pages to source files that date no page."""

from __future__ import annotations

from typing import Any

import pytest
from unit.sample_sites import pages, site

from waypost.build.site_checks import unmatched_sources
from waypost.core import reasons
from waypost.core.model import Changes, History, Plan, Skipped
from waypost.dates.commit_dates import CommitDates
from waypost.dates.source_mapping import SourceMapper

T = 1_700_000_000


def source_messages(tracked: str, **settings: Any) -> list[str]:
    """The warnings about a site with three pages and a folder that is left out."""
    the_site = site(**settings)
    skipped = [Skipped("drafts/", reasons.EXCLUDED), Skipped("old.html", reasons.NOINDEX)]
    plan = Plan(pages(["a.html", "blog/b.html"]), skipped, [], [], [], [], [], Changes())
    commits = CommitDates(History(dict.fromkeys(tracked.split(), T)), SourceMapper(the_site.sources), T + 1)
    return [warning.message for warning in unmatched_sources(plan, the_site, commits)]


def rows(page: str, *files: str) -> list[dict[str, Any]]:
    return [{"page": page, "files": list(files)}]


@pytest.mark.parametrize(
    ("tracked", "settings"),
    [
        ("content/a.md", {}),
        ("posts/b.md", {"sources": rows("blog/{name}.html", "posts/{name}.md")}),
        ("posts/b.md", {"sources": rows("blog/b.html", "posts/*.md", "data/*.yml")}),
        ("posts/b.md", {"sources": rows("drafts/{name}.html", "posts/{name}.md")}),
    ],
)
def test_mappings_that_date_a_page_are_not_warned_of(tracked: str, settings: dict[str, Any]) -> None:
    assert source_messages(tracked, **settings) == []


def test_a_row_that_matches_no_page_is_named() -> None:
    assert source_messages("posts/b.md", sources=rows("news/{name}.html", "posts/{name}.md")) == [
        "`sources` has a row for news/{name}.html, and there is no such page: correct or remove it"
    ]


def test_a_row_whose_files_are_not_tracked_is_named() -> None:
    assert source_messages("posts/c.md", sources=rows("blog/{name}.html", "posts/{name}.md", "data/x.yml")) == [
        "`sources` names posts/{name}.md, data/x.yml for blog/{name}.html, and Git tracks no such file: correct it"
    ]


def test_several_mappings_are_one_warning() -> None:
    sources = [row for name in "vwxyz" for row in rows(f"{name}.html", f"{name}.md")]
    (message,) = source_messages("a.md", sources=sources)
    assert message.endswith("remove it and 2 more")


def test_a_site_without_history_is_not_warned_of() -> None:
    plan = Plan(pages(["a.html"]), [], [], [], [], [], [], Changes())
    assert unmatched_sources(plan, site(sources=rows("a.html", "a.md")), None) == []
