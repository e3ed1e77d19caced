"""`waypost check-live`: reads sitemaps, asks the URLs that they list, and prints what is wrong."""

import math
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import click

from waypost.build.answers import count_noun, severity_counts
from waypost.build.job import now
from waypost.cli import options as site_options
from waypost.cli import output
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import Progress, ReadingProgress, say
from waypost.core.clock import SYSTEM_CLOCK, Clock
from waypost.core.errors import SourceError, WaypostError
from waypost.core.finding_types import LIVE_RULES, Severity
from waypost.core.model import printable
from waypost.core.private_hosts import PrivateHosts
from waypost.live import Asker, HttpSender, ListedUrl, LiveCheck, RunFile, Send, Totals
from waypost.live.live_answer import CheckLiveAnswer
from waypost.validate import Finding, FindingReport, SitemapEntry, SitemapFile, Validator

_EXAMPLES_IN_ANNOTATION = 5
_REASONS = 10
"""How many reasons are printed: each host may have one of its own."""
_MOST = 5


def print_findings(report: FindingReport, totals: Totals, most: int, *, reads_pages: bool) -> None:
    """Print each code with at most `most` URLs (0: all), errors first, a summary, and last what was not asked."""
    severities, codes = list(Severity), list(LIVE_RULES)
    findings = sorted(report, key=lambda finding: (severities.index(finding.severity), codes.index(finding.code)))
    for code, group in groupby(findings, key=lambda finding: finding.code):
        _print_group(list(group), report.counts[code], most)
    say(f"{count_noun(totals.listed, 'URL')} listed, {totals.asked:,} asked: {severity_counts(report.count)}")
    if totals.named:
        say(f"  asked, too: {count_noun(totals.named, 'URL')} named as canonical or as an alternate")
    if not reads_pages:
        say("  not read: noindex and canonical links in the pages themselves (--read-pages)")
    _say_unasked(totals)


def _print_group(findings: Sequence[Finding], count: int, most: int) -> None:
    """Print the findings with the same code; in a workflow as one annotation, since that shows few."""
    first, shown, examples = findings[0], findings[: most or None], findings[:_EXAMPLES_IN_ANNOTATION]
    text = f"{count_noun(count, 'URL')}; {first.advice}"
    details = [f"  {printable(f'{finding.loc}: {finding.message}')}" for finding in shown]
    if count > len(shown):
        details.append(f"  and {count - len(shown):,} more (--most 0 prints all)")
    annotation = f"{text}: {', '.join(f'{finding.loc} ({finding.message})' for finding in examples)}"
    if count > len(examples):
        annotation += f", and {count - len(examples):,} more"
    output.print_finding(first.severity, first.code, text, details, annotation=printable(annotation))


def _say_unasked(totals: Totals) -> None:
    if totals.listed > totals.chosen:
        say(f"  not asked: {count_noun(totals.listed - totals.chosen, 'URL')} outside the sample")
    reasons = totals.unasked_by_reason.most_common()
    for reason, count in reasons[:_REASONS]:
        say(f"  not asked: {count_noun(count, 'URL')}, since {printable(reason)}")
    if rest := sum(count for _, count in reasons[_REASONS:]):
        say(f"  not asked: {count_noun(rest, 'URL')} for other reasons (--json has all)")


@click.command("check-live")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--url", default="", help="Where a file or folder is published.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Ask only N of the URLs, each time the same.")
@click.option(
    "--rate",
    default=5.0,
    type=click.FloatRange(0.01, 100_000),
    metavar="N",
    help="Send at most N requests a second to a host. [default: 5]",
)
@click.option(
    "--concurrency",
    default=4,
    type=click.IntRange(1, 64),
    metavar="N",
    help="Send at most N requests at the same time. [default: 4]",
)
@click.option("--read-pages", is_flag=True, help="Read each page, and not only the headers of the answer.")
@site_options.file_option("--resume", "Remember the answers in FILE, and continue what it has of an interrupted run.")
@site_options.number_option("--max-minutes", "Ask nothing more after N minutes.")
@site_options.number_option(
    "--most", "Print at most N URLs of each code; 0: all. [default: 5, with --json and --csv all]"
)
@site_options.allow_private
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@site_options.with_csv
def check_live(
    targets: Sequence[str],
    *,
    url: str,
    sample: int | None,
    rate: float,
    concurrency: int,
    read_pages: bool,
    resume: Path | None,
    max_minutes: int | None,
    most: int | None,
    private: PrivateHosts,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Ask the server for every URL that the sitemaps in each TARGET list, and compare its answers with them.

    A TARGET is a sitemap, an index, a folder or a robots.txt, as for `validate`. Finds URLs that fail, redirect, are
    noindex, or are not canonical. Exits with 1 if there are errors, and with 3 if there are none, but URLs were not
    asked.
    """
    with output.errors():
        shown = most if most is not None else 0 if as_json or as_csv else _MOST
        limits = (sample, rate, concurrency, read_pages, resume, max_minutes, shown)
        run = LiveRun(TargetOpener(url, private), HttpSender(private), SYSTEM_CLOCK, *limits)
        if run(targets, as_json=as_json, as_csv=as_csv):
            sys.exit(output.EXIT_FOUND)


@dataclass(frozen=True, slots=True)
class LiveRun:
    """One run of `waypost check-live`, with the options of the command.

    `sample` and `max_minutes` are None for no limit.
    """

    opener: TargetOpener
    send: Send
    clock: Clock
    sample: int | None
    rate: float
    concurrency: int
    reads_pages: bool
    resume: Path | None
    max_minutes: int | None
    most: int

    def __call__(self, targets: Sequence[str], *, as_json: bool, as_csv: bool = False) -> bool:
        """Check the URLs, and print what was found; returns whether there are errors.

        Raises SourceError if there are none, but some URLs are not known or were not asked.
        """
        failures, report = self.opener.errors, FindingReport(self.most, LIVE_RULES)
        kind = "pages" if self.reads_pages else "headers"
        with closing(RunFile(self.resume, kind, self.clock.time())) as run_file:
            sitemaps = self._list(targets, run_file)
            totals = self._ask(sitemaps, run_file, report)
        has_errors = report.count(Severity.ERROR) > 0
        if totals.unasked and not has_errors:
            failures.append(SourceError(f"{count_noun(totals.unasked, 'URL')} of {totals.chosen:,} not asked"))
        if as_json:
            output.print_json(_answer(report, totals, failures))
        elif as_csv:
            output.print_findings_csv(report)
        else:
            print_findings(report, totals, self.most, reads_pages=self.reads_pages)
        output.end_with(failures)
        return has_errors

    def _list(self, targets: Sequence[str], run_file: RunFile) -> list[str]:
        """Add what the sitemaps list to the run file; returns their URLs. Raises SourceError if they list nothing.

        What breaks the protocol is left to `waypost validate`.
        """
        opener, progress, report = self.opener, ReadingProgress(), FindingReport(1)
        reading, locs = "", []

        def on_read(file: SitemapFile, size: int) -> None:
            nonlocal reading
            reading = file.name
            progress.on_read(file, size)

        def take(entries: Sequence[SitemapEntry]) -> None:
            run_file.list(ListedUrl(each.loc, each.lastmod or "", reading, each.line) for each in entries if each.loc)

        validator = Validator(now(), report, opener.child, take, opener.robots_of, on_read)
        with closing(validator):
            for file in progress.shown(validator.validate(opener.open_targets(targets))):
                locs.append(file.loc)
                if file.is_broken:
                    opener.errors.append(SourceError(f"{file.file}: {_why_broken(report, file.file)}"))
        if opener.unfollowed:
            count = count_noun(opener.unfollowed, "sitemap")
            opener.errors.append(SourceError(f"{count} that an index lists not read; name the sitemaps, or give --url"))
        if not run_file.count():
            raise opener.errors[-1] if opener.errors else SourceError("the sitemaps list no URL")
        return locs

    def _ask(self, sitemaps: Sequence[str], run_file: RunFile, report: FindingReport) -> Totals:
        deadline = math.inf if self.max_minutes is None else self.clock.time() + 60 * self.max_minutes
        asker = Asker(self.send, self.clock, self.rate, reads_pages=self.reads_pages, deadline=deadline)
        check = LiveCheck(run_file, asker.ask, self.clock, self.concurrency, deadline, self.sample)
        try:
            with Progress() as progress:
                totals = check.run(report, progress)
            for loc in filter(asker.is_disallowed, sitemaps):
                report.add("live-sitemap-disallowed", loc, 0, loc)
            return totals
        except KeyboardInterrupt:
            if self.resume:
                say(f"the answers so far are in {self.resume}; the same command continues")
            raise


def _why_broken(report: FindingReport, file: str) -> str:
    """Why a file cannot be read to its end."""
    errors = (finding for finding in report if finding.file == file and finding.severity == Severity.ERROR)
    return next((f"{finding.message}; {finding.advice}" for finding in errors), "the file cannot be read to its end")


def _answer(report: FindingReport, totals: Totals, errors: Sequence[WaypostError]) -> CheckLiveAnswer:
    return CheckLiveAnswer(
        url_count=totals.listed,
        chosen_count=totals.chosen,
        asked_count=totals.asked,
        status_counts={str(status): count for status, count in sorted(totals.by_status.items())},
        unasked_by_reason=dict(sorted(totals.unasked_by_reason.items())),
        **output.report_fields(report, errors),
    )
