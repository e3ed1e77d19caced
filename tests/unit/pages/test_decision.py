from dataclasses import replace
from typing import Any

import pytest
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.model import Example, Skipped
from waypost.core.reasons import Reason
from waypost.pages.decision import Decision, decide
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.pages.own_dates import NO_DATES, OwnDate, OwnDates
from waypost.pages.page_url import page_path
from waypost.settings.host_rules import AnsweredShapes, HeaderRule, HostRules, OneHost, PathPattern, PathRule
from waypost.settings.schema import Site

NOW = "2026-03-01T12:00:00Z"
FOREIGN = "https://other.example/"


def modified(date: str) -> OwnDates:
    return OwnDates(OwnDate(date, "dateModified"))


def decision_of(facts: PageFacts, key: str = "a.html", *, page_dates: bool = True) -> Decision:
    return decide(key, "https://example.org/a.html", facts, site(page_dates=page_dates), NOW)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (
            PageFacts(HtmlHead(noindex="none"), redirect="/b", robots_header="noindex", hidden_by="draft"),
            reasons.REDIRECT,
        ),
        (PageFacts(HtmlHead(noindex="none", refresh="/b"), robots_header="noindex"), reasons.NOINDEX),
        (PageFacts(HtmlHead(noindex="none", refresh="/b"), hidden_by="draft"), reasons.REFRESH),
        (PageFacts(HtmlHead(noindex="none", canonicals=("/c",)), hidden_by="draft"), reasons.NOINDEX),
        (PageFacts(HtmlHead(refresh="/b", canonicals=("/c",)), hidden_by="draft"), reasons.REFRESH),
        (PageFacts(HtmlHead(canonicals=("/c",)), hidden_by="draft"), reasons.UNPUBLISHED),
        (PageFacts(HtmlHead(canonicals=("/c",)), own_dates=modified("2026-01-01")), reasons.CANONICAL),
    ],
)
def test_the_first_rule_that_gives_a_reason_decides(facts: PageFacts, reason: Reason) -> None:
    found = decision_of(facts)
    assert found.skipped is not None
    assert found.skipped.reason is reason
    assert found.own_dates == NO_DATES


def test_a_warning_names_the_page_and_what_was_found() -> None:
    found = decision_of(PageFacts(HtmlHead(canonicals=(FOREIGN,)), own_dates=modified("2026-02-01")))
    assert found == Decision(None, modified("2026-02-01"), (("foreign-canonical", Example("a.html", FOREIGN)),))


def test_a_key_is_shown_in_visible_characters() -> None:
    found = decision_of(PageFacts(HtmlHead(canonicals=("/b",))), "a\n.html")
    assert found.skipped == Skipped("a\\n.html", reasons.CANONICAL, "https://example.org/b")
    found = decision_of(PageFacts(HtmlHead(canonicals=(FOREIGN,))), "a\n.html")
    assert found.warnings == (("foreign-canonical", Example("a\\n.html", FOREIGN)),)


@pytest.mark.parametrize(
    ("page_dates", "date", "believed"),
    [(True, "2026-03-01T12:00:00Z", True), (True, "2026-02-28", True), (False, "2026-02-28", False)],
)
def test_a_page_s_own_date_counts_where_the_settings_say_so(page_dates: bool, date: str, believed: bool) -> None:
    found = decision_of(PageFacts(own_dates=modified(date)), page_dates=page_dates)
    assert found == Decision(own_dates=modified(date) if believed else NO_DATES)


@pytest.mark.parametrize("date", ["1970-01-01", "1970-01-01T00:00:00Z", "1991-08-05", "0001-01-01"])
def test_a_date_before_the_web_began_is_warned_of_and_not_believed(date: str) -> None:
    found = decision_of(PageFacts(own_dates=modified(date)))
    assert (found.own_dates, [code for code, _ in found.warnings]) == (NO_DATES, ["wrong-page-date"])


def test_a_date_in_the_future_is_warned_of_and_not_believed_after_the_warnings_of_rules() -> None:
    found = decision_of(PageFacts(HtmlHead(canonicals=(FOREIGN,)), own_dates=modified("2027-01-01")))
    assert (found.skipped, found.own_dates) == (None, NO_DATES)
    assert [code for code, _ in found.warnings] == ["foreign-canonical", "wrong-page-date"]
    assert found.warnings[1][1] == Example("a.html", "2027-01-01")
    assert decision_of(PageFacts(own_dates=modified("2027-01-01")), page_dates=False) == Decision()


def test_a_date_that_is_not_believed_leaves_the_other_one() -> None:
    published = OwnDate("2020-01-01", "date")
    found = decision_of(PageFacts(own_dates=OwnDates(OwnDate("2027-01-01", "lastmod"), published)))
    assert found.own_dates == OwnDates(None, published)
    assert found.warnings == (("wrong-page-date", Example("a.html", "2027-01-01")),)


LOC = "https://example.org/a.html"
Warned = list[tuple[str, str]]
HEADERS = [
    HeaderRule(PathPattern("/a.html"), "x-robots-tag", "noindex"),
    HeaderRule(PathPattern("/b.html"), "link", '<https://example.org/c.html>; rel="canonical"'),
]


def decided(
    facts: PageFacts, the_site: Site | None = None, key: str = "a.html", loc: str = LOC
) -> tuple[Reason | None, str, Warned]:
    """The reason for which a page is left out, its detail, and the warnings with theirs."""
    decision = decide(key, loc, facts, the_site or site(), NOW)
    skipped = decision.skipped or Skipped(key, "")  # type: ignore[arg-type]
    return skipped.reason or None, skipped.detail, [(code, example.detail) for code, example in decision.warnings]


def canonical(*urls: str) -> PageFacts:
    return PageFacts(head=HtmlHead(canonicals=urls))


def refresh(target: str) -> PageFacts:
    return PageFacts(head=HtmlHead(refresh=target))


def hosted(**rules: Any) -> Site:
    """A site whose host has these rules."""
    return replace(site(), host_rules=HostRules([OneHost("a", **{"shapes": AnsweredShapes(), **rules})]))


@pytest.mark.parametrize(
    ("facts", "reason", "detail"),
    [
        (PageFacts(redirect="/b\n"), reasons.REDIRECT, "/b\\n"),
        (PageFacts(hidden_by="draft: true"), reasons.UNPUBLISHED, "draft: true"),
        (refresh("b.html"), reasons.REFRESH, "https://example.org/b.html"),
        (refresh(""), None, ""),
        (refresh("#top"), None, ""),
        (refresh(LOC), None, ""),
        (canonical("/"), reasons.CANONICAL, "https://example.org/"),
        (canonical("http://example.org/b.html"), reasons.CANONICAL, "http://example.org/b.html"),
        (canonical("https://www.example.org/b"), reasons.CANONICAL, "https://www.example.org/b"),
        (canonical("https://example.org/repo/a.html"), reasons.CANONICAL, "https://example.org/repo/a.html"),
    ],
)
def test_a_rule_gives_its_reason_with_what_decided(facts: PageFacts, reason: Reason | None, detail: str) -> None:
    assert decided(facts) == (reason, detail, [])


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        ("https://www.example.org/a.html", ["canonical-origin"]),
        ("http://example.org/a?lang=en", ["canonical-origin", "canonical-query"]),
        ("https://example.org/A.html", ["canonical-case"]),
        ("https://example.org//a.html", ["canonical-slashes"]),
        ("https://other.example/", ["foreign-canonical"]),
    ],
)
def test_a_page_that_names_itself_in_another_form_or_another_site_stays_with_warnings(
    url: str, codes: list[str]
) -> None:
    assert decided(canonical(url)) == (None, "", [(code, url) for code in codes])


def test_a_canonical_link_below_another_folder_of_the_host_that_all_pages_name_is_the_page_s_own() -> None:
    the_site = replace(site(), other_base="https://example.org/repo/")
    assert decided(canonical("https://example.org/repo/a.html"), the_site) == (None, "", [])


# What the host says


@pytest.mark.parametrize(
    ("target", "reason"),
    [("/b.html", reasons.HOST_REDIRECT), ("https://other.dev/", reasons.HOST_REDIRECT), ("/a", None), (LOC, None)],
)
def test_a_page_whose_url_the_host_redirects_elsewhere_is_left_out(target: str, reason: Reason | None) -> None:
    assert decided(PageFacts(), hosted(redirects=[PathRule(PathPattern("/a.html"), target)]))[0] == reason


def test_a_header_of_the_host_counts_as_if_the_server_had_sent_it() -> None:
    the_site, b = hosted(headers=HEADERS), ("b.html", "https://example.org/b.html")
    assert decided(PageFacts(), the_site) == (reasons.NOINDEX, "noindex, in a header", [])
    assert decided(PageFacts(), the_site, *b) == (reasons.CANONICAL, "https://example.org/c.html", [])
    assert decided(canonical("b.html"), the_site, *b) == (None, "", [])


def test_a_canonical_link_to_a_form_that_the_host_redirects_is_warned_of() -> None:
    facts, d = canonical("https://example.org/d"), ("d/index.html", "https://example.org/d")
    shapes = AnsweredShapes(folder=("slash", "file"))
    assert decided(facts, hosted(shapes=shapes), *d) == (None, "", [("canonical-redirected", "https://example.org/d")])
    assert decided(facts, hosted(), *d) == (None, "", [])


@pytest.mark.parametrize(("is_certain", "code"), [(True, "canonical-unserved"), (False, "canonical-redirected")])
def test_a_canonical_link_that_the_known_host_answers_with_404_does_not_decide(code: str, *, is_certain: bool) -> None:
    facts, d = canonical("https://example.org/d/"), ("d.html", "https://example.org/d/")
    shapes = AnsweredShapes(page=("bare", "file"), missing=("slash",))
    the_site = replace(site(), host_rules=HostRules([OneHost("a", shapes)], is_certain=is_certain))
    assert decided(facts, the_site, *d) == (None, "", [(code, "https://example.org/d/")])
    listed = page_path("d.html", the_site, facts.head).path
    assert listed == ("d.html" if is_certain else "d/")


@pytest.mark.parametrize(("key", "is_hidden"), [("_modules/a.html", True), ("a/_b.html", True), ("a_b/c.html", False)])
def test_names_that_the_host_does_not_publish_are_left_out_with_a_warning(key: str, is_hidden: bool) -> None:
    found = decided(PageFacts(), hosted(hides_underscores=True), key)
    assert found == ((reasons.HOST_HIDES, "", [("not-published", "")]) if is_hidden else (None, "", []))
    assert decided(PageFacts(), hosted(), key) == (None, "", [])
