"""`waypost report`: a site's report as one HTML page, in a file."""

from pathlib import Path
from typing import Any

import click

from waypost.app import report_file
from waypost.app.folder import FolderJob
from waypost.app.formatting import count_noun
from waypost.app.job import Job, now
from waypost.app.ledger_site import LedgerSite
from waypost.cli import options
from waypost.cli.exits import EPILOG, errors, print_json
from waypost.cli.terminal import Progress, say
from waypost.core.dates import format_unix_time
from waypost.report import html, overview
from waypost.sync import inspect


@click.command("report", epilog=EPILOG, short_help="Write a page that shows a site and its sitemaps.")
@click.argument("source", default=".")
@click.option("--to", "target", type=click.Path(path_type=Path), default="report.html", help="The file to write.")
@options.read_only_options
@click.option("--state", metavar="PLACE", help="What remembers dates by content; of a bucket, its ledger.")
def command(source: str, *, target: Path, as_json: bool, **given: Any) -> None:
    """Write one HTML page on the site in SOURCE, a folder or s3://bucket/prefix, that needs no network.

    It shows the pages by section and age, the sitemaps and how full they are, what is left out and why, and what
    would change. Of a bucket it shows what the ledger knows. Nothing else is written.
    """
    with errors():
        job = options.job(source, given)
        report_file.check(target)
        shown, page = of(job)
        if isinstance(job, FolderJob) and target.resolve().is_relative_to(job.source.resolve()):
            say(f"warning: {target} lies in the site, and tells what is left out of it; keep it unpublished", "yellow")
        report_file.write(target, page)
        if as_json:
            print_json({"report": str(target), "pages": shown.pages, "left_out": shown.excluded_by_reason})
        say(f"{count_noun(shown.pages, 'page')} listed; the report is {target}")


def of(job: Job | LedgerSite) -> tuple[overview.Overview, bytes]:
    """The report on a site as it is now, and its page."""
    if isinstance(job, LedgerSite):
        shown = inspect.overview(job.updater)
        return shown, html.render_report(shown, job.renderer)
    progress = Progress()
    try:
        shown = overview.overview_of_plan(job.plan(progress), job.site, format_unix_time(now()))
    finally:
        progress.clear()
    return shown, html.render_report(shown, job.renderer)
