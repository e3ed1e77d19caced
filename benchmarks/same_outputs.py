"""Says whether two checkouts of Waypost show the same of the same inputs: all that a user or an operator can observe.

Both run the commands over folders, the Action over a repository, and the Lambda function over a bucket on a local S3,
with fixed clocks. What they print, their exit codes, the files that they write, the commits, and the number of requests
are compared. It prints a line for each kind of run, and each difference with its first lines. It exits with 1 if
anything differs. The inputs are BEFORE's, and the checkouts of each folder that `--corpus` names.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import same_output_action
from checkouts import PYTHON, Checkout
from forked_commands import ForkedCommands, forked_commands
from measure import say
from same_output_folders import Folder, Seen, corpus_folders, own_folders, own_samples

_SEQUENCE = Path(__file__).with_name("function_sequence.py")
_MASKS = (
    (r"\b\d[\d,]*\.\d+ s\b", "N s"),  # how long a command took
    (r'"Timestamp":\d+', '"Timestamp":N'),  # of metrics: the time of the machine
    (r"'waypost-state': '[0-9a-f]{12}'", "'waypost-state': 'N'"),  # the random id of a state
    (r"('waypost-number': '\d+)-[0-9a-f]{12}'", r"\1-N'"),  # that of a write of it
    (r"\bend-[0-9a-f]{32}\b", "end-N"),  # the random end of an output of the Action
    (r"<repository>@[0-9a-f]{40}", "<repository>@N"),  # the commit of the installed package, not of the checkout
    (r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:N"),  # the free port of a server
)
_WRITTEN = re.compile(r'("(?:written|removed)": ?\[)([^\]]*)\]')
"""The names of files in an order that depends on which request to S3 ended first."""
_LINES, _WIDTH, _CONTEXT = 3, 200, 60
"""Of a difference: how many lines are printed, how much of each, and how much of that before the difference."""


class Side(NamedTuple):
    """A checkout and its command line."""

    checkout: Checkout
    program: ForkedCommands


class Run(NamedTuple):
    """A name, and what shows the cases of one side."""

    name: str
    observe: Callable[[Side], Iterable[Seen]]


@dataclass
class Tally:
    """The number of cases of each kind, and of those that are equal."""

    cases: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(default_factory=Counter)

    def compare(self, run: Run, before: Side, after: Side) -> None:
        """Observe both sides, and print what differs."""
        say(run.name)
        one, other = ({(seen.kind, seen.case): seen.shown for seen in run.observe(side)} for side in (before, after))
        for kind, case in one | other:
            found = list(_differences(one.get((kind, case), {}), other.get((kind, case), {})))
            self.cases[kind] += 1
            self.equal[kind] += not found
            if found:
                print(f"DIFFERENT {kind}: {case}", *found, sep="\n  ", flush=True)

    def print_counts(self) -> None:
        """Print a line for each kind."""
        for kind, count in self.cases.items():
            print(f"{kind:24} {count:5,} cases, {self.equal[kind]:5,} equal")


def main() -> None:
    """Compare all runs, or some; exit with 1 on a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path, metavar="BEFORE", help="a checkout")
    parser.add_argument("after", type=Path, metavar="AFTER", help="another checkout")
    parser.add_argument(
        "--corpus", type=Path, nargs="+", default=[], metavar="FOLDER", help="with checkouts or sitemaps"
    )
    parser.add_argument("--only", default="", metavar="NAME", help="only the runs whose names contain this text")
    given = parser.parse_args()
    began, tally = time.monotonic(), Tally()
    checkouts = [Checkout.at("BEFORE", given.before), Checkout.at("AFTER", given.after)]
    sys.path[:0] = [str(checkouts[0].source), str(checkouts[0].folder / "tests")]
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        before, after = (Side(each, stack.enter_context(_program(each))) for each in checkouts)
        for run in _runs(before.checkout.folder, given.corpus, scratch):
            if given.only in run.name:
                tally.compare(run, before, after)
    tally.print_counts()
    say(f"finished, {time.monotonic() - began:.0f} s")
    sys.exit(tally.cases != tally.equal)


def _program(checkout: Checkout) -> AbstractContextManager[ForkedCommands]:
    return forked_commands(PYTHON, checkout.module, checkout.function, checkout.variables)


def _runs(before: Path, corpora: Sequence[Path], scratch: Path) -> Iterator[Run]:
    """Every run; the inputs of each are made when it is asked for."""
    for folder in own_folders(before, scratch):
        yield Run(f"folder: {folder.name}", partial(_observe_folder, folder, scratch / "copy"))
    yield Run("samples", partial(_observe_folder, own_samples(before, scratch), scratch / "copy"))
    yield Run("action", lambda side: same_output_action.observe(side.checkout, scratch / "action"))
    yield Run("function", partial(_observe_function, scratch / "function.json"))
    for corpus in corpora:
        for folder in corpus_folders(corpus, scratch):
            yield Run(f"corpus: {folder.name}", partial(_observe_folder, folder, scratch / "copy"))


def _observe_folder(folder: Folder, copy: Path, side: Side) -> Iterator[Seen]:
    return folder.observe(side.program, copy)


def _observe_function(result: Path, side: Side) -> Iterator[Seen]:
    """What each step of the sequence shows; if it ends early, its last messages."""
    checkout, path = side.checkout, (side.checkout.source, side.checkout.folder / "lambda")
    command = (str(_SEQUENCE), checkout.module, checkout.function, str(result))
    result.unlink(missing_ok=True)
    variables = {"PYTHONPATH": os.pathsep.join(map(str, path))}
    done = checkout.python(*command, folder=result.parent, variables=variables)
    if not result.exists():
        yield Seen("function", "all steps", {checkout.name: done.stderr[-2_000:]})
        return
    for name, shown in json.loads(result.read_text(encoding="utf-8")).items():
        yield Seen("function", name, shown)


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Each text that differs, with its first differing lines."""
    for name in {**before, **after}:
        one, other = (_masked(texts.get(name, "(nothing)")) for texts in (before, after))
        if one != other:
            yield from _first_lines(name, one.splitlines(), other.splitlines())


def _first_lines(name: str, one: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    pairs = enumerate(zip_longest(one, other))
    first = next((n for n, (a, b) in pairs if a != b), None)
    if first is None:
        yield f"{name}: the ends of lines differ"
        return
    yield f"{name}, line {first + 1}:"
    a, b = (lines[first] if first < len(lines) else "" for lines in (one, other))
    start = max(0, _common(a, b) - _CONTEXT)
    for mark, lines in (("-", one), ("+", other)):
        yield from (f"{mark} {line[start : start + _WIDTH]}" for line in lines[first : first + _LINES])


def _common(one: str, other: str) -> int:
    """How many characters two lines have in common."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _masked(text: str) -> str:
    """The text without what differs between two runs of one checkout."""
    for pattern, replacement in _MASKS:
        text = re.sub(pattern, replacement, text)
    return _WRITTEN.sub(lambda found: f"{found[1]}{sorted(map(str.strip, found[2].split(',')))}]", text)


if __name__ == "__main__":
    main()
