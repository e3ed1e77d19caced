"""Git runs in its folder with safe settings, whatever the user's own are, and ends if it makes no progress."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.core.errors import SourceError
from waypost.git import Repositories, read_history
from waypost.git.command import Patience, environment

T = 1_700_000_000
SHORT = Patience(total=0.5, idle=0.5)
NAMED = ("mailmap.file", "diff.orderFile", "core.attributesFile", "core.excludesFile")


def output(folder: Path, *arguments: str) -> str:
    return in_repository(folder).run(*arguments).stdout.decode().strip()


def test_a_command_runs_in_its_folder_wherever_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path / "site")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert output(repository.folder, "rev-parse", "--show-toplevel") == os.path.realpath(repository.folder)


def test_variables_that_point_elsewhere_or_run_a_program_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, other = Repository(tmp_path / "site"), Repository(tmp_path / "other")
    variables = {"GIT_DIR", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_EXTERNAL_DIFF"}
    for variable in variables:
        monkeypatch.setenv(variable, str(other.folder / ".git"))
    assert variables.isdisjoint(environment({}))
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


# Commands that make no progress


@pytest.fixture
def other(tmp_path: Path) -> Repository:
    """A repository outside of the workspace."""
    made = Repository(tmp_path / "other")
    made.commit({"a.html": "1"}, T)
    return made


def workspace(tmp_path: Path, others: Patience = SHORT) -> Repositories:
    (tmp_path / "workspace").mkdir()
    return Repositories(tmp_path / "workspace", others=others)


@pytest.mark.parametrize("kind", ["/dev/zero", "FIFO"])
def test_no_file_that_another_repository_names_is_read(tmp_path: Path, other: Repository, kind: str) -> None:
    os.mkfifo(tmp_path / "FIFO")
    for setting in NAMED:
        other.git("config", setting, str(tmp_path / kind))
    found = workspace(tmp_path, Patience(total=20, idle=20)).find(other.folder)
    assert found is not None
    assert read_history(found).commit_times == {"a.html": T}
    assert found.ignored() == frozenset()
    assert found.head_time() == T


def test_an_include_that_never_ends_is_an_error_at_the_deadline_and_is_asked_once(
    tmp_path: Path, other: Repository
) -> None:
    os.mkfifo(tmp_path / "FIFO")
    other.git("config", "include.path", str(tmp_path / "FIFO"))
    repositories = workspace(tmp_path)
    for _ in range(2):
        with pytest.raises(SourceError, match="was ended, because it made no progress"):
            repositories.find(other.folder)


@pytest.mark.parametrize("name", [".gitattributes", ".git/info/exclude"])
def test_a_file_of_git_s_that_never_ends_is_an_error_at_the_deadline(
    tmp_path: Path, other: Repository, name: str
) -> None:
    (other.folder / name).parent.mkdir(exist_ok=True)
    (other.folder / name).unlink(missing_ok=True)
    os.mkfifo(other.folder / name)
    found = workspace(tmp_path).find(other.folder)
    assert found is not None
    with pytest.raises(SourceError, match="was ended, because it made no progress"):
        found.output("status", "--porcelain", "--ignored", "--untracked-files=all")


def test_output_that_comes_while_it_is_read_ends_at_the_deadline_too(tmp_path: Path, other: Repository) -> None:
    found = workspace(tmp_path, Patience(total=30, idle=0.3)).find(other.folder)
    assert found is not None
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stdin, found.start("cat-file", "--batch", stdin=stdin, stderr=-3) as process:
        assert process.stdout is not None
        with pytest.raises(SourceError, match=r"git cat-file in .* was ended"):
            process.stdout.read(1)
    os.close(writing)
    assert process.returncode


def test_one_s_own_repository_keeps_its_ignored_files_and_ends_without_progress_only(tmp_path: Path) -> None:
    own = Repository(tmp_path / "own")
    own.commit({"a.html": "1"}, T)
    (tmp_path / "ignored").write_text("*.tmp\n")
    own.git("config", "core.excludesFile", str(tmp_path / "ignored"))
    own.write({"b.tmp": "1"})
    at = in_repository(own.folder)
    assert at.ignored() == {"b.tmp"}
    assert at.repository.patience.total is None
