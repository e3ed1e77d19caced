"""What `waypost validate` does: sitemaps opened, examined, compared with a site, and told of."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click

from waypost.app.formatting import count_noun
from waypost.app.job import now
from waypost.app.ledger_site import LedgerSite
from waypost.build import pipeline
from waypost.build.lister import DateSources
from waypost.build.site_comparison import SiteComparison, find_mismatches
from waypost.cli import options
from waypost.cli.exits import print_json
from waypost.cli.targets import Targets
from waypost.cli.terminal import Progress, echo, say
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError, WaypostError
from waypost.core.model import printable
from waypost.github import workflow_commands
from waypost.validate.file_validator import FileResult, SitemapFile
from waypost.validate.findings import Finding, FindingReport
from waypost.validate.rules import Severity
from waypost.validate.url_checks import scope_of
from waypost.validate.validator import Validator

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def validate(
    targets: Sequence[str],
    url: str,
    against: str | None,
    most: int,
    given: dict[str, Any],
    *,
    as_json: bool,
    may_be_private: bool,
    is_followed: bool,
) -> bool:
    """Examine targets and tell what was found; whether readers would drop anything. Raises WaypostError at the end."""
    _check_url(url)
    opener, failed = Targets(url, may_be_private, is_followed), list[WaypostError]()
    survey = Validator(now(), FindingReport(most), opener.child)
    with closing(survey.url_index):
        examined = list(with_progress(survey.validate(_opened(opener, targets, failed))))
        is_whole = not failed and not any(each.is_broken for each in examined)
        with _kept(failed):
            if against:
                at = url or next((target for target in targets if "://" in target), "")
                _compare(survey, against, at, given, is_whole=is_whole)
    if as_json:
        print_json(_answer(survey.report, examined, failed))
    else:
        _tell(survey.report, examined, opener.unfollowed)
    for error in failed if _is_annotated() else ():
        workflow_commands.annotate("error", printable(str(error)), title="Waypost")
    for error in failed[:-1]:
        say(f"error: {error}", "red")
    if failed:
        raise failed[-1]
    return survey.report.count(Severity.ERROR) > 0


def with_progress(files: Iterator[FileResult]) -> Iterator[FileResult]:
    """The same files, with a line that says how far the examination is."""
    progress, urls = Progress(), 0
    for file in files:
        urls += file.entries
        progress("URLs examined", urls, None)
        yield file
    progress.clear()


@contextmanager
def _kept(failed: list[WaypostError]) -> Iterator[None]:
    """Keeps an error for the end: one mistake costs a run none of its other results."""
    try:
        yield
    except WaypostError as error:
        failed.append(error)


def _opened(opener: Targets, targets: Iterable[str], failed: list[WaypostError]) -> Iterator[SitemapFile]:
    for target in targets:
        with _kept(failed):
            yield from opener.open_target(target)


def _check_url(url: str) -> None:
    if url and scope_of(url) is None:
        mistake = ConfigIssue(
            "command line", "--url", f"{url!r} is no URL", "https://www.example.org/, or a sitemap's own"
        )
        raise ConfigurationError((mistake,))


def _compare(survey: Validator, source: str, url: str, given: dict[str, Any], *, is_whole: bool) -> None:
    """Beside the site: what is listed and should not be and, where all could be read, what is not and should."""
    strict = {"assignments": (*given["assignments"], 'foreign_canonical="skip"')}  # readers list the canonical page
    job = _job(survey, source, url, given | strict)
    if isinstance(job, LedgerSite):
        listing = pipeline.list_pages(job.updater.source, job.site, DateSources(format_unix_time(now())), Progress())
    else:
        listing = job.listing(Progress())[0]
    against = SiteComparison(listing, job.site)
    for sighting, found in find_mismatches(against, survey.url_index.places()):
        survey.report.add(found.code, survey.name(sighting.file), sighting.line, sighting.loc, detail=found.detail)
    keys = {page.loc: page.key for page in listing.pages}
    for loc in against.unlisted(survey.url_index.places()) if is_whole else ():
        survey.report.add("unlisted", _place(source, keys[loc]), 0, loc)


def _place(source: str, key: str) -> str:
    """A page of the site as people find it from here."""
    return f"{source.rstrip('/')}/{key}" if "://" in source else str(Path(source) / key)


def _job(survey: Validator, source: str, url: str, given: dict[str, Any]) -> Any:
    """The run over the site; its base_url is the sitemaps' folder unless anybody says otherwise."""
    try:
        return options.job(source, given)
    except ConfigurationError as error:
        if [mistake.key for mistake in error.issues] != ["base_url"]:
            raise
    first = next((sighting.loc for sighting in survey.url_index.places()), "")
    base = urljoin(url, ".") if "://" in url and not url.startswith("s3:") else urljoin(first, "/")
    return options.job(source, given | {"base_url": base if "://" in base else None})


def _answer(report: FindingReport, examined: Sequence[FileResult], failed: Sequence[WaypostError]) -> dict[str, Any]:
    return {
        "version": 1,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "notes": report.count(Severity.NOTE),
        "counts": report.counts,
        "files": [
            {"name": each.file, "loc": each.loc, "kind": each.kind, "entries": each.entries, "bytes": each.size}
            for each in examined
        ],
        "findings": list(report),
        "failed": [str(error) for error in failed],
    }


def _tell(report: FindingReport, examined: Sequence[FileResult], unfollowed: int) -> None:
    shown = list(report)
    for finding in shown:
        _annotate(finding) if _is_annotated() else echo(_line(finding))
    for code, count in report.counts.items():
        hidden = count - sum(finding.code == code for finding in shown)
        if hidden:
            say(f"  and {hidden:,} more of {code} (--most 0 shows all)")
    indexes = sum(each.kind == "sitemapindex" for each in examined)
    urls = sum(each.entries for each in examined if each.kind != "sitemapindex")
    of_them = ", an index" if len(examined) == 1 else f", {indexes} of them {'an index' if indexes == 1 else 'indexes'}"
    files = count_noun(len(examined), "file") + (of_them if indexes else "")
    counts = ", ".join(count_noun(report.count(severity), severity.value) for severity in Severity)
    say(f"{files}; {count_noun(urls, 'URL')}: {counts}")
    if unfollowed:
        say(f"  not looked at: {count_noun(unfollowed, 'sitemap')} that an index lists")


def _is_annotated() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _line(finding: Finding) -> str:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    label = click.style(finding.severity.value, fg=_COLOURS[finding.severity], bold=True)
    loc = f" ({finding.loc})" if finding.loc else ""
    return f"{printable(place)}: {label} {finding.code}: {printable(f'{finding.message}; {finding.advice}{loc}')}"


def _annotate(finding: Finding) -> None:
    message = printable(f"{finding.message}; {finding.advice}" + (f" ({finding.loc})" if finding.loc else ""))
    path, workspace = Path(finding.file).resolve(), Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    is_here = path.is_file() and path.is_relative_to(workspace)
    workflow_commands.annotate(
        _LEVELS[finding.severity],
        message if is_here else f"{printable(finding.file)}: {message}",
        title=f"Waypost: {finding.code}",
        file=str(path.relative_to(workspace)) if is_here else "",
        line=finding.line or None,
    )
