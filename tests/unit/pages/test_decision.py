import pytest
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.model import Example, Skipped
from waypost.core.reasons import Reason
from waypost.pages.decision import Decision, decide
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead

NOW = "2026-03-01T12:00:00Z"
FOREIGN = "https://other.example/"


def decided(facts: PageFacts, key: str = "a.html", *, page_dates: bool = True) -> Decision:
    return decide(key, "https://example.org/a.html", facts, site(page_dates=page_dates), NOW)


def test_a_page_that_no_rule_concerns_is_listed_without_a_date_or_a_warning() -> None:
    assert decided(PageFacts()) == Decision()


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (
            PageFacts(HtmlHead(noindex="none"), redirect="/b", robots_header="noindex", hidden_by="draft"),
            reasons.REDIRECT,
        ),
        (PageFacts(HtmlHead(noindex="none", refresh="/b"), hidden_by="draft"), reasons.NOINDEX),
        (PageFacts(HtmlHead(refresh="/b", canonicals=("/c",)), hidden_by="draft"), reasons.REFRESH),
        (PageFacts(HtmlHead(canonicals=("/c",)), hidden_by="draft"), reasons.UNPUBLISHED),
        (PageFacts(HtmlHead(canonicals=("/c",)), own_date="2026-01-01"), reasons.CANONICAL),
    ],
)
def test_the_first_rule_that_gives_a_reason_decides(facts: PageFacts, reason: Reason) -> None:
    found = decided(facts)
    assert found.skipped is not None
    assert found.skipped.reason is reason
    assert found.own_date is None


def test_a_warning_names_the_page_and_what_was_found() -> None:
    found = decided(PageFacts(HtmlHead(canonicals=(FOREIGN,)), own_date="2026-02-01"))
    assert found == Decision(None, "2026-02-01", (("foreign-canonical", Example("a.html", FOREIGN)),))


def test_a_key_is_shown_in_visible_characters() -> None:
    found = decided(PageFacts(HtmlHead(canonicals=("/b",))), "a\n.html")
    assert found.skipped == Skipped("a\\n.html", reasons.CANONICAL, "https://example.org/b")
    found = decided(PageFacts(HtmlHead(canonicals=(FOREIGN,))), "a\n.html")
    assert found.warnings == (("foreign-canonical", Example("a\\n.html", FOREIGN)),)


@pytest.mark.parametrize(
    ("page_dates", "date", "believed"),
    [(True, "2026-03-01T12:00:00Z", True), (True, "2026-02-28", True), (False, "2026-02-28", False)],
)
def test_a_page_s_own_date_counts_where_the_settings_say_so(page_dates: bool, date: str, believed: bool) -> None:
    found = decided(PageFacts(own_date=date), page_dates=page_dates)
    assert found == Decision(own_date=date if believed else None)


@pytest.mark.parametrize("date", ["1970-01-01", "1970-01-01T00:00:00Z", "1991-08-05", "0001-01-01"])
def test_a_date_before_the_web_began_is_warned_of_and_not_believed(date: str) -> None:
    found = decided(PageFacts(own_date=date))
    assert (found.own_date, [code for code, _ in found.warnings]) == (None, ["wrong-page-date"])


def test_a_date_in_the_future_is_warned_of_and_not_believed_after_the_warnings_of_rules() -> None:
    found = decided(PageFacts(HtmlHead(canonicals=(FOREIGN,)), own_date="2027-01-01"))
    assert (found.skipped, found.own_date) == (None, None)
    assert [code for code, _ in found.warnings] == ["foreign-canonical", "wrong-page-date"]
    assert found.warnings[1][1] == Example("a.html", "2027-01-01")
    assert decided(PageFacts(own_date="2027-01-01"), page_dates=False) == Decision()
