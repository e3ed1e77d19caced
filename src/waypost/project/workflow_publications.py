"""Finds what a repository's workflows publish: by an action or a command of the tables, and of which branch."""

import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from msgspec.structs import replace

from waypost.core.data_files import DataError, load_yaml, table_of, text_of
from waypost.project.called_scripts import CalledScripts
from waypost.project.publication import PUBLISHED_BRANCH, History, Publication, Step
from waypost.project.publishers import (
    Publisher,
    action_of,
    commands_of_action,
    folder_above,
    folders_of,
    row_of,
)
from waypost.project.script_publications import ScriptReader, publication_of
from waypost.project.shell_commands import Command, at_root, commands_of, run_before

_MOST_CHARACTERS = 1 << 20
"""Workflows that are longer than this together are not read: they take about two seconds."""
_MOST_REMEMBERED = 64
_MOST_NESTED = 3
"""Of the actions of a repository that use each other, so many are followed."""
_MOST_STEPS, _MOST_ARTIFACTS, _LONGEST_VALUE, _LONGEST_CONDITION = 1_000, 50, 200, 2_000
_DOMAIN = re.compile(
    r"""^[ \t]*(?:cname|fqdn):[ \t]*['"]?((?:[\w-]+\.)+[a-z]{2,})['"]?[ \t]*$"""
    r"""|\becho (?:-n )?['"]?((?:[\w-]+\.)+[a-z]{2,})['"]? ?(?:>>?|\| ?(?:sudo )?tee(?: -a)?) ?['"]?[\w./-]*CNAME\b""",
    re.IGNORECASE | re.MULTILINE,
)
_PREVIEWS = ("pull_request", "pull_request_target", "merge_group")
"""The events that publish no more than a preview."""
_MANUAL = frozenset(("workflow_dispatch", "workflow_call", *_PREVIEWS))
"""The events of a workflow that somebody starts, or that others call."""
_OF_PREVIEWS = re.compile(r"[^|]*\bgithub\.event_name\s*==\s*['\"]pull_request(?:_target)?['\"][^|]*\Z")
_CHECKOUT = "actions/checkout"
_UPLOAD, _DOWNLOAD = "actions/upload-artifact", "actions/download-artifact"
_SHELLS = re.compile(r"(?:ba|z)?sh\b|pwsh\b|powershell\b|cmd\b|\Z")
"""The shells whose commands are read: in `shell: Rscript {0}`, the lines are those of another language."""
_NAMED = {context: re.compile(rf"\$\{{\{{\s*{context}\.([\w-]+)\s*\}}\}}") for context in ("env", "inputs")}
_SHELL_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_PUSHERS = ("git push", "github-push-action", "git-auto-commit-action", "add-and-commit")
"""By these, a job pushes what its scripts have committed."""


def workflow_publications(
    texts: Mapping[str, str], called: CalledScripts, branches: Sequence[str]
) -> Iterator[Publication]:
    """What the workflows of a repository publish, by their paths, of one of these branches, if any is known.

    Those that a push starts come first. `called` has the scripts of the repository.
    """
    workflows = _read(texts)
    for path, workflow in sorted(workflows.items(), key=lambda each: "push" not in _events(each[1].get("on"))):
        if _deploys(workflow.get("on"), branches):
            callers = [other for other in workflows.values() if f"./{path}" in _called_workflows(other)]
            used = {action for each in (workflow, *callers) for action in _used_actions(each)}
            is_manual = all(_MANUAL.issuperset(_events(each.get("on"))) for each in (workflow, *callers))
            yield from (replace(each, is_manual=is_manual) for each in _of_workflow(path, workflow, called, used))


def building_steps(
    texts: Mapping[str, str], called: CalledScripts, branches: Sequence[str], is_build: Callable[[Command], bool]
) -> Iterator[tuple[str, Step]]:
    """The steps that run a command which builds a site, in the workflows of these branches, with the workflow's path.

    They are where a site may be published in a way that is not known.
    """
    deploying = ((path, each) for path, each in _read(texts).items() if _deploys(each.get("on"), branches))
    for path, name, job, place in ((path, *job) for path, each in deploying for job in _jobs_to_publish(each)):
        history: History = "none"
        for number, step, file in _steps_of(job, called):
            history = _history_after(history, action_of(text_of(step, "uses")), _inputs(step))
            script, folder = ("", ".") if _is_of_previews(step) else _script(step, place, table_of(job.get("env")))
            if found := next(filter(is_build, commands_of(script, folder, called.of)), None):
                yield file or path, Step(name, number, text_of(step, "name") or found.text, history)


def _read(texts: Mapping[str, str]) -> Mapping[str, Mapping[str, Any]]:
    """The workflows with these texts, by their paths; none if they are very long together."""
    is_short = sum(map(len, texts.values())) <= _MOST_CHARACTERS
    return {path: read_yaml(text) for path, text in texts.items()} if is_short else {}


@lru_cache(_MOST_REMEMBERED)
def read_yaml(text: str) -> Mapping[str, Any]:
    """The table of a YAML document, in which all values are texts; empty if it cannot be read.

    It is remembered: the folder, the host and the base URL of a site are each decided by the same workflows.
    """
    import yaml  # imported late: few projects need it

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml takes a tenth of the time
    try:
        return table_of(load_yaml(text, loader))
    except DataError:
        return {}


def named_domain(texts: Iterable[str]) -> str:
    """The domain that a workflow writes into CNAME, or gives to an action that does; empty without one."""
    return next((found[1] or found[2] for text in texts if (found := _DOMAIN.search(text))), "")


def items_of(values: Mapping[str, Any], key: str) -> Sequence[object]:
    """The values of a key that may have a list or a single value."""
    found = values.get(key)
    return found if isinstance(found, list) else [found]


def _deploys(trigger: object, branches: Sequence[str]) -> bool:
    """Whether what starts a workflow is more than a pull request, and a push to one of these branches if it names some.

    A workflow that is started in another way, too, publishes the branch whose pushes start it.
    """
    events = _events(trigger)
    push = table_of(events.get("push"))
    if branches and not any(_is_pushed(branch, push) for branch in branches):
        return False
    return any(event not in _PREVIEWS for event in events)


def _events(trigger: object) -> Mapping[Any, Any]:
    """What starts a workflow, each event with its filters."""
    return trigger if isinstance(trigger, dict) else dict.fromkeys(items_of({"on": trigger}, "on"))


def _is_pushed(branch: str, push: Mapping[str, Any]) -> bool:
    named = [each for each in items_of(push, "branches") if isinstance(each, str)]
    ignored = [each for each in items_of(push, "branches-ignore") if isinstance(each, str)]
    is_named = not named
    for pattern in named:
        if _branch_pattern(pattern.removeprefix("!")).fullmatch(branch):
            is_named = not pattern.startswith("!")
    return is_named and not any(_branch_pattern(pattern).fullmatch(branch) for pattern in ignored)


def _branch_pattern(pattern: str) -> re.Pattern[str]:
    """A filter of branches (GitHub, "Workflow syntax", filter pattern cheat sheet): `*` ends at a slash."""
    parts = (".*" if each == "**" else "[^/]*" if each == "*" else re.escape(each) for each in _parts(pattern))
    return re.compile("".join(parts))


def _parts(pattern: str) -> list[str]:
    return re.findall(r"\*\*|\*|[^*]+", pattern)


def _jobs(workflow: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    return {name: table_of(job) for name, job in table_of(workflow.get("jobs")).items()}


def _called_workflows(workflow: Mapping[str, Any]) -> set[str]:
    """The workflows of the repository that the jobs of another are (GitHub, "Reuse workflows")."""
    return {text_of(job, "uses") for job in _jobs(workflow).values()}


def _used_actions(workflow: Mapping[str, Any]) -> set[str]:
    return {action_of(text_of(step, "uses")) for step in steps_of(workflow)}


def steps_of(workflow: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The steps of all jobs of a workflow, as they are written."""
    for job in _jobs(workflow).values():
        yield from map(table_of, items_of(job, "steps"))


def _of_workflow(
    file: str, workflow: Mapping[str, Any], called: CalledScripts, used: Container[str]
) -> Iterator[Publication]:
    """What the jobs of a workflow publish, with the actions that are used in it or in one that calls it."""
    uploads = dict[str, Publication]()
    for name, job, place in _jobs_to_publish(workflow):
        found = list(_of_job(name, job, place, called, uploads))
        for each, by in found:
            at = replace(each.step, condition=_condition(each, [other for other, _ in found])) if each.step else None
            yield replace(each, file=each.file or file, is_deployed=not by or by in used, step=at)


def _jobs_to_publish(workflow: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """The jobs of a workflow but those for pull requests alone, with the values of constants, and where each begins."""
    for name, job in _jobs(workflow).items():
        if not _is_of_previews(job):
            known = {**table_of(workflow.get("env")), **table_of(job.get("env"))}
            filled = _with_names({**job, "env": known}, known, "env")
            yield name, filled, _working_folder(filled, _working_folder(workflow, "."))


def _condition(publication: Publication, others: Sequence[Publication]) -> str:
    """The condition on which a job publishes a folder; empty if it does so in several steps on different ones."""
    steps = [each.step for each in others if each.step and each.folders == publication.folders]
    conditions = {each.condition for each in steps}
    return conditions.pop() if len(conditions) == 1 else ""


def _with_names(table: Mapping[str, Any], known: Mapping[str, Any], context: str) -> Mapping[str, Any]:
    """A table in which each `${{ env.NAME }}` of a constant has its value, as in GitHub's starter workflow for Astro.

    `context` is `env`, or `inputs` in an action.
    """
    values = {name: each for name, each in _short(known).items() if "${{" not in each}

    def filled(value: object) -> object:
        if isinstance(value, str):
            return _NAMED[context].sub(lambda found: values.get(found[1], found[0]), value)
        if isinstance(value, dict):
            return {name: filled(each) for name, each in value.items()}
        return [filled(each) for each in value] if isinstance(value, list) else value

    return table_of(filled(table)) if values else table


def _short(known: Mapping[str, Any]) -> Mapping[str, str]:
    """The values that are no longer than a folder or a name: many long ones in one text would fill the memory."""
    return {name: each for name, each in known.items() if isinstance(each, str) and len(each) <= _LONGEST_VALUE}


def _with_constants(script: str, known: Mapping[str, Any]) -> str:
    """A script in which the variables of the environment with constant values have these."""
    values = {name: each for name, each in _short(known).items() if "$" not in each}
    return _SHELL_VARIABLE.sub(lambda found: values.get(found[1] or found[2], found[0]), script)


def _of_job(
    name: str, job: Mapping[str, Any], place: str, called: CalledScripts, uploads: dict[str, Publication]
) -> Iterator[tuple[Publication, str]]:
    """What the steps of a job publish, each with the action that the workflow must have, too; empty if it needs none.

    `uploads` are what the jobs above it hand on, by the name of the artifact; those of this job are added.
    """
    downloads = dict[str, Publication]()
    script_reader = ScriptReader(called, commits=any(each in str(job) for each in _PUSHERS))
    history: History = "none"
    for number, step, file in _steps_of(job, called):
        action, inputs, environ = action_of(text_of(step, "uses")), _inputs(step), table_of(step.get("env"))
        history = _history_after(history, action, inputs)
        if action == _CHECKOUT and (path := text_of(inputs, "path")):
            script_reader.checkouts.add(posixpath.normpath(path))
        if _is_of_previews(step):
            continue
        condition = " ".join(text_of(step, "if").split())
        condition = "" if condition == "true" else condition  # as an input of an action is by default
        shown = text_of(step, "name") or text_of(step, "uses")
        at = Step("runs" if file else name, number, shown, history, folder=place, place=place, condition=condition)
        row = row_of(action)
        built = run_before(0, script_reader.commands) if row or action == _UPLOAD else []
        if action == _UPLOAD and len(uploads) < _MOST_ARTIFACTS:
            paths = text_of(inputs, "path").split()
            made = publication_of(Publisher(action, ""), paths[0] if len(paths) == 1 else "", ["."], built, at, inputs)
            uploads[text_of(inputs, "name") or "artifact"] = replace(made, file=file)
        elif action == _DOWNLOAD:
            downloads |= _downloaded(inputs, uploads)
        if row:
            for folder in folders_of(row, inputs, environ):
                # The folder of the job's commands is not that of its actions, but some workflows are written so.
                places = [posixpath.join(each, folder_above(row, inputs)) for each in (".", place)]
                found = publication_of(row, folder, places, built, at, {**environ, **inputs})
                yield _where_built(replace(found, file=file), downloads), row.by
        for found in script_reader.publications(*_script(step, place, table_of(job.get("env"))), at):
            yield _where_built(replace(found, file=file), downloads), ""


def _history_after(history: History, action: str, inputs: Mapping[str, Any]) -> History:
    """How much history a job has after a step, which may check out what the job builds."""
    is_other = bool(text_of(inputs, "repository") and text_of(inputs, "path"))
    if action != _CHECKOUT or is_other or text_of(inputs, "ref") == PUBLISHED_BRANCH:
        return history
    return "whole" if text_of(inputs, "fetch-depth") == "0" else "shallow"


def _is_of_previews(table: Mapping[str, Any]) -> bool:
    """Whether a job or a step runs for pull requests alone."""
    return bool(_OF_PREVIEWS.match(text_of(table, "if")[:_LONGEST_CONDITION]))


def _script(step: Mapping[str, Any], place: str, environ: Mapping[str, Any]) -> tuple[str, str]:
    """The commands of a step, or of its action by the table, and the folder in which they begin."""
    folder = text_of(step, "working-directory")
    if row := row_of(action_of(text_of(step, "uses"))):
        inputs = _inputs(step)
        return commands_of_action(row, inputs), posixpath.normpath(folder or text_of(inputs, "workingdirectory") or ".")
    script = text_of(step, "run") if _SHELLS.match(text_of(step, "shell")) else ""
    known = {**environ, **table_of(step.get("env"))}
    return _with_constants(script, known), posixpath.normpath(posixpath.join(place, at_root(folder)))


def _downloaded(inputs: Mapping[str, Any], uploads: Mapping[str, Publication]) -> Mapping[str, Publication]:
    """The folders into which a step downloads artifacts, each with what was uploaded.

    Without a name, each artifact has a folder of its own there (actions/download-artifact, README, "Inputs").
    """
    name, path = text_of(inputs, "name"), text_of(inputs, "path") or "."
    found = {posixpath.join(path, "" if name else each): made for each, made in uploads.items() if name in ("", each)}
    return {posixpath.normpath(each): made for each, made in found.items()}


def _where_built(publication: Publication, downloads: Mapping[str, Publication]) -> Publication:
    """The publication with the folder and the step of the job that built it, where this job only gets an artifact."""
    made = next((downloads[folder] for folder in publication.folders if folder in downloads), None)
    if made is None or not made.folders or publication.building:
        return publication
    built = {"folders": made.folders, "commands": made.commands, "step": made.step, "source": made.source}
    return replace(publication, file=made.file, **built)


def _steps_of(job: Mapping[str, Any], called: CalledScripts) -> Iterator[tuple[int, Mapping[str, Any], str]]:
    """The first steps of a job, with those of the repository's own actions."""
    return islice(_steps(items_of(job, "steps"), called), _MOST_STEPS)


def _steps(
    steps: Sequence[object], called: CalledScripts, depth: int = _MOST_NESTED
) -> Iterator[tuple[int, Mapping[str, Any], str]]:
    """The steps of a job with their numbers, and in the place of an action of the repository those that it runs.

    These have the file of the action (GitHub, "Metadata syntax", runs for composite actions).
    """
    for number, step in enumerate(map(table_of, steps)):
        path = text_of(step, "uses")
        file, text = called.action(path) if path.startswith("./") and depth else ("", "")
        if not file:
            yield number, step, ""
            continue
        action = read_yaml(text)
        defaults = {name: text_of(table_of(each), "default") for name, each in table_of(action.get("inputs")).items()}
        runs = _with_names(table_of(action.get("runs")), {**defaults, **table_of(step.get("with"))}, "inputs")
        for inner, each, below in _steps(items_of(runs, "steps"), called, depth - 1):
            yield inner, {**each, "if": text_of(each, "if") or text_of(step, "if")}, below or file


def _inputs(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """The inputs of an action, whose names have no case (GitHub, "Metadata syntax", inputs), in small letters."""
    return {name.lower(): value for name, value in table_of(step.get("with")).items() if isinstance(name, str)}


def _working_folder(table: Mapping[str, Any], default: str) -> str:
    run = table_of(table_of(table.get("defaults")).get("run"))
    return posixpath.normpath(text_of(run, "working-directory") or default)
