"""`waypost status`: what a bucket's ledger holds, and whether the bucket agrees with it."""

import click

from waypost.app import ledger_answers
from waypost.app.ledger_text import check_lines, status_lines
from waypost.cli import options as site_options
from waypost.cli.exits import EXIT_STALE, errors, print_json
from waypost.cli.ledger_output import exit_for
from waypost.cli.options import SiteOptions
from waypost.cli.terminal import echo
from waypost.core.errors import WaypostError
from waypost.sync import inspect
from waypost.sync.status_answers import CheckAnswer, StatusAnswer


@click.command()
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
            print_json(comparison) if as_json else echo("\n".join(check_lines(comparison)))
            exit_for(comparison.problems, 0 if comparison.in_sync else EXIT_STALE)
            return
        answer = _status(source, options)
        print_json(answer) if as_json else echo("\n".join(status_lines(answer)))
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
