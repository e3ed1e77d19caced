"""`waypost report`: a site's report as one HTML page, in a file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from waypost.build.answers import count_noun
from waypost.build.job import Job, now
from waypost.build.submissions import read_answer
from waypost.cli import options as site_options
from waypost.cli.options import LocalPath, SiteOptions
from waypost.cli.output import errors, print_csv, print_json
from waypost.cli.terminal import Progress, say, warn
from waypost.core.dates import format_unix_time
from waypost.live.live_answer import CheckLiveAnswer, read_live_answer
from waypost.report import (
    AffectedPage,
    LiveCounts,
    Overview,
    ReportProblem,
    overview_of_plan,
    render_report,
    report_file,
    with_heads,
    with_problems,
)
from waypost.report.report_problems import audit_problems, job_problems, live_problems


class ReportAnswer(Struct, frozen=True):
    """Where `waypost report` wrote its page, and what is in it.

    `is_healthy` if nothing is to be fixed; `problems` may have notes all the same. They come in the order in which to
    fix them, with all their pages.
    """

    report: str
    url_count: int
    excluded_by_reason: Mapping[str, int]
    is_healthy: bool
    problems: Sequence[ReportProblem]


@click.command()
@click.argument("source", required=False)
@click.option("--to", "target", type=LocalPath(), default="report.html", help="The file to write.")
@site_options.file_option(
    "--submitted",
    "Also show what search engines know of the sitemaps: what `waypost submit --json` printed into FILE.",
)
@site_options.file_option(
    "--live", "Also show how the server answers: what `waypost check-live --json` printed into FILE."
)
@site_options.with_state
@site_options.with_csv
def report(
    source: str | None,
    *,
    target: Path,
    submitted: Path | None,
    live: Path | None,
    as_json: bool,
    as_csv: bool,
    options: SiteOptions,
) -> None:
    """Write one self-contained HTML page about the site in SOURCE, a folder or s3://bucket/prefix.

    It begins with the verdict: the site is healthy, or what to fix, with all pages concerned. Then it shows what the
    pages have, by section and age, what would change, what is left out and why, and the sitemaps. For a bucket it
    shows what the state holds. Nothing else is written.
    """
    with errors():
        job = site_options.job(source, options)
        report_file.check(target)
        known = read_answer(submitted) if submitted else None
        answers = read_live_answer(live) if live else None
        overview = _overview(job)
        if answers:
            overview = _with_live(overview, _of_site(answers, job.site.base_url, live))
        if known:
            overview = replace(overview, submissions=known.submissions, submissions_at=known.read_at)
        if job.folder and target.resolve().is_relative_to(job.folder.source.resolve()):
            warn(f"{target} is inside the site and names what is left out; do not publish it")
        report_file.write(target, render_report(overview, job.renderer))
        if as_json:
            print_json(_answer(target, overview))
        if as_csv:
            _print_csv(overview)
        to_fix = overview.verdict.to_fix
        found = count_noun(len(to_fix), "thing") + " to fix" if to_fix else "nothing to fix"
        say(f"{count_noun(overview.pages, 'page')} listed, {found}; the report is {target}")


def _of_site(answers: CheckLiveAnswer, base_url: str, file: Path | None) -> CheckLiveAnswer:
    """The answers without those of another site, of which a message tells."""
    own = [each for each in answers.findings if (each.loc or each.file).startswith(base_url)]
    others = len(answers.findings) - len(own)
    if others:
        warn(f"{count_noun(others, 'finding')} in {file} left out, since they are not below {base_url}")
    return replace(answers, findings=own)


def _with_live(overview: Overview, answers: CheckLiveAnswer) -> Overview:
    """The overview with what a check of the live site found."""
    counts = LiveCounts(answers.url_count, answers.asked_count)
    verdict = with_problems(overview.verdict, live_problems(answers))
    return replace(overview, verdict=verdict, live=counts)


def _answer(target: Path, overview: Overview) -> ReportAnswer:
    problems = [replace(each, count=each.page_count) for each in overview.verdict.problems]
    is_healthy = overview.verdict.is_healthy
    return ReportAnswer(str(target), overview.pages, overview.excluded_by_reason, is_healthy, problems)


def _print_csv(overview: Overview) -> None:
    """Print each problem on each of its pages as a row; one of the whole site has no page."""
    print_csv(
        ("code", "severity", "page", "detail", "title", "why", "advice", "found by"),
        (
            (each.code, each.severity.value, page.name, page.detail, each.title, each.why, each.advice, each.found_by)
            for each in overview.verdict.problems
            for page in each.pages or (AffectedPage(""),)
        ),
    )


def _overview(job: Job) -> Overview:
    """What the report shows of the site as it is now."""
    from waypost.audit.site_audit import PagesRead  # no other command needs it

    with Progress() as progress:
        read = PagesRead() if _is_built(job) else None
        listing, dates = job.list_pages(progress, read.add if read else None)
        plan, at = job.plan_publication(listing, dates, progress), format_unix_time(now())
        progress("checking the sitemaps", 0, None)
        problems = [*job_problems(plan, job, at)]
        if not read:
            return overview_of_plan(plan, job.site, at, problems)
        audit = read.audit(job.input.source, job.site, listing, progress)
        overview = overview_of_plan(plan, job.site, at, [*problems, *audit_problems(audit)])
        return replace(overview, coverage=with_heads(overview.coverage, audit.counts.texts))


def _is_built(job: Job) -> bool:
    """Whether the pages are the files of a folder; reading objects of a bucket again would cost requests."""
    return job.folder is not None and job.source_kind.kind == "static"
