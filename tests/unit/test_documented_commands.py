"""The trial of a deployed stack runs the commands of the documentation, and no others."""

import os
from pathlib import Path

import pytest
from operate.console import Console, documented_commands
from operate.log import Log


def test_a_command_on_several_lines_is_one_command() -> None:
    output = [command for command in documented_commands() if command.startswith("output() { aws")]
    assert output
    assert all(command.endswith('OutputValue"; }') for command in output)


def test_a_command_that_is_not_in_the_documentation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="not in the documentation: touch file"):
        Console(tmp_path, os.environ).run("touch file")
    assert list(tmp_path.iterdir()) == []


def test_a_documented_command_runs_with_the_values_for_what_it_leaves_open(tmp_path: Path) -> None:
    console = Console(tmp_path, os.environ)
    console.run("""echo '{"action": "status"}' > status.json""", replace={"status": "rebuild"})
    assert (tmp_path / "rebuild.json").read_text() == '{"action": "rebuild"}\n'
    assert list(console.used) == ["""echo '{"action": "status"}' > status.json"""]


def test_metrics_of_a_log_are_summed() -> None:
    line = '{"_aws": {"CloudWatchMetrics": [{"Metrics": [{"Name": "Drift", "Unit": "Count"}]}]}, "Drift": 2}'
    log = Log(["START RequestId: 1", line, line, '{"level": "ERROR", "message": "no"}', "botocore.SomeError: denied"])
    assert log.metrics() == {"Drift": 4}
    assert (log.messages("ERROR"), log.raised()) == (["no"], ["botocore.SomeError: denied"])
