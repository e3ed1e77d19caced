"""Outputs, summary and annotations for the GitHub runner."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from operator import ne
from typing import TYPE_CHECKING

import pytest

from waypost.app import workflow_commands

if TYPE_CHECKING:
    from pathlib import Path


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
    workflow_commands.write_outputs({"GITHUB_OUTPUT": str(file)}, outputs)
    first, _, rest = file.read_text().partition("\n")
    assert first == "before=1"
    assert parsed(rest) == outputs


def test_no_two_outputs_have_the_same_delimiter(tmp_path: Path) -> None:
    file = tmp_path / "output"
    workflow_commands.write_outputs({"GITHUB_OUTPUT": str(file)}, {"a": "1", "b": "2"})
    workflow_commands.write_outputs({"GITHUB_OUTPUT": str(file)}, {"c": "3"})
    delimiters = [line.partition("<<")[2] for line in file.read_text().splitlines() if "<<" in line]
    assert len(set(delimiters)) == 3


def test_a_summary_is_appended_and_bytes_that_are_not_utf_8_are_escaped(tmp_path: Path) -> None:
    environ = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    workflow_commands.write_summary(environ, "# One\n")
    workflow_commands.write_summary(environ, "é \udcff\n")
    assert (tmp_path / "summary").read_text(encoding="utf-8") == "# One\né \\udcff\n"


def test_outside_of_a_workflow_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    workflow_commands.write_outputs({}, {"a": "1"})
    workflow_commands.write_summary({"GITHUB_STEP_SUMMARY": ""}, "text")
    assert list(tmp_path.iterdir()) == []


def test_an_annotation_escapes_its_message_and_more_in_its_properties(capsys: pytest.CaptureFixture[str]) -> None:
    workflow_commands.annotate("error", "100 %: a, b\r\n::c", title="a: b, c", file="x%y.html", line=3)
    assert capsys.readouterr().out == ("::error file=x%25y.html,line=3,title=a%3A b%2C c::100 %25: a, b%0A::c\n")


def test_no_control_character_of_a_message_reaches_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    workflow_commands.annotate("error", "remote: \x1b[2J\rx")
    assert capsys.readouterr().out == "::error::remote: \\x1b[2J\\rx\n"


@pytest.mark.parametrize(
    ("properties", "printed"),
    [
        ({}, "::notice::text\n"),
        ({"title": "T"}, "::notice title=T::text\n"),
        ({"file": "f"}, "::notice file=f::text\n"),
    ],
)
def test_a_property_without_a_value_is_left_out(
    capsys: pytest.CaptureFixture[str], properties: dict[str, str], printed: str
) -> None:
    workflow_commands.annotate("notice", "text", title=properties.get("title", ""), file=properties.get("file", ""))
    assert capsys.readouterr().out == printed
