"""The GitHub Action: what it prints, sets and says for a step."""

import os
from collections.abc import Mapping
from pathlib import Path

from waypost import overview, report
from waypost.entry import answers, inputs, workflow
from waypost.entry.job import now
from waypost.entry.step import Done, Step
from waypost.errors import ConfigurationError, StoreError, WaypostError
from waypost.model import Warned
from waypost.rules.lastmod import w3c


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the step; returns its exit code."""
    try:
        asked = inputs.read(environ)
        done = Step(asked, environ).done()
        _tell(done, _reported(done, asked.report, environ), environ)
    except ConfigurationError as error:
        for mistake in error.mistakes:
            workflow.annotate(
                "error",
                str(mistake),
                title="Waypost: settings",
                file=mistake.where if mistake.line else "",
                line=mistake.line,
            )
        return error.exit_code
    except WaypostError as error:
        workflow.annotate("error", str(error), title="Waypost")
        return error.exit_code
    return 0


def _reported(done: Done, target: str, environ: Mapping[str, str]) -> str:
    """Write the report where it is asked for; returns its path from the workspace."""
    if not target:
        return ""
    workspace = Path(environ.get("GITHUB_WORKSPACE") or Path.cwd())
    page = report.html(overview.of_plan(done.plan, done.job.site, w3c(now())), done.job.renderer)
    try:
        (workspace / target).parent.mkdir(parents=True, exist_ok=True)
        (workspace / target).write_bytes(page)
    except OSError as error:
        raise StoreError(f"cannot write the report {target}: {error.strerror}") from error
    return target


def _tell(done: Done, report_path: str, environ: Mapping[str, str]) -> None:
    plan, folder = done.plan, done.job.output
    below = folder.relative_to(done.root) if folder.is_relative_to(done.root) else folder
    entrance = answers.entrance(plan)
    outputs = {
        "sitemap-path": (below / entrance).as_posix(),
        "url-count": str(len(plan.pages)),
        "excluded-count": str(sum(skipped.reason.is_of_a_page for skipped in plan.skipped)),
        "changed": str(plan.is_stale or bool(done.commit)).lower(),
        "files": "\n".join((below / name).as_posix() for name in (*plan.written, *plan.removed)),
        "commit-sha": done.commit,
        "report-path": report_path,
    }
    workflow.write_outputs(environ, outputs)
    workflow.write_summary(environ, done.summary)
    for warned in plan.warned:
        _annotate(warned, done)
    print("\n".join(answers.summary(plan)))


def _annotate(warned: Warned, done: Done) -> None:
    """A warning on each file that it is about, as far as it names them."""
    source = done.job.source
    below = source.relative_to(done.sources) if source.is_relative_to(done.sources) else source
    for example in warned.examples:
        file = (below / example.key).as_posix()
        workflow.annotate("warning", answers.warning_text(warned), title=f"Waypost: {warned.code}", file=file)
    if not warned.examples:
        workflow.annotate("warning", warned.message, title=f"Waypost: {warned.code}")
