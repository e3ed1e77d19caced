"""Makes problems of what a run warns of, of what it leaves out, and of what the validator finds."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.core.finding_types import LEFT_OUT, SITEMAP_RULES, WARNINGS, FindingType, Severity, filled
from waypost.core.model import Example, Plan, SiteWarning, Skipped
from waypost.report.verdict import AffectedPage, ReportProblem
from waypost.settings.schema import Site
from waypost.validate import Finding

_PLACEHOLDER = re.compile(r"\{[^}]*\}")
_WHY = {
    Severity.ERROR: "Search engines reject what breaks this rule",
    Severity.WARNING: "Search engines ignore or distrust what breaks this rule",
    Severity.NOTE: "Search engines accept it",
}


def needs_attention(reason: str) -> bool:
    """Whether pages that are left out for this reason were probably meant to be listed."""
    return reason in LEFT_OUT


def warning_problems(
    warnings: Iterable[SiteWarning], cases: Mapping[str, Sequence[Example]] | None = None
) -> Iterator[ReportProblem]:
    """The problems that a run warns of; `cases` has all examples of some codes.

    Reasons that need attention are problems of their own, with all their pages.
    """
    for each in warnings:
        if needs_attention(each.code):
            continue
        text = WARNINGS[each.code]
        examples = (cases or {}).get(each.code, each.examples)
        pages = tuple(AffectedPage(example.key, example.detail) for example in examples)
        yield ReportProblem(
            each.code,
            text.severity,
            text.title,
            filled(text.advice, each.facts),
            pages,
            filled(text.why, each.facts),
            each.count if pages else 0,
        )


def exclusion_problems(skipped: Iterable[Skipped]) -> Iterator[ReportProblem]:
    """The problems for which pages were left out."""
    pages: dict[str, list[AffectedPage]] = defaultdict(list)
    for each in skipped:
        if needs_attention(each.reason):
            pages[str(each.reason)].append(AffectedPage(each.key, each.detail))
    for code, found in pages.items():
        text = LEFT_OUT[code]
        yield ReportProblem(code, text.severity, text.title, text.advice, tuple(found), text.why)


def losses(plan: Plan, site: Site) -> Iterator[ReportProblem]:
    """What a whole site lacks: dates, though the settings ask for them, or half of its pages."""
    left_out = sum(each.reason.is_about_page for each in plan.skipped)
    codes = ["no-dates"] if plan.pages and site.lastmod != "none" and not any(p.lastmod for p in plan.pages) else []
    codes += ["half-left-out"] if left_out > len(plan.pages) > 0 else []
    for code in codes:
        text = WARNINGS[code]
        yield ReportProblem(code, text.severity, text.title, text.advice, why=text.why)


def finding_problems(
    findings: Iterable[Finding],
    found_by: str = "waypost validate",
    found_in: str = "",
    rules: Mapping[str, FindingType] = SITEMAP_RULES,
) -> Iterator[ReportProblem]:
    """The problems that the validator finds in sitemaps, or another check by its `rules`: one for each code."""
    by_code: dict[str, list[Finding]] = defaultdict(list)
    for each in findings:
        by_code[each.code].append(each)
    for code, found in by_code.items():
        rule = rules[code]
        pages = tuple(AffectedPage(each.loc or each.file, _detail(each, rule.meaning)) for each in found)
        title = rule.title or _common([each.message for each in found], rule.meaning)
        advice = _common([each.advice for each in found], rule.advice)
        yield ReportProblem(
            code,
            rule.severity,
            sentence(title).rstrip("."),
            sentence(advice),
            pages,
            f"{_WHY[rule.severity]} ({rule.source}).",
            found_by=found_by,
            found_in=found_in,
            noun="URL" if all(each.loc for each in found) else "place",
        )


def _detail(finding: Finding, meaning: str) -> str:
    """Where a finding is, and what was found there if the rule's text has a place for it."""
    where = f"{finding.file}, line {finding.line}" if finding.line and finding.loc else ""
    found = finding.message if _PLACEHOLDER.search(meaning) else ""
    return "; ".join(filter(None, (found, where)))


def _common(texts: Sequence[str], template: str) -> str:
    """The text, if all are the same; else its template, with dots in the places of the values."""
    return texts[0] if len(set(texts)) == 1 else _PLACEHOLDER.sub("…", template)


def sentence(text: str) -> str:
    """A text with a capital letter, unless it begins with a name such as robots.txt, and a final stop."""
    if not text:
        return ""
    first = text if "." in text.partition(" ")[0] else text[:1].upper() + text[1:]
    return first if text.endswith(".") else f"{first}."
