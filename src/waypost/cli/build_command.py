"""`waypost build`: the sitemaps of a folder or a bucket."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from waypost.build.build_answer import build_answer, build_lines, change_lines, excluded_lines
from waypost.build.job import Job
from waypost.build.subscribers import notify_of_plan, plan_result
from waypost.cli import options as site_options
from waypost.cli.options import SiteOptions
from waypost.cli.output import EXIT_STALE, errors, print_json
from waypost.cli.terminal import Progress, echo, pause, say, say_finished, warn

if TYPE_CHECKING:
    from waypost.build.bucket_site import BucketSite

_STALE = "stale: run `waypost build` and publish what it writes"
_STALE_IN_SHALLOW_CLONE = "stale, judged by the history of a shallow clone: fetch all of it, and check again"


@click.command()
@click.argument("source", required=False)
@site_options.site_options
@click.option(
    "--dry-run", is_flag=True, help="Print what would be written, added, removed and left out; write nothing."
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the published files are not up to date.")
@click.option(
    "--adopt",
    metavar="STATE",
    default="",
    help="Continue with the dates of another state of a bucket, such as that of the site before it was moved.",
)
@click.option(
    "--fetch-history",
    is_flag=True,
    help="Of a folder: fetch the commits that a shallow clone lacks, without their files, to date the pages.",
)
@site_options.file_option(
    "--changes",
    "Of a folder: write what changed to FILE, for `waypost notify` once the site is deployed; notify nobody now.",
)
def build(
    source: str | None,
    *,
    as_json: bool,
    dry_run: bool,
    check: bool,
    adopt: str,
    fetch_history: bool,
    changes: Path | None,
    options: SiteOptions,
) -> None:
    """Render the sitemaps of the site in SOURCE: a folder (default: the working folder), or s3://bucket/prefix.

    Pages are HTML and PDF files, unless the settings say otherwise. Files are left out if they are hidden, error
    pages, noindex, redirects, copies of other pages, or disallowed by robots.txt; `waypost explain` prints which rule
    left out a file. Dates come from Git's history.
    """
    started = time.monotonic()
    with errors():
        job = site_options.job(source, options)
        if job.bucket:
            stale_advice = _build_bucket(
                job, job.bucket, started, as_json=as_json, is_dry_run=dry_run or check, adopt=adopt
            )
        elif adopt:
            problem = "only a bucket with a state, which --state names, can adopt another state"
            raise site_options.wrong_option("--adopt", problem)
        else:
            if fetch_history and (problem := job.dates.fetch_history()):
                warn(f"the history could not be fetched: {problem}")
            stale_advice = _build_folder(job, started, changes, as_json=as_json, is_dry_run=dry_run, is_check=check)
        if check and stale_advice:
            say(stale_advice, "red")
            sys.exit(EXIT_STALE)


def _build_bucket(
    job: Job, bucket: "BucketSite", started: float, *, as_json: bool, is_dry_run: bool, adopt: str
) -> str:
    """Rebuild a bucket with a state; returns what to do about stale files, or an empty string if there are none."""
    from waypost.build import divided_bucket
    from waypost.build.bucket import read_adopted  # a folder's build needs nothing of this
    from waypost.build.divided_bucket import DividedBucket
    from waypost.build.locations import Locations
    from waypost.cli.bucket_commands import report_run

    at = bucket.dry_run() if is_dry_run else bucket
    adopted, warnings = read_adopted(at, Locations(), adopt, "command line", "--adopt") if adopt else (None, ())
    divided = DividedBucket(at)
    run = divided_bucket.would_rebuild if is_dry_run else divided_bucket.rebuild
    result = run(divided, adopted)
    warnings = (*job.input.warnings(), *warnings)
    answer = report_run(at, result, started, warnings, as_json=as_json, is_written=not is_dry_run)
    return _STALE if answer.written or answer.removed else ""


def _build_folder(
    job: Job, started: float, changes: Path | None, *, as_json: bool, is_dry_run: bool, is_check: bool
) -> str:
    """Build a folder, or a bucket without a state; returns what to do about stale files, or `""` if there are none."""
    with Progress() as progress:
        plan = job.plan(progress)
    is_written = not (is_dry_run or is_check)
    if is_written:
        job.apply(plan)
        if changes:
            from waypost.notify import result_file

            result_file.write(changes, plan_result(job.site, plan))
        else:
            plan = notify_of_plan(job.site, plan, pause)
    answer = build_answer(plan, job.site, job.source_kind, job.recognised)
    summary = list(build_lines(answer, is_written=is_written))
    if as_json:
        print_json(answer)
    elif is_dry_run:
        dates = {page.loc: page.lastmod for page in answer.pages}
        lines = [*summary, *change_lines(answer.changes, dates), *excluded_lines(answer)]
        echo("\n".join(lines))
    for warning in answer.warnings:
        warn(warning.text)
    for line in summary if as_json or not is_dry_run else ():
        say(line)
    say_finished(started, is_written=is_written)
    if not answer.stale:
        return ""
    return _STALE_IN_SHALLOW_CLONE if "shallow" in plan.no_date_reason.values() else _STALE
