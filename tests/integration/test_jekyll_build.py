"""A repository that GitHub Pages builds with Jekyll, from its sources to the sitemap."""

from __future__ import annotations

import json

import pytest
from repositories import Repository
from sites import BASE, Build, Command

from waypost.core import reasons

T = 1_700_000_000
FILES: dict[str, str | bytes | None] = {
    "_config.yml": "permalink: pretty\n",
    "_layouts/default.html": "<html>{{ content }}</html>",
    "index.md": "# Home",
    "about.md": "---\npermalink: /about\n---\nAbout",
    "private.md": "---\nsitemap: false\n---\nPrivate",
    "static.html": "<title>As it is</title>",
}


@pytest.fixture
def project(repository: Repository) -> Repository:
    repository.commit(FILES, when=T)
    repository.commit({"_posts/2023-01-02-a-post.md": "---\n---\nA post"}, when=T + 60)
    return repository


def test_pages_are_listed_under_the_urls_that_jekyll_gives_them_with_the_dates_of_their_sources(
    build: Build, project: Repository
) -> None:
    plan = build.plan(project.folder, lastmod="git")
    assert {page.loc.removeprefix(BASE): page.lastmod for page in plan.pages} == {
        "": "2023-11-14T22:13:20Z",
        "2023/01/02/a-post/": "2023-11-14T22:14:20Z",
        "about": "2023-11-14T22:13:20Z",
        "static.html": "2023-11-14T22:13:20Z",
    }
    assert {each.key: each.reason for each in plan.skipped if each.reason.is_about_page} == {
        "_config.yml": reasons.UNPUBLISHED,
        "_layouts/": reasons.UNPUBLISHED,
        "private.md": reasons.UNPUBLISHED,
    }
    assert "jekyll-layouts" in [warning.code for warning in plan.warnings]


def test_the_form_of_a_permalink_is_kept_unless_a_setting_decides(build: Build, project: Repository) -> None:
    plan = build.plan(project.folder, drop_html=False, lastmod="none")
    assert f"{BASE}about.html" in [page.loc for page in plan.pages]


def test_the_source_of_a_page_is_explained_as_the_page(project: Repository, waypost: Command) -> None:
    done = waypost("explain", str(project.folder), "about.md", "/about", "private.md", "--base-url", BASE, "--json")
    by_source, by_url, private = json.loads(done.stdout)
    assert by_source == by_url
    assert (by_source["loc"], by_source["url_decided_by"]) == (f"{BASE}about", "generator")
    assert (private["listed"], private["reason"]) == (False, "unpublished")


def test_a_plugin_that_makes_pages_is_refused(project: Repository, waypost: Command) -> None:
    project.commit({"_plugins/pages.rb": "module Pages; end"}, when=T + 120)
    done = waypost("build", str(project.folder), "--base-url", BASE)
    assert done.returncode == 3
    assert "_plugins/pages.rb" in done.stderr
    assert not (project.folder / "sitemap.xml").exists()
