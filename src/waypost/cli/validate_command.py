"""`waypost validate`: opens sitemaps, checks them, and compares them with a site."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import click
from msgspec import Struct

from waypost.build import site_checks
from waypost.build.answers import count_noun, severity_counts
from waypost.build.job import Job, now
from waypost.build.lister import Listing
from waypost.build.site_comparison import SiteComparison
from waypost.cli import options as site_options
from waypost.cli import output
from waypost.cli.options import SiteOptions
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import Progress, ReadingProgress, say
from waypost.core.errors import ConfigurationError, SourceError, WaypostError
from waypost.core.finding_types import Severity
from waypost.core.model import printable
from waypost.core.places import is_web, place_of
from waypost.core.private_hosts import PrivateHosts
from waypost.validate import FileResult, Finding, FindingReport, Validator, scope_of

_NOT_CHECKED = (
    "not everything was checked: give the URL of the index with --url, name its sitemaps as targets, "
    "allow more time with --max-minutes, or use --no-follow"
)
_MOST = 100


class ValidatedFile(Struct, frozen=True):
    """A file that `waypost validate` read; its size in bytes is uncompressed, and `loc` is empty if unknown."""

    name: str
    loc: str
    kind: str
    entry_count: int
    bytes: int


class ValidateAnswer(Struct, frozen=True):
    """What `waypost validate` found; `failed` has the messages about targets that could not be read.

    `findings` has all, unless `--most` was given.
    """

    schema_version: int
    error_count: int
    warning_count: int
    note_count: int
    count_by_code: Mapping[str, int]
    files: Sequence[ValidatedFile]
    findings: Sequence[Finding]
    failed: Sequence[str]


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--url", default="", help="Where a file or folder is published, which decides what it may list.")
@click.option(
    "--against",
    metavar="SOURCE",
    is_flag=False,
    flag_value="",
    help="The site to compare with: a folder or s3://bucket/prefix; without a value the one that is recognised.",
)
@site_options.number_option(
    "--most", "Print at most N findings of each code in a file; 0: all. [default: 100, with --json and --csv all]"
)
@site_options.number_option(
    "--max-minutes", "After N minutes, open no more of the sitemaps that an index lists. [default: 60]", 60
)
@site_options.allow_private
@click.option("--no-follow", is_flag=True, help="Do not check the sitemaps that an index lists.")
@site_options.read_only_options
@site_options.with_csv
def validate(
    targets: Sequence[str],
    *,
    url: str,
    against: str | None,
    most: int | None,
    max_minutes: int,
    private: PrivateHosts,
    no_follow: bool,
    as_json: bool,
    as_csv: bool,
    options: SiteOptions,
) -> None:
    """Check each TARGET: a sitemap, an index with all that it lists, a text file, an RSS or Atom feed.

    A TARGET is a file, a folder, s3://bucket/key, an http(s) URL, or `-` for standard input; gzip is understood.
    Without one, the folder is checked that is recognised as the project's site.
    Exits with 1 if search engines would ignore anything in it. With --against, the listed URLs are compared with the
    site, read by its settings.
    """
    with output.errors():
        if not targets:
            job = site_options.job(None, options)
            targets, url = [str(job.paths.output)], url or job.site.base_url
        if against is not None and not url and scope_of(options.base_url or ""):
            url = options.base_url or ""
        opener = TargetOpener(url, private, is_followed=not no_follow, max_minutes=max_minutes)
        shown = most if most is not None else 0 if as_json or as_csv else _MOST
        if Validation(opener, shown, against, options).run(targets, as_json=as_json, as_csv=as_csv):
            sys.exit(output.EXIT_FOUND)


class Validation:
    """One run of `waypost validate`: at most `most` findings of each code in a file are printed.

    `against` is the site to compare with, if any, and `options` are the options for its settings.
    """

    def __init__(self, opener: TargetOpener, most: int, against: str | None, options: SiteOptions) -> None:
        self._opener, self._against, self._options = opener, against, options
        self._progress = ReadingProgress()
        self._validator = Validator(
            now(), FindingReport(most), opener.child, robots_of=opener.robots_of, on_read=self._progress.on_read
        )
        self._disallowed: dict[str, str] = {}

    def run(self, targets: Sequence[str], *, as_json: bool, as_csv: bool = False) -> bool:
        """Check the targets and print what was found; returns whether there are errors.

        A target that cannot be read does not keep the others from being checked: its WaypostError is raised last. So is
        a SourceError if there are no errors, but sitemaps that an index lists were not read.
        """
        opener, report = self._opener, self._validator.report
        with closing(self._validator):
            files = list(self._progress.shown(self._validator.validate(opener.open_targets(targets))))
            self._disallowed = {each.file: each.loc for each in files if opener.is_disallowed(each)}
            if self._against is not None:
                try:
                    self._compare(self._against, targets, files)
                except WaypostError as error:
                    opener.errors.append(error)
            for robots, loc in opener.relative:
                report.add("sitemap-relative", robots, 0, loc)
            for name, loc in self._disallowed.items():
                report.add("sitemap-disallowed", name, 0, loc)
        if opener.is_followed and opener.unfollowed and not report.count(Severity.ERROR):
            opener.errors.append(SourceError(_NOT_CHECKED))
        if as_json:
            output.print_json(_answer(report, files, opener.errors))
        elif as_csv:
            output.print_findings_csv(report)
        elif files or not opener.errors:
            print_findings(report, files, opener.unfollowed)
        output.end_with(opener.errors)
        return report.count(Severity.ERROR) > 0

    def _compare(self, source: str, targets: Sequence[str], files: Sequence[FileResult]) -> None:
        """Report listed URLs that the site should not list and, if all sitemaps could be read, those that are missing.

        The site is read with foreign_canonical = "skip", because search engines list the canonical page.
        """
        is_complete = not self._opener.errors and not any(file.is_broken for file in files)
        assignments = (*self._options.assignments, 'foreign_canonical="skip"')
        job = self._job(source or None, replace(self._options, assignments=assignments), targets)
        listing = _listing(job)
        comparison = SiteComparison(listing, job.site)
        self._validator.compare(comparison.mismatch)
        keys = {page.loc: page.key for page in listing.pages}
        names = {each.loc: each.file for each in files if each.loc}
        blocked = site_checks.blocked_sitemaps(listing.robots_txt or b"", job.site, names)
        self._disallowed |= {names[loc]: loc for loc in blocked}
        folder = str(job.folder.source) if job.folder and not source else source
        for loc in comparison.unlisted(self._validator.locs()) if is_complete else ():
            self._validator.report.add("unlisted", _path(folder, keys[loc]), 0, loc)

    def _job(self, source: str | None, options: SiteOptions, targets: Sequence[str]) -> Job:
        """The run over the site; unless it is set, its base_url is the folder of the first sitemap or URL."""
        try:
            return site_options.job(source, options)
        except ConfigurationError as error:
            if [issue.key for issue in error.issues] != ["base_url"]:
                raise
        url = self._opener.url or next((target for target in targets if place_of(target).kind != "path"), "")
        first = next(self._validator.locs(), "")
        base = urljoin(url, ".") if is_web(url) else urljoin(first, "/")
        return site_options.job(source, replace(options, base_url=base if is_web(base) else None))


def _listing(job: Job) -> Listing:
    """What the site lists now; neither a bucket's state nor the sitemaps that are to be checked are believed."""
    with Progress() as progress:
        return job.list_pages(progress, believes_sitemaps=False)[0]


def _path(source: str, key: str) -> str:
    """The path or URI of a page of the site."""
    return f"{source.rstrip('/')}/{key}" if place_of(source).kind == "bucket" else str(Path(source) / key)


def print_findings(report: FindingReport, files: Sequence[FileResult], unfollowed: int) -> None:
    """Print each finding, how many more there are, and a summary; `unfollowed` counts sitemaps that were not opened."""
    findings = list(report)
    paths = {file: _path_in_workspace(file) for file in {finding.file for finding in findings}}
    for finding in findings:
        _print(finding, paths[finding.file])
    for code, count in report.counts.items():
        more = count - sum(finding.code == code for finding in findings)
        if more:
            say(f"  and {more:,} more of {code} (--most 0 prints all)")
    say(_summary(report, files))
    if unfollowed:
        say(f"  not checked: {count_noun(unfollowed, 'sitemap')} that an index lists")


def _summary(report: FindingReport, files: Sequence[FileResult]) -> str:
    index_count = sum(file.kind == "sitemapindex" for file in files)
    url_count = sum(file.entries for file in files if file.kind != "sitemapindex")
    indexes = "an index" if index_count == 1 else f"{index_count} indexes"
    of_which = "" if not index_count else f", {indexes}" if len(files) == 1 else f", {indexes} among them"
    counts = severity_counts(report.count)
    return f"{count_noun(len(files), 'file')}{of_which}; {count_noun(url_count, 'URL')}: {counts}"


def _print(finding: Finding, path: str) -> None:
    """Print a finding; in a workflow as an annotation at the file, if it has a path in the workspace."""
    text = printable(f"{finding.message}; {finding.advice}" + (f" ({finding.loc})" if finding.loc else ""))
    output.print_finding(
        finding.severity,
        finding.code,
        text,
        place=f"{printable(finding.file)}:{finding.line}: " if finding.line else f"{printable(finding.file)}: ",
        annotation=text if path else f"{printable(finding.file)}: {text}",
        file=path,
        line=finding.line or None,
    )


def _path_in_workspace(file: str) -> str:
    """The path of a file in the workspace of a job; empty if there is no such file."""
    path, workspace = Path(file).resolve(), Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    return str(path.relative_to(workspace)) if path.is_file() and path.is_relative_to(workspace) else ""


def _answer(report: FindingReport, files: Sequence[FileResult], errors: Sequence[WaypostError]) -> ValidateAnswer:
    validated = [ValidatedFile(file.file, file.loc, file.kind, file.entries, file.size) for file in files]
    return ValidateAnswer(files=validated, **output.report_fields(report, errors))
