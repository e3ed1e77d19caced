"""Files of answers: what is on the disk, and which files are none."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from waypost.core.errors import StoreError
from waypost.live import LinkMemory, ListedUrl, RunFile
from waypost.live.answer import Answer
from waypost.live.answer_file import AnswerFile

A, B = "https://www.example.org/a", "https://www.example.org/b"


def memory_of(path: Path) -> LinkMemory:
    return LinkMemory(path)


def run_of(path: Path) -> RunFile:
    run_file = RunFile(path, "", 0)
    run_file.list([ListedUrl(url, "", "a", 1) for url in (A, B)])
    return run_file


def keep(file: AnswerFile, url: str) -> None:
    if isinstance(file, RunFile):
        file.keep(url, Answer(status=200))
    elif isinstance(file, LinkMemory):
        file.keep(url, Answer(status=200), 1_000)


def kept(file: AnswerFile) -> set[str]:
    """The URLs that have an answer."""
    if isinstance(file, LinkMemory):
        return {url for url in (A, B) if file.of(url)}
    assert isinstance(file, RunFile)
    return {url.loc for url, answer in file.answers(None) if answer}


of_each_kind = pytest.mark.parametrize("open_file", [memory_of, run_of])
Open = Callable[[Path], AnswerFile]


@of_each_kind
def test_what_was_saved_survives_a_crash(open_file: Open, tmp_path: Path) -> None:
    folder = tmp_path / "before"
    folder.mkdir()
    with closing(open_file(folder / "file")) as file:
        keep(file, A)
        file.save()
        keep(file, B)
        copytree(folder, tmp_path / "after")
    with closing(open_file(tmp_path / "after" / "file")) as copied:
        assert kept(copied) == {A}
    with closing(open_file(folder / "file")) as closed:
        assert kept(closed) == {A, B}


@of_each_kind
def test_answers_are_saved_by_fifties(open_file: Open, tmp_path: Path) -> None:
    folder = tmp_path / "before"
    folder.mkdir()
    with closing(open_file(folder / "file")) as file:
        for _ in range(49):
            keep(file, A)
        copytree(folder, tmp_path / "too-early")
        keep(file, A)
        copytree(folder, tmp_path / "after")
    for name, urls in (("too-early", set()), ("after", {A})):
        with closing(open_file(tmp_path / name / "file")) as copied:
            assert kept(copied) == urls


@of_each_kind
def test_a_damaged_answer_is_none(open_file: Open, tmp_path: Path) -> None:
    with closing(open_file(tmp_path / "file")) as file:
        keep(file, A)
    with closing(sqlite3.connect(tmp_path / "file")) as database, database:
        column = "answer" if open_file is run_of else "known"
        database.execute(f"update answers set {column} = x'ff'")
    with closing(open_file(tmp_path / "file")) as file:
        assert kept(file) == set()


@of_each_kind
def test_a_file_that_is_in_use_is_refused(open_file: Open, tmp_path: Path) -> None:
    with closing(open_file(tmp_path / "file")), pytest.raises(StoreError, match="locked"):
        open_file(tmp_path / "file")


@of_each_kind
def test_a_file_of_another_program_is_left_alone(open_file: Open, tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other"
    text.write_text("This is a text, and no database of any kind.\n" * 50)
    with closing(sqlite3.connect(other)) as database:
        database.execute("create table mine (a)")
    files = {text: "cannot be used", other: "was not written by this version", tmp_path / "no" / "folder": "unable"}
    for path, problem in files.items():
        before = path.read_bytes() if path.exists() else None
        with pytest.raises(StoreError, match=f"{path.name}.*{problem}"):
            open_file(path)
        assert (path.read_bytes() if path.exists() else None) == before


def test_files_of_the_two_kinds_are_told_apart(tmp_path: Path) -> None:
    with closing(run_of(tmp_path / "file")):
        pass
    with pytest.raises(StoreError, match="this version of `waypost audit`; name another file"):
        LinkMemory(tmp_path / "file")


def test_a_file_without_its_table_is_an_error(tmp_path: Path) -> None:
    with closing(LinkMemory(tmp_path / "file")):
        pass
    with closing(sqlite3.connect(tmp_path / "file")) as database, database:
        database.execute("drop table answers")
        database.execute("create table other (x)")
    with closing(LinkMemory(tmp_path / "file")) as memory, pytest.raises(StoreError, match="cannot be used"):
        memory.of(A)
