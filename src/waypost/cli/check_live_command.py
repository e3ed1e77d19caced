"""`waypost check-live`: reads sitemaps, asks the URLs that they list, and prints what is wrong."""

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click

from waypost.build import workflow_commands
from waypost.build.answers import SCHEMA_VERSION, count_noun
from waypost.build.job import now
from waypost.cli import finding_output, terminal
from waypost.cli import options as site_options
from waypost.cli.exits import EXIT_FOUND, errors, print_json
from waypost.cli.finding_output import COLOURS, LEVELS, is_workflow
from waypost.cli.options import LocalPath
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import Progress, ReadingProgress, echo, say
from waypost.core.clock import Clock, SystemClock
from waypost.core.errors import SourceError, WaypostError
from waypost.core.finding_types import LIVE_RULES, Severity
from waypost.core.model import printable
from waypost.core.private_hosts import PrivateHosts
from waypost.live import Asker, HttpSender, ListedUrl, LiveCheck, RunFile, Send, Totals
from waypost.live.live_answer import CheckLiveAnswer
from waypost.validate import FileResult, Finding, FindingReport, SitemapEntry, SitemapFile, Validator

_EXAMPLES_IN_ANNOTATION = 5
_REASONS = 10
"""How many reasons are printed: each host may have one of its own."""
_MOST = 5


def print_findings(report: FindingReport, totals: Totals, most: int, *, reads_pages: bool) -> None:
    """Print each code with at most `most` URLs (0: all), errors first, a summary, and last what was not asked."""
    severities, codes = list(Severity), list(LIVE_RULES)
    findings = sorted(report, key=lambda each: (severities.index(each.severity), codes.index(each.code)))
    for code, group in groupby(findings, key=lambda finding: finding.code):
        examples, count = list(group), report.counts[code]
        _annotate(examples, count) if is_workflow() else _print_group(examples, count, most)
    counts = ", ".join(count_noun(report.count(severity), severity.value) for severity in Severity)
    say(f"{count_noun(totals.listed, 'URL')} listed, {totals.asked:,} asked: {counts}")
    if not reads_pages:
        say("  not read: noindex and canonical links in the pages themselves (--read-pages)")
    _say_unasked(totals)


def _print_group(findings: Sequence[Finding], count: int, most: int) -> None:
    first, shown = findings[0], findings[:most] if most else findings
    label = click.style(first.severity.value, fg=COLOURS[first.severity], bold=True)
    echo(f"{label} {first.code}: {count_noun(count, 'URL')}; {first.advice}")
    for finding in shown:
        echo(f"  {printable(f'{finding.loc}: {finding.message}')}")
    if count > len(shown):
        echo(f"  and {count - len(shown):,} more (--most 0 prints all)")


def _annotate(findings: Sequence[Finding], count: int) -> None:
    """One annotation for all URLs with the same code, since a workflow shows few."""
    first, shown = findings[0], findings[:_EXAMPLES_IN_ANNOTATION]
    examples = ", ".join(f"{finding.loc} ({finding.message})" for finding in shown)
    more = f", and {count - len(shown):,} more" if count > len(shown) else ""
    text = f"{count_noun(count, 'URL')}; {first.advice}: {examples}{more}"
    workflow_commands.annotate(LEVELS[first.severity], printable(text), title=f"Waypost: {first.code}")


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
@click.option(
    "--resume",
    type=LocalPath(dir_okay=False),
    metavar="FILE",
    help="Remember the answers in FILE, and continue what it has of an interrupted run.",
)
@click.option("--max-minutes", type=click.IntRange(0), metavar="N", help="Ask nothing more after N minutes.")
@click.option(
    "--most",
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N URLs of each code; 0: all. [default: 5, with --json and --csv all]",
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
    with errors():
        shown = most if most is not None else 0 if as_json or as_csv else _MOST
        options = Options(sample, rate, concurrency, read_pages, resume, max_minutes, shown)
        opener = TargetOpener(url, private)
        if LiveRun(opener, options, targets).run(as_json=as_json, as_csv=as_csv):
            sys.exit(EXIT_FOUND)


class Options(NamedTuple):
    """The options of the command: `sample` and `max_minutes` are None for no limit."""

    sample: int | None
    rate: float
    concurrency: int
    reads_pages: bool
    resume: Path | None
    max_minutes: int | None
    most: int


class LiveRun:
    """One run of `waypost check-live`; `send` and `clock` are only given in tests."""

    def __init__(
        self,
        opener: TargetOpener,
        options: Options,
        targets: Sequence[str],
        send: Send | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._opener, self._options, self._targets = opener, options, targets
        self._send = send or HttpSender(opener.private)
        self._clock = clock or SystemClock()
        self._errors: list[WaypostError] = []
        self._sitemaps: list[str] = []

    def run(self, *, as_json: bool, as_csv: bool = False) -> bool:
        """Check the URLs, and print what was found; returns whether there are errors.

        Raises SourceError if there are none, but some URLs are not known or were not asked.
        """
        report = FindingReport(self._options.most, LIVE_RULES)
        kind = "pages" if self._options.reads_pages else "headers"
        with closing(RunFile(self._options.resume, kind, self._clock.time())) as run_file:
            self._list(run_file)
            totals = self._ask(run_file, report)
        has_errors = report.count(Severity.ERROR) > 0
        if totals.unasked and not has_errors:
            self._errors.append(SourceError(f"{count_noun(totals.unasked, 'URL')} of {totals.chosen:,} not asked"))
        if as_json:
            print_json(_answer(report, totals, self._errors))
        elif as_csv:
            terminal.print_findings_csv(report)
        else:
            options = self._options
            print_findings(report, totals, options.most, reads_pages=options.reads_pages)
        finding_output.print_errors(self._errors)
        if self._errors:
            raise self._errors[-1]
        return has_errors

    def _list(self, run_file: RunFile) -> None:
        """Read the sitemaps; raises SourceError if they list nothing."""
        progress = ReadingProgress()
        reader = _SitemapReader(self._opener, run_file, progress)
        for file in progress.shown(reader.read(self._open())):
            self._sitemaps.append(file.loc)
            if file.is_broken:
                self._errors.append(SourceError(f"{file.file}: {reader.why_broken(file.file)}"))
        if self._opener.unfollowed:
            count = count_noun(self._opener.unfollowed, "sitemap")
            self._errors.append(SourceError(f"{count} that an index lists not read; name the sitemaps, or give --url"))
        if not run_file.count():
            raise self._errors[-1] if self._errors else SourceError("the sitemaps list no URL")

    def _open(self) -> Iterator[SitemapFile]:
        for target in self._targets:
            try:
                yield from self._opener.open_target(target)
            except WaypostError as error:
                self._errors.append(error)

    def _ask(self, run_file: RunFile, report: FindingReport) -> Totals:
        options, minutes = self._options, self._options.max_minutes
        deadline = math.inf if minutes is None else self._clock.time() + 60 * minutes
        asker = Asker(self._send, self._clock, options.rate, reads_pages=options.reads_pages, deadline=deadline)
        check = LiveCheck(run_file, asker.ask, self._clock, options.concurrency, deadline, options.sample)
        try:
            with Progress() as progress:
                totals = check.run(report, progress)
            for loc in filter(asker.is_disallowed, self._sitemaps):
                report.add("live-sitemap-disallowed", loc, 0, loc)
            return totals
        except KeyboardInterrupt:
            if options.resume:
                say(f"the answers so far are in {options.resume}; the same command continues")
            raise


class _SitemapReader:
    """Reads sitemaps, and adds what they list to a run file."""

    def __init__(self, opener: TargetOpener, run_file: RunFile, progress: ReadingProgress) -> None:
        self._opener, self._run_file, self._file, self._on_read = opener, run_file, "", progress.on_read
        self._report = FindingReport(1)

    def read(self, files: Iterable[SitemapFile]) -> Iterator[FileResult]:
        """Read the files, and the sitemaps that they list; what breaks the protocol is left to `waypost validate`."""
        validator = Validator(now(), self._report, self._child, self._take, self._opener.robots_of, self._on_read)
        with closing(validator):
            yield from validator.validate(map(self._opened, files))

    def why_broken(self, file: str) -> str:
        """Why a file cannot be read to its end."""
        errors = (each for each in self._report if each.file == file and each.severity == Severity.ERROR)
        return next((f"{each.message}; {each.advice}" for each in errors), "the file cannot be read to its end")

    def _opened(self, file: SitemapFile) -> SitemapFile:
        self._file = file.name
        return file

    def _child(self, index: SitemapFile, loc: str) -> SitemapFile | None:
        child = self._opener.child(index, loc)
        return self._opened(child) if child else None

    def _take(self, entries: Sequence[SitemapEntry]) -> None:
        file = self._file
        self._run_file.list(ListedUrl(each.loc, each.lastmod or "", file, each.line) for each in entries if each.loc)


def _answer(report: FindingReport, totals: Totals, errors: Sequence[WaypostError]) -> CheckLiveAnswer:
    return CheckLiveAnswer(
        schema_version=SCHEMA_VERSION,
        url_count=totals.listed,
        chosen_count=totals.chosen,
        asked_count=totals.asked,
        status_counts={str(status): count for status, count in sorted(totals.by_status.items())},
        unasked_by_reason=dict(sorted(totals.unasked_by_reason.items())),
        error_count=report.count(Severity.ERROR),
        warning_count=report.count(Severity.WARNING),
        note_count=report.count(Severity.NOTE),
        count_by_code=report.counts,
        findings=list(report),
        failed=[str(error) for error in errors],
    )
