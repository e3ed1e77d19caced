"""Answers about a bucket as lines of text."""

from __future__ import annotations

import pytest

from waypost.build.bucket_check import CheckAnswer, Drift, KeySample, check_lines
from waypost.build.status import StatusAnswer, status_lines

NONE = KeySample(0, ())


def status(age_seconds: int | None, built_at: str | None = "2026-03-01T00:00:00Z") -> StatusAnswer:
    return StatusAnswer("https://example.org/", "up to date", built_at, age_seconds, 1_234, 1, {"noindex": 2}, ())


def test_a_status_has_a_line_for_each_fact() -> None:
    assert list(status_lines(status(7_199))) == [
        "https://example.org/",
        "  state      up to date",
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
    assert f"  built      2026-03-01T00:00:00Z, {text} ago" in status_lines(status(seconds))


def test_a_state_that_was_never_built_has_no_age() -> None:
    assert "  built      never" in status_lines(status(None, None))


def test_a_check_has_its_drift_and_the_files_that_are_wrong() -> None:
    drift = Drift(KeySample(5, ("a", "b", "c", "d", "e")), NONE, NONE)
    answer = CheckAnswer(in_sync=False, state="up to date", drift=drift, files={"sitemap.xml": "is missing"})
    assert list(check_lines(answer)) == [
        "  in sync    no",
        "  state      up to date",
        "  new        5 (a, b, c, d and 1 more)",
        "  changed    0",
        "  removed    0",
        "  file       sitemap.xml is missing",
    ]


def test_a_check_of_a_state_that_is_being_built_has_only_its_text() -> None:
    lines = list(check_lines(CheckAnswer(in_sync=False, state="a build is under way")))
    assert lines == ["  in sync    no", "  state      a build is under way"]
