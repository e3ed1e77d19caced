"""`waypost audit`: audits the site of a folder, applies a baseline, and writes and prints the result."""

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import click
from msgspec import Struct

from waypost.audit import (
    OFF,
    AuditCounts,
    AuditFinding,
    AuditResult,
    ExternalAnswers,
    ExternalCounts,
    KnownCase,
    UncheckedLink,
    audit_text,
    baseline,
    sarif,
)
from waypost.audit.site_audit import audit_job
from waypost.build.answers import SCHEMA_VERSION, count_noun
from waypost.build.job import Job
from waypost.cli import options as site_options
from waypost.cli import output
from waypost.cli.options import SiteOptions, wrong_option
from waypost.cli.terminal import Progress, say
from waypost.core import tree_files
from waypost.core.clock import SYSTEM_CLOCK, Clock
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.core.finding_types import AUDIT_RULES, Severity
from waypost.core.model import printable
from waypost.core.private_hosts import PrivateHosts
from waypost.files import FolderStore
from waypost.git import Repositories
from waypost.live import Asker, HttpSender, LinkCheck, LinkMemory, Send
from waypost.settings.schema import Site

_UNCHECKED = "unchecked"
_EXTERNAL_RATE, _EXTERNAL_WIDTH = 5.0, 16
"""The most requests a second on each host of another site, and at the same time."""


class AuditAnswer(Struct, frozen=True):
    """What `waypost audit` found; the counts are of cases, each of which may concern many pages.

    `hidden_count` counts the known cases of a baseline that were found again, once for each page, and are not among the
    findings; `resolved` are those that no longer occur. `unchecked` are the links of the site that were not checked.
    """

    schema_version: int
    base_url: str
    error_count: int
    warning_count: int
    note_count: int
    count_by_code: Mapping[str, int]
    checked: AuditCounts
    hidden_count: int
    resolved: Sequence[KnownCase]
    findings: Sequence[AuditFinding]
    unchecked: Sequence[UncheckedLink]


@click.command()
@click.argument("source", required=False, metavar="[DIR]")
@site_options.number_option("--most", "Print at most N cases of each finding; 0: all. [default: 10]", 10)
@click.option(
    "--fail-on",
    default="error",
    type=click.Choice(("error", "warning", "note", _UNCHECKED)),
    help="Exit with 1 if anything is found that is so serious, or more; unchecked: for errors, and links of the site "
    "that were not checked. [default: error]",
)
@click.option("--verbose", is_flag=True, help="Also print each link of the site that was not checked, and why.")
@site_options.file_option("--baseline", "Do not report the known cases in FILE.")
@click.option("--write-baseline", is_flag=True, help="Write all current cases to the baseline's FILE, and exit with 0.")
@click.option("--external", is_flag=True, help="Also ask the servers of other sites for the URLs that pages name.")
@site_options.file_option(
    "--external-answers", "Remember the answers of other sites in FILE, so that few URLs are asked again."
)
@site_options.number_option("--external-max-age", "Ask again after so many days. [default: 7]", 7, "DAYS")
@site_options.number_option("--external-max-minutes", "Ask nothing more after N minutes.")
@site_options.allow_private
@site_options.file_option("--sarif", "Also write the findings to FILE for GitHub's code scanning.")
@site_options.read_only_options
@site_options.with_csv
def audit(
    source: str | None,
    *,
    most: int,
    fail_on: str,
    verbose: bool,
    baseline: Path | None,
    write_baseline: bool,
    sarif: Path | None,
    external: bool,
    external_answers: Path | None,
    external_max_age: int,
    external_max_minutes: int | None,
    private: PrivateHosts,
    as_json: bool,
    as_csv: bool,
    options: SiteOptions,
) -> None:
    """Check the pages of the site in DIR, and the links between them. Nothing is fetched without --external.

    It finds links, fragments, images, scripts and style sheets that lead nowhere, pages that nothing links to, mistakes
    in canonical links and hreflang, and repeated or missing titles and descriptions. Exits with 1 if there are errors.
    """
    with output.errors():
        job = _folder_job(source, options)
        known = _known_cases(baseline, is_written=write_baseline)
        _check_external_options(external_answers, external_max_minutes, is_external=external)
        limits = (external_answers, external_max_age, external_max_minutes)
        with Progress() as progress:
            tools = (progress, HttpSender(private), SYSTEM_CLOCK)
            result = audit_job(
                job, progress, (lambda urls: ask_other_sites(urls, *limits, *tools)) if external else None
            )
        if write_baseline and baseline:
            _write_baseline(baseline, result)
            return
        result = _without_known(result, known, job.site)
        if sarif:
            _write_sarif(sarif, result, job.paths.source)
        if as_csv:
            _print_csv(result)
        else:
            _show(result, job.site, most, as_json=as_json)
        for line in audit_text.unchecked_lines(result) if verbose else ():
            say(line)
        if _is_found(result, fail_on):
            sys.exit(output.EXIT_FOUND)


def _folder_job(source: str | None, options: SiteOptions) -> Job:
    """The run over a folder with a built site; raises ConfigurationError, and SourceError for a Jekyll source."""
    job = site_options.job(source, options)
    if job.folder is None:
        problem = f"{source} is a bucket, and only a folder can be audited"
        raise wrong_option("DIR", problem, "the folder of a built site")
    if job.source_kind.kind != "static":
        raise SourceError(
            f"{job.folder.source} is the source of a site, and its layouts are not read; build it, and audit the output"
        )
    unknown = [code for code, _ in job.site.audit_severity if code not in AUDIT_RULES]
    if unknown:
        issues = (ConfigIssue("settings", f"audit_severity.{code}", "there is no such finding") for code in unknown)
        raise ConfigurationError(tuple(issues))
    return job


def _check_external_options(answers: Path | None, max_minutes: int | None, *, is_external: bool) -> None:
    """Raise ConfigurationError for options about other sites if these are not asked."""
    given = {"--external-answers": answers, "--external-max-minutes": max_minutes}
    alone = [name for name, value in given.items() if value is not None and not is_external]
    if alone:
        problem = "it is about other sites, which are not asked"
        raise ConfigurationError(tuple(ConfigIssue("command line", name, problem, "--external") for name in alone))


def _known_cases(file: Path | None, *, is_written: bool) -> frozenset[KnownCase]:
    """The cases of the baseline, none if it is to be written; raises ConfigurationError."""
    if file is None and is_written:
        raise wrong_option("--write-baseline", "there is no file to write to", "--baseline FILE")
    if file is None or is_written:
        return frozenset()
    try:
        data = tree_files.read(file)
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}"
        raise wrong_option("--baseline", problem, "a file that --write-baseline wrote") from None
    return baseline.load(data, str(file))


def _without_known(result: AuditResult, known: Iterable[KnownCase], site: Site) -> AuditResult:
    """The result without the known cases of the baseline."""
    off = (code for code, severity in site.audit_severity if severity == OFF)
    return baseline.without_known(result, known, off)


def _write_baseline(file: Path, result: AuditResult) -> None:
    """Write all cases of a result; raises StoreError."""
    FolderStore(file.parent).write(file.name, baseline.dump(result))
    say(f"{count_noun(sum(1 for _ in result.placed()), 'known case')} in {file}")


def _write_sarif(file: Path, result: AuditResult, source: Path) -> None:
    """Write a SARIF log with paths below the root of the repository, else below the working folder."""
    folder = source.resolve()
    found = Repositories(Path.cwd()).find(folder)
    root = found.root if found else Path.cwd()
    below = f"{folder.relative_to(root).as_posix()}/" if folder.is_relative_to(root) and folder != root else ""
    FolderStore(file.parent).write(file.name, sarif.dump(result, lambda key: below + key))


def _show(result: AuditResult, site: Site, most: int, *, as_json: bool) -> None:
    """Print the findings: as JSON, as annotations in a GitHub workflow, or as lines for people."""
    if as_json:
        output.print_json(_answer(result, site))
    for finding in () if as_json else result.findings:
        title, details = f"{finding.title} ({len(finding.cases):,})", audit_text.finding_lines(finding, most)
        output.print_finding(finding.severity, finding.code, title, details, annotation=_annotation(finding))
    for line in audit_text.summary_lines(result):
        say(line)


def _annotation(finding: AuditFinding) -> str:
    """One annotation for all cases, because GitHub shows ten of a step."""
    first = audit_text.case_text(finding.code, finding.cases[0])
    more = f" and {len(finding.cases) - 1:,} more" if len(finding.cases) > 1 else ""
    return f"{finding.title}: {printable(first)}{more}; {finding.advice}"


def _print_csv(result: AuditResult) -> None:
    """Print each case on each of its pages as a row."""
    output.print_csv(
        ("code", "severity", "page", "target", "detail", "title", "advice"),
        (
            (each.code, each.severity.value, page, case.target, case.detail, each.title, each.advice)
            for each in result.findings
            for case in each.cases
            for page in case.pages
        ),
    )


def _is_found(result: AuditResult, fail_on: str) -> bool:
    """Whether there is a finding of this severity, or of a more serious one, or a link was not checked."""
    order = list(Severity)
    if fail_on == _UNCHECKED:
        return bool(result.unchecked) or _is_found(result, Severity.ERROR)
    return any(order.index(each.severity) <= order.index(Severity(fail_on)) for each in result.findings)


def _answer(result: AuditResult, site: Site) -> AuditAnswer:
    return AuditAnswer(
        schema_version=SCHEMA_VERSION,
        base_url=site.base_url,
        error_count=result.count(Severity.ERROR),
        warning_count=result.count(Severity.WARNING),
        note_count=result.count(Severity.NOTE),
        count_by_code={finding.code: len(finding.cases) for finding in result.findings},
        checked=result.counts,
        hidden_count=result.hidden,
        resolved=result.resolved,
        findings=result.findings,
        unchecked=result.unchecked,
    )


def ask_other_sites(
    urls: Sequence[str],
    memory: Path | None,
    max_age: int,
    max_minutes: int | None,
    progress: Callable[[str, int, int | None], None],
    send: Send,
    clock: Clock,
) -> ExternalAnswers:
    """What the servers of other sites say of the URLs to which pages link.

    Answers are remembered in `memory` (None: nowhere), and hold for `max_age` days; after `max_minutes` (None: never)
    nothing more is asked. Raises StoreError if the file with the answers cannot be used.
    """
    deadline = math.inf if max_minutes is None else clock.time() + 60 * max_minutes
    asker = Asker(send, clock, _EXTERNAL_RATE, reads_pages=False, deadline=deadline, finds_soft_404=False)
    with closing(LinkMemory(memory)) as known:
        check = LinkCheck(known, asker.ask, clock, _EXTERNAL_WIDTH, max_age, deadline)
        answers = check.run(urls, progress)
    counts = ExternalCounts(answers.asked, answers.known, answers.unasked_by_reason, memory is not None)
    return ExternalAnswers(answers.problems, counts)
