import pytest
from unit.sample_sites import site

from waypost.core import reasons, urls
from waypost.core.reasons import Reason
from waypost.rules import content_rules
from waypost.rules.content_rules import Candidate, ContentRule, RuleAnswer
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head

LOC = "https://example.org/a.html"


def page(facts: PageFacts, loc: str = LOC, foreign_canonical: str = "warn") -> Candidate:
    return Candidate("a.html", loc, facts, site(foreign_canonical=foreign_canonical))


@pytest.mark.parametrize(
    ("rule", "facts", "reason", "detail"),
    [
        (content_rules.redirect, PageFacts(redirect="/b.html"), reasons.REDIRECT, "/b.html"),
        (content_rules.redirect, PageFacts(redirect="/b\n"), reasons.REDIRECT, "/b\\n"),
        (content_rules.robots_header, PageFacts(robots_header="noindex"), reasons.NOINDEX, "noindex, in a header"),
        (content_rules.robots_meta, PageFacts(head=Head(noindex="none")), reasons.NOINDEX, "none"),
        (
            content_rules.refresh,
            PageFacts(head=Head(refresh="b.html")),
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


@pytest.mark.parametrize("header", ["nofollow", "index, follow", "max-snippet:0"])
def test_a_header_that_allows_indexing_leaves_the_page_in(header: str) -> None:
    assert content_rules.robots_header(page(PageFacts(robots_header=header))) is None


@pytest.mark.parametrize("target", ["", "a.html", LOC, "#top"])
def test_a_refresh_to_the_page_itself_leaves_it_in(target: str) -> None:
    assert content_rules.refresh(page(PageFacts(head=Head(refresh=target)))) is None


@pytest.mark.parametrize("canonicals", [("a.html",), (LOC,), ("",), ("b.html", "c.html"), ("mailto:a@example.org",)])
def test_a_canonical_that_names_no_other_page_leaves_the_page_in(canonicals: tuple[str, ...]) -> None:
    assert content_rules.canonical(page(PageFacts(head=Head(canonicals=canonicals)))) is None


@pytest.mark.parametrize("href", ["/b.html", "/a.htm", "/", "http://example.org/b.html", "https://www.example.org/b"])
def test_a_canonical_that_names_another_page_of_the_site_leaves_the_page_out(href: str) -> None:
    target = urls.normalize(href, LOC)
    answer = content_rules.canonical(page(PageFacts(head=Head(canonicals=(href,)))))
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
    answer = content_rules.canonical(page(PageFacts(head=Head(canonicals=(href,)))))
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
    facts = PageFacts(head=Head(canonicals=("https://other.example/",)))
    assert content_rules.canonical(page(facts, foreign_canonical=setting)) == answer
