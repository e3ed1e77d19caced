"""How the commands on a bucket with a state end: with the answer of a run, or with the exit code of a problem."""

import sys
from collections.abc import Sequence

from waypost.build.answers import KINDS, Problem
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.run_answer import NO_PAGE, RunAnswer, run_answer, run_lines
from waypost.cli.exits import print_json
from waypost.cli.terminal import say, say_finished
from waypost.core.errors import SourceError
from waypost.core.model import SiteWarning


def report_run(
    bucket: BucketSite,
    result: BucketResult,
    started: float,
    warnings: Sequence[SiteWarning] = (),
    *,
    as_json: bool,
    is_written: bool = True,
) -> RunAnswer:
    """Print what a run did, or in a dry run would do; raises SourceError if there is no page to list."""
    answer = run_answer(bucket, result, warnings)
    for warning in answer.warnings:
        say(f"warning: {warning}", "yellow")
    if as_json:
        print_json(answer)
    for line in () if as_json else run_lines(answer, is_written=is_written):
        say(line)
    say_finished(started, is_written=is_written)
    if not answer.url_count:
        raise SourceError(NO_PAGE)
    return answer


def exit_for(problems: Sequence[Problem], default: int = 0) -> None:
    """Exit with the code of the first problem, or else with `default`, unless that is 0."""
    code = KINDS[problems[0].kind].exit_code if problems else default
    if code:
        sys.exit(code)
