"""The answers about a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec import UNSET

from waypost.app.folder import FolderJob, prepare
from waypost.app.folder_answers import build_answer, explain
from waypost.config.load import ConfigSource
from waypost.core.model import Example

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository
    from sites import Write

    from waypost.app.answers import BuildAnswer
    from waypost.sync.answers import Explanation

PAGE = "<title>A</title>"
NOINDEX = "<meta name=robots content=noindex>"


def job_of(source: Path, **values: Any) -> FolderJob:
    return prepare(source, ConfigSource("test", {"base_url": "https://example.org/", "lastmod": "none", **values}))


def answer_of(source: Path, **values: Any) -> BuildAnswer:
    job = job_of(source, **values)
    return build_answer(job.plan(), job.site, job.source_kind)


def explained(source: Path, key: str, **values: Any) -> Explanation:
    job = job_of(source, **values)
    listing, dates = job.list_pages(lambda stage, done, total: None)
    documents = job.plan_publication(listing, dates, lambda stage, done, total: None).documents
    return explain(listing, documents, key)


def test_possible_pages_are_counted_first_and_the_most_frequent_reason_first(write: Write) -> None:
    pages = {"a.html": PAGE, "b.html": NOINDEX, "c/1.html": PAGE, "c/2.html": PAGE}
    answer = answer_of(write({**pages, "1.css": "", "2.css": "", "3.css": ""}), exclude=["c/*.html"])
    assert list(answer.excluded_by_reason.items()) == [("excluded", 2), ("noindex", 1), ("not-a-page", 3)]
    assert (answer.url_count, answer.excluded_count) == (1, 6)
    assert [each.key for each in answer.excluded if each.reason == "noindex"] == ["b.html"]


def test_the_answer_says_what_the_folder_is(write: Write) -> None:
    kind = answer_of(write({"_config.yml": "theme: minima\n", "a.html": PAGE})).source_kind
    assert (kind.kind, kind.generator, kind.file) == ("github-pages", "Jekyll", "_config.yml")
    assert answer_of(write({"_config.yml": "", "a.html": PAGE}), source_kind="static").source_kind.kind == "static"


def test_a_sitemap_in_several_formats_counts_once_and_the_first_is_the_one_to_submit(write: Write) -> None:
    answer = answer_of(write({"a.html": PAGE}), formats=["xml", "text"])
    assert [file.name for file in answer.files] == ["sitemap.xml", "sitemap.txt"]
    assert (answer.sitemap_count, answer.root_sitemap) == (1, "sitemap.xml")


def test_the_index_of_several_sitemaps_is_the_one_to_submit(write: Write) -> None:
    answer = answer_of(write({"a.html": PAGE, "blog/b.html": PAGE}), groups={"blog": ["/blog/"]})
    assert (answer.sitemap_count, answer.root_sitemap) == (2, "sitemap.xml")
    kinds = {file.name: (file.kind, file.url_count) for file in answer.files}
    assert kinds["sitemap.xml"] == ("index", 2)
    assert kinds["sitemap-blog.xml"] == ("sitemap", 1)


def test_an_answer_is_stale_until_its_files_are_published(write: Write) -> None:
    job = job_of(write({"a.html": PAGE}))
    plan = job.plan()
    before = build_answer(plan, job.site)
    assert (before.stale, before.written, before.changes.added) == (
        True,
        ["sitemap.xml"],
        ("https://example.org/a.html",),
    )
    assert before.files[0].bytes == len(plan.documents[0].body)
    job.apply(plan)
    after = build_answer(job.plan(), job.site)
    assert (after.stale, after.written, after.unchanged) == (False, [], ["sitemap.xml"])


def test_a_warning_has_its_files_in_its_text(write: Write) -> None:
    answer = answer_of(write({"a.html": "<link rel=canonical href='https://other.example/'>"}))
    (warning,) = answer.warnings
    assert (warning.code, warning.count) == ("foreign-canonical", 1)
    assert warning.examples == (Example("a.html", "https://other.example/"),)
    assert warning.text.startswith(warning.message)
    assert "a.html" in warning.text


def test_a_listed_page_has_the_sitemap_that_holds_it(write: Write) -> None:
    source = write({"a.html": PAGE, "blog/b.html": PAGE})
    found = explained(source, "blog/b.html", groups={"blog": ["/blog/"]})
    assert (found.listed, found.loc, found.sitemap) == (True, "https://example.org/blog/b.html", "sitemap-blog.xml")
    assert (found.lastmod, found.reason) == (None, UNSET)


def test_a_page_without_a_date_has_the_reason_if_it_is_known(write: Write, repository: Repository) -> None:
    source = write({"a.html": PAGE})
    assert explained(source, "a.html").no_date_reason == ""
    unsearched = explained(source, "a.html", lastmod="git", evidence=False)
    assert str(unsearched.no_date_reason).startswith("pages have no date from Git")
    repository.commit({"a.html": PAGE}, when=1_000_000_000)
    repository.write({"b.html": PAGE})
    dated, new = (explained(repository.folder, key, lastmod="git") for key in ("a.html", "b.html"))
    assert (dated.lastmod, dated.no_date_reason) == ("2001-09-09T01:46:40Z", "")
    assert (new.lastmod, bool(new.no_date_reason)) == (None, True)


@pytest.mark.parametrize(
    ("key", "reason", "decided_by"),
    [
        ("b.html", "noindex", "b.html"),
        ("node_modules/x/y.html", "dependency", "node_modules/"),
        ("docs", "folder", "docs"),
        ("absent.html", "not-found", "absent.html"),
        ("a", "not-found", "a"),
    ],
)
def test_what_is_not_listed_has_a_reason_and_what_it_applies_to(
    write: Write, key: str, reason: str, decided_by: str
) -> None:
    files = {
        "a.html": PAGE,
        "b.html": NOINDEX,
        "node_modules/x/y.html": PAGE,
        "docs/1.html": PAGE,
        "docs/2.html": NOINDEX,
    }
    found = explained(write(files), key)
    assert (found.listed, found.reason, found.decided_by) == (False, reason, decided_by)
    assert reason != "folder" or found.detail == "1 page in it listed, 1 left out"
