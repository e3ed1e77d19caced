"""`waypost submit`: submits sitemaps to Google and Bing, and prints what these know of them."""

import os
import sys
from collections.abc import Sequence
from functools import partial

import click

from waypost.build import submissions, workflow_commands
from waypost.build.answers import SCHEMA_VERSION, count_noun
from waypost.build.job import now
from waypost.build.submissions import SubmitAnswer
from waypost.cli.output import EXIT_FOUND, errors, print_answer
from waypost.cli.terminal import Progress, pause, say
from waypost.core.dates import format_unix_time
from waypost.core.errors import AnnounceError


@click.command()
@click.argument("sitemaps", nargs=-1, required=True, metavar="SITEMAP_URL...")
@click.option(
    "--site",
    metavar="SITE",
    help="The property: sc-domain:example.org, or a URL. [default: the origin of each sitemap]",
)
@click.option(
    "--to",
    "names",
    multiple=True,
    type=click.Choice(list(submissions.ENGINES)),
    help="May be repeated. [default: each engine whose credentials are in the environment]",
)
@click.option("--status", "is_status", is_flag=True, help="Submit nothing; only print what the engines know.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def submit(sitemaps: Sequence[str], *, site: str | None, names: Sequence[str], is_status: bool, as_json: bool) -> None:
    """Submit each SITEMAP_URL to Google Search Console and Bing Webmaster Tools.

    Then it prints what each of them knows of the sitemap: when it was last read, its errors, and how many URLs it
    submits. Google needs `pip install google-auth` and the path of a credentials file in
    GOOGLE_APPLICATION_CREDENTIALS, Bing a key in BING_WEBMASTER_API_KEY. Exits with 7 if an engine refuses or does not
    answer, or else with 1 if it reports errors in a sitemap.
    """
    with errors():
        submissions.check_sitemaps(sitemaps)
        answer = _submit(sitemaps, submissions.checked_site(site) if site else None, names, submits=not is_status)
        found = answer.submissions
        print_answer(answer, submissions.table_lines(found), as_json=as_json)
        workflow_commands.write_summary(os.environ, submissions.summary_markdown(found))
        failed, reported = submissions.problems(found), submissions.engine_errors(found)
        for problem in (*failed, *reported):
            say(f"error: {problem}", "red")
        if failed:
            raise AnnounceError(f"{len(failed)} of {count_noun(len(found), 'request')} failed")
        if reported:
            sys.exit(EXIT_FOUND)


def _submit(sitemaps: Sequence[str], site: str | None, names: Sequence[str], *, submits: bool) -> SubmitAnswer:
    engines, read_at = submissions.engines_of(names, os.environ), format_unix_time(now())
    retry = submissions.patient_retry(partial(pause, what="a search engine does not answer, or refuses for now"))
    found, total = [], len(engines) * len(set(sitemaps))
    with Progress() as progress:
        for submission in submissions.submissions_of(engines, sitemaps, site, submits=submits, retry=retry):
            found.append(submission)
            progress("asking search engines", len(found), total)
    return SubmitAnswer(SCHEMA_VERSION, read_at, found)
