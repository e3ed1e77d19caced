"""What an audit finds: what its checks say, gathered as findings by code with their cases, and how much was checked."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from waypost.core.finding_types import AUDIT_RULES, Severity

ABOUT_PAGES = frozenset({"unlinked", "deep", "missing-title", "missing-description", "unreadable"})
"""Codes of cases that are about their page only; its URL is the target."""
OFF = "off"
"""In place of a severity: the code is not reported."""


class AuditIssue(NamedTuple):
    """What one check says: a code, what it is about, and pages that it concerns; `targets` if it is about several."""

    code: str
    target: str
    pages: Iterable[str]
    detail: str = ""
    targets: Iterable[str] = ()


class AuditCase(Struct, frozen=True, gc=False):
    """One thing to repair, and all pages that it concerns.

    `target` is the URL or the text that the case is about, such as the URL of a missing file or a title that several
    pages have; empty if the case is about its page only. `detail` is what was found there. `pages` are the keys of the
    pages: those with the link, those with the title, or the one that nothing links to. `targets` are the URLs of a case
    that is about several, such as all that are missing in one folder.
    """

    target: str
    detail: str
    pages: tuple[str, ...]
    targets: tuple[str, ...] = ()

    def rank(self) -> tuple[int, str, str, tuple[str, ...]]:
        """Orders cases: the one with the most pages first."""
        return -len(self.pages), self.target, self.detail, self.pages


class AuditFinding(Struct, frozen=True):
    """All cases of one code, the case with the most pages first.

    `title` is a heading, `meaning` and `advice` are phrases for each case, and `source` is where the rule comes from.
    """

    code: str
    severity: Severity
    title: str
    meaning: str
    advice: str
    source: str
    cases: tuple[AuditCase, ...]

    @property
    def pages(self) -> frozenset[str]:
        """The keys of all pages that the finding concerns."""
        return frozenset(page for case in self.cases for page in case.pages)


class UncheckedLink(Struct, frozen=True, gc=False):
    """A link, or another reference, of which it was not checked whether anything is there, and why; with its pages."""

    target: str
    reason: str
    pages: tuple[str, ...]


class KnownCase(Struct, frozen=True, order=True):
    """A case on one page, as a baseline remembers it."""

    code: str
    page: str
    target: str = ""


class TextCounts(Struct, frozen=True):
    """How many of the listed HTML `pages` that were read have a title, and how many a description."""

    pages: int = 0
    titles: int = 0
    descriptions: int = 0


class ExternalCounts(Struct, frozen=True):
    """How many URLs of other sites were `asked` in this run, or `known` from an earlier one; the others by the reason.

    `has_memory` says whether answers are remembered: without, no URL can have been missing on two days.
    """

    asked: int = 0
    known: int = 0
    unasked: Mapping[str, int] = {}
    has_memory: bool = False


class ExternalAnswers(Struct, frozen=True):
    """What became of the URLs of other sites.

    `problems` has those that lead nowhere, each with the code of a rule and with what the server answered.
    """

    problems: Mapping[str, tuple[str, str]] = {}
    counts: ExternalCounts = ExternalCounts()


AskExternal = Callable[[Sequence[str]], ExternalAnswers]
"""Asks the servers of other sites for URLs."""


class AuditCounts(Struct, frozen=True):
    """How much was checked.

    `pages` were read, of which `listed` are listed. `links` counts each URL that a page or a style sheet names once for
    it, and `fragments` the links to a part of a page of which it was checked whether that exists;
    `not_checked` says how many of these could not be checked, by reason, and all others were checked. `depths` has the
    number of listed pages by their distance from the home page in clicks, which is 0 for the home page itself;
    `unreachable` counts those that no clicks lead to. Both are empty, or 0, if `depths_not_known` says why. `external`
    is about the links to other sites, if these were asked.
    """

    pages: int = 0
    listed: int = 0
    links: int = 0
    fragments: int = 0
    not_checked: Mapping[str, int] = {}
    depths: Mapping[int, int] = {}
    unreachable: int = 0
    depths_not_known: str = ""
    texts: TextCounts = TextCounts()
    external: ExternalCounts | None = None


class AuditResult(Struct, frozen=True):
    """The findings, errors before warnings before notes, and in each severity in the order of the rules.

    Of a baseline's known cases, `hidden` counts those that were found again, once for each page, and are not among the
    findings. `resolved` are known cases that no longer occur. `unchecked` are the references to this site that were not
    checked.
    """

    findings: tuple[AuditFinding, ...] = ()
    counts: AuditCounts = AuditCounts()
    hidden: int = 0
    resolved: Sequence[KnownCase] = ()
    unchecked: Sequence[UncheckedLink] = ()

    def count(self, severity: Severity) -> int:
        """How many cases have this severity."""
        return sum(len(each.cases) for each in self.findings if each.severity == severity)

    def placed(self) -> Iterator[KnownCase]:
        """Each case on each of its pages, in the order of the findings."""
        for finding in self.findings:
            for case in finding.cases:
                yield from (KnownCase(finding.code, page, case.target) for page in case.pages)


def gather(issues: Iterable[AuditIssue], severities: Mapping[str, str]) -> tuple[AuditFinding, ...]:
    """Findings of the codes that are not off, in their order; what is about one target is one case.

    `severities` has the severity of each code for which it is not the usual one.
    """
    pages: dict[str, dict[tuple[str, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    targets: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for issue in issues:
        pages[issue.code][issue.target, issue.detail].update(issue.pages)
        targets[issue.code, issue.target, issue.detail].update(issue.targets)
    findings = []
    for code, rule in AUDIT_RULES.items():
        severity = severities.get(code, rule.severity)
        if code in pages and severity != OFF:
            cases = [
                AuditCase(*about, tuple(sorted(keys)), tuple(sorted(targets[code, *about])))
                for about, keys in pages[code].items()
            ]
            cases.sort(key=AuditCase.rank)
            texts = (rule.title, rule.meaning, rule.advice, rule.source)
            findings.append(AuditFinding(code, Severity(severity), *texts, tuple(cases)))
    return tuple(sorted(findings, key=lambda finding: list(Severity).index(finding.severity)))
