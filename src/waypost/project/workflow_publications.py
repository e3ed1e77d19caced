"""Finds what a repository's workflows publish: by an action or a command of the tables, and of which branch."""

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.data_files import DataError, load_yaml, table_of, text_of
from waypost.core.tables import Table
from waypost.project.called_scripts import CalledScripts
from waypost.project.generator import generators
from waypost.project.publication import PUBLISHED_BRANCH, History, Publication, Step, prepares
from waypost.project.shell_commands import Command, at_root, commands_of, run_before, typed_in

_MOST_CHARACTERS = 1 << 20
"""Workflows that are longer than this together are not read: they take about two seconds."""
_MOST_REMEMBERED = 64
_MOST_NESTED = 3
"""Of the actions of a repository that use each other, so many are followed."""
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
_NAMED = {context: re.compile(rf"\$\{{\{{\s*{context}\.([\w-]+)\s*\}}\}}") for context in ("env", "inputs")}
_SHELL_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_IS_BUILT = {"render": "false"}
"""The inputs whose value is not `true` where an action does not build the site."""
_INPUT = re.compile(r"\{(\w+)\}")
_PUSHERS = ("git push", "github-push-action", "git-auto-commit-action", "add-and-commit")
"""By these, a job pushes what its scripts have committed."""
_STAGES = re.compile(r"git (?:add|commit|(?:checkout|switch|worktree)\b.*\bgh-pages)\b")
_ADDED = re.compile(r"git add (?:-\S+ )*([\w][\w./-]*)\Z")
_MOVES = re.compile(r"(?:cp|mv|rm|rsync|find|touch|zip|tar)\b")
"""Commands that move what was built."""
_TO_PUBLISH = re.compile(
    r"(?:^|[-_/])(?:deploy\w*|publish\w*|gh-?pages|pages|s?ftps?|s3|rsync|scp|sync|upload\w*|push)(?:\Z|[-_/])",
    re.IGNORECASE,
)
"""The names of actions that publish something."""
_OF_OTHERS = re.compile(
    r"^(?:actions|github)/|artifact|cache|release|docker|container|npm|pypi|crate|gem|helm|preview|setup|configure|comment"
    r"|image|function|lambda|wiki",
    re.IGNORECASE,
)
"""The names of actions that publish no site."""
_OF_FOLDERS = re.compile(
    r"(?:^|[-_])(?:folder|dir|directory|path|root)$|^(?:source|src|from|local|publish|files|output|build|dist)$",
    re.IGNORECASE,
)
"""The inputs of such actions that name a folder."""


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
    script: str = ""
    needs: Mapping[str, str] = {}
    generator: str = ""
    builds: bool = False
    built: str = ""
    only_builds: str = ""
    skip: str = ""
    in_folder: bool = False
    pushes_branch: bool = False
    copies: bool = False
    commits: bool = False
    of_commits: bool = False
    message: str = ""
    repository: str = ""
    target: str = ""


ACTIONS = Table(Path(__file__).with_name("publishing_actions.toml"), Publisher, "name")
COMMANDS = Table(Path(__file__).with_name("publishing_commands.toml"), Publisher, "name")


def workflow_publications(
    texts: Mapping[str, str], called: CalledScripts, branches: Sequence[str]
) -> Iterator[Publication]:
    """What the workflows of a repository publish, by their paths, of one of these branches, if any is known.

    Those that a push starts come first.     `called` has the scripts of the repository.
    """
    if sum(map(len, texts.values())) > _MOST_CHARACTERS:
        return
    workflows = {path: read_yaml(text) for path, text in texts.items()}
    for path, workflow in sorted(workflows.items(), key=lambda each: "push" not in _events(each[1].get("on"))):
        if _deploys(workflow.get("on"), branches):
            callers = [other for other in workflows.values() if f"./{path}" in _called_workflows(other)]
            used = {action for each in (workflow, *callers) for action in _used_actions(each)}
            yield from _of_workflow(path, workflow, called, used)


def row_of(action: str) -> Publisher | None:
    """What is known of an action: its row, or else what its name says; None if it publishes no site.

    One that is named for a generator, too, builds the site. Any other publishes a folder, which need not be a site.
    """
    if row := ACTIONS.get(action):
        return row
    if not _TO_PUBLISH.search(action) or _OF_OTHERS.search(action):
        return None
    words = re.split(r"[^a-z]+", action.lower())
    host = "github-pages" if "pages" in action.lower() else ""
    if generator := next((name for word, name in _generators_by_word().items() if word in words), ""):
        return Publisher(action, "", host=host, generator=generator, builds=True)
    return Publisher(action, "", folder="*", copies=True)


@cache
def _generators_by_word() -> Mapping[str, str]:
    return {name.lower(): name for name in ("Jekyll", *(each.name for each in generators()))}


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
    return {_action(step) for job in _jobs(workflow).values() for step in map(table_of, items_of(job, "steps"))}


def _of_workflow(
    file: str, workflow: Mapping[str, Any], called: CalledScripts, used: Container[str]
) -> Iterator[Publication]:
    """What the jobs of a workflow publish, with the actions that are used in it or in one that calls it."""
    for name, job in _jobs(workflow).items():
        if not _OF_PREVIEWS.match(text_of(job, "if")):
            known = {**table_of(workflow.get("env")), **table_of(job.get("env"))}
            place, job = _working_folder(workflow, "."), _with_names({**job, "env": known}, known, "env")
            found = list(_of_job(name, job, _working_folder(job, place), called))
            for each, by in found:
                at = (
                    replace(each.step, condition=_condition(each, [other for other, _ in found])) if each.step else None
                )
                yield replace(each, file=each.file or file, is_deployed=not by or by in used, step=at)


def _condition(publication: Publication, others: Sequence[Publication]) -> str:
    """The condition on which a job publishes a folder; empty if it does so in several steps on different ones."""
    steps = [each.step for each in others if each.step and each.folders == publication.folders]
    conditions = {each.condition for each in steps}
    return conditions.pop() if len(conditions) == 1 else ""


def _with_names(table: Mapping[str, Any], known: Mapping[str, Any], context: str) -> Mapping[str, Any]:
    """A table in which each `${{ env.NAME }}` of a constant has its value, as in GitHub's starter workflow for Astro.

    `context` is `env`, or `inputs` in an action.
    """
    values = {name: each for name, each in known.items() if isinstance(each, str) and "${{" not in each}

    def filled(value: object) -> object:
        if isinstance(value, str):
            return _NAMED[context].sub(lambda found: values.get(found[1], found[0]), value)
        if isinstance(value, dict):
            return {name: filled(each) for name, each in value.items()}
        return [filled(each) for each in value] if isinstance(value, list) else value

    return table_of(filled(table)) if values else table


def _with_constants(script: str, known: Mapping[str, Any]) -> str:
    """A script in which the variables of the environment with constant values have these."""
    values = {name: each for name, each in known.items() if isinstance(each, str) and "$" not in each}
    return _SHELL_VARIABLE.sub(lambda found: values.get(found[1] or found[2], found[0]), script)


def _of_job(name: str, job: Mapping[str, Any], place: str, called: CalledScripts) -> Iterator[tuple[Publication, str]]:
    """What the steps of a job publish, each with the commands before it and the action that must be there, too."""
    script_reader = _Scripts(called, commits=any(each in str(job) for each in _PUSHERS))
    history: History = "none"
    for number, step, file in _steps(items_of(job, "steps"), called):
        action, inputs = _action(step), _inputs(step)
        if action == _CHECKOUT and (path := text_of(inputs, "path")):
            script_reader.checkouts.add(posixpath.normpath(path))
        is_own = not text_of(inputs, "repository") and text_of(inputs, "ref") != PUBLISHED_BRANCH
        if action == _CHECKOUT and is_own:
            history = "whole" if text_of(inputs, "fetch-depth") == "0" else "shallow"
        if _OF_PREVIEWS.match(text_of(step, "if")):
            continue
        condition = " ".join(text_of(step, "if").split())
        shown = text_of(step, "name") or text_of(step, "uses")
        job_name = "runs" if file else name
        at = Step(job_name, number, shown, history, folder=place, place=place, condition=condition)
        if row := row_of(action):
            built = run_before(0, script_reader.commands)
            for folder in _folders_of(row, inputs, table_of(step.get("env"))):
                # The folder of the job's commands is not that of its actions, but some workflows are written so.
                places = [posixpath.join(each, _above(row, inputs)) for each in (".", place)]
                found = _publication(row, folder, places, built, at, inputs)
                yield replace(found, file=file), row.by
            script = _filled(row, inputs)
            folder = text_of(step, "working-directory") or text_of(inputs, "workingdirectory") or "."
        else:
            script = text_of(step, "run") if _SHELLS.match(text_of(step, "shell")) else ""
            script = _with_constants(script, {**table_of(job.get("env")), **table_of(step.get("env"))})
            folder = posixpath.join(place, at_root(text_of(step, "working-directory")))
        for found in script_reader.publications(script, posixpath.normpath(folder), at):
            yield replace(found, file=file), ""


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


class _Scripts:
    """Reads the scripts of a job's steps, one after another: what they build, stage for a commit, and publish.

    `commits` if a step of the job pushes the branch that is checked out.
    """

    def __init__(self, called: CalledScripts, *, commits: bool) -> None:
        self._called, self._commits = called, commits
        self._staged = dict[str, Step]()
        """Where the files of a folder are staged that are pushed later, after which they cannot be changed."""
        self._copied = dict[str, tuple[str, Step]]()
        """The folder whose files another folder gets, and where it gets them."""
        self._added = dict[str, set[str]]()
        """What is staged of a folder, by its name."""
        self._counts = dict[Step, int]()
        """How many commands were run before what is staged or copied."""
        self.checkouts = {"."}
        """The folders with what was checked out, to which files can be copied that are pushed from there."""
        self.commands = list[Command]()

    def publications(self, script: str, folder: str, at: Step) -> Iterator[Publication]:
        """What a script publishes that begins in a folder, in a step."""
        is_shared = False
        for command in commands_of(script, folder, self._called.of):
            here = replace(at, name=at.name or command.text, command=command.text, folder=command.folder)
            here = replace(here, is_shared=is_shared, is_called=command.depth > 0)
            if _STAGES.match(command.plain):
                self._staged.setdefault(command.place, here)
                self._counts.setdefault(here, len(self.commands))
                self._added.setdefault(command.place, set()).update(_ADDED.findall(command.plain))
            if checkout := command.checkout:
                self.checkouts.add(checkout)
            if (copied := command.copy) and copied[1] in self.checkouts:
                self._copied.setdefault(copied[1], (copied[0], here))
                self._counts.setdefault(here, len(self.commands))
            if found := publisher_of(command, commits=self._commits):
                yield self._published(*found, command, here)
                continue
            self.commands.append(command)
            if not (prepares(command.text) or _MOVES.match(command.plain)):
                is_shared = is_shared or not command.depth
                self._staged.clear()

    def _published(self, row: Publisher, folder: str, command: Command, here: Step) -> Publication:
        place = command.place
        if row.pushes_branch:  # it was filled with what another folder has
            place = next(iter(self._staged), place)
        if row.pushes_branch and not (self._staged or self._copied):
            return replace(_publication(row, "", [place], self._built(command), here, {}), of_commits=True)
        if not (row.in_folder or row.pushes_branch):
            return _publication(row, folder, [place], self._built(command), here, {})
        place, at = self._copied.get(place, (place, self._staged.get(place, here)))
        added = self._added.get(place, set())
        folder = "".join(added) if len(added) == 1 else "" if place == "." else folder
        found = _publication(row, folder, [place], self._built(command, self._counts.get(at)), at, {})
        return replace(found, host="github-pages") if PUBLISHED_BRANCH in f"{command.place} {command.text}" else found

    def _built(self, command: Command, count: int | None = None) -> Sequence[Command]:
        """The commands that were run before another one: all, or the first ones."""
        return run_before(command.depth, self.commands[:count])


def _publication(
    row: Publisher,
    folder: str,
    places: Sequence[str],
    commands: Sequence[Command],
    at: Step,
    inputs: Mapping[str, Any],
) -> Publication:
    """What a row of the tables publishes: a folder that is in the first of these places, if not in another."""
    place = posixpath.normpath(places[0])
    is_known = folder and not re.search(r"[$`*?{}~]", folder) and not posixpath.isabs(folder)
    return Publication(
        file="",
        host=row.host or ("github-pages" if PUBLISHED_BRANCH in inputs.values() else ""),
        folders=tuple(dict.fromkeys(posixpath.normpath(posixpath.join(each, folder)) for each in places))
        if is_known
        else (),
        commands=tuple(typed_in(each.folder, each.text) for each in commands),
        publisher=row.name,
        generator=row.generator,
        builds=row.builds and text_of(inputs, row.built).lower() != _IS_BUILT.get(row.built, "true"),
        step=at,
        source=place if row.generator else None if is_known else _only_folder(commands),
        of_commits=row.of_commits,
        repository=text_of(inputs, row.repository),
        target=text_of(inputs, row.target).strip("/"),
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
        is_at_place = commits and command.place == "." if row.commits else command.place != "." or not row.in_folder
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


def _folders_of(row: Publisher, inputs: Mapping[str, Any], environ: Mapping[str, Any]) -> Iterator[str]:
    """The folder that an action publishes by its inputs, empty if they do not say it; none if it publishes nothing.

    It is relative to the folder that another input names.
    """
    only_builds = text_of(environ, row.only_builds) or text_of(inputs, row.only_builds.lower())
    needed = (text_of(inputs, name) == value for name, value in row.needs.items())
    if row.script or only_builds.lower() == "true" or not all(needed):
        return
    names = [name for name in inputs if _OF_FOLDERS.search(name)] if row.folder == "*" else [row.folder.lower()]
    named = [text_of(inputs, name) for name in names]
    named += [text_of(environ, row.folder) or text_of(environ, row.folder.upper())]
    is_built = bool(row.built) and bool(row.below) and text_of(inputs, row.built).lower() == "true"
    yield "." if is_built else next((each.strip() for each in named if each.strip()), row.default)


def _above(row: Publisher, inputs: Mapping[str, Any]) -> str:
    """The folder that an input names, to which the folder that an action publishes is relative."""
    return (text_of(inputs, row.below).strip() if row.below else "") or "."


def _filled(row: Publisher, inputs: Mapping[str, Any]) -> str:
    """The commands that an action runs, with its inputs in the places of their names."""
    return _INPUT.sub(lambda found: text_of(inputs, found[1].lower()) or row.default, row.script)


def _inputs(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """The inputs of an action, whose names have no case (GitHub, "Metadata syntax", inputs), in small letters."""
    return {name.lower(): value for name, value in table_of(step.get("with")).items() if isinstance(name, str)}


def _action(step: Mapping[str, Any]) -> str:
    """The action of a step, by its name in the table, where names have no case as on GitHub."""
    name = text_of(step, "uses").partition("@")[0]
    return _names_of_actions().get(name.lower(), name)


@cache
def _names_of_actions() -> Mapping[str, str]:
    return {name.lower(): name for name in ACTIONS}


def _working_folder(table: Mapping[str, Any], default: str) -> str:
    run = table_of(table_of(table.get("defaults")).get("run"))
    return posixpath.normpath(text_of(run, "working-directory") or default)
