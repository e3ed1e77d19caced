from dataclasses import replace
from typing import Any

import pytest
from unit.sample_sites import site

from waypost.core import reasons, urls
from waypost.core.reasons import Reason
from waypost.pages import content_rules
from waypost.pages.content_rules import Candidate, ContentRule, RuleAnswer
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.settings.host_paths import PathPattern
from waypost.settings.host_rules import AnsweredShapes, HeaderRule, HostRules, OneHost, PathRule

NOW = "2026-11-26T00:00:00Z"
LOC = "https://example.org/a.html"


def page(facts: PageFacts, loc: str = LOC, foreign_canonical: str = "warn") -> Candidate:
    return Candidate("a.html", loc, facts, site(foreign_canonical=foreign_canonical), NOW)


@pytest.mark.parametrize(
    ("rule", "facts", "reason", "detail"),
    [
        (content_rules.redirect, PageFacts(redirect="/b.html"), reasons.REDIRECT, "/b.html"),
        (content_rules.redirect, PageFacts(redirect="/b\n"), reasons.REDIRECT, "/b\\n"),
        (content_rules.robots_header, PageFacts(robots_header="noindex"), reasons.NOINDEX, "noindex, in a header"),
        (content_rules.robots_meta, PageFacts(head=HtmlHead(noindex="none")), reasons.NOINDEX, "none"),
        (
            content_rules.refresh,
            PageFacts(head=HtmlHead(refresh="b.html")),
            reasons.REFRESH,
            "https://example.org/b.html",
        ),
        (content_rules.front_matter, PageFacts(hidden_by="draft: true"), reasons.UNPUBLISHED, "draft: true"),
    ],
)
def test_a_rule_gives_its_reason_with_what_decided(
    rule: ContentRule, facts: PageFacts, reason: Reason, detail: str
) -> None:
    assert rule(page(facts)) == RuleAnswer(reason, detail)


@pytest.mark.parametrize("rule", content_rules.CONTENT_RULES)
def test_no_rule_concerns_a_page_that_says_nothing(rule: ContentRule) -> None:
    assert rule(page(PageFacts())) is None


@pytest.mark.parametrize("header", ["nofollow"])
def test_a_header_that_allows_indexing_leaves_the_page_in(header: str) -> None:
    assert content_rules.robots_header(page(PageFacts(robots_header=header))) is None


@pytest.mark.parametrize("target", ["", "a.html", LOC])
def test_a_refresh_to_the_page_itself_leaves_it_in(target: str) -> None:
    assert content_rules.refresh(page(PageFacts(head=HtmlHead(refresh=target)))) is None


@pytest.mark.parametrize("canonicals", [("a.html",), (LOC,), ("",), ("b.html", "c.html"), ("mailto:a@example.org",)])
def test_a_canonical_that_names_no_other_page_leaves_the_page_in(canonicals: tuple[str, ...]) -> None:
    assert content_rules.canonical(page(PageFacts(head=HtmlHead(canonicals=canonicals)))) is None


@pytest.mark.parametrize("href", ["/b.html", "/", "http://example.org/b.html"])
def test_a_canonical_that_names_another_page_of_the_site_leaves_the_page_out(href: str) -> None:
    target = urls.normalize(href, LOC)
    answer = content_rules.canonical(page(PageFacts(head=HtmlHead(canonicals=(href,)))))
    assert answer == RuleAnswer(reasons.CANONICAL, str(target))


@pytest.mark.parametrize(
    ("href", "codes"),
    [
        ("/a", ()),
        ("http://example.org/a?lang=en", ("canonical-origin", "canonical-query")),
        ("/A.html", ("canonical-case",)),
    ],
)
def test_a_canonical_that_names_the_page_itself_in_another_form_keeps_it_and_may_warn(
    href: str, codes: tuple[str, ...]
) -> None:
    answer = content_rules.canonical(page(PageFacts(head=HtmlHead(canonicals=(href,)))))
    warnings = tuple((code, urls.normalize(href, LOC)) for code in codes)
    assert answer == (RuleAnswer(None, warnings=warnings) if codes else None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("setting", "answer"),
    [
        ("warn", RuleAnswer(None, warnings=(("foreign-canonical", "https://other.example/"),))),
        ("skip", RuleAnswer(reasons.FOREIGN_CANONICAL, "https://other.example/")),
    ],
)
def test_the_setting_decides_on_a_canonical_of_another_site(setting: str, answer: RuleAnswer) -> None:
    facts = PageFacts(head=HtmlHead(canonicals=("https://other.example/",)))
    assert content_rules.canonical(page(facts, foreign_canonical=setting)) == answer


def hosted(loc: str = LOC, key: str = "a.html", facts: PageFacts | None = None, **rules: Any) -> Candidate:
    """A page of a site whose host has these rules."""
    one = OneHost("a", **{"shapes": AnsweredShapes(), **rules})
    return Candidate(key, loc, facts or PageFacts(), replace(site(), host_rules=HostRules([one])), NOW)


@pytest.mark.parametrize(
    ("target", "is_left_out"), [("/b.html", True), ("https://other.dev/", True), ("/a.html", False), (LOC, False)]
)
def test_a_page_whose_url_the_host_redirects_elsewhere_is_left_out(target: str, is_left_out: bool) -> None:
    found = content_rules.redirect(hosted(redirects=[PathRule(PathPattern("/a.html"), target)]))
    assert (found and found.reason) == (reasons.HOST_REDIRECT if is_left_out else None)


def test_a_header_of_the_host_counts_as_if_the_server_had_sent_it() -> None:
    headers = [
        HeaderRule(PathPattern("/a.html"), "x-robots-tag", "noindex"),
        HeaderRule(PathPattern("/a.html"), "link", '<https://example.org/b.html>; rel="canonical"'),
    ]
    page = hosted(headers=headers)
    assert content_rules.robots_header(page) == RuleAnswer(reasons.NOINDEX, "noindex, in a header")
    assert content_rules.canonical(page) == RuleAnswer(reasons.CANONICAL, "https://example.org/b.html")
    own = hosted(headers=headers, facts=PageFacts(head=HtmlHead(canonicals=(LOC,))))
    assert content_rules.canonical(own) is None


def test_a_canonical_link_to_a_form_that_the_host_redirects_is_warned_of() -> None:
    facts = PageFacts(head=HtmlHead(canonicals=("https://example.org/d",)))
    shapes = AnsweredShapes(folder=("slash", "file"))
    found = content_rules.canonical(hosted("https://example.org/d", "d/index.html", facts, shapes=shapes))
    assert found == RuleAnswer(None, warnings=(("canonical-redirected", "https://example.org/d"),))
    assert content_rules.canonical(hosted("https://example.org/d", "d/index.html", facts)) is None


@pytest.mark.parametrize(("key", "is_hidden"), [("_modules/a.html", True), ("a/_b.html", True), ("a.html", False)])
def test_names_that_the_host_does_not_publish_are_left_out_with_a_warning(key: str, is_hidden: bool) -> None:
    found = content_rules.host_hides(hosted(key=key, hides_underscores=True))
    assert found == (RuleAnswer(reasons.HOST_HIDES, "", (("not-published", ""),)) if is_hidden else None)
    assert content_rules.host_hides(hosted(key=key)) is None


def test_a_canonical_link_with_several_slashes_names_the_page_with_a_warning() -> None:
    found = content_rules.canonical(page(PageFacts(head=HtmlHead(canonicals=("https://example.org//a.html",)))))
    assert found == RuleAnswer(None, warnings=(("canonical-slashes", "https://example.org//a.html"),))


def test_a_canonical_link_below_another_folder_of_the_host_that_all_pages_name_is_the_page_s_own() -> None:
    facts = PageFacts(head=HtmlHead(canonicals=("https://example.org/repo/a.html",)))
    assert content_rules.canonical(page(facts)) == RuleAnswer(reasons.CANONICAL, "https://example.org/repo/a.html")
    moved = Candidate("a.html", LOC, facts, replace(site(), other_base="https://example.org/repo/"), NOW)
    assert content_rules.canonical(moved) is None
