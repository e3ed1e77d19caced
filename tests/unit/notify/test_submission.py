"""Submissions as cells of a table."""

import pytest

from waypost.notify.submission import COLUMNS, SitemapStatus, Submission, SubmittedContent, cells


def row(status: SitemapStatus | None, *, is_submitted: bool = True, problem: str = "") -> list[str]:
    """The cells after the engine and the sitemap."""
    found = cells(Submission("google", "https://www.waypost.dev/", "x.xml", is_submitted, status, problem))
    assert (found[0], found[1], len(found)) == ("google", "x.xml", len(COLUMNS))
    return list(found[2:])


def test_all_that_an_engine_says_is_shown() -> None:
    contents = (SubmittedContent("web", 1_234), SubmittedContent("image", 5))
    status = SitemapStatus(None, "2026-11-20T10:15:00Z", False, "", False, 0, 1_000, 1_239, contents)
    assert row(status) == ["processed", "2026-11-20 10:15 UTC", "0", "1,000", "1,234 web, 5 image"]


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        (SitemapStatus(is_pending=True), ["pending", "never", "-", "-", "-"]),
        (SitemapStatus(state="Success", url_count=7), ["Success", "never", "-", "-", "7"]),
        (SitemapStatus(last_downloaded="2026-11-20"), ["known", "2026-11-20", "-", "-", "-"]),
        (None, ["submitted", "-", "-", "-", "-"]),
    ],
)
def test_what_an_engine_does_not_say_is_a_dash(status: SitemapStatus | None, shown: list[str]) -> None:
    assert row(status) == shown


@pytest.mark.parametrize(("is_submitted", "state"), [(True, "not read back"), (False, "failed")])
def test_a_failure_says_whether_the_sitemap_was_submitted(is_submitted: bool, state: str) -> None:
    assert row(None, is_submitted=is_submitted, problem="no") == [state, "-", "-", "-", "-"]
