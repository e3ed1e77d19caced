import re
from typing import Any

from waypost.core import reasons
from waypost.core.finding_types import LEFT_OUT, SITEMAP_RULES, Severity, stated_warning
from waypost.core.model import Example, SiteWarning, Skipped
from waypost.core.reasons import REASONS
from waypost.report.problems import exclusion_problems, finding_problems, needs_attention, warning_problems
from waypost.report.verdict import AffectedPage
from waypost.validate import FindingReport


def test_a_warning_becomes_a_problem_with_all_its_pages_where_they_are_known() -> None:
    warned = SiteWarning("copies", "…", 4, (Example("a.html"),))
    cases = {"copies": [Example(f"{n}.html", "same") for n in range(4)]}
    (problem,) = warning_problems([warned], cases)
    assert (problem.code, problem.severity, problem.page_count) == ("copies", Severity.WARNING, 4)
    assert problem.pages[3] == AffectedPage("3.html", "same")
    (cut,) = warning_problems([warned])
    assert (len(cut.pages), cut.page_count) == (1, 4)


def test_what_a_warning_found_is_shown_whole_whatever_is_in_it() -> None:
    warned = stated_warning("unused-template", 1, names="old; a: {b}.xml")
    assert warned.message == (
        "templates that replace none of Waypost's own have no effect: old; a: {b}.xml; rename them"
    )
    (problem,) = warning_problems([warned])
    assert (problem.why, problem.advice) == ("They are old; a: {b}.xml.", "Rename them.")
    assert (problem.pages, problem.page_count) == ((), 0)


def test_what_is_left_out_by_mistake_is_a_problem_and_what_is_meant_is_not() -> None:
    skipped = [Skipped("a", reasons.DUPLICATE, "b"), Skipped("c", reasons.NOINDEX), Skipped("d", reasons.DUPLICATE)]
    (problem,) = exclusion_problems(skipped)
    assert problem.code == "duplicate-loc"
    assert problem.pages == (AffectedPage("a", "b"), AffectedPage("d"))


def test_an_unreadable_page_is_one_problem() -> None:
    assert list(warning_problems([SiteWarning("unreadable", "…", 1, (Example("a"),))])) == []
    assert len(list(exclusion_problems([Skipped("a", reasons.UNREADABLE)]))) == 1


def test_findings_become_a_problem_for_each_code() -> None:
    report = FindingReport(0)
    report.add("listed-noindex", "sitemap.xml", 3, "https://example.org/a", detail="noindex")
    report.add("listed-noindex", "sitemap.xml", 9, "https://example.org/b", detail="none")
    report.add("listed-missing", "sitemap.xml", 4, "https://example.org/c")
    noindex, missing = finding_problems(report)
    assert (noindex.title, noindex.found_by) == ("The page says …", "waypost validate")
    assert noindex.pages[1] == AffectedPage("https://example.org/b", "the page says none; sitemap.xml, line 9")
    assert missing.pages == (AffectedPage("https://example.org/c", "sitemap.xml, line 4"),)
    assert "{" not in "".join(noindex.why + noindex.advice + missing.title)


def test_every_rule_can_be_a_problem() -> None:
    for code, rule in SITEMAP_RULES.items():
        report = FindingReport(0)
        names = set(re.findall(r"\{(\w+)", rule.meaning + rule.advice)) - {"loc"}
        values: dict[str, Any] = dict.fromkeys(names, 1)
        report.add(code, "sitemap.xml", **values)
        (problem,) = finding_problems(report)
        assert problem.title[0] == problem.title[0].upper() or problem.title.startswith("robots.txt")
        assert "{" not in problem.title + problem.advice


def test_intended_reasons_need_no_attention() -> None:
    assert needs_attention(reasons.UNREADABLE)
    assert not any(map(needs_attention, (reasons.NOINDEX, reasons.EXCLUDED, reasons.ROBOTS_TXT, reasons.CANONICAL)))


def test_the_reasons_that_need_attention_are_reasons() -> None:
    assert LEFT_OUT.keys() < REASONS.keys()


def test_each_says_what_to_do() -> None:
    for text in LEFT_OUT.values():
        assert not text.title.endswith(".")
        assert text.advice.endswith(".")
