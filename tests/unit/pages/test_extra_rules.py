"""A reason and its rule can be added from outside."""

from __future__ import annotations

import json
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from typing import TypeVar

import msgspec
import pytest
from fake_buckets import StatefulBucket
from sites import Build, MakeSite, Write

from waypost.build.build_answer import build_answer, excluded_lines
from waypost.build.explanation import Explanation, explain
from waypost.build.lister import Listing
from waypost.core import reasons
from waypost.core.model import Plan
from waypost.core.reasons import REASONS, Reason, add_reason
from waypost.pages.decision import CONTENT_RULES, Candidate, RuleAnswer, decide
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.pages.selection import DEFAULT_RULES, KEY_RULES, NAME_RULES, KeyCheck, Selection
from waypost.report import overview_of_plan, render_report
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer

Rule = TypeVar("Rule")
BUILD = Build()
LOC = "https://example.org/a.html"
NOW = "2026-03-01T12:00:00Z"


@contextmanager
def added(rules: MutableSequence[Rule], rule: Rule) -> Iterator[None]:
    rules.append(rule)
    yield
    rules.remove(rule)


@pytest.fixture
def print_version() -> Iterator[Reason]:
    """A reason of a rule for names: `a.print.html`."""
    reason = add_reason("print-version", "it is the printable version of another page")

    def rule(site: Site) -> KeyCheck:
        del site
        return lambda key: reason if key.endswith(".print.html") else None

    with added(DEFAULT_RULES, rule):
        yield reason
    del REASONS[reason]


@pytest.fixture
def based() -> Iterator[Reason]:
    """A reason of a rule for contents: a `base` element."""
    reason = add_reason("based", "a base element sends its links elsewhere")

    def rule(page: Candidate) -> RuleAnswer | None:
        base = page.facts.head.base
        return RuleAnswer(reason, base) if base else None

    with added(CONTENT_RULES, rule):
        yield reason
    del REASONS[reason]


def explained(plan: Plan, key: str) -> Explanation:
    listing = Listing(list(plan.pages), list(plan.skipped), [], {}, {}, {})
    return explain(listing, plan.documents, key)


def test_a_rule_for_keys_leaves_files_out_for_its_reason(
    make_site: MakeSite, write: Write, print_version: Reason
) -> None:
    source = write({"a.html": "", "a.print.html": "", "b.print.html": ""})
    plan = BUILD.plan(source)
    assert [page.key for page in plan.pages] == ["a.html"]
    assert {each.key: each.reason for each in plan.skipped} == dict.fromkeys(
        ("a.print.html", "b.print.html"), print_version
    )
    assert explained(plan, "a.print.html").reason == "print-version"
    assert explained(plan, "a.print.html").detail == "it is the printable version of another page"
    lines = list(excluded_lines(build_answer(plan, make_site())))
    assert "left out, print-version (2): it is the printable version of another page" in lines


@pytest.mark.usefixtures("print_version")
def test_a_default_rule_from_outside_is_taken_back_by_a_pattern(make_site: MakeSite) -> None:
    assert Selection(make_site(exclude=["!a.print.html"])).exclusion_reason("a.print.html") is None


@pytest.mark.usefixtures("print_version")
def test_a_rule_from_outside_comes_after_those_of_waypost(make_site: MakeSite) -> None:
    selection = Selection(make_site())
    assert selection.exclusion_reason(".a.print.html") is reasons.HIDDEN
    assert selection.exclusion_reason("node_modules/a.print.html") is reasons.DEPENDENCY


def test_a_rule_for_contents_leaves_pages_out_for_its_reason(write: Write, based: Reason) -> None:
    noindex = "<base href=/x/><meta name=robots content=none>"
    plan = BUILD.plan(write({"a.html": "", "b.html": "<base href=/x/>", "c.html": noindex}))
    assert [page.key for page in plan.pages] == ["a.html"]
    assert {each.key: (each.reason, each.detail) for each in plan.skipped} == {
        "b.html": (based, "/x/"),
        "c.html": (reasons.NOINDEX, "none"),
    }
    assert explained(plan, "b.html").detail == "a base element sends its links elsewhere (/x/)"


def test_objects_of_a_bucket_are_left_out_by_a_rule_from_outside(based: Reason) -> None:
    bucket = StatefulBucket()
    bucket.put("a.html", "<title>a</title>")
    bucket.put("b.html", "<title>b</title><base href=/x/>")
    bucket.rebuild()
    assert bucket.remembered().head.excluded_by_reason == {str(based): 1}


@pytest.mark.usefixtures("based")
def test_a_page_that_is_left_out_is_not_warned_of_as_listed(make_site: MakeSite) -> None:
    facts = PageFacts(HtmlHead(canonicals=("https://other.example/",)))
    assert [code for code, _ in decide("a.html", LOC, facts, make_site(), NOW).warnings] == ["foreign-canonical"]
    facts = PageFacts(HtmlHead(canonicals=("https://other.example/",), base="/x/"))
    assert decide("a.html", LOC, facts, make_site(), NOW).warnings == ()


def test_a_reason_from_outside_is_in_the_json_and_the_report_of_a_site(
    make_site: MakeSite, write: Write, based: Reason
) -> None:
    plan = BUILD.plan(write({"a.html": "", "b.html": "<base href=/x/>"}))
    as_json = json.loads(msgspec.json.encode(build_answer(plan, make_site())))
    assert as_json["excluded_by_reason"] == {"based": 1}
    assert as_json["excluded"] == [{"key": "b.html", "reason": "based", "detail": "/x/"}]
    assert based.meaning.encode() in render_report(overview_of_plan(plan, make_site(), NOW), Renderer())


def test_no_rule_is_listed_twice() -> None:
    rules = [*NAME_RULES, *DEFAULT_RULES, *KEY_RULES, *CONTENT_RULES]
    assert len(set(rules)) == len(rules)
