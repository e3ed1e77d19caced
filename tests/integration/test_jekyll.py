"""What is derived from Jekyll sources, compared with what the real Jekyll writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jekyll_builds import NOW, SITES, derived, expected, has_jekyll, real_build
from repositories import in_repository

from waypost.build.lister import DateSources, Lister
from waypost.core.dates import format_unix_time
from waypost.dates.commit_dates import CommitDates
from waypost.files.folder_source import FolderSource
from waypost.git import read_history
from waypost.pages.jekyll_source import JekyllSource

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository
    from sites import MakeSite

needs_jekyll = pytest.mark.skipif(not has_jekyll(), reason="Jekyll is not installed")


@pytest.mark.parametrize("site", SITES)
def test_the_files_and_urls_are_those_that_jekyll_was_recorded_to_write(site: str) -> None:
    assert derived(site) == expected(site)


@pytest.mark.slow
@needs_jekyll
@pytest.mark.parametrize("site", SITES)
def test_the_files_and_urls_are_those_that_jekyll_writes(site: str, tmp_path: Path) -> None:
    assert derived(site) == real_build(site, tmp_path)


def test_each_page_has_the_date_of_its_source(repository: Repository, make_site: MakeSite) -> None:
    day = 86_400
    start = NOW - 100 * day
    repository.commit({"about.md": "---\n---\n", "_layouts/default.html": "{{ content }}"}, start)
    repository.commit({"_posts/2024-01-02-a.md": "---\n---\n"}, start + day)
    repository.commit({"static.html": "<title>x</title>", "late.md": "---\nsitemap: false\n---\n"}, start + 2 * day)
    source = JekyllSource(FolderSource(repository.folder), "jekyll", NOW)
    commits = CommitDates(read_history(in_repository(repository.folder)), None, NOW)
    dates = DateSources(format_unix_time(NOW), lambda: commits)
    listing = Lister(source, make_site(), dates, lambda *_: None).listing()
    assert {page.key: page.lastmod for page in listing.pages} == {
        "about.html": format_unix_time(start),
        "2024/01/02/a.html": format_unix_time(start + day),
        "static.html": format_unix_time(start + 2 * day),
    }
    assert {each.key for each in listing.skipped} == {"_layouts/", ".git/", "late.md"}
