"""Git runs in its folder, with safe settings, whatever the user's own are."""

import os
from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.git.command import environment


def output(folder: Path, *arguments: str) -> str:
    return in_repository(folder).run(*arguments).stdout.decode().strip()


def test_a_command_runs_in_its_folder_wherever_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path / "site")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert output(repository.folder, "rev-parse", "--show-toplevel") == os.path.realpath(repository.folder)


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_EXTERNAL_DIFF"])
def test_variables_that_point_elsewhere_or_run_a_program_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    repository, other = Repository(tmp_path / "site"), Repository(tmp_path / "other")
    monkeypatch.setenv(variable, str(other.folder / ".git"))
    assert variable not in environment({})
    assert output(repository.folder, "rev-parse", "--show-toplevel") == os.path.realpath(repository.folder)


def test_no_hook_runs(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    hook = tmp_path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    done = in_repository(tmp_path).run("commit", "--quiet", "--allow-empty", "--message", "change")
    assert done.returncode == 0
    assert repository.git("log", "--format=%s").strip() == "change"


def test_settings_of_the_user_do_not_change_the_output(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.git("config", "diff.relative", "true")
    repository.git("config", "log.showSignature", "true")
    assert output(tmp_path, "config", "diff.relative") == "false"
    assert output(tmp_path, "config", "log.showSignature") == "false"


def test_messages_are_in_english_and_no_password_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    variables = environment({"GIT_INDEX_FILE": "index"})
    assert (variables["LC_ALL"], variables["GIT_TERMINAL_PROMPT"], variables["GIT_INDEX_FILE"]) == ("C", "0", "index")


def test_settings_for_one_command_are_added_to_those_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = in_repository(Repository(tmp_path).folder)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "the user's")
    given = [("http.https://example.org/.extraheader", "secret")]
    assert at.run("config", "user.name", config=given).stdout == b"the user's\n"
    assert at.run("config", given[0][0], config=given).stdout == b"secret\n"
