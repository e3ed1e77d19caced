"""What the source of a page says of being listed."""

from __future__ import annotations

import pytest

from waypost.dates.source_dates import opting_out


def yaml(lines: str) -> str:
    return f"---\ntitle: A\n{lines}\n---\nText\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (yaml("sitemap: false"), "sitemap: false"),
        (yaml("sitemap:\n  disable: true"), "sitemap.disable: true"),
        (yaml('draft: "true"'), "draft: true"),
        (yaml("private: yes"), "private: yes"),
        (yaml("robots: nofollow, noindex"), "robots: nofollow, noindex"),
        (yaml("published: false"), "published: false"),
        ("+++\ntitle = 'A'\ndraft = true\n+++\n", "draft: true"),
        ("+++\ntitle = 'A'\n[sitemap]\n  disable = true\n+++\n", "sitemap.disable: true"),
        (".. title: A\n.. status: private\n\nText\n", ".. status: private"),
        ("<!--\n.. status: draft\n-->\nText\n", ".. status: draft"),
    ],
)
def test_the_author_s_word_in_front_matter_keeps_a_page_out(text: str, line: str) -> None:
    assert opting_out(text, ()) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "draft: true\n",
        yaml("draft: false"),
        yaml("sitemap:\n  priority: 0.5\n  disable: false"),
        yaml("params:\n  draft: true"),
        yaml("private: maybe"),
        yaml("status: draft"),
        "---\ntitle: A\n---\nThe word draft: true stands here.\nsitemap: false\n",
        "+++\n[params]\ndraft = true\n+++\n",
        "PEP: 1\nStatus: Draft\n\nText\n",
    ],
)
def test_anything_else_keeps_nothing_out(text: str) -> None:
    assert opting_out(text, ()) == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Title: A\nStatus: hidden\n\nText\n", "Status: hidden"),
        ("A\n##\n:date: 2024-01-01\n:status: draft\n\nText\n", ":status: draft"),
        ("Title: A\nStatus: published\n\nText\n", ""),
        ("Title: A\n\nText\nStatus: hidden\n", ""),
    ],
)
def test_a_status_counts_in_a_project_of_pelican_s(text: str, line: str) -> None:
    assert opting_out(text, ["Pelican"]) == line


@pytest.mark.parametrize("unit", ["---\n", "a: {", "sitemap:\n", " ", "[a]\n", ".. status:", "a: {b: c, "])
def test_a_hostile_source_is_read_quickly(unit: str) -> None:
    assert opting_out(f"---\n{unit * 50_000}\n---\n", ["Pelican"]) == ""
