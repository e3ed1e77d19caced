"""The commands on a bucket: `waypost update` and `waypost status` on one with a state, and `waypost aws`."""

import sys
import time
from collections.abc import Sequence

import click

from waypost.build import bucket_check, divided_bucket
from waypost.build import status as bucket_status
from waypost.build.answers import KINDS, Problem
from waypost.build.bucket_check import check_lines, check_without_settings
from waypost.build.bucket_explanation import object_key
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.divided_bucket import DividedBucket
from waypost.build.locations import require_sdk
from waypost.build.run_answer import NO_PAGE, RunAnswer, run_answer, run_lines
from waypost.build.status import status_lines, status_without_settings
from waypost.cli import options as site_options
from waypost.cli.options import SiteOptions
from waypost.cli.output import EXIT_STALE, errors, print_answer, print_json
from waypost.cli.terminal import say, say_finished, warn
from waypost.core.errors import RebuildNeededError, SourceError, WaypostError
from waypost.core.model import SiteWarning
from waypost.core.places import place_of

_DRY_RUN = click.option("--dry-run", is_flag=True, help="Only print whether anything would change.")


@click.command()
@click.argument("source")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@site_options.site_options
def update(source: str, keys: tuple[str, ...], *, as_json: bool, options: SiteOptions) -> None:
    """Read each KEY of the bucket SOURCE, s3://bucket/prefix, and rewrite the sitemaps that it changes.

    The state that --state names has all other keys, so nothing is listed. `-` reads keys from
    standard input, one on each line.
    """
    started = time.monotonic()
    with errors():
        bucket = site_options.stateful_bucket(source, options)
        divided = DividedBucket(bucket)
        try:
            named = [object_key(key, bucket.site, bucket.site_uri) for key in _expand_keys(keys)]
            result = divided_bucket.update(divided, named)
        except RebuildNeededError:
            result = divided_bucket.rebuild(divided)  # it looks at all objects, these included
        if report_run(bucket, result, started, as_json=as_json).failed:
            sys.exit(SourceError.exit_code)


def _expand_keys(keys: Sequence[str]) -> list[str]:
    """The keys, with those from standard input in place of `-`."""
    piped = sys.stdin.read().splitlines() if "-" in keys else ()
    return [*(key for key in keys if key != "-"), *piped]


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
        warn(warning)
    if as_json:
        print_json(answer)
    for line in () if as_json else run_lines(answer, is_written=is_written):
        say(line)
    say_finished(started, is_written=is_written)
    if not answer.url_count:
        raise SourceError(NO_PAGE)
    return answer


@click.command()
@click.argument("source")
@click.option("--check", is_flag=True, help="Compare bucket, state and sitemaps; exit with 1 if they differ.")
@site_options.site_options
def status(source: str, *, as_json: bool, check: bool, options: SiteOptions) -> None:
    """Print what the state of the bucket SOURCE, s3://bucket/prefix, holds: its counts, and when it was built.

    What is wrong is part of the answer.
    """
    with errors():
        bucket = _bucket(source, options)
        if check:
            if isinstance(bucket, WaypostError):
                comparison = check_without_settings(bucket)
            else:
                comparison = bucket_check.check(bucket)
            print_answer(comparison, check_lines(comparison), as_json=as_json)
            exit_for(comparison.problems, 0 if comparison.in_sync else EXIT_STALE)
            return
        if isinstance(bucket, WaypostError):
            answer = status_without_settings(options.base_url, bucket)
        else:
            answer = bucket_status.status(bucket)
        print_answer(answer, status_lines(answer), as_json=as_json)
        exit_for(answer.problems)


def _bucket(source: str, options: SiteOptions) -> DividedBucket | WaypostError:
    """A bucket with a state, or the error in its settings; raises ConfigurationError for a folder."""
    try:
        bucket = site_options.stateful_bucket(source, options)
    except WaypostError as error:
        site_options.require_bucket(source)
        return error
    return DividedBucket(bucket)


def exit_for(problems: Sequence[Problem], default: int = 0) -> None:
    """Exit with the code of the first problem, or else with `default`, unless that is 0."""
    code = KINDS[problems[0].kind].exit_code if problems else default
    if code:
        sys.exit(code)


@click.group()
def aws() -> None:
    """Prepare a bucket for the function that infra/template.yaml deploys."""


@aws.command()
@click.argument("bucket")
@_DRY_RUN
def connect(bucket: str, *, dry_run: bool) -> None:
    """Make BUCKET send the events of its objects to EventBridge; its other notifications stay as they are.

    A bucket that the function cannot work with is refused, with the reason.
    """
    _configure(bucket, is_connected=True, is_dry_run=dry_run)


@aws.command()
@click.argument("bucket")
@_DRY_RUN
def disconnect(bucket: str, *, dry_run: bool) -> None:
    """Stop BUCKET from sending its events to EventBridge. No other EventBridge rule gets them any more either."""
    _configure(bucket, is_connected=False, is_dry_run=dry_run)


def _configure(bucket: str, *, is_connected: bool, is_dry_run: bool) -> None:
    with errors():
        require_sdk("s3")
        from waypost.build import bucket_checks
        from waypost.files.s3_client import account, s3_client

        client, name = s3_client(), place_of(bucket).text.removeprefix("s3://").partition("/")[0]
        if is_connected:
            bucket_checks.require_suitable(client, name, region="", account=account())
        is_changed = bucket_checks.configure(client, name, is_connected=is_connected, is_dry_run=is_dry_run)
        when = ("would now" if is_dry_run else "now") if is_changed else "already"
        action = "sends its events to EventBridge" if is_connected else "does not send its events to EventBridge"
        say(f"{name} {when}: it {action}; its other notifications are unchanged")
        for note in bucket_checks.notes(client, name) if is_connected else ():
            say(f"note: {name}: {note}", "yellow")
