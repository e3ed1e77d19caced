"""What robots meta tags and headers say of being indexed."""

from __future__ import annotations

import pytest

from waypost.pages.indexing import NOTHING_SAID, Indexing, canonical_of_headers, is_over, of_headers, of_meta

NOINDEX, NO_NEWS = Indexing("noindex"), Indexing(is_no_news=True)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("robots", "noindex, nofollow", NOINDEX),
        ("GoogleBot", "NONE", Indexing("none")),
        ("bingbot", "noindex", NOINDEX),
        ("googlebot-news", "noindex", NO_NEWS),
        ("otherbot", "noindex", NOTHING_SAID),
        ("robots", "index, max-snippet:-1, max-image-preview:none", NOTHING_SAID),
        ("robots", "noindexing, nonee", NOTHING_SAID),
        ("robots", "unavailable_after: 2010-06-25", Indexing("", "2010-06-25")),
        ("robots", "unavailable_after: 25 Jun 2010 15:00:00 PST", Indexing("", "2010-06-25T23:00:00Z")),
        ("robots", "unavailable_after: 25-Aug-2007 15:00:00 EST, nofollow", Indexing("", "2007-08-25T20:00:00Z")),
        ("robots", "unavailable_after: Friday, 25-Jun-10 15:00:00 UTC", Indexing("", "2010-06-25T15:00:00Z")),
        ("robots", "unavailable_after: 2010-06-25, noindex", Indexing("noindex", "2010-06-25")),
        ("robots", "unavailable_after: none", NOTHING_SAID),
        ("robots", "unavailable_after: soon", NOTHING_SAID),
    ],
)
def test_a_meta_tag_speaks_for_the_crawler_in_its_name(name: str, content: str, said: Indexing) -> None:
    assert of_meta(name, content) == said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["otherbot: noindex"], NOTHING_SAID),
        (["otherbot: noindex, nofollow", "none"], Indexing("none")),
        (["googlebot: nofollow, otherbot: noindex"], NOTHING_SAID),
        (["otherbot: nofollow, googlebot: noindex"], NOINDEX),
        (["googlebot-news: noindex"], NO_NEWS),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], Indexing("", "2010-06-25T23:00:00Z")),
        (["max-snippet: 5, noindex"], NOINDEX),
        ([], NOTHING_SAID),
    ],
)
def test_a_header_speaks_for_the_crawler_that_is_named_before_a_directive(values: list[str], said: Indexing) -> None:
    assert of_headers(values) == said


@pytest.mark.parametrize(
    ("date", "now", "over"),
    [
        ("", "2026-01-01T00:00:00Z", False),
        ("2026-01-01", "2026-01-01T23:00:00Z", False),
        ("2026-01-01", "2026-01-02T00:00:00Z", True),
        ("2026-01-01T10:00:00Z", "2026-01-01T09:59:59Z", False),
        ("2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", True),
    ],
)
def test_a_date_without_a_time_ends_with_its_day(date: str, now: str, *, over: bool) -> None:
    assert is_over(date, now) is over


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("</a>; rel=canonical", "/a"),
        ("</b>; rel=preload, </a>; rel='canonical'", "/a"),
        ('</a>; title="x"; rel="alternate canonical"', "/a"),
        ("</a>; rel=canonicals", ""),
        ("/a; rel=canonical", ""),
    ],
)
def test_a_link_header_names_the_canonical_url(value: str, url: str) -> None:
    assert canonical_of_headers([value]) == url


@pytest.mark.parametrize("unit", ["unavailable_after:", "max-a:", "x: ", "</a>; rel=", "a" * 50 + ","])
def test_a_hostile_value_is_read_quickly(unit: str) -> None:
    text = unit * 5_000
    assert of_meta("robots", text).noindex == ""
    assert canonical_of_headers([text]) == ""
    assert of_headers([text]).noindex == ""
