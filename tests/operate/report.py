"""The page of results: a row for each case, and the documented commands that were used."""

from __future__ import annotations

import os
import platform
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from stacks import ROOT

from operate.cases import TARGET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operate.cases import Outcome
    from operate.trial import Times

RESULTS = ROOT / "benchmarks" / "results" / "operate.md"
_HEAD = "| what was done | what the operator saw, and where | seconds until right | target | |"
_ALIGNMENT = "| --- | --- | --: | --: | --- |"


class Row(NamedTuple):
    """A case and its outcome, or None and the reason why it was skipped or has failed."""

    name: str
    outcome: Outcome | None
    reason: str = ""
    has_failed: bool = False

    @property
    def text(self) -> str:
        """The row on one line, for the screen."""
        if self.outcome is None:
            return self.reason
        seen, seconds, target = self.outcome
        return f"right after {seconds:.0f} s (target {target:.0f}); {'; '.join(seen)}"

    @property
    def line(self) -> str:
        """The row as a line of the table."""
        if self.outcome is None:
            return f"| {self.name} | {self.reason} | | | |"
        seen, seconds, target = self.outcome
        decision = "met" if seconds <= target else "**missed**"
        return f"| {self.name} | {'<br>'.join(seen)} | {seconds:.0f} | {target:.0f} | {decision} |"


def page(rows: Sequence[Row], times: Times, commands: Sequence[str]) -> str:
    """The page as Markdown."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {python}"
    paragraphs = [
        "# A stack in operation: what went wrong, what was seen, how soon the sitemaps were right",
        f"`make operate`, {date.today().isoformat()}; {machine}; MiniStack.",
        _EXPLANATION.format(times.visibility, times.window, TARGET, times.after_kill),
        "\n".join([_HEAD, _ALIGNMENT, *(row.line for row in rows)]),
        "These commands were used, all of them from the documentation:",
        "\n".join(["```console", *(f"$ {command}" for command in commands), "```"]),
    ]
    return "\n\n".join(paragraphs) + "\n"


_EXPLANATION = """\
The template is deployed with its own timeouts: the queue's visibility timeout is {} s, the batching window {} s. The
target is {} s after the upload, or after the error has ended. After a worker that handled events was killed, the queue
delivers them again, and the target is {} s. The sitemaps are right when they are those that `waypost build` makes of
the bucket without a state, byte for byte except for the dates, which only a state knows. Seconds include that build, of
about two seconds. Metrics are those that the functions write to their log for CloudWatch, with the template's alarm on
each. MiniStack does not move messages of a dead-letter queue; a proxy does this as SQS would."""
