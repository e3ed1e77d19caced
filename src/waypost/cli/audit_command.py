"""`waypost audit`: checks a site's pages and the links between them.

What it does is imported only when it is called, so that other commands start faster.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from waypost.cli import options as site_options
from waypost.cli.exits import EPILOG, errors
from waypost.cli.options import SiteOptions

if TYPE_CHECKING:
    from waypost.audit.result import AuditResult

_EXIT_FOUND = 1
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(epilog=EPILOG, short_help="Check a site's pages and the links between them.")
@click.argument("source", default=".", metavar="DIR")
@click.option(
    "--most",
    default=10,
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N cases of each finding; 0: all. [default: 10]",
)
@click.option(
    "--fail-on",
    default="error",
    type=click.Choice(("error", "warning", "note")),
    help="Exit with 1 if anything is found that is so serious, or more. [default: error]",
)
@click.option("--baseline", type=_FILE, metavar="FILE", help="Do not report the known cases in FILE.")
@click.option("--write-baseline", is_flag=True, help="Write all present cases to the baseline's FILE, and exit with 0.")
@click.option("--sarif", type=_FILE, metavar="FILE", help="Also write the findings to FILE for GitHub's code scanning.")
@site_options.read_only_options
def audit(
    source: str,
    *,
    most: int,
    fail_on: str,
    baseline: Path | None,
    write_baseline: bool,
    sarif: Path | None,
    as_json: bool,
    options: SiteOptions,
) -> None:
    """Check the pages of the site in DIR, and the links between them. Nothing is fetched.

    It finds links, images and videos that lead nowhere, pages that nothing links to, mistakes in canonical links and
    hreflang, and repeated or missing titles and descriptions. Exits with 1 if there are errors.
    """
    with errors():
        from waypost.cli import audit_run

        job = audit_run.folder_job(source, options)
        known = audit_run.known_cases(baseline, is_written=write_baseline)
        result = audit_run.audited(job)
        if write_baseline and baseline:
            audit_run.write_baseline(baseline, result)
            return
        result = audit_run.without_known(result, known, job.site)
        if sarif:
            audit_run.write_sarif(sarif, result, job.source)
        audit_run.show(result, job.site, most, as_json=as_json)
        if _is_found(result, fail_on):
            sys.exit(_EXIT_FOUND)


def _is_found(result: "AuditResult", fail_on: str) -> bool:
    """Whether there is a finding of this severity, or of a more serious one."""
    from waypost.validate.rules import Severity

    order = list(Severity)
    return any(order.index(each.severity) <= order.index(Severity(fail_on)) for each in result.findings)
