"""How the findings of `waypost check-live` are printed."""

from __future__ import annotations

from collections import Counter

import pytest

from waypost.cli.check_live_command import print_findings
from waypost.core.finding_types import LIVE_RULES
from waypost.live.check import Totals
from waypost.validate import FindingReport

SITE = "https://www.example.org"


def found(redirects: int) -> FindingReport:
    report = FindingReport(2, LIVE_RULES)
    for n in range(redirects):
        report.add("live-redirect", "a.xml", n, f"{SITE}/{n}", statuses="301", to=f"{SITE}/new/{n}")
    report.add("live-missing", "a.xml", 7, f"{SITE}/gone\x1b", status="404 Not Found")
    return report


def test_many_findings_are_one_group_with_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    totals = Totals(listed=20_000, chosen=12_000, asked=11_900, unasked_by_reason=Counter({"no time": 100}))
    print_findings(found(10_000), totals, 2, reads_pages=True)
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "error live-missing: 1 URL; remove the URL, or publish the page",
        f"  {SITE}/gone\\x1b: the server answers 404 Not Found",
        "error live-redirect: 10,000 URLs; list the page that the URL redirects to",
        f"  {SITE}/0: redirects (301) to {SITE}/new/0",
        f"  {SITE}/1: redirects (301) to {SITE}/new/1",
        "  and 9,998 more (--most 0 prints all)",
    ]
    assert printed.err.splitlines() == [
        "20,000 URLs listed, 11,900 asked: 10,001 errors, 0 warnings, 0 notes",
        "  not asked: 8,000 URLs outside the sample",
        "  not asked: 100 URLs, since no time",
    ]


def test_errors_are_printed_first(capsys: pytest.CaptureFixture[str]) -> None:
    report = FindingReport(2, LIVE_RULES)
    report.add("live-refused", "a.xml", 1, f"{SITE}/a", status="403 Forbidden")
    report.add("live-noindex", "a.xml", 2, f"{SITE}/b", where="the page", word="noindex")
    print_findings(report, Totals(), 2, reads_pages=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[::2]] == ["error", "warning"]


def test_a_workflow_gets_one_annotation_for_each_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    print_findings(found(3), Totals(), 2, reads_pages=True)
    lines = [line for line in "".join(capsys.readouterr()).splitlines() if line.startswith("::")]
    assert len(lines) == 2
    assert lines[1].startswith("::error title=Waypost%3A live-redirect::3 URLs; list the page")
    assert lines[1].endswith(", and 1 more")


def test_of_many_reasons_the_most_frequent_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = Counter({f"{n}.example fails": n for n in range(1, 13)})
    print_findings(FindingReport(2, LIVE_RULES), Totals(78, 78, 0, unasked_by_reason=reasons), 2, reads_pages=True)
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[1]) == (12, "  not asked: 12 URLs, since 12.example fails")
    assert lines[-1] == "  not asked: 3 URLs for other reasons (--json has all)"
