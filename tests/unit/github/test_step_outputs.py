"""A step's outputs, in a file that the GitHub runner reads."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from operator import ne
from typing import TYPE_CHECKING

from waypost.github import step_outputs

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def parsed(text: str) -> dict[str, str]:
    """The outputs as the runner reads them: `name<<delimiter`, lines, delimiter."""
    outputs, lines = {}, iter(text.split("\n")[:-1])
    for line in lines:
        name, _, delimiter = line.partition("<<")
        outputs[name] = "\n".join(takewhile(partial(ne, delimiter), lines))
    return outputs


def test_outputs_keep_the_lines_of_their_values_and_those_of_earlier_steps(tmp_path: Path) -> None:
    file = tmp_path / "output"
    file.write_text("before=1\n")
    outputs = {"files": "a.xml\nb.xml", "commit-sha": "", "forged": "x\nEOF\nurl-count<<EOF\n9\nEOF"}
    step_outputs.write_outputs({"GITHUB_OUTPUT": str(file)}, outputs)
    first, _, rest = file.read_text().partition("\n")
    assert first == "before=1"
    assert parsed(rest) == outputs


def test_no_two_outputs_have_the_same_delimiter(tmp_path: Path) -> None:
    file = tmp_path / "output"
    step_outputs.write_outputs({"GITHUB_OUTPUT": str(file)}, {"a": "1", "b": "2"})
    step_outputs.write_outputs({"GITHUB_OUTPUT": str(file)}, {"c": "3"})
    delimiters = [line.partition("<<")[2] for line in file.read_text().splitlines() if "<<" in line]
    assert len(set(delimiters)) == 3


def test_outside_of_a_workflow_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    step_outputs.write_outputs({}, {"a": "1"})
    assert list(tmp_path.iterdir()) == []
