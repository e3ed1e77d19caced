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
    from sites import Command, MakeSite

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


def test_a_page_that_lists_posts_has_no_date_and_a_page_of_its_own_text_has_that_of_its_file(
    repository: Repository, waypost: Command
) -> None:
    loop = "---\ntitle: All\n---\n{% for post in site.posts %}{{ post.title }}{% endfor %}\n"
    files = {"_config.yml": "theme: minima\n", "index.md": "---\nlayout: home\n---\n", "all.html": loop}
    repository.commit({**files, "about.md": "---\nlayout: page\n---\nAbout\n"}, NOW - 1_000)
    repository.commit({"_posts/2024-01-02-a.md": "---\ntitle: A\n---\nText\n"}, NOW - 500)
    done = waypost("build", "--dry-run", "--base-url", "https://example.org/", cwd=repository.folder)
    assert "  + https://example.org/  no date\n" in done.stdout
    assert "  + https://example.org/all.html  no date\n" in done.stdout
    assert f"  + https://example.org/about.html  {format_unix_time(NOW - 1_000)}\n" in done.stdout
    explained = waypost("explain", ".", "index.md", "--base-url", "https://example.org/", cwd=repository.folder)
    assert "  lastmod   none: the page lists other pages, so no single file dates it\n" in explained.stdout


def test_with_lists_newest_a_list_in_a_folder_has_the_date_of_the_entry_that_appeared_or_changed_last(
    repository: Repository, waypost: Command
) -> None:
    def newest() -> str:
        settings = ("--base-url", "https://example.org/", "--set", "lists=newest")
        return waypost("explain", "docs", "index.md", *settings, cwd=repository.folder).stdout

    files = {"docs/_config.yml": "theme: minima\n", "docs/index.md": "---\nlayout: home\n---\n"}
    repository.commit({**files, "docs/_posts/2024-01-02-a.md": "---\ntitle: A\n---\nText\n"}, NOW - 1_000)
    commit = repository.commit({"docs/_posts/2024-01-03-b.md": "---\ntitle: B\n---\nText\n"}, NOW - 900)
    repository.commit({"docs/_posts/2024-01-02-a.md": "---\ntitle: A\n---\nOther text\n"}, NOW - 800)
    assert f"  lastmod   {format_unix_time(NOW - 900)}, commit {commit[:7]}\n" in newest()
    assert "  entry     docs/_posts/2024-01-03-b.md appeared last, or changed its title or summary\n" in newest()
    repository.commit({"docs/_posts/2024-01-02-a.md": "---\ntitle: Another\n---\nOther text\n"}, NOW - 700)
    assert f"  lastmod   {format_unix_time(NOW - 700)}, commit " in newest()
    repository.commit({"docs/index.md": "---\nlayout: home\ntitle: Home\n---\n"}, NOW - 600)
    assert f"  lastmod   {format_unix_time(NOW - 700)}, commit " in newest()
