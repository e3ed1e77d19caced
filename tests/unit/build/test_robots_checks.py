"""What the robots.txt of a site says of its sitemaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sites import Build

if TYPE_CHECKING:
    from sites import Write

BLOCKS = "User-agent: *\nDisallow: /*.xml$\n"
SIGNALS = "Content-Signal: search=maybe\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"
JOINS = "User-agent: *\nCrawl-delay: 1\nUser-agent: bad\nDisallow: /x\n"
PAGE = "<!doctype html><title>a</title>"


@pytest.mark.parametrize(
    ("text", "base_url", "codes"),
    [
        (BLOCKS, "https://example.org/", {"sitemap-disallowed"}),
        (BLOCKS, "https://example.org/docs/", set()),
        (JOINS, "https://example.org/", {"robots-groups"}),
        (SIGNALS, "https://example.org/", {"content-signal"}),
        (SIGNALS, "https://example.org/docs/", set()),
        ("User-agent: *\nDisallow: /x\n", "https://example.org/", set()),
        ("User-agent: *\nContent-Signal: search=yes\nDisallow: /x\n", "https://example.org/", set()),
    ],
    ids=[
        "it blocks the sitemap",
        "crawlers do not read it there",
        "a delay joins groups",
        "a signal is wrong",
        "nobody reads the signal",
        "nothing is wrong",
        "a signal is right",
    ],
)
def test_a_robots_txt_that_hides_the_sitemap_or_is_read_in_two_ways_is_warned_of(
    write: Write, text: str, base_url: str, codes: set[str]
) -> None:
    found = Build().plan(write({"index.html": PAGE, "robots.txt": text}), base_url)
    of_robots = {"sitemap-disallowed", "robots-groups", "content-signal"}
    assert {each.code for each in found.warnings} & of_robots == codes


def test_llms_txt_is_no_sitemap_that_crawlers_must_read(write: Write) -> None:
    site = write({"index.html": PAGE, "robots.txt": "User-agent: *\nDisallow: /*.txt$\n"})
    found = Build().plan(site, "https://www.waypost.dev/", formats=["xml", "llms"])
    assert [each.code for each in found.warnings] == []
