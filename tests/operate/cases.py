"""A case of the trial: what is done, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operate.trial import Trial

TARGET = 60
"""Seconds within which the sitemaps should be right after an upload, or after an error has ended."""
_MAX_TEXT = 160


class Outcome(NamedTuple):
    """What an operator saw and where, after how many seconds the sitemaps were right, and how many were the target."""

    seen: Sequence[str]
    seconds: float
    target: float = TARGET


class SkippedError(Exception):
    """A case cannot run on this machine, for the reason that is given."""


@dataclass(frozen=True)
class Case:
    """Something to do to a deployed stack: `run` does it, and asserts that what should be seen is seen."""

    name: str
    run: Callable[[Trial], Outcome]


def seen(trial: Trial, *found: str) -> list[str]:
    """What an operator finds after a case: `found` so far, then errors, warnings and alarms of the log."""
    log = trial.log()
    errors = [f"log, ERROR: {_short(message)}" for message in trial.errors()]
    errors += [f"log, ERROR, `failed`: {_short(f'{key}: {reason}')}" for key, reason in log.failed().items()]
    raised = [f"log: the call raised {message.partition(':')[0].rpartition('.')[2]}" for message in log.raised()]
    warnings = [f"log, warning `{code}`" for code in log.warnings()]
    alarms = [f"`{alarm}`: {metric}" for alarm, metric in log.alarms().items()]
    return [*found, *errors[:3], *raised[:1], *warnings, *alarms]


def of_status(trial: Trial) -> str:
    """The important parts of the answer of `status`, as text."""
    answer = trial.status()
    if "errorMessage" in answer:
        return f"`status` fails: {_short(answer['errorMessage'])}"
    queue, error = answer["queue"], answer["last_error"]
    parts = [f"`status`: {_short(answer['state'])}"]
    if queue["waiting"] or queue["in_flight"]:
        parts.append(f"{queue['waiting']} messages waiting, {queue['in_flight']} in flight")
    if error:
        parts.append(f"last error: {_short(error['message'])}")
    parts += [f"problem: {_short(each['where'])}: {_short(each['problem'])}" for each in answer["problems"]]
    return "; ".join(parts)


def _short(text: str) -> str:
    line = " ".join(text.split()).replace("|", "/")
    return line if len(line) <= _MAX_TEXT else f"{line[: _MAX_TEXT - 1]}…"
