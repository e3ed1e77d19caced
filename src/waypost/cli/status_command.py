"""`waypost status`: what a bucket's state holds, and whether the bucket agrees with it."""

import click

from waypost.build import bucket_check, divided_answers
from waypost.build import status as bucket_status
from waypost.build.bucket_check import CheckAnswer, check_lines
from waypost.build.divided_bucket import DividedBucket
from waypost.build.status import StatusAnswer, status_lines
from waypost.cli import options as site_options
from waypost.cli.bucket_output import exit_for
from waypost.cli.exits import EXIT_STALE, errors, print_json
from waypost.cli.options import SiteOptions
from waypost.cli.terminal import echo
from waypost.core.errors import WaypostError


@click.command()
@click.argument("source")
@click.option("--check", is_flag=True, help="Compare bucket, state and sitemaps; exit with 1 if they differ.")
@site_options.site_options
def status(source: str, *, as_json: bool, check: bool, options: SiteOptions) -> None:
    """Print what the state of the bucket SOURCE, s3://bucket/prefix, holds: its counts, and when it was built.

    What is wrong is part of the answer.
    """
    with errors():
        if check:
            comparison = _check(source, options)
            print_json(comparison) if as_json else echo("\n".join(check_lines(comparison)))
            exit_for(comparison.problems, 0 if comparison.in_sync else EXIT_STALE)
            return
        answer = _status(source, options)
        print_json(answer) if as_json else echo("\n".join(status_lines(answer)))
        exit_for(answer.problems)


def _status(source: str, options: SiteOptions) -> StatusAnswer:
    try:
        bucket = site_options.stateful_bucket(source, options)
    except WaypostError as error:
        site_options.require_bucket(source)
        return bucket_status.status_without_settings(options.base_url, error)
    return divided_answers.status(DividedBucket(bucket))


def _check(source: str, options: SiteOptions) -> CheckAnswer:
    try:
        bucket = site_options.stateful_bucket(source, options)
    except WaypostError as error:
        site_options.require_bucket(source)
        return bucket_check.check_without_settings(error)
    return divided_answers.check(DividedBucket(bucket))
