"""The entry point of the GitHub Action: runs a step, and reports it as outputs, a summary and annotations."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from waypost.build import workflow_commands
from waypost.build.build_answer import WarningAnswer, build_answer, build_lines
from waypost.build.diff_answer import DiffAnswer, diff_markdown, has_changes
from waypost.build.folder import settings_of
from waypost.build.job import now
from waypost.build.notifications import notify_answer
from waypost.build.subscribers import notify_now, plan_result, required_subscribers, subscribers_of
from waypost.core import tree_files
from waypost.core.dates import format_unix_time
from waypost.core.errors import AnnounceError, ConfigurationError, RemovalError, StoreError, WaypostError
from waypost.core.finding_types import stated_warning
from waypost.core.inert_text import inert
from waypost.core.places import place_of
from waypost.core.reasons import REASONS
from waypost.github import inputs, step_outputs
from waypost.github.api import GitHubApi, GitHubError
from waypost.github.connection import github_api, require_api
from waypost.github.dating import date_sitemaps
from waypost.github.event import pull_request_number
from waypost.github.inputs import STEP_INPUTS, Inputs, input_path, workspace
from waypost.github.step import ActionResult, Step
from waypost.notify import result_file
from waypost.report import overview_of_plan, render_report, report_file
from waypost.report.report_problems import plan_problems
from waypost.settings.load import ConfigSource

_SHOWN = 100
"""How many changes of each kind are shown at most."""
_PER_PAGE, _MOST_PAGES = 100, 30
"""The most comments that GitHub sends at once (REST API, "List issue comments"), and the most requests for them."""
_BOT = "[bot]"
"""The end of the names of apps, which not each of the two APIs adds."""


def send_changes(inputs: Inputs, environ: Mapping[str, str]) -> int:
    """Notify the subscribers that the settings name; returns the step's exit code.

    Raises ConfigurationError if there is none, and AnnounceError if the file cannot be read.
    """
    path = partial(input_path, workspace(environ))
    result = result_file.read(path("notify", inputs.notify))
    published = ConfigSource(STEP_INPUTS, {"base_url": result.base_url})
    file = path("config", inputs.config) if inputs.config else None
    source = path("source", inputs.source)
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


def comment_on(number: int, answer: DiffAnswer, base_url: str, api: GitHubApi | None) -> str:
    """Write the comment; returns why it could not be written, or `""`.

    A pull request that changes nothing gets no comment, unless it has one from an earlier run.
    """
    text = f"### The sitemap of {base_url}\n\n{diff_markdown(answer, _SHOWN)}"
    try:
        write_comment(require_api(api), number, base_url, text, is_needed=has_changes(answer))
    except AnnounceError as error:
        return f"pull request {number} got no comment: {error}{_comment_advice(error)}"
    return ""


def _comment_advice(error: AnnounceError) -> str:
    if isinstance(error, GitHubError) and error.status in (401, 403, 404):
        return (
            "; give the job `permissions: pull-requests: write`. For a pull request from a fork, GitHub gives a "
            "workflow no token that may do that"
        )
    return ""


def write_comment(api: GitHubApi, number: int, topic: str, text: str, *, is_needed: bool = True) -> bool:
    """Write a comment on a pull request, in place of an earlier one about the same topic; whether there is one now.

    Without an earlier one, a comment that is not needed is not written. Raises GitHubError and AnnounceError.
    """
    mark = f"<!-- waypost: {topic.replace('-->', '')} -->"
    body = f"{mark}\n{text}"
    login = api.graphql("query { viewer { login } }", {})["viewer"]["login"]
    found = _own_comment(api, number, mark, login.removesuffix(_BOT))
    if found is None:
        if is_needed:
            api.rest("POST", f"issues/{number}/comments", {"body": body})
        return is_needed
    if found["body"] != body:
        api.rest("PATCH", f"issues/comments/{found['id']}", {"body": body})
    return True


def _own_comment(api: GitHubApi, number: int, mark: str, login: str) -> Any:
    """The first comment of one's own that begins with the mark, or None: anybody may write one that does."""
    for page in range(1, _MOST_PAGES + 1):
        found = api.rest("GET", f"issues/{number}/comments?per_page={_PER_PAGE}&page={page}")
        for each in found:
            author = (each.get("user") or {}).get("login", "").removesuffix(_BOT)
            if author == login and (each.get("body") or "").startswith(mark):
                return each
        if len(found) < _PER_PAGE:
            break
    return None


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the step; returns its exit code."""
    try:
        step_inputs = inputs.read(environ)
        if step_inputs.notify:
            return send_changes(step_inputs, environ)
        if step_inputs.date:
            return date_sitemaps(step_inputs, environ)
        target = _report_target(step_inputs.report, environ)
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


def _report_target(path: str, environ: Mapping[str, str]) -> Path | None:
    """The file of the report, if one is wanted; raises StoreError if it must not be written there."""
    target = _file_in_workspace("the report", path, environ)
    if target:
        report_file.check(target)
    return target


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
    answer, output = result.answer, result.job.paths.output
    folder = output.relative_to(result.root) if output.is_relative_to(result.root) else output
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
    step_outputs.write_outputs(environ, outputs)
    workflow_commands.write_summary(environ, result.summary)
    for warning in answer.warnings:
        _annotate(warning, result)
    delivered = [f"  commit     {result.delivered}"] if result.delivered else []
    print(inert("\n".join([*build_lines(answer), *delivered])))


def _annotate(warning: WarningAnswer, result: ActionResult) -> None:
    """Annotate each file that a warning names, or the run if it names none."""
    source = result.job.paths.source
    folder = source.relative_to(result.sources) if source.is_relative_to(result.sources) else source
    title = f"Waypost: {warning.code}"
    for example in warning.examples:
        workflow_commands.annotate("warning", warning.text, title=title, file=(folder / example.key).as_posix())
    if not warning.examples:
        workflow_commands.annotate("warning", warning.message, title=title)
