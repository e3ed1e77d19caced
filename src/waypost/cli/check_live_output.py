"""Prints what `waypost check-live` found: a group for each code, with examples, then what was not asked."""

from collections.abc import Sequence
from itertools import groupby

import click

from waypost.app import workflow_commands
from waypost.app.formatting import count_noun
from waypost.cli.finding_output import COLOURS, LEVELS, is_workflow
from waypost.cli.terminal import echo, say
from waypost.core.finding_types import LIVE_RULES, Severity
from waypost.core.model import printable
from waypost.live import Totals
from waypost.validate.findings import Finding, FindingReport

_EXAMPLES_IN_ANNOTATION = 5
_REASONS = 10
"""How many reasons are printed: each host may have one of its own."""


def print_findings(report: FindingReport, totals: Totals, most: int, *, reads_pages: bool) -> None:
    """Print each code with at most `most` URLs (0: all), errors first, a summary, and last what was not asked."""
    severities, codes = list(Severity), list(LIVE_RULES)
    findings = sorted(report, key=lambda each: (severities.index(each.severity), codes.index(each.code)))
    for code, group in groupby(findings, key=lambda finding: finding.code):
        examples, count = list(group), report.counts[code]
        _annotate(examples, count) if is_workflow() else _print_group(examples, count, most)
    counts = ", ".join(count_noun(report.count(severity), severity.value) for severity in Severity)
    say(f"{count_noun(totals.listed, 'URL')} listed, {totals.asked:,} asked: {counts}")
    if not reads_pages:
        say("  not read: noindex and canonical links in the pages themselves (--read-pages)")
    _say_unasked(totals)


def _print_group(findings: Sequence[Finding], count: int, most: int) -> None:
    first, shown = findings[0], findings[:most] if most else findings
    label = click.style(first.severity.value, fg=COLOURS[first.severity], bold=True)
    echo(f"{label} {first.code}: {count_noun(count, 'URL')}; {first.advice}")
    for finding in shown:
        echo(f"  {printable(f'{finding.loc}: {finding.message}')}")
    if count > len(shown):
        echo(f"  and {count - len(shown):,} more (--most 0 prints all)")


def _annotate(findings: Sequence[Finding], count: int) -> None:
    """One annotation for all URLs with the same code, since a workflow shows few."""
    first, shown = findings[0], findings[:_EXAMPLES_IN_ANNOTATION]
    examples = ", ".join(f"{finding.loc} ({finding.message})" for finding in shown)
    more = f", and {count - len(shown):,} more" if count > len(shown) else ""
    text = f"{count_noun(count, 'URL')}; {first.advice}: {examples}{more}"
    workflow_commands.annotate(LEVELS[first.severity], printable(text), title=f"Waypost: {first.code}")


def _say_unasked(totals: Totals) -> None:
    if totals.listed > totals.chosen:
        say(f"  not asked: {count_noun(totals.listed - totals.chosen, 'URL')} outside the sample")
    reasons = totals.unasked_by_reason.most_common()
    for reason, count in reasons[:_REASONS]:
        say(f"  not asked: {count_noun(count, 'URL')}, since {printable(reason)}")
    if rest := sum(count for _, count in reasons[_REASONS:]):
        say(f"  not asked: {count_noun(rest, 'URL')} for other reasons (--json has all)")
