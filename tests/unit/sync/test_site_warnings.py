"""Warnings about objects that were read: a code, a sentence, how many, and the first examples."""

from __future__ import annotations

from unit.sample_sites import site

from waypost.core.model import Example, SiteWarning
from waypost.core.warnings import WARNINGS
from waypost.rules.facts import PageFacts
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.html_head import Head
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sync.site_warnings import hreflang_warnings, page_warnings, unreadable_warning

SITE, NOW = site(page_dates=True), "2026-11-21T00:00:00Z"


def snapshot(own_date: str | None = None, *canonicals: str) -> ObjectSnapshot:
    return ObjectSnapshot("etag", PageFacts(Head(canonicals=canonicals), own_date=own_date))


def test_ordinary_pages_and_objects_that_are_gone_give_no_warning() -> None:
    assert page_warnings({"a.html": snapshot("2026-01-01"), "b.html": None}, SITE, NOW) == ()
    assert hreflang_warnings([]) == unreadable_warning({}) == ()


def test_pages_are_counted_by_warning_and_named_as_examples() -> None:
    seen = {
        "a.html": snapshot("2027-01-01"),
        "b.html": snapshot(None, "https://other.example/"),
        "c.html": snapshot("2028-01-01"),
    }
    found = {warning.code: warning for warning in page_warnings(seen, SITE, NOW)}
    assert found == {
        "wrong-page-date": SiteWarning(
            "wrong-page-date",
            WARNINGS["wrong-page-date"].message,
            2,
            (Example("a.html", "2027-01-01"), Example("c.html", "2028-01-01")),
        ),
        "foreign-canonical": SiteWarning(
            "foreign-canonical",
            WARNINGS["foreign-canonical"].message,
            1,
            (Example("b.html", "https://other.example/"),),
        ),
    }


def test_a_warning_counts_all_and_names_the_first_three() -> None:
    (warning,) = unreadable_warning({f"{n}.html": "AccessDenied" for n in range(10)})
    assert (warning.code, warning.count) == ("unreadable", 10)
    assert warning.examples == tuple(Example(f"{n}.html", "AccessDenied") for n in range(3))


def test_links_that_were_not_accepted_are_warned_of_by_their_kind() -> None:
    issues = [
        HreflangIssue(
            code="alternate-unreturned", loc="https://example.org/a.html", detail="https://example.org/b.html"
        ),
        HreflangIssue(code="hreflang-code", loc="https://example.org/a.html", detail="xx-\x07"),
    ]
    found = hreflang_warnings(issues)
    assert [(each.code, each.count) for each in found] == [("alternate-unreturned", 1), ("hreflang-code", 1)]
    assert found[1].examples == (Example("https://example.org/a.html", "xx-\\x07"),)


def test_keys_of_unreadable_objects_are_shown_without_control_characters() -> None:
    (warning,) = unreadable_warning({"a\x07.html": "AccessDenied"})
    assert warning.examples == (Example("a\\x07.html", "AccessDenied"),)
