"""The commands on a bucket's ledger: `waypost update` and `waypost status`."""

import sys
import time
from collections.abc import Sequence

import click

from waypost.app import formatting, ledger_answers
from waypost.app.answers import RunAnswer
from waypost.app.run_answer import NO_PAGE, run_answer
from waypost.cli import options as site_options
from waypost.cli.exits import EPILOG, EXIT_STALE, errors, exit_for, print_json
from waypost.cli.options import SiteOptions
from waypost.cli.terminal import echo, say, say_finished
from waypost.core.errors import SourceError, WaypostError
from waypost.sync import inspect, rebuild
from waypost.sync.answers import CheckAnswer, StatusAnswer
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater


@click.command(epilog=EPILOG, short_help="Update a bucket's sitemaps for changed keys.")
@click.argument("source")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@site_options.site_options
def update(source: str, keys: tuple[str, ...], *, as_json: bool, options: SiteOptions) -> None:
    """Read each KEY of the bucket SOURCE, s3://bucket/prefix, and rewrite the sitemaps that it changes.

    The ledger that --state names has all other keys, so nothing is listed. `-` reads keys from
    standard input, one on each line.
    """
    started = time.monotonic()
    with errors():
        site = site_options.ledger_site(source, options)
        result = rebuild.update(site.updater, [site.key(key) for key in _expand_keys(keys)])
        if report_run(site.updater, result, started, as_json=as_json).failed:
            sys.exit(SourceError.exit_code)


def _expand_keys(keys: Sequence[str]) -> list[str]:
    """The keys, with those from standard input in place of `-`."""
    piped = sys.stdin.read().splitlines() if "-" in keys else ()
    return [*(key for key in keys if key != "-"), *piped]


@click.command(epilog=EPILOG, short_help="Print what a bucket's ledger holds.")
@click.argument("source")
@click.option("--check", is_flag=True, help="Compare bucket, ledger and sitemaps; exit with 1 if they differ.")
@site_options.site_options
def status(source: str, *, as_json: bool, check: bool, options: SiteOptions) -> None:
    """Print the state of the ledger of the bucket SOURCE, s3://bucket/prefix: its counts, and when it was built.

    What is wrong is part of the answer.
    """
    with errors():
        if check:
            comparison = _check(source, options)
            print_json(comparison) if as_json else echo("\n".join(formatting.check_lines(comparison)))
            exit_for(comparison.problems, 0 if comparison.in_sync else EXIT_STALE)
            return
        answer = _status(source, options)
        print_json(answer) if as_json else echo("\n".join(formatting.status_lines(answer)))
        exit_for(answer.problems)


def _status(source: str, options: SiteOptions) -> StatusAnswer:
    try:
        site = site_options.ledger_site(source, options)
    except WaypostError as error:
        site_options.require_bucket(source)
        return ledger_answers.status_without_settings(options.base_url, error)
    return inspect.status(site.updater)


def _check(source: str, options: SiteOptions) -> CheckAnswer:
    try:
        site = site_options.ledger_site(source, options)
    except WaypostError as error:
        site_options.require_bucket(source)
        return ledger_answers.check_without_settings(error)
    return inspect.check(site.updater)


def report_run(
    updater: Updater, result: RunResult, started: float, *, as_json: bool, is_written: bool = True
) -> RunAnswer:
    """Print what a run did, or in a dry run would do; raises SourceError if there is no page to list."""
    answer = run_answer(updater, result)
    for warning in answer.warnings:
        say(f"warning: {warning}", "yellow")
    if as_json:
        print_json(answer)
    for line in () if as_json else formatting.run_lines(answer, is_written=is_written):
        say(line)
    say_finished(started, is_written=is_written)
    if not answer.url_count:
        raise SourceError(NO_PAGE)
    return answer
