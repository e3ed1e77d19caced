"""`waypost validate` and `waypost diff`: any sitemaps, examined and compared."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click

from waypost import diff as differences
from waypost import pipeline
from waypost.against import Against, mismatches
from waypost.entry import options, workflow
from waypost.entry.answers import counted
from waypost.entry.exits import EPILOG, errors, print_json
from waypost.entry.job import now
from waypost.entry.targets import Targets
from waypost.entry.tending import Tending
from waypost.entry.terminal import Progress, say
from waypost.errors import ConfigurationError, Mistake, SourceError, WaypostError
from waypost.listing import Memory
from waypost.model import Changes, printable
from waypost.rules.lastmod import w3c
from waypost.validate.entry import Entry
from waypost.validate.examination import Examined, Opened
from waypost.validate.findings import Finding, Report
from waypost.validate.locs import scope_of
from waypost.validate.rules import Severity
from waypost.validate.survey import Survey

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_WRONG = 1
_CURTAILED = ("too-large", "nested-index")
"""Findings that say that a part of what is listed was perhaps not read."""


@click.command(epilog=EPILOG, short_help="Check sitemaps, anyone's, against the protocol.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--url", default="", help="Where a file or folder is published, for what it may list.")
@click.option("--against", metavar="SOURCE", help="The site, a folder or s3://bucket/prefix, to compare with.")
@click.option(
    "--most",
    default=100,
    type=click.IntRange(0),
    metavar="N",
    help="Findings shown of each code in a file; 0: all. [default: 100]",
)
@click.option("--allow-private", is_flag=True, help="Also ask hosts of private networks, such as this machine.")
@click.option("--no-follow", is_flag=True, help="Leave the sitemaps that an index lists alone.")
@options.beside
def validate(
    targets: Sequence[str],
    *,
    url: str,
    against: str | None,
    most: int,
    allow_private: bool,
    no_follow: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Check each TARGET: a sitemap, an index with all that it lists, a text file, an RSS or Atom feed.

    A TARGET is a file, a folder, s3://bucket/key, an http(s) URL, or `-` for standard input; gzip is understood.
    Exits with 1 where readers would drop anything. With --against, what is listed is compared with the site,
    by its settings.
    """
    with errors():
        _check_url(url)
        opener, failed = Targets(url, allow_private, not no_follow), list[WaypostError]()
        survey = Survey(now(), Report(most), opener.child)
        with closing(survey.sightings):
            examined = list(_watched(survey.examine(_opened(opener, targets, failed))))
            is_whole = not failed and not any(each.is_broken for each in examined)
            with _kept(failed):
                if against:
                    at = url or next((target for target in targets if "://" in target), "")
                    _compare(survey, against, at, given, is_whole=is_whole)
        if as_json:
            print_json(_answer(survey.report, examined, failed))
        else:
            _tell(survey.report, examined, opener.unfollowed)
        for error in failed[:-1]:
            say(f"error: {error}", "red")
        if failed:
            raise failed[-1]
        if survey.report.count(Severity.ERROR):
            sys.exit(_WRONG)


@contextmanager
def _kept(failed: list[WaypostError]) -> Iterator[None]:
    """Keeps an error for the end: one mistake costs a run none of its other results."""
    try:
        yield
    except WaypostError as error:
        failed.append(error)


def _opened(opener: Targets, targets: Iterable[str], failed: list[WaypostError]) -> Iterator[Opened]:
    for target in targets:
        with _kept(failed):
            yield from opener.opened(target)


def _check_url(url: str) -> None:
    if url and scope_of(url) is None:
        mistake = Mistake("command line", "--url", f"{url!r} is no URL", "https://www.example.org/, or a sitemap's own")
        raise ConfigurationError((mistake,))


def _watched(files: Iterator[Examined]) -> Iterator[Examined]:
    progress, urls = Progress(), 0
    for file in files:
        urls += file.entries
        progress("URLs examined", urls, None)
        yield file
    progress.clear()


def _compare(survey: Survey, source: str, url: str, given: dict[str, Any], *, is_whole: bool) -> None:
    """Beside the site: what is listed and should not be and, where all could be read, what is not and should."""
    job = _job(survey, source, url, given)
    if isinstance(job, Tending):
        listing = pipeline.listing(job.upkeep.source, job.site, Memory(w3c(now())), Progress())
    else:
        listing = job.listing(Progress())[0]
    against = Against(listing, job.site)
    for sighting, found in mismatches(against, survey.sightings.locs()):
        survey.report.add(found.code, survey.name(sighting.file), sighting.line, sighting.loc, detail=found.detail)
    keys = {page.loc: page.key for page in listing.pages}
    for loc in against.unlisted(survey.sightings.locs()) if is_whole else ():
        survey.report.add("unlisted", keys[loc], 0, loc)


def _job(survey: Survey, source: str, url: str, given: dict[str, Any]) -> Any:
    """The run over the site; its base_url is the sitemaps' folder unless anybody says otherwise."""
    try:
        return options.job(source, given)
    except ConfigurationError as error:
        if [mistake.key for mistake in error.mistakes] != ["base_url"]:
            raise
    first = next((sighting.loc for sighting in survey.sightings.locs()), "")
    base = urljoin(url, ".") if "://" in url and not url.startswith("s3:") else urljoin(first, "/")
    return options.job(source, given | {"base_url": base if "://" in base else None})


def _answer(report: Report, examined: Sequence[Examined], failed: Sequence[WaypostError]) -> dict[str, Any]:
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


def _tell(report: Report, examined: Sequence[Examined], unfollowed: int) -> None:
    is_annotated = os.environ.get("GITHUB_ACTIONS") == "true"
    for finding in report:
        _annotate(finding) if is_annotated else _echo(_line(finding))
    shown = list(report)
    for code, count in report.counts.items():
        hidden = count - sum(finding.code == code for finding in shown)
        if hidden:
            say(f"  and {hidden:,} more of {code} (--most 0 shows all)")
    indexes = sum(each.kind == "sitemapindex" for each in examined)
    urls = sum(each.entries for each in examined if each.kind != "sitemapindex")
    files = counted(len(examined), "file") + (
        f", {indexes} of them {'an index' if indexes == 1 else 'indexes'}" if indexes else ""
    )
    counts = ", ".join(counted(report.count(severity), severity.value) for severity in Severity)
    say(f"{files}; {counted(urls, 'URL')}: {counts}")
    if unfollowed:
        say(f"  not looked at: {counted(unfollowed, 'sitemap')} that an index lists")


def _line(finding: Finding) -> str:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    label = click.style(finding.severity.value, fg=_COLOURS[finding.severity], bold=True)
    loc = f" ({finding.loc})" if finding.loc else ""
    return f"{printable(place)}: {label} {finding.code}: {printable(f'{finding.message}; {finding.advice}{loc}')}"


def _echo(text: str) -> None:
    click.echo(text, color=False if "NO_COLOR" in os.environ else None)


def _annotate(finding: Finding) -> None:
    message = f"{finding.message}; {finding.advice}" + (f" ({finding.loc})" if finding.loc else "")
    is_here = Path(finding.file).is_file()
    workflow.annotate(
        _LEVELS[finding.severity],
        message if is_here else f"{finding.file}: {message}",
        title=f"Waypost: {finding.code}",
        file=finding.file if is_here else "",
        line=finding.line or None,
    )


@click.command(epilog=EPILOG, short_help="Say what changed between two sitemaps.")
@click.argument("old")
@click.argument("new")
@click.option(
    "--most",
    default=50,
    type=click.IntRange(0),
    metavar="N",
    help="URLs shown of each kind of change; 0: all. [default: 50]",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 where anything changed.")
@click.option("--allow-private", is_flag=True, help="Also ask hosts of private networks, such as this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")
def diff(old: str, new: str, *, most: int, exit_code: bool, allow_private: bool, as_json: bool) -> None:
    """Compare what OLD and NEW list: each a file, a folder, s3://bucket/key, an http(s) URL, or `-`.

    Tells what was added and removed, what has another date, and what is described otherwise: its changefreq,
    priority, alternates, images, videos or news.
    """
    with errors():
        before, after = (_listed(target, allow_private=allow_private) for target in (old, new))
        found = differences.changes(before, after)
        if as_json:
            print_json(_as_json(found, before, after))
        else:
            _echo("\n".join(_described(found, before, after, most)))
        if exit_code and any(getattr(found, kind) for kind in differences.KINDS):
            sys.exit(_WRONG)


def _listed(target: str, *, allow_private: bool) -> dict[str, tuple[str, object]]:
    """What a target lists; raises SourceError where any of it cannot be read: else that would look removed."""
    listed: dict[str, tuple[str, object]] = {}

    def take(entries: Sequence[Entry]) -> None:
        listed.update({entry.loc: (entry.lastmod or "", entry.described) for entry in entries if entry.loc})

    opener, report = Targets(may_be_private=allow_private), Report(1)
    survey = Survey(now(), report, opener.child, take)
    with closing(survey.sightings):
        examined = list(_watched(survey.examine(opener.opened(target))))
    broken = {each.file for each in examined if each.is_broken}
    for each in report:
        if each.code in _CURTAILED or (each.file in broken and each.severity == Severity.ERROR):
            raise SourceError(f"{each.file}: {each.message}; {each.advice}")
    empty = next((each.file for each in examined if each.kind in ("", "text") and not each.entries), None)
    if empty:
        raise SourceError(f"{empty} is no sitemap; name a sitemap, an index, a text file, or an RSS or Atom feed")
    if opener.unfollowed:
        count = counted(opener.unfollowed, "sitemap")
        raise SourceError(f"{target} lists {count} that cannot be opened beside it; name what is to be compared by URL")
    return listed


def _as_json(found: Changes, old: differences.Listed, new: differences.Listed) -> dict[str, Any]:
    redated = [{"loc": loc, "old": old[loc][0] or None, "new": new[loc][0] or None} for loc in found.redated]
    return {
        "version": 1,
        "urls": {"old": len(old), "new": len(new)},
        "added": found.added,
        "removed": found.removed,
        "redated": redated,
        "changed": found.changed,
        "sections": differences.sections(found),
    }


def _described(found: Changes, old: differences.Listed, new: differences.Listed, most: int) -> Iterator[str]:
    yield f"{counted(len(old), 'URL')} before, {len(new):,} now: {differences.summary(found)}"
    sections = differences.sections(found)
    if sections:
        width = max(len("section"), *(len(section.name) for section in sections))
        yield f"  {'section':<{width}}" + "".join(f"{kind:>10}" for kind in differences.KINDS)
        for section in sections:
            yield f"  {section.name:<{width}}" + "".join(f"{getattr(section, k):>10,}" for k in differences.KINDS)
    for kind, mark, colour in (
        ("added", "+", "green"),
        ("removed", "-", "red"),
        ("redated", "~", ""),
        ("changed", "*", ""),
    ):
        locs = getattr(found, kind)
        for loc in locs[: most or None]:
            dates = f"  {old[loc][0] or 'none'} → {new[loc][0] or 'none'}" if kind == "redated" else ""
            yield click.style(f"{mark} {printable(loc)}", fg=colour or None) + printable(dates)
        if most and len(locs) > most:
            yield f"{mark} … and {len(locs) - most:,} more {kind}"
