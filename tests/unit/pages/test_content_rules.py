"""Which pages their contents, their headers and their host leave out, and with which warnings others stay."""

from dataclasses import replace
from typing import Any

import pytest
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.model import Skipped
from waypost.core.reasons import Reason
from waypost.pages import decision
from waypost.pages.decision import Candidate, ContentRule, RuleAnswer
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.settings.host_rules import AnsweredShapes, HeaderRule, HostRules, OneHost, PathPattern, PathRule
from waypost.pages.decision import decide
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.settings.host_paths import PathPattern
from waypost.settings.host_rules import AnsweredShapes, HeaderRule, HostRules, OneHost, PathRule
from waypost.settings.schema import Site

NOW = "2026-11-26T00:00:00Z"
LOC = "https://example.org/a.html"
Warned = list[tuple[str, str]]


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
<<<<<<< HEAD
        (decision.redirect, PageFacts(redirect="/b.html"), reasons.REDIRECT, "/b.html"),
        (decision.redirect, PageFacts(redirect="/b\n"), reasons.REDIRECT, "/b\\n"),
        (decision.robots_header, PageFacts(robots_header="noindex"), reasons.NOINDEX, "noindex, in a header"),
        (decision.robots_meta, PageFacts(head=HtmlHead(noindex="none")), reasons.NOINDEX, "none"),
        (
            decision.refresh,
            PageFacts(head=HtmlHead(refresh="b.html")),
            reasons.REFRESH,
            "https://example.org/b.html",
        ),
        (decision.front_matter, PageFacts(hidden_by="draft: true"), reasons.UNPUBLISHED, "draft: true"),
=======
        (PageFacts(), None, ""),
        (PageFacts(redirect="/b.html"), reasons.REDIRECT, "/b.html"),
        (PageFacts(redirect="/b\n"), reasons.REDIRECT, "/b\\n"),
        (PageFacts(robots_header="noindex"), reasons.NOINDEX, "noindex, in a header"),
        (PageFacts(robots_header="index, follow"), None, ""),
        (PageFacts(head=HtmlHead(noindex="none")), reasons.NOINDEX, "none"),
        (PageFacts(hidden_by="draft: true"), reasons.UNPUBLISHED, "draft: true"),
        (refresh("b.html"), reasons.REFRESH, "https://example.org/b.html"),
        (refresh(""), None, ""),
        (refresh("#top"), None, ""),
        (refresh(LOC), None, ""),
        (canonical("/b.html"), reasons.CANONICAL, "https://example.org/b.html"),
        (canonical("/"), reasons.CANONICAL, "https://example.org/"),
        (canonical("http://example.org/b.html"), reasons.CANONICAL, "http://example.org/b.html"),
        (canonical("https://www.example.org/b"), reasons.CANONICAL, "https://www.example.org/b"),
        (canonical("https://example.org/repo/a.html"), reasons.CANONICAL, "https://example.org/repo/a.html"),
        (canonical("a.html"), None, ""),
        (canonical(LOC), None, ""),
        (canonical("/a/"), None, ""),
        (canonical(""), None, ""),
        (canonical("b.html", "c.html"), None, ""),
        (canonical("mailto:a@example.org"), None, ""),
>>>>>>> 4eabc1db470a8c6413b24a271551de2e8e83d331
    ],
)
def test_a_rule_gives_its_reason_with_what_decided(facts: PageFacts, reason: Reason | None, detail: str) -> None:
    assert decided(facts) == (reason, detail, [])


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        ("http://example.org/a", ["canonical-origin"]),
        ("https://www.example.org/a.html", ["canonical-origin"]),
        ("https://example.org/a?lang=en", ["canonical-query"]),
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


<<<<<<< HEAD
@pytest.mark.parametrize("rule", decision.CONTENT_RULES)
def test_no_rule_concerns_a_page_that_says_nothing(rule: ContentRule) -> None:
    assert rule(page(PageFacts())) is None


@pytest.mark.parametrize("header", ["nofollow", "index, follow", "max-snippet:0"])
def test_a_header_that_allows_indexing_leaves_the_page_in(header: str) -> None:
    assert decision.robots_header(page(PageFacts(robots_header=header))) is None


@pytest.mark.parametrize("target", ["", "a.html", LOC, "#top"])
def test_a_refresh_to_the_page_itself_leaves_it_in(target: str) -> None:
    assert decision.refresh(page(PageFacts(head=HtmlHead(refresh=target)))) is None


@pytest.mark.parametrize("canonicals", [("a.html",), (LOC,), ("",), ("b.html", "c.html"), ("mailto:a@example.org",)])
def test_a_canonical_that_names_no_other_page_leaves_the_page_in(canonicals: tuple[str, ...]) -> None:
    assert decision.canonical(page(PageFacts(head=HtmlHead(canonicals=canonicals)))) is None


@pytest.mark.parametrize("href", ["/b.html", "/a.htm", "/", "http://example.org/b.html", "https://www.example.org/b"])
def test_a_canonical_that_names_another_page_of_the_site_leaves_the_page_out(href: str) -> None:
    target = urls.normalize(href, LOC)
    answer = decision.canonical(page(PageFacts(head=HtmlHead(canonicals=(href,)))))
    assert answer == RuleAnswer(reasons.CANONICAL, str(target))


@pytest.mark.parametrize(
    ("href", "codes"),
    [
        ("/a", ()),
        ("/a/", ()),
        ("/a/index.html", ()),
        ("http://example.org/a", ("canonical-origin",)),
        ("https://www.example.org/a.html", ("canonical-origin",)),
        ("/a?lang=en", ("canonical-query",)),
        ("http://example.org/a?lang=en", ("canonical-origin", "canonical-query")),
        ("/A.html", ("canonical-case",)),
    ],
)
def test_a_canonical_that_names_the_page_itself_in_another_form_keeps_it_and_may_warn(
    href: str, codes: tuple[str, ...]
) -> None:
    answer = decision.canonical(page(PageFacts(head=HtmlHead(canonicals=(href,)))))
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
    assert decision.canonical(page(facts, foreign_canonical=setting)) == answer


def hosted(loc: str = LOC, key: str = "a.html", facts: PageFacts | None = None, **rules: Any) -> Candidate:
    """A page of a site whose host has these rules."""
    one = OneHost("a", **{"shapes": AnsweredShapes(), **rules})
    return Candidate(key, loc, facts or PageFacts(), replace(site(), host_rules=HostRules([one])), NOW)


@pytest.mark.parametrize(
    ("target", "is_left_out"),
    [("/b.html", True), ("https://other.dev/", True), ("/a.html", False), ("/a", False), (LOC, False)],
)
def test_a_page_whose_url_the_host_redirects_elsewhere_is_left_out(target: str, is_left_out: bool) -> None:
    found = decision.redirect(hosted(redirects=[PathRule(PathPattern("/a.html"), target)]))
    assert (found and found.reason) == (reasons.HOST_REDIRECT if is_left_out else None)


def test_a_header_of_the_host_counts_as_if_the_server_had_sent_it() -> None:
    headers = [
        HeaderRule(PathPattern("/a.html"), "x-robots-tag", "noindex"),
        HeaderRule(PathPattern("/a.html"), "link", '<https://example.org/b.html>; rel="canonical"'),
    ]
    page = hosted(headers=headers)
    assert decision.robots_header(page) == RuleAnswer(reasons.NOINDEX, "noindex, in a header")
    assert decision.canonical(page) == RuleAnswer(reasons.CANONICAL, "https://example.org/b.html")
    own = hosted(headers=headers, facts=PageFacts(head=HtmlHead(canonicals=(LOC,))))
    assert decision.canonical(own) is None


def test_a_canonical_link_to_a_form_that_the_host_redirects_is_warned_of() -> None:
    facts = PageFacts(head=HtmlHead(canonicals=("https://example.org/d",)))
    shapes = AnsweredShapes(folder=("slash", "file"))
    found = decision.canonical(hosted("https://example.org/d", "d/index.html", facts, shapes=shapes))
    assert found == RuleAnswer(None, warnings=(("canonical-redirected", "https://example.org/d"),))
    assert decision.canonical(hosted("https://example.org/d", "d/index.html", facts)) is None


@pytest.mark.parametrize(
    ("key", "is_hidden"), [("_modules/a.html", True), ("a/_b.html", True), ("a_b/c.html", False), ("a.html", False)]
)
def test_names_that_the_host_does_not_publish_are_left_out_with_a_warning(key: str, is_hidden: bool) -> None:
    found = decision.host_hides(hosted(key=key, hides_underscores=True))
    assert found == (RuleAnswer(reasons.HOST_HIDES, "", (("not-published", ""),)) if is_hidden else None)
    assert decision.host_hides(hosted(key=key)) is None


def test_a_canonical_link_with_several_slashes_names_the_page_with_a_warning() -> None:
    found = decision.canonical(page(PageFacts(head=HtmlHead(canonicals=("https://example.org//a.html",)))))
    assert found == RuleAnswer(None, warnings=(("canonical-slashes", "https://example.org//a.html"),))


def test_a_canonical_link_below_another_folder_of_the_host_that_all_pages_name_is_the_page_s_own() -> None:
    facts = PageFacts(head=HtmlHead(canonicals=("https://example.org/repo/a.html",)))
    assert decision.canonical(page(facts)) == RuleAnswer(reasons.CANONICAL, "https://example.org/repo/a.html")
    moved = Candidate("a.html", LOC, facts, replace(site(), other_base="https://example.org/repo/"), NOW)
    assert decision.canonical(moved) is None
=======
def test_a_setting_leaves_out_what_names_another_site() -> None:
    left_out = decided(canonical("https://other.example/"), site(foreign_canonical="skip"))
    assert left_out == (reasons.FOREIGN_CANONICAL, "https://other.example/", [])


def test_a_canonical_link_below_another_folder_of_the_host_that_all_pages_name_is_the_page_s_own() -> None:
    the_site = replace(site(), other_base="https://example.org/repo/")
    assert decided(canonical("https://example.org/repo/a.html"), the_site) == (None, "", [])


# What the host says

HEADERS = [
    HeaderRule(PathPattern("/a.html"), "x-robots-tag", "noindex"),
    HeaderRule(PathPattern("/b.html"), "link", '<https://example.org/c.html>; rel="canonical"'),
]


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


@pytest.mark.parametrize(("key", "is_hidden"), [("_modules/a.html", True), ("a/_b.html", True), ("a_b/c.html", False)])
def test_names_that_the_host_does_not_publish_are_left_out_with_a_warning(key: str, is_hidden: bool) -> None:
    found = decided(PageFacts(), hosted(hides_underscores=True), key)
    assert found == ((reasons.HOST_HIDES, "", [("not-published", "")]) if is_hidden else (None, "", []))
    assert decided(PageFacts(), hosted(), key) == (None, "", [])
>>>>>>> 4eabc1db470a8c6413b24a271551de2e8e83d331
