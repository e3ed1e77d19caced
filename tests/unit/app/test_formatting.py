"""Answers as lines of text."""

from __future__ import annotations

import pytest

from waypost.app import formatting
from waypost.core.model import Changes
from waypost.sync.answers import CheckAnswer, Drift, Explanation, KeySample, StatusAnswer, excluded

NONE = KeySample(0, ())


def status(age_seconds: int | None, built_at: str | None = "2026-03-01T00:00:00Z") -> StatusAnswer:
    return StatusAnswer("https://example.org/", "up to date", 3, built_at, age_seconds, 1_234, 1, {"noindex": 2}, ())


def test_a_status_has_a_line_for_each_fact() -> None:
    assert list(formatting.status_lines(status(7_199))) == [
        "https://example.org/",
        "  state      up to date",
        "  generation 3",
        "  built      2026-03-01T00:00:00Z, 1 hour ago",
        "  listed     1,234 URLs in 1 sitemap",
        "  left out   2 noindex",
        "  to submit  nothing",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 seconds"), (59, "59 seconds"), (60, "1 minute"), (86_399, "23 hours"), (172_800, "2 days")],
)
def test_an_age_is_in_its_largest_whole_unit(seconds: int, text: str) -> None:
    assert f"  built      2026-03-01T00:00:00Z, {text} ago" in formatting.status_lines(status(seconds))


def test_a_ledger_that_was_never_built_has_no_age() -> None:
    assert "  built      never" in formatting.status_lines(status(None, None))


def test_a_check_has_its_drift_and_the_files_that_are_wrong() -> None:
    drift = Drift(KeySample(5, ("a", "b", "c", "d", "e")), NONE, NONE)
    answer = CheckAnswer(in_sync=False, state="up to date", drift=drift, files={"sitemap.xml": "is missing"})
    assert list(formatting.check_lines(answer)) == [
        "  in sync    no",
        "  state      up to date",
        "  new        5 (a, b, c, d and 1 more)",
        "  changed    0",
        "  removed    0",
        "  file       sitemap.xml is missing",
    ]


def test_a_check_of_a_ledger_that_is_being_built_has_only_its_state() -> None:
    lines = list(formatting.check_lines(CheckAnswer(in_sync=False, state="a build is under way")))
    assert lines == ["  in sync    no", "  state      a build is under way"]


def test_an_explanation_names_the_folder_that_decided_it() -> None:
    own = excluded("a.html", "noindex", "it says so")
    folder = excluded("lib/a.html", "dependency", "it is in node_modules", "lib/")
    assert list(formatting.explanation_lines(own)) == ["a.html", "  left out  noindex: it says so"]
    assert list(formatting.explanation_lines(folder))[-1] == "  decided   for the folder lib/"


def test_an_explanation_of_a_page_in_a_bucket_has_what_the_ledger_knows() -> None:
    page = Explanation(
        "a.html", listed=True, loc="https://example.org/a", lastmod=None, no_date_reason="", sitemap=None, ledger="new"
    )
    assert list(formatting.explanation_lines(page)) == [
        "a.html",
        "  listed    https://example.org/a",
        "  lastmod   none",
        "  sitemap   none",
        "  ledger    new",
    ]


def test_the_first_ten_urls_of_each_kind_of_change_are_printed() -> None:
    added = tuple(f"https://example.org/{n:02}" for n in range(12))
    lines = list(formatting.change_lines(Changes(added=added, removed=("https://example.org/x",))))
    assert lines[:2] == ["added (12):", "  + https://example.org/00"]
    assert lines[10:] == [
        "  + https://example.org/09",
        "  … and 2 more; --json lists all",
        "removed (1):",
        "  - https://example.org/x",
    ]
    assert list(formatting.change_lines(Changes())) == []
