"""How a command ends: each exception becomes a message and the exit code that the help promises."""

from __future__ import annotations

import json

import click
import pytest

from waypost.cli import exits
from waypost.core.errors import RenderError, SourceError, StateError, StoreError, WaypostError


def fail_with(error: Exception) -> int:
    """The exit code of a command that raises this."""
    with pytest.raises(SystemExit) as caught, exits.errors():
        raise error
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SourceError("why"), 3),
        (RenderError("why"), 4),
        (StoreError("why"), 5),
        (StateError("why"), 6),
        (WaypostError("why"), 70),
    ],
)
def test_an_expected_error_is_one_line_and_its_exit_code(
    capsys: pytest.CaptureFixture[str], error: WaypostError, code: int
) -> None:
    assert fail_with(error) == code
    assert capsys.readouterr() == ("", "error: why\n")


def test_an_answer_that_cannot_be_written_has_the_exit_code_of_an_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail_with(OSError(28, "No space left on device")) == 5
    assert capsys.readouterr().err == "error: cannot write the answer: No space left on device\n"


def test_a_defect_is_reported_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail_with(ZeroDivisionError("by zero")) == 70
    printed = capsys.readouterr().err
    assert "ZeroDivisionError: by zero" in printed
    assert printed.endswith("please report it with the lines above\n")


def test_an_error_of_the_command_line_is_left_to_click() -> None:
    with pytest.raises(click.BadParameter), exits.errors():
        raise click.BadParameter("no URL")


def test_answers_are_printed_as_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    exits.print_json([{"loc": "https://example.org/é"}])
    assert json.loads(capsys.readouterr().out) == [{"loc": "https://example.org/é"}]


def test_an_interrupted_command_exits_with_130_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught, exits.errors():
        raise KeyboardInterrupt
    assert caught.value.code == 130
    assert capsys.readouterr().err == "error: interrupted\n"
