"""Which URLs without a file are listed beside the pages of a site."""

from __future__ import annotations

from typing import Any

from unit.build.test_lister import NO_DATES, MemorySource
from unit.sample_sites import site

from waypost.build.lister import Lister, Listing
from waypost.core.model import Page, PageDating, UrlEntry

BASE = "https://example.org/"
HTML = "<title>a</title><body><p>text"


def listing(*entries: UrlEntry, files: dict[str, str | bytes | OSError] | None = None, **settings: Any) -> Listing:
    source = MemorySource(files or {"index.html": HTML})
    the_site = site(lastmod="none", **settings)
    return Lister(source, the_site, NO_DATES, lambda stage, done, total: None, entries=entries).listing()


def left_out(found: Listing) -> dict[str, tuple[str, str]]:
    return {each.key: (each.reason, each.detail) for each in found.skipped}


def test_urls_are_listed_among_the_pages_in_the_order_of_their_keys() -> None:
    entries = (UrlEntry(f"{BASE}z"), UrlEntry(f"{BASE}a?b=1", "2026-02-01", "daily", "0.5"))
    found = listing(*entries)
    assert found.pages == [
        Page("a?b=1", f"{BASE}a?b=1", "", "2026-02-01", "daily", "0.5"),
        Page("index.html", BASE),
        Page("z", f"{BASE}z"),
    ]
    assert found.entry_keys == {"a?b=1", "z"}
    assert found.datings["z"] == PageDating("url-list", ("urls[0]",))


def test_the_site_s_file_decides_about_a_url_in_any_form_of_it() -> None:
    files: dict[str, str | bytes | OSError] = {
        "index.html": HTML,
        "docs/index.html": HTML + "b",
        "old.html": '<title>a</title><meta name="robots" content="noindex">',
    }
    locs = (BASE, f"{BASE}docs", f"{BASE}docs/index.html", f"{BASE}old", f"{BASE}docs/?page=2")
    found = listing(*map(UrlEntry, locs), files=files)
    assert [page.loc for page in found.pages] == [f"{BASE}docs/?page=2", f"{BASE}docs/", BASE]
    assert {loc: left_out(found)[loc] for loc in locs[:4]} == {
        locs[0]: ("own-file", "index.html"),
        locs[1]: ("own-file", "docs/index.html"),
        locs[2]: ("own-file", "docs/index.html"),
        locs[3]: ("own-file", "old.html"),
    }


def test_settings_and_robots_txt_leave_out_urls_too() -> None:
    files: dict[str, str | bytes | OSError] = {
        "index.html": HTML,
        "robots.txt": "User-agent: *\nDisallow: /cart",
    }
    locs = (f"{BASE}cart?a=1", f"{BASE}drafts/a", "https://example.com/a", f"{BASE}{'a' * 2_048}")
    found = listing(*map(UrlEntry, locs), files=files, exclude=["/drafts/"])
    assert [page.loc for page in found.pages] == [BASE]
    reasons = {loc: reason for loc, (reason, _) in left_out(found).items()}
    assert [reasons[loc] for loc in locs] == ["robots-txt", "excluded", "foreign-url", "loc-too-long"]


def test_a_url_that_two_sitemaps_list_is_listed_once_as_the_first_has_it() -> None:
    first = UrlEntry(f"{BASE}a", "2026-02-01", where="one.xml", line=3)
    second = UrlEntry(f"{BASE}a", "2026-02-02", where="two.xml", line=4)
    found = listing(first, second)
    assert [page.lastmod for page in found.pages] == ["2026-02-01", None]
    assert left_out(found)[f"{BASE}a"] == ("listed-twice", "line 4 of two.xml, after line 3 of one.xml")


def test_what_the_list_does_not_say_of_a_url_the_settings_may() -> None:
    overrides = [{"match": ["/shop/"], "changefreq": "weekly", "priority": 0.9}]
    entries = UrlEntry(f"{BASE}shop/a", priority="0.1"), UrlEntry(f"{BASE}shop/b", group="other", images=(f"{BASE}b",))
    found = listing(*entries, overrides=overrides, groups={"shop": ["/shop/"], "other": ["/x/"]}, images=True)
    assert found.pages[1:] == [
        Page("shop/a", f"{BASE}shop/a", "shop", None, "weekly", "0.1"),
        Page("shop/b", f"{BASE}shop/b", "other", None, "weekly", "0.9", images=(f"{BASE}b",)),
    ]


def test_alternates_count_if_both_name_one_another_a_file_or_not() -> None:
    link = '<link rel="alternate" hreflang="de" href="/de/a"><link rel="alternate" hreflang="en" href="/a.html">'
    both = (("de", "/de/a"), ("en", "/a.html"))
    files: dict[str, str | bytes | OSError] = {"a.html": link + HTML}
    found = listing(UrlEntry(f"{BASE}de/a", alternates=both), files=files, alternates=True)
    assert [page.alternates for page in found.pages] == [(("de", f"{BASE}de/a"), ("en", f"{BASE}a.html"))] * 2
    found = listing(UrlEntry(f"{BASE}de/a", alternates=both), files={"a.html": HTML}, alternates=True)
    assert [page.alternates for page in found.pages] == [(), ()]
    assert {each.code: each.count for each in found.warnings} == {"alternate-unreturned": 1}
