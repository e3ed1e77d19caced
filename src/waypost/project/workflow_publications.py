"""Finds what a repository's workflows publish: by an action or a command of the tables, and of which branch."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.data_files import DataError, load_yaml, table_of, text_of
from waypost.core.tables import Table
from waypost.project.called_scripts import CalledScripts
from waypost.project.publication import PUBLISHED_BRANCH, History, Publication, Step, prepares
from waypost.project.shell_commands import Command, at_root, commands_of, run_before, typed_in

_MOST_CHARACTERS = 1 << 20
"""Workflows that are longer than this together are not read: they take about two seconds."""
_MOST_REMEMBERED = 64
_DOMAIN = re.compile(
    r"""^[ \t]*(?:cname|fqdn):[ \t]*['"]?((?:[\w-]+\.)+[a-z]{2,})['"]?[ \t]*$"""
    r"""|\becho (?:-n )?['"]?((?:[\w-]+\.)+[a-z]{2,})['"]? ?(?:>>?|\| ?(?:sudo )?tee(?: -a)?) ?['"]?[\w./-]*CNAME\b""",
    re.IGNORECASE | re.MULTILINE,
)
_PREVIEWS = ("pull_request", "pull_request_target", "merge_group")
"""The events that publish no more than a preview."""
_OF_PREVIEWS = re.compile(r"[^|]*\bgithub\.event_name\s*==\s*['\"]pull_request(?:_target)?['\"][^|]*\Z")
_CHECKOUT = "actions/checkout"
_SHELLS = re.compile(r"(?:ba|z)?sh\b|pwsh\b|powershell\b|cmd\b|\Z")
"""The shells whose commands are read: in `shell: Rscript {0}`, the lines are those of another language."""
_ENVIRONMENT = re.compile(r"\$\{\{\s*env\.(\w+)\s*\}\}")
_SHELL_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_IS_BUILT = {"render": "false"}
"""The inputs whose value is not `true` where an action does not build the site."""


class Publisher(Struct, frozen=True):
    """A row of `publishing_actions.toml` or `publishing_commands.toml`, which say what each column is."""

    name: str
    source: str
    pattern: str = ""
    host: str = ""
    folder: str = ""
    default: str = ""
    below: str = ""
    by: str = ""
    command: str = ""
    program: str = ""
    generator: str = ""
    builds: bool = False
    built: str = ""
    only_builds: str = ""
    skip: str = ""
    in_folder: bool = False
    copies: bool = False
    commits: bool = False
    message: str = ""


ACTIONS = Table(Path(__file__).with_name("publishing_actions.toml"), Publisher, "name")
COMMANDS = Table(Path(__file__).with_name("publishing_commands.toml"), Publisher, "name")


def workflow_publications(
    texts: Mapping[str, str], called: CalledScripts, branches: Sequence[str]
) -> Iterator[Publication]:
    """What the workflows of a repository publish, by their paths, of one of these branches, if any is known.

    `called` has the scripts of the repository.
    """
    if sum(map(len, texts.values())) > _MOST_CHARACTERS:
        return
    for path, text in texts.items():
        workflow = read_yaml(text)
        if _deploys(workflow.get("on"), branches):
            yield from _of_workflow(path, workflow, called)


def filler_of(message: str) -> Publisher | None:
    """The command that has filled a branch by hand, by the message of the branch's newest commit."""
    return next((row for row in COMMANDS.values() if row.message and re.match(row.message, message)), None)


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
    events = trigger if isinstance(trigger, dict) else dict.fromkeys(items_of({"on": trigger}, "on"))
    push = table_of(events.get("push"))
    if branches and not any(_is_pushed(branch, push) for branch in branches):
        return False
    return any(event not in _PREVIEWS for event in events)


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


def _of_workflow(file: str, workflow: Mapping[str, Any], called: CalledScripts) -> Iterator[Publication]:
    jobs = {name: table_of(job) for name, job in table_of(workflow.get("jobs")).items()}
    used = {_action(step) for job in jobs.values() for step in map(table_of, items_of(job, "steps"))}
    for name, job in jobs.items():
        if not _OF_PREVIEWS.match(text_of(job, "if")):
            known = {**table_of(workflow.get("env")), **table_of(job.get("env"))}
            place, job = _working_folder(workflow, "."), _with_values({**job, "env": known}, known)
            for found, by in _of_job(name, job, _working_folder(job, place), called):
                yield replace(found, file=file, is_deployed=not by or by in used)


def _with_values(job: Mapping[str, Any], known: Mapping[str, Any]) -> Mapping[str, Any]:
    """A job in which each `${{ env.NAME }}` of a constant has its value, as in GitHub's starter workflow for Astro."""
    values = {name: each for name, each in known.items() if isinstance(each, str) and "${{" not in each}

    def filled(value: object) -> object:
        if isinstance(value, str):
            return _ENVIRONMENT.sub(lambda found: values.get(found[1], found[0]), value)
        if isinstance(value, dict):
            return {name: filled(each) for name, each in value.items()}
        return [filled(each) for each in value] if isinstance(value, list) else value

    return table_of(filled(job)) if values else job


def _with_constants(script: str, known: Mapping[str, Any]) -> str:
    """A script in which the variables of the environment with constant values have these."""
    values = {name: each for name, each in known.items() if isinstance(each, str) and "$" not in each}
    return _SHELL_VARIABLE.sub(lambda found: values.get(found[1] or found[2], found[0]), script)


def _of_job(name: str, job: Mapping[str, Any], place: str, called: CalledScripts) -> Iterator[tuple[Publication, str]]:
    """What the steps of a job publish, each with the commands before it and the action that must be there, too."""
    commands = list[Command]()
    history: History = "none"
    pushes = any(name in str(job) for name in ("git push", "github-push-action"))
    for number, step in enumerate(map(table_of, items_of(job, "steps"))):
        action, inputs = _action(step), _inputs(step)
        if action == _CHECKOUT and not text_of(inputs, "repository"):
            history = "whole" if text_of(inputs, "fetch-depth") == "0" else "shallow"
        if _OF_PREVIEWS.match(text_of(step, "if")):
            continue
        condition = " ".join(text_of(step, "if").split())
        at = Step(name, number, text_of(step, "name") or text_of(step, "uses"), history, condition=condition)
        if row := ACTIONS.get(action):
            script = f"{row.program} {text_of(inputs, row.command) or row.default}" if row.command else ""
            folder = text_of(step, "working-directory") or text_of(inputs, "workingdirectory") or "."
            environ = table_of(step.get("env"))
            only_builds = text_of(environ, row.only_builds) or text_of(inputs, row.only_builds.lower())
            publishes = not row.command and only_builds.lower() != "true"
            own = [(row, _input_folder(row, inputs, environ), place)] if publishes else []
        else:
            script, own = text_of(step, "run") if _SHELLS.match(text_of(step, "shell")) else "", []
            script = _with_constants(script, {**table_of(job.get("env")), **table_of(step.get("env"))})
            folder = posixpath.join(place, at_root(text_of(step, "working-directory")))
        is_shared, built = False, run_before(0, commands)
        for command in commands_of(script, posixpath.normpath(folder), called.of):
            if found := publisher_of(command, commits=pushes):
                own.append((*found, command.folder))
                shown, is_called = at.name or command.text, command.depth > 0
                at = replace(at, name=shown, command=command.text, folder=command.folder)
                at = replace(at, is_shared=is_shared, is_called=is_called)
                built = run_before(command.depth, commands)
            else:
                commands.append(command)
                is_shared = is_shared or not (command.depth or prepares(command.text))
        for row, published, place_of_it in own:
            yield _publication(row, published, place_of_it, built, at, inputs), row.by


def _publication(
    row: Publisher, folder: str, place: str, commands: Sequence[Command], at: Step, inputs: Mapping[str, Any]
) -> Publication:
    is_known = folder and not re.search(r"[$`*?{}~]", folder) and not posixpath.isabs(folder)
    return Publication(
        file="",
        host=row.host,
        folders=(posixpath.normpath(posixpath.join(place, folder)),) if is_known else (),
        commands=tuple(typed_in(each.folder, each.text) for each in commands),
        publisher=row.name,
        generator=row.generator,
        builds=row.builds and text_of(inputs, row.built).lower() != _IS_BUILT.get(row.built, "true"),
        step=at,
        source=place if row.generator else None if is_known else _only_folder(commands),
        copies=row.copies or (row.in_folder and posixpath.basename(place) != PUBLISHED_BRANCH),
        commits=row.commits,
    )


def _only_folder(commands: Sequence[Command]) -> str | None:
    """The folder of the repository in which all commands run, if there is one: that of the site's source."""
    folders = {each.folder for each in commands} - {"."}
    return folders.pop() if len(folders) == 1 else None


def publisher_of(command: Command, *, commits: bool = False) -> tuple[Publisher, str] | None:
    """The row of a command that publishes a site, or also that `commits` it, and the folder that it names, if any."""
    text = command.plain
    for row in COMMANDS.values():
        is_at_place = commits and command.folder == "." if row.commits else command.folder != "." or not row.in_folder
        if is_at_place and (found := re.match(row.pattern, text)):
            folder = found.groupdict().get("folder") or row.default
            return row, folder.removesuffix("/**").removesuffix("/*")
    return None


def first_published(commands: Sequence[Command], file: str, *, copies: bool) -> Publication | None:
    """What the first command of a file that publishes a site publishes, and the commands before it that build it.

    What `copies` counts for its own folder only.
    """
    for number, command in enumerate(commands):
        if published := publisher_of(command):
            row, folder = published
            place = posixpath.normpath(posixpath.join(command.folder, folder)) if folder else ""
            folders = (place,) if place and "$" not in place else ()
            built = tuple(typed_in(each.folder, each.text) for each in run_before(command.depth, commands[:number]))
            by = (row.name, row.generator, row.builds)
            return Publication(
                file, row.host, folders, built, *by, copies=row.copies or (copies and not row.builds), source="."
            )
    return None


def _input_folder(row: Publisher, inputs: Mapping[str, Any], environ: Mapping[str, Any]) -> str:
    """The folder that an action publishes by its inputs; empty if they do not say it."""
    named = text_of(inputs, row.folder.lower()) or text_of(environ, row.folder) or text_of(environ, row.folder.upper())
    folder = named.strip() or row.default
    above = text_of(inputs, row.below).strip() if row.below else ""
    is_built = bool(row.built) and text_of(inputs, row.built).lower() == "true"
    return posixpath.join(above, "" if is_built else folder) if above else folder


def _inputs(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """The inputs of an action, whose names have no case (GitHub, "Metadata syntax", inputs), in small letters."""
    return {name.lower(): value for name, value in table_of(step.get("with")).items() if isinstance(name, str)}


def _action(step: Mapping[str, Any]) -> str:
    return text_of(step, "uses").partition("@")[0]


def _working_folder(table: Mapping[str, Any], default: str) -> str:
    run = table_of(table_of(table.get("defaults")).get("run"))
    return posixpath.normpath(text_of(run, "working-directory") or default)
