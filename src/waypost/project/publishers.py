"""What is known of actions and commands that publish a site: the rows of two tables, or what an action's name says."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from waypost.core.data_files import text_of
from waypost.core.tables import Table
from waypost.project.generator import generators
from waypost.project.shell_commands import Command

_INPUT = re.compile(r"\{(\w+)\}")
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
_STEP_TO_PUBLISH = re.compile(r"(?:[^\w ]* )?(?:deploy|publish|upload)\b", re.IGNORECASE)
"""How the name of a step begins that publishes something."""
_NO_PUBLISHER = re.compile(
    r"(?:npm|yarn|pnpm|bun|make|git|docker|echo|cp|mv|ls|tar|zip|mkdir|touch|find|cd|cat|chmod|chown|test|python3?|node)\b"
)
"""Programs that a script runs beside the one that publishes, or which publish what is no site."""
_PATH = re.compile(r"\.?\w[\w./-]*")
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
    previews: Mapping[str, str] = {}
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
    branch: str = ""
    target: str = ""
    site: str = ""
    install: str = ""


ACTIONS = Table(Path(__file__).with_name("publishing_actions.toml"), Publisher, "name")
COMMANDS = Table(Path(__file__).with_name("publishing_commands.toml"), Publisher, "name")


def action_of(uses: str) -> str:
    """The action that a step uses, by its name in the table, where names have no case as on GitHub."""
    name = uses.partition("@")[0]
    return _names_of_actions().get(name.lower(), name)


@cache
def _names_of_actions() -> Mapping[str, str]:
    return {name.lower(): name for name in ACTIONS}


def is_to_publish(name: str) -> bool:
    """Whether an action, or another thing, has a name for publishing something."""
    return bool(_TO_PUBLISH.search(name))


def row_of(action: str) -> Publisher | None:
    """What is known of an action: its row, or else what its name says; None if it publishes no site.

    One that is named for the command line of a program runs that with its `args`, and one that is named for a
    generator, too, builds the site. Any other publishes a folder, which need not be a site.
    """
    if row := ACTIONS.get(action):
        return row
    words = re.split(r"[^a-z]+", action.lower())
    if "cli" in words and (program := next((name for name in words if name in programs() - {"git"}), "")):
        return Publisher(action, "", script=f"{program} {{args}}")
    if not is_to_publish(action) or _OF_OTHERS.search(action):
        return None
    host = "github-pages" if "pages" in action.lower() else ""
    if generator := next((name for word, name in _generators_by_word().items() if word in words), ""):
        return Publisher(action, "", host=host, generator=generator, builds=True)
    return Publisher(action, "", folder="*", copies=True)


@cache
def programs() -> frozenset[str]:
    """The programs whose commands publish a site."""
    return frozenset(name.partition(" ")[0] for name in COMMANDS)


@cache
def _generators_by_word() -> Mapping[str, str]:
    return {name.lower(): name for name in ("Jekyll", *(each.name for each in generators()))}


def folders_of(row: Publisher, inputs: Mapping[str, Any], environ: Mapping[str, Any]) -> Iterator[str]:
    """The folder that an action publishes by its inputs, empty if they do not say it; none if it publishes nothing.

    It is relative to the folder that another input names.
    """
    only_builds = text_of(environ, row.only_builds) or text_of(inputs, row.only_builds.lower())
    needed = (text_of(inputs, name) == value for name, value in row.needs.items())
    is_preview = any(text_of(inputs, name) == value for name, value in row.previews.items())
    if row.script or only_builds.lower() == "true" or not all(needed) or is_preview:
        return
    names = [name for name in inputs if _OF_FOLDERS.search(name)] if row.folder == "*" else [row.folder.lower()]
    named = [text_of(inputs, name) for name in names]
    named += [text_of(environ, row.folder) or text_of(environ, row.folder.upper())]
    is_built = bool(row.built) and bool(row.below) and text_of(inputs, row.built).lower() == "true"
    yield "." if is_built else next((each.strip() for each in named if each.strip()), row.default)


def folder_above(row: Publisher, inputs: Mapping[str, Any]) -> str:
    """The folder that an input names, to which the folder that an action publishes is relative."""
    return (text_of(inputs, row.below).strip().lstrip("/") if row.below else "") or "."


def commands_of_action(row: Publisher, inputs: Mapping[str, Any]) -> str:
    """The commands that an action runs, with its inputs in the places of their names."""
    return _INPUT.sub(lambda found: text_of(inputs, found[1].lower()) or row.default, row.script)


def publisher_of(command: Command, *, commits: bool = False) -> tuple[Publisher, str, str] | None:
    """The row of a command that publishes a site, or also that `commits` it, with what it names.

    That is the folder, and which site of a host with several; each is empty if it is not named.
    """
    text = command.plain
    for row in COMMANDS.values():
        is_at_place = commits and command.place == "." if row.commits else command.place != "." or not row.in_folder
        if is_at_place and (found := re.match(row.pattern, text)):
            named = found.groupdict()
            folder = named.get("folder") or row.default
            return row, folder.removesuffix("/**").removesuffix("/*"), named.get("site") or ""
    return None


def publisher_by_step(name: str, last: Command) -> tuple[Publisher, str, str] | None:
    """What the last command of a step publishes that is in no row: the folder that it names last.

    That need be no site, and the name of the step must say that it publishes.
    """
    text = last.plain
    program, _, rest = text.partition(" ")
    if not _STEP_TO_PUBLISH.match(name) or _NO_PUBLISHER.match(text) or _OF_OTHERS.search(f"{name} {text}"):
        return None
    words = ["", *rest.split()]
    paths = [word for before, word in pairwise(words) if _PATH.fullmatch(word) and not before.startswith("-")]
    return (Publisher(program, "", copies=True), paths[-1], "") if paths else None


def filler_of(message: str) -> Publisher | None:
    """The command that has filled a branch by hand, by the message of the branch's newest commit."""
    return next((row for row in COMMANDS.values() if row.message and re.match(row.message, message)), None)
