"""Writes what the last whole exploration found into README.md."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from model.jobs import Result
from model.left_out import NOT_NEEDED
from model.rules import RULES

README = Path(__file__).parent / "README.md"


def write(results: Sequence[Result]) -> None:
    """Replace the generated parts of README.md."""
    parts = {"summary": _summary(results), "explorations": _explorations(results), "rules": _rules(results)}
    text = README.read_text("utf-8")
    for name, part in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{part}\n\n{end}{rest.split(end)[1]}"
    README.write_text(text, "utf-8")


def _summary(results: Sequence[Result]) -> str:
    whole = [each.report for each in results if not each.job.rules]
    violations = sum(bool(report.violation) for report in whole)
    states, steps = sum(report.states for report in whole), sum(report.steps for report in whole)
    complete = sum(report.is_complete and not report.violation for report in whole)
    return (
        f"On {datetime.now(UTC):%Y-%m-%d}: {len(whole)} explorations with all rules, {complete} of them complete, "
        f"{states:,} states, {steps:,} steps, {violations} violations."
    )


def _explorations(results: Sequence[Result]) -> str:
    rows = [
        (
            each.job.case.make.__name__,
            each.job.case.faults or "none",
            f"{each.report.states:,}",
            str(each.report.depth),
            each.outcome,
        )
        for each in results
        if not each.job.rules
    ]
    return _table(("scenario", "faults", "states", "depth", "result"), "llrrl", rows)


def _rules(results: Sequence[Result]) -> str:
    failing = [each for each in results if each.job.must_fail]
    rows = [
        (_prescribed(each.job.rules), each.job.case.name, str(len(each.report.trace)), each.outcome) for each in failing
    ]
    needed = _table(("rules left out", "scenario and faults", "steps", "result"), "llrl", rows)
    reasons = {rules: reason for rules, _, reason in NOT_NEEDED}
    others = [
        (
            _prescribed(each.job.rules),
            each.job.case.name,
            f"{each.report.states:,}",
            each.outcome,
            reasons[each.job.rules],
        )
        for each in results
        if each.job.rules in reasons
    ]
    titles = ("rule left out", "scenario and faults", "states", "result", "why the protocol has it")
    return f"{needed}\n\n{_table(titles, 'llrll', others)}"


def _prescribed(rules: Sequence[str]) -> str:
    return "; ".join(f"*{rule}*: {RULES[rule]}" for rule in rules)


def _table(titles: Sequence[str], alignment: str, rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; `alignment` has `l` or `r` for each column."""
    line = ["---:" if each == "r" else "---" for each in alignment]
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, line, *rows))
