"""Writes what explorations have found into the tables of README.md; rows of other explorations stay as they are."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from model.jobs import JOBS, Job, Result
from model.left_out import NOT_NEEDED
from model.rules import RULES

README = Path(__file__).parent / "README.md"
_REASONS = {rules: reason for rules, _, reason in NOT_NEEDED}
Row = tuple[str, ...]


def write(results: Sequence[Result]) -> None:
    """Replace the generated parts of README.md."""
    text = README.read_text("utf-8")
    rows = _rows(text) | {_key(each.job): _row(each) for each in results}
    explored = [rows[_key(job)] for job in JOBS if not job.rules and _key(job) in rows]
    parts = {
        "summary": _summary(explored),
        "explorations": _table(("scenario", "faults", "states", "depth", "result"), "llrrl", explored),
        "needed": _table(
            ("rules left out", "scenario and faults", "steps", "result"),
            "llrl",
            [rows[_key(job)] for job in JOBS if job.must_fail and _key(job) in rows],
        ),
        "others": _table(
            ("rule left out", "scenario and faults", "states", "result", "why the protocol has it"),
            "llrll",
            [rows[_key(job)] for job in JOBS if job.rules in _REASONS and _key(job) in rows],
        ),
    }
    for name, part in parts.items():
        begin, end = _marks(name)
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{part}\n\n{end}{rest.split(end)[1]}"
    README.write_text(text, "utf-8")


def _marks(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def _rows(text: str) -> dict[Row, Row]:
    """The rows of all tables, by their first two columns."""
    rows = (tuple(line.strip("| ").split(" | ")) for line in text.splitlines() if line.startswith("| "))
    return {row[:2]: row for row in rows}


def _key(job: Job) -> Row:
    if job.rules:
        return "; ".join(f"*{rule}*: {RULES[rule]}" for rule in job.rules), job.case.name
    return job.case.make.__name__, job.case.faults or "none"


def _row(result: Result) -> Row:
    job, report = result.job, result.report
    if job.must_fail:
        return (*_key(job), str(len(report.trace)), result.outcome)
    if job.rules:
        return (*_key(job), f"{report.states:,}", result.outcome, _REASONS[job.rules])
    return (*_key(job), f"{report.states:,}", str(report.depth), result.outcome)


def _summary(rows: Sequence[Row]) -> str:
    states = sum(int(row[2].replace(",", "")) for row in rows)
    complete = sum(row[-1] == "complete" for row in rows)
    violations = sum(row[-1] not in ("complete", "cut") for row in rows)
    return (
        f"Until {datetime.now(UTC):%Y-%m-%d}: {len(rows)} explorations with all rules, {complete} of them complete, "
        f"with {states:,} states and {violations} violations."
    )


def _table(titles: Row, alignment: str, rows: Iterable[Row]) -> str:
    """A table of Markdown; `alignment` has `l` or `r` for each column."""
    line = tuple("---:" if each == "r" else "---" for each in alignment)
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, line, *rows))
