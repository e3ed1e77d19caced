"""What `waypost check-live --json` printed: how many URLs were asked, and what was wrong with the answers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from waypost.core.errors import SourceError
from waypost.core.finding_types import LIVE_RULES
from waypost.core.tree_files import read_json
from waypost.validate import Finding

_MOST_BYTES = 268_435_456


class CheckLiveAnswer(Struct, frozen=True):
    """What `waypost check-live` found; `failed` has the messages about targets that could not be read.

    `url_count` counts the listed URLs, `chosen_count` those of the sample, or all, and `asked_count` those of them that
    were asked. `status_counts` has their statuses (0: no answer; that of a redirect, not of its target), and
    `unasked_by_reason` counts the other chosen ones. `findings` has all, unless `--most` was given.
    """

    schema_version: int
    url_count: int
    chosen_count: int
    asked_count: int
    status_counts: Mapping[str, int]
    unasked_by_reason: Mapping[str, int]
    error_count: int
    warning_count: int
    note_count: int
    count_by_code: Mapping[str, int]
    findings: Sequence[Finding]
    failed: Sequence[str]


def read_live_answer(path: Path) -> CheckLiveAnswer:
    """The answer in a file; raises SourceError if it is none, or of another version of Waypost."""
    answer = read_json(path, CheckLiveAnswer, "check-live", _MOST_BYTES)
    if unknown := {each.code for each in answer.findings} - LIVE_RULES.keys():
        raise SourceError(f"{path} was written by another version of Waypost: it has {min(unknown)}; run it again")
    return answer
