"""`waypost validate`: opens sitemaps, checks them, and compares them with a site."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import click
from msgspec import Struct

from waypost.build import site_checks
from waypost.build.answers import SCHEMA_VERSION
from waypost.build.job import Job, now
from waypost.build.lister import Listing
from waypost.build.site_comparison import SiteComparison
from waypost.cli import finding_output, terminal
from waypost.cli import options as site_options
from waypost.cli.exits import EXIT_FOUND, errors, print_json
from waypost.cli.options import SiteOptions
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import Progress, ReadingProgress
from waypost.core.errors import ConfigurationError, SourceError, WaypostError
from waypost.core.finding_types import Severity
from waypost.core.places import is_web, place_of
from waypost.core.private_hosts import PrivateHosts
from waypost.validate import FileResult, Finding, FindingReport, SitemapFile, Validator, scope_of

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
@click.option(
    "--most",
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N findings of each code in a file; 0: all. [default: 100, with --json and --csv all]",
)
@click.option(
    "--max-minutes",
    default=60,
    type=click.IntRange(0),
    metavar="N",
    help="After N minutes, open no more of the sitemaps that an index lists. [default: 60]",
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
    with errors():
        if not targets:
            job = site_options.folder_job(None, options)
            targets, url = [str(job.paths.output)], url or job.site.base_url
        if against is not None and not url and scope_of(options.base_url or ""):
            url = options.base_url or ""
        opener = TargetOpener(url, private, is_followed=not no_follow, max_minutes=max_minutes)
        shown = most if most is not None else 0 if as_json or as_csv else _MOST
        if Validation(opener, shown, against, options).run(targets, as_json=as_json, as_csv=as_csv):
            sys.exit(EXIT_FOUND)


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
        self._errors: list[WaypostError] = []
        self._disallowed: dict[str, str] = {}

    def run(self, targets: Sequence[str], *, as_json: bool, as_csv: bool = False) -> bool:
        """Check the targets and print what was found; returns whether there are errors.

        A target that cannot be read does not keep the others from being checked: its WaypostError is raised last. So is
        a SourceError if there are no errors, but sitemaps that an index lists were not read.
        """
        with closing(self._validator):
            files = list(self._progress.shown(self._validator.validate(self._open(targets))))
            self._disallowed = {each.file: each.loc for each in files if self._opener.is_disallowed(each)}
            if self._against is not None:
                self._compare(self._against, targets, files)
            for name, loc in self._disallowed.items():
                self._validator.report.add("sitemap-disallowed", name, 0, loc)
        report = self._validator.report
        if self._opener.is_followed and self._opener.unfollowed and not report.count(Severity.ERROR):
            self._errors.append(SourceError(_NOT_CHECKED))
        if as_json:
            print_json(_answer(report, files, self._errors))
        elif as_csv:
            terminal.print_findings_csv(report)
        elif files or not self._errors:
            finding_output.print_findings(report, files, self._opener.unfollowed)
        finding_output.print_errors(self._errors)
        if self._errors:
            raise self._errors[-1]
        return report.count(Severity.ERROR) > 0

    @contextmanager
    def _collect_error(self) -> Iterator[None]:
        try:
            yield
        except WaypostError as error:
            self._errors.append(error)

    def _open(self, targets: Iterable[str]) -> Iterator[SitemapFile]:
        for target in targets:
            with self._collect_error():
                yield from self._opener.open_target(target)

    def _compare(self, source: str, targets: Sequence[str], files: Sequence[FileResult]) -> None:
        """Report listed URLs that the site should not list and, if all sitemaps could be read, those that are missing.

        The site is read with foreign_canonical = "skip", because search engines list the canonical page.
        """
        is_complete = not self._errors and not any(file.is_broken for file in files)
        with self._collect_error():
            assignments = (*self._options.assignments, 'foreign_canonical="skip"')
            job = self._job(source or None, replace(self._options, assignments=assignments), targets)
            comparison = SiteComparison(listing := _listing(job), job.site)
            self._validator.compare(comparison.mismatch)
            keys = {page.loc: page.key for page in listing.pages}
            names = {each.loc: each.file for each in files if each.loc}
            found = site_checks.blocked_sitemaps(listing.robots_txt.text or b"", job.site, names)
            self._disallowed |= {names[loc]: loc for loc in found}
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


def _answer(report: FindingReport, files: Sequence[FileResult], errors: Sequence[WaypostError]) -> ValidateAnswer:
    return ValidateAnswer(
        schema_version=SCHEMA_VERSION,
        error_count=report.count(Severity.ERROR),
        warning_count=report.count(Severity.WARNING),
        note_count=report.count(Severity.NOTE),
        count_by_code=report.counts,
        files=[ValidatedFile(file.file, file.loc, file.kind, file.entries, file.size) for file in files],
        findings=list(report),
        failed=[str(error) for error in errors],
    )
