"""The GitHub Action: what it prints, sets and says for a step."""

import os
from collections.abc import Mapping
from pathlib import Path

from waypost.app import formatting, report_file
from waypost.app.job import now
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigurationError, StoreError, WaypostError
from waypost.core.model import SiteWarning
from waypost.github import inputs, workflow_commands
from waypost.github.step import Step, StepResult
from waypost.report import html, overview


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the step; returns its exit code."""
    try:
        asked = inputs.read(environ)
        target = _report_target(asked.report, environ)
        done = Step(asked, environ).run()
        failure = _report_failure(done, target) if target else None
        _tell(done, "" if failure else asked.report, environ)
        if failure:
            raise failure
    except ConfigurationError as error:
        for mistake in error.issues:
            workflow_commands.annotate(
                "error",
                str(mistake),
                title="Waypost: settings",
                file=mistake.where if mistake.line else "",
                line=mistake.line,
            )
        return error.exit_code
    except WaypostError as error:
        workflow_commands.annotate("error", str(error), title="Waypost")
        return error.exit_code
    return 0


def _report_target(asked: str, environ: Mapping[str, str]) -> Path | None:
    """Where the report shall be; raises StoreError, before anything is done, where it must not be written."""
    if not asked:
        return None
    workspace = Path(environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    target = (workspace / asked).resolve()
    if not target.is_relative_to(workspace):
        raise StoreError(f"the report {asked} lies outside the workspace; name a file inside it")
    report_file.check(target)
    return target


def _report_failure(done: StepResult, target: Path) -> WaypostError | None:
    """Write the report; what keeps it from being written is told after all that was done."""
    shown = overview.overview_of_plan(done.plan, done.job.site, format_unix_time(now()))
    try:
        report_file.write(target, html.render_report(shown, done.job.renderer))
    except WaypostError as error:
        return error
    return None


def _tell(done: StepResult, report_path: str, environ: Mapping[str, str]) -> None:
    plan, folder = done.plan, done.job.output
    below = folder.relative_to(done.root) if folder.is_relative_to(done.root) else folder
    entrance = formatting.root_sitemap(plan)
    outputs = {
        "sitemap-path": (below / entrance).as_posix(),
        "url-count": str(len(plan.pages)),
        "excluded-count": str(sum(skipped.reason.is_about_page for skipped in plan.skipped)),
        "changed": str(plan.is_stale or bool(done.commit)).lower(),
        "files": "\n".join((below / name).as_posix() for name in (*plan.written, *plan.removed)),
        "commit-sha": done.commit,
        "report-path": report_path,
    }
    workflow_commands.write_outputs(environ, outputs)
    workflow_commands.write_summary(environ, done.summary)
    for warned in plan.warnings:
        _annotate(warned, done)
    print("\n".join(formatting.summary_lines(plan)))


def _annotate(warned: SiteWarning, done: StepResult) -> None:
    """A warning on each file that it is about, as far as it names them."""
    source = done.job.source
    below = source.relative_to(done.sources) if source.is_relative_to(done.sources) else source
    for example in warned.examples:
        file = (below / example.key).as_posix()
        workflow_commands.annotate(
            "warning", formatting.warning_text(warned), title=f"Waypost: {warned.code}", file=file
        )
    if not warned.examples:
        workflow_commands.annotate("warning", warned.message, title=f"Waypost: {warned.code}")
