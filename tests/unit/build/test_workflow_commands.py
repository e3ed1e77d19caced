"""Annotations for the GitHub runner."""

from pathlib import Path

import pytest

from waypost.build import workflow_commands


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


def test_a_summary_is_appended_and_bytes_that_are_not_utf_8_are_escaped(tmp_path: Path) -> None:
    environ = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    workflow_commands.write_summary(environ, "# One\n")
    workflow_commands.write_summary(environ, "é \udcff\n")
    assert (tmp_path / "summary").read_text(encoding="utf-8") == "# One\né \\udcff\n"


@pytest.mark.parametrize("environ", [{}, {"GITHUB_STEP_SUMMARY": ""}])
def test_outside_of_a_workflow_there_is_no_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    workflow_commands.write_summary(environ, "text")
    assert list(tmp_path.iterdir()) == []
