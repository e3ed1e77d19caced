"""Collects the cases of an audit by their codes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from waypost.audit.result import AuditCase, AuditFinding
from waypost.core.finding_types import AUDIT_RULES, Severity

ABOUT_PAGES = frozenset({"unlinked", "deep", "missing-title", "missing-description", "unreadable"})
"""Codes of cases that are about their page only; its URL is the target."""
OFF = "off"
"""In place of a severity: the code is not reported."""


class Found(NamedTuple):
    """A code, what it is about, and pages that it concerns."""

    code: str
    target: str
    pages: Iterable[str]
    detail: str = ""


def findings(found: Iterable[Found], severities: Mapping[str, str]) -> tuple[AuditFinding, ...]:
    """Findings of the codes that are not off, in their order; what is about one target is one case.

    `severities` has the severity of each code for which it is not the usual one.
    """
    pages: dict[str, dict[tuple[str, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in found:
        pages[each.code][each.target, each.detail].update(each.pages)
    return tuple(sorted(_findings(pages, severities), key=lambda finding: list(Severity).index(finding.severity)))


def _findings(
    pages: Mapping[str, Mapping[tuple[str, str], set[str]]], severities: Mapping[str, str]
) -> Iterator[AuditFinding]:
    for code, rule in AUDIT_RULES.items():
        severity = severities.get(code, rule.severity)
        if code not in pages or severity == OFF:
            continue
        cases = [AuditCase(*about, tuple(sorted(keys))) for about, keys in pages[code].items()]
        cases.sort(key=AuditCase.rank)
        yield AuditFinding(code, Severity(severity), rule.title, rule.meaning, rule.advice, rule.source, tuple(cases))
