"""The entry point of the GitHub Action: runs a step, and reports it as outputs, a summary and annotations."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from uuid import uuid4

import msgspec

from waypost.build import workflow_commands
from waypost.build.build_answer import WarningAnswer, build_answer, build_lines
from waypost.build.folder import prepare, settings_of
from waypost.build.job import Job, now
from waypost.build.notifications import notify_answer
from waypost.build.sitemap_dates import DateAnswer, DatedFile, change_lines, redated_files
from waypost.build.subscribers import notify_now, plan_result, required_subscribers, subscribers_of
from waypost.core import tree_files
from waypost.core.dates import format_unix_time
from waypost.core.errors import AnnounceError, ConfigIssue, ConfigurationError, RemovalError, StoreError, WaypostError
from waypost.core.finding_types import stated_warning
from waypost.core.inert_text import inert
from waypost.core.places import place_of
from waypost.core.private_hosts import PrivateHosts
from waypost.core.reasons import REASONS
from waypost.git import Repositories
from waypost.github import inputs
from waypost.github.api import GitHubApi, github_api
from waypost.github.event import pull_request_number
from waypost.github.inputs import STEP_INPUTS, Inputs, input_path, workspace
from waypost.github.pull_request import comment_on
from waypost.github.step import ActionResult, Step, fetch_history
from waypost.notify import result_file
from waypost.report import overview_of_plan, render_report, report_file
from waypost.report.report_problems import plan_problems
from waypost.settings.load import ConfigSource

_MOST_DATES = 20
"""How many changed dates a step prints."""


def send_changes(inputs: Inputs, environ: Mapping[str, str]) -> int:
    """Notify the subscribers that the settings name; returns the step's exit code.

    Raises ConfigurationError if there is none, and AnnounceError if the file cannot be read.
    """
    root = workspace(environ)
    result = result_file.read(input_path(root, "notify", inputs.notify))
    published = ConfigSource(STEP_INPUTS, {"base_url": result.base_url})
    file = inputs.path("config", root)
    source = input_path(root, "source", inputs.source)
    site = settings_of(source, *inputs.config_sources, published, file=file, issues=inputs.issues)
    answer = notify_answer([result], notify_now(required_subscribers(site), [result]))
    for each in answer.subscribers:
        for line in each.dropped_lines:
            workflow_commands.annotate("warning", f"{each.subscriber}: {line}", title="Waypost: not-announced")
        if each.problem:
            workflow_commands.annotate("error", each.problem, title="Waypost: not-announced")
        else:
            print(inert(f"{each.subscriber}: sent {each.summary}"))
    return AnnounceError.exit_code if any(each.problem for each in answer.subscribers) else 0


def date_sitemaps(inputs: Inputs, environ: Mapping[str, str]) -> int:
    """Date the sitemaps that the input `date` names, in their places; returns the step's exit code.

    Raises ConfigurationError, also if anything is to be committed: what a build writes is not.
    """
    if inputs.commits:
        problem = "it dates the sitemaps of a built site, and commits nothing; leave out `commit`"
        raise ConfigurationError((ConfigIssue(STEP_INPUTS, "date", problem),))
    root = workspace(environ)
    files = [DatedFile(str(input_path(root, "date", each)), PrivateHosts(), has_twins=True) for each in inputs.date]
    source = inputs.path("source", root)

    def open_job(at: str | None, base_url: str | None) -> Job:
        named_by_sitemaps = [ConfigSource(STEP_INPUTS, {"base_url": base_url})] if base_url else []
        return prepare(
            Path(at) if at else None,
            *inputs.config_sources,
            *named_by_sitemaps,
            file=inputs.path("config", root),
            working_folder=root,
            repositories=Repositories(input_path(root, "repository", inputs.repository)),
            issues=inputs.issues,
        )

    redated = redated_files(
        files,
        str(source) if source else None,
        open_job,
        lambda stage, done, total: None,
        partial(fetch_history, inputs),
    )
    for file in files:
        file.write(redated)
    _report_dates(redated.answer, root, environ)
    return 0


def _report_dates(answer: DateAnswer, root: Path, environ: Mapping[str, str]) -> None:
    if answer.warning:
        workflow_commands.annotate("warning", answer.warning, title="Waypost")
    changed = [_below(root, Path(each)).as_posix() for each in answer.changed_files]
    outputs = {"url-count": str(answer.url_count), "changed": str(bool(changed)).lower(), "files": "\n".join(changed)}
    write_outputs(environ, outputs)
    lines = "\n".join(change_lines(answer, _MOST_DATES))
    details = f"\n\n```\n{lines}\n```" if lines else ""
    workflow_commands.write_summary(environ, f"## Dates of the sitemaps\n\n{answer.summary}{details}\n")
    print(inert("\n".join(filter(None, (lines, answer.summary)))))


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the step; returns its exit code."""
    try:
        step_inputs = inputs.read(environ)
        if step_inputs.notify:
            return send_changes(step_inputs, environ)
        if step_inputs.date:
            return date_sitemaps(step_inputs, environ)
        target = _file_in_workspace("the report", step_inputs.report, environ)
        if target:
            report_file.check(target)
        changes = _file_in_workspace("the file of changes", step_inputs.changes, environ)
        api = github_api(step_inputs.token, environ)
        result = _run(Step(step_inputs, environ, api), environ)
        result = _with_changes_kept(result, changes)
        _comment(result, environ, api)
        failure = _write_report(result, target) if target else None
        _report_result(result, "" if failure else step_inputs.report, environ)
        if failure:
            raise failure
    except WaypostError as error:
        _report_failure(error, environ)
        return error.exit_code
    return 0


def _run(step: Step, environ: Mapping[str, str]) -> ActionResult:
    """Run a step; what it rendered is reported, too, if it could not be delivered."""
    try:
        return step.run()
    except WaypostError:
        if step.rendered:
            _report_result(step.rendered, "", environ)
        raise


def _report_failure(error: WaypostError, environ: Mapping[str, str]) -> None:
    """Annotate a failure, each mistake in the settings at its line, and add it to the job's summary."""
    if isinstance(error, ConfigurationError):
        for issue in error.issues:
            file = issue.where if issue.line else ""
            workflow_commands.annotate("error", str(issue), title="Waypost: settings", file=file, line=issue.line)
    else:
        workflow_commands.annotate("error", str(error), title="Waypost")
    title = "The sitemaps were not changed" if isinstance(error, RemovalError) else "Waypost failed"
    workflow_commands.write_summary(environ, f"## {title}\n\n```\n{str(error).replace('```', '')}\n```\n")


def _with_changes_kept(result: ActionResult, changes: Path | None) -> ActionResult:
    """Write the changes to a file; without one, subscribers of a site that changed get a warning."""
    job, plan = result.job, result.plan
    if changes:
        result_file.write(changes, plan_result(job.site, plan))
    elif plan.is_stale and subscribers_of(job.site):
        warned = msgspec.structs.replace(plan, warnings=[*plan.warnings, stated_warning("not-deployed")])
        return replace(result, plan=warned, answer=build_answer(warned, job.site, job.source_kind, job.recognised))
    return result


def _comment(result: ActionResult, environ: Mapping[str, str], api: GitHubApi | None) -> None:
    """Comment on the pull request of the workflow, if the inputs say so and there is one; a failure is annotated."""
    number = pull_request_number(environ)
    if result.diff is None or number is None:
        return
    if problem := comment_on(number, result.diff, result.job.site.base_url, api):
        workflow_commands.annotate("warning", problem, title="Waypost")


def _file_in_workspace(what: str, path: str, environ: Mapping[str, str]) -> Path | None:
    """The file that an input names, if it does; raises StoreError for one outside the workspace, also by a link."""
    if not path:
        return None
    root = workspace(environ)
    try:
        if place_of(path).kind == "path":
            return tree_files.real_path(root / path, root)
        raise StoreError(f"{what} {path} is a URL; name a file in the workspace")
    except OSError:
        raise StoreError(f"{what} {path} is outside the workspace, or in .git; name a file inside it") from None


def _write_report(result: ActionResult, target: Path) -> WaypostError | None:
    """Write the report; returns its failure, so that the result of the step is reported first."""
    at = format_unix_time(now())
    overview = overview_of_plan(result.plan, result.job.site, at, plan_problems(result.plan, result.job.site, at))
    try:
        report_file.write(target, render_report(overview, result.job.renderer))
    except WaypostError as error:
        return error
    return None


def _report_result(result: ActionResult, report_path: str, environ: Mapping[str, str]) -> None:
    answer, folder = result.answer, _below(result.root, result.job.paths.output)
    outputs = {
        "sitemap-path": (folder / answer.root_sitemap).as_posix(),
        "url-count": str(answer.url_count),
        "excluded-count": str(sum(REASONS[each.reason].is_about_page for each in answer.excluded)),
        "changed": str(answer.stale or bool(result.commit)).lower(),
        "files": "\n".join((folder / name).as_posix() for name in (*answer.written, *answer.removed)),
        "commit-sha": result.commit,
        "pull-request-url": result.pull_request,
        "report-path": report_path,
    }
    write_outputs(environ, outputs)
    workflow_commands.write_summary(environ, result.summary)
    for warning in answer.warnings:
        _annotate(warning, result)
    delivered = [f"  commit     {result.delivered}"] if result.delivered else []
    print(inert("\n".join([*build_lines(answer), *delivered])))


def _annotate(warning: WarningAnswer, result: ActionResult) -> None:
    """Annotate each file that a warning names, or the run if it names none."""
    folder = _below(result.sources, result.job.paths.source)
    title = f"Waypost: {warning.code}"
    for example in warning.examples:
        workflow_commands.annotate("warning", warning.text, title=title, file=(folder / example.key).as_posix())
    if not warning.examples:
        workflow_commands.annotate("warning", warning.message, title=title)


def write_outputs(environ: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    """Set the step's outputs; a value may have several lines."""
    lines = []
    for name, value in outputs.items():
        delimiter = f"end-{uuid4().hex}"
        lines.append(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")
    workflow_commands.append(environ, "GITHUB_OUTPUT", "".join(lines))


def _below(root: Path, path: Path) -> Path:
    """A path from the root, if it is below that."""
    return path.relative_to(root) if path.is_relative_to(root) else path
