"""Reads what scripts build, stage for a commit and publish, command by command."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from waypost.core.data_files import text_of
from waypost.project.called_scripts import CalledScripts
from waypost.project.publication import PUBLISHED_BRANCH, Publication, Step, prepares
from waypost.project.publishers import Publisher, publisher_by_step, publisher_of
from waypost.project.shell_commands import Command, commands_of, run_before, typed_in

_IS_BUILT = {"render": "false"}
"""The inputs whose value is not `true` where an action does not build the site."""
_STAGES = re.compile(r"git (?:add|commit|(?:checkout|switch|worktree)\b.*(?:\bgh-pages|--orphan))\b")
_ADDED = re.compile(r"git add (?:-\S+ )*([\w][\w./-]*)\Z")
_MOVES = re.compile(r"(?:cp|mv|rm|rsync|find|touch|zip|tar)\b")
"""Commands that move what was built."""


_MOST_COMMANDS = 2_000
"""So many commands of a job are remembered: each that publishes looks through those before it."""


class _Moment(NamedTuple):
    """When a job runs a command: in which step, and after how many other commands."""

    step: Step
    after: int


class ScriptReader:
    """Reads the scripts of a job's steps, one after another: what they build, stage for a commit, and publish.

    `commits` if a step of the job pushes the branch that is checked out.
    """

    def __init__(self, called: CalledScripts, *, commits: bool) -> None:
        self._called, self._commits = called, commits
        self._staged = dict[str, _Moment]()
        """Where the files of a folder are staged that are pushed later, after which they cannot be changed."""
        self._copied = dict[str, tuple[str, _Moment]]()
        """The folder whose files another folder gets, and where it gets them."""
        self._added = dict[str, set[str]]()
        """What is staged of a folder, by its name."""
        self.checkouts = {"."}
        """The folders with what was checked out, to which files can be copied that are pushed from there."""
        self.commands = list[Command]()

    def publications(self, script: str, folder: str, at: Step) -> Iterator[Publication]:
        """What a script publishes that begins in a folder, in a step."""
        is_shared, commands = False, [*commands_of(script, folder, self._called.of)]
        for command in commands:
            here = replace(at, name=at.name or command.text, command=command.text, folder=command.folder)
            here = replace(here, is_shared=is_shared, is_called=command.depth > 0)
            now = _Moment(here, len(self.commands))
            if _STAGES.match(command.plain):
                self._staged.setdefault(command.place, now)
                self._added.setdefault(command.place, set()).update(_ADDED.findall(command.plain))
            if checkout := command.checkout:
                self.checkouts.add(checkout)
            if (copied := command.copy) and copied[1] in self.checkouts:
                self._copied.setdefault(copied[1], (copied[0], now))
            found = publisher_of(command, commits=self._commits)
            if found is None and command is commands[-1]:
                found = publisher_by_step(at.name, command)
            if found:
                row, named, site = found
                yield replace(self._published(row, named, command, now), site=site)
                continue
            if len(self.commands) < _MOST_COMMANDS:
                self.commands.append(command)
            if not (prepares(command.text) or _MOVES.match(command.plain)):
                is_shared = is_shared or not command.depth
                self._staged.clear()

    def _published(self, row: Publisher, folder: str, command: Command, now: _Moment) -> Publication:
        place, built = command.place, run_before(command.depth, self.commands)
        if row.pushes_branch:  # it was filled with what another folder has
            place = next(iter(self._staged), place)
        if row.pushes_branch and not (self._staged or self._copied):
            return replace(publication_of(row, "", [place], built, now.step, {}), of_commits=True)
        if not (row.in_folder or row.pushes_branch):
            return publication_of(row, folder, [place], built, now.step, {})
        staged = self._staged.get(place, now)
        place, at = self._copied.get(place, (place, staged))
        added = self._added.get(place, set())
        folder = "".join(added) if len(added) == 1 else "" if place == "." else folder
        built = run_before(command.depth, self.commands[: min(at.after, staged.after)])
        found = publication_of(row, folder, [place], built, at.step, {})
        return replace(found, host="github-pages") if PUBLISHED_BRANCH in f"{command.place} {command.text}" else found


def publication_of(
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
        branch=_branch_of(text_of(inputs, row.branch)),
        target=text_of(inputs, row.target).strip("/"),
        site=text_of(inputs, row.site),
        copies=row.copies or (row.in_folder and posixpath.basename(place) != PUBLISHED_BRANCH),
        commits=row.commits,
    )


def _branch_of(name: str) -> str:
    """A branch that is not the usual one; empty for a name that a command would not have as it is."""
    return name if name != PUBLISHED_BRANCH and re.fullmatch(r"[\w][\w./-]*", name, re.ASCII) else ""


def _only_folder(commands: Sequence[Command]) -> str | None:
    """The folder of the repository in which all commands run, if there is one: that of the site's source."""
    folders = {each.folder for each in commands} - {"."}
    return folders.pop() if len(folders) == 1 else None


def first_published(commands: Sequence[Command], file: str, *, copies: bool) -> Publication | None:
    """What the first command of a file that publishes a site publishes, and the commands before it that build it.

    What `copies` counts for its own folder only.
    """
    for number, command in enumerate(commands):
        if published := publisher_of(command):
            row, folder, site = published
            place = posixpath.normpath(posixpath.join(command.folder, folder)) if folder else ""
            folders = (place,) if place and "$" not in place else ()
            built = tuple(typed_in(each.folder, each.text) for each in run_before(command.depth, commands[:number]))
            by = (row.name, row.generator, row.builds)
            copies = row.copies or (copies and not row.builds)
            return Publication(file, row.host, folders, built, *by, copies=copies, source=".", site=site)
    return None
