import os
import subprocess
from pathlib import Path

import pytest
from repositories import Repository

from waypost.core.git_command import environment, git_command


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(git_command(folder, *arguments), env=environment(), capture_output=True, text=True)


def test_a_command_runs_in_its_folder_wherever_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path / "site")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run(repository.folder, "rev-parse", "--show-toplevel").stdout.strip() == os.path.realpath(repository.folder)


def test_variables_of_another_repository_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, other = Repository(tmp_path / "site"), Repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    assert run(repository.folder, "rev-parse", "--show-toplevel").stdout.strip() == os.path.realpath(repository.folder)


def test_no_hook_runs(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    hook = tmp_path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert run(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "change").returncode == 0
    assert repository.git("log", "--format=%s").strip() == "change"


def test_settings_of_the_user_do_not_change_the_output(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.git("config", "diff.relative", "true")
    repository.git("config", "log.showSignature", "true")
    assert run(tmp_path, "config", "diff.relative").stdout.strip() == "false"
    assert run(tmp_path, "config", "log.showSignature").stdout.strip() == "false"


def test_messages_are_in_english_and_no_password_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    variables = environment({"GIT_INDEX_FILE": "index"})
    assert (variables["LC_ALL"], variables["GIT_TERMINAL_PROMPT"], variables["GIT_INDEX_FILE"]) == ("C", "0", "index")
