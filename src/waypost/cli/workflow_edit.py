"""Puts the step that makes sitemaps into a workflow, before the step that publishes; all other lines stay."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from waypost.core.data_files import DataError, load_yaml, table_of
from waypost.project.publication import Step
from waypost.project.shell_commands import commands_of
from waypost.project.workflow_publications import read_yaml

_CHECKOUT = "actions/checkout@"


def with_step(text: str, at: Step, step: str, command: str) -> str | None:
    """The text of a workflow with a step before another one, and with the whole history in the checkout of that job.

    Where the other step builds the site, too, the `command` goes before the line that publishes instead.
    None if the workflow is not written in the usual way, or another value of it would change.
    """
    nodes = _step_nodes(text, at.job)
    if at.number >= len(nodes) or any(_is_in_braces(node, text) for node in nodes):
        return None
    lines = text.splitlines(keepends=True)
    start = nodes[at.number].start_mark
    if at.is_shared:
        place = _publishing_line(lines, start.line, nodes[at.number].end_mark.line, at.command)
        if place is None:
            return None
        indent = re.match(r"\s*", lines[place])
        lines[place:place] = [f"{indent[0] if indent else ''}{command}\n"]
    else:
        indent_of_dash = " " * (start.column - 2)
        place = _above_comments(lines, start.line)
        lines[place:place] = [f"{indent_of_dash}{line}\n" for line in step.splitlines()]
    if at.history == "shallow":
        _deepen(lines, nodes[: at.number])
    edited = "".join(lines)
    return edited if _differs_only_there(read_yaml(text), read_yaml(edited), at) else None


def _step_nodes(text: str, job: str) -> Sequence[Any]:
    """The nodes of the steps of a job, with their places in the text; none if there are no such steps."""
    import yaml  # imported late: few runs edit a workflow

    try:
        load_yaml(text, yaml.BaseLoader)
        root = yaml.compose(text, yaml.BaseLoader)
    except DataError:
        return []
    for key in ("jobs", job, "steps"):
        values = root.value if isinstance(root, yaml.MappingNode) else []
        root = next((value for name, value in values if name.value == key), None)
    return root.value if isinstance(root, yaml.SequenceNode) and not root.flow_style else []


def _is_in_braces(node: Any, text: str) -> bool:
    line = text.splitlines()[node.start_mark.line]
    return bool(node.flow_style) or not re.fullmatch(r"\s*- ", line[: node.start_mark.column])


def _above_comments(lines: Sequence[str], line: int) -> int:
    """The line of the first of the comments that stand directly above a line."""
    while line and lines[line - 1].lstrip().startswith("#"):
        line -= 1
    return line


def _publishing_line(lines: Sequence[str], start: int, end: int, command: str) -> int | None:
    """The line of a script that has a command; None if it is not a line of its own."""
    for number in range(start + 1, min(end + 1, len(lines))):
        commands = list(commands_of(lines[number], "."))
        if len(commands) == 1 and commands[0].text == command:
            return number
    return None


def _deepen(lines: list[str], nodes: Sequence[Any]) -> None:
    """Give the last checkout among steps the whole history."""
    for node in reversed(nodes):
        values = {name.value: value for name, value in node.value}
        if not str(getattr(values.get("uses"), "value", "")).startswith(_CHECKOUT):
            continue
        inputs = values.get("with")
        if inputs and any(name.value in ("repository", "ref") for name, _ in inputs.value):
            continue  # another repository, such as a theme, or another branch
        depth = next((value for name, value in inputs.value if name.value == "fetch-depth"), None) if inputs else None
        if inputs is None:
            indent, end = " " * node.start_mark.column, values["uses"].end_mark.line
            lines[end + 1 : end + 1] = [f"{indent}with:\n", f"{indent}  fetch-depth: 0\n"]
        elif depth is not None:
            _put(lines, depth.start_mark, "0", depth.end_mark.column)
        elif inputs.flow_style:
            _put(lines, inputs.start_mark, "{fetch-depth: 0, ", inputs.start_mark.column + 1)
        else:
            first = inputs.start_mark
            lines[first.line : first.line] = [f"{' ' * first.column}fetch-depth: 0\n"]
        return


def _put(lines: list[str], start: Any, text: str, end: int) -> None:
    """Replace the characters of a line from a place to a column."""
    line = lines[start.line]
    lines[start.line] = f"{line[: start.column]}{text}{line[end:]}"


def _differs_only_there(old: Mapping[str, Any], new: Mapping[str, Any], at: Step) -> bool:
    """Whether two workflows are the same but for the steps of a job, of which one has more, or a longer script."""
    jobs, edited = table_of(old.get("jobs")), table_of(new.get("jobs"))
    if {**old, "jobs": {}} != {**new, "jobs": {}} or jobs.keys() != edited.keys():
        return False
    before, after = table_of(jobs[at.job]), table_of(edited[at.job])
    more = len(after["steps"]) - len(before["steps"])
    if more not in ((0,) if at.is_shared else (1, 2)):
        return False
    others = [name for name in jobs if name != at.job]
    is_same = {**before, "steps": []} == {**after, "steps": []} and all(jobs[name] == edited[name] for name in others)
    rest = after["steps"][: at.number] + after["steps"][at.number + more :]
    changed = sum(one != other for one, other in zip(before["steps"], rest, strict=False))
    return is_same and len(rest) == len(before["steps"]) and changed <= 1 + at.is_shared
