"""The answer of a folder's build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unit.sample_sites import job_of

from waypost.build.build_answer import build_answer, change_lines
from waypost.core.model import Changes, Example

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write

    from waypost.build.build_answer import BuildAnswer

PAGE = "<title>A</title>"
NOINDEX = "<meta name=robots content=noindex>"


def answer_of(source: Path, **values: Any) -> BuildAnswer:
    job = job_of(source, **values)
    return build_answer(job.plan(), job.site, job.source_kind)


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


def test_the_first_ten_urls_of_each_kind_of_change_are_printed() -> None:
    added = tuple(f"https://example.org/{n:02}" for n in range(12))
    lines = list(change_lines(Changes(added=added, removed=("https://example.org/x",))))
    assert lines[:2] == ["added (12):", "  + https://example.org/00"]
    assert lines[10:] == [
        "  + https://example.org/09",
        "  … and 2 more; --json lists all",
        "removed (1):",
        "  - https://example.org/x",
    ]
    assert list(change_lines(Changes())) == []


def test_added_urls_and_those_with_another_date_have_their_dates() -> None:
    url = "https://example.org/{}".format
    changes = Changes(added=(url("a"), url("b")), removed=(url("c"),), lastmod_changed=(url("d"),))
    assert list(change_lines(changes, {url("a"): "2026-01-02", url("d"): "2026-03-04"}))[1:] == [
        "  + https://example.org/a  2026-01-02",
        "  + https://example.org/b  no date",
        "another date (1):",
        "  ~ https://example.org/d  2026-03-04",
        "removed (1):",
        "  - https://example.org/c",
    ]
