"""Dates from Git are those that `git log -1` gives for each file, whatever the history looks like."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import quick
from chronicles import Chronicle
from repositories import in_repository

from waypost.core.dates import format_unix_time
from waypost.core.model import Item
from waypost.dates.commit_dates import CommitDates, NoDateReason
from waypost.git import Repositories, read_history

if TYPE_CHECKING:
    from repositories import Repository

T = 1_700_000_000


def dates_by_log(repository: Repository, folder: str = ".") -> dict[str, int]:
    """The dates by one `git log -1` a file: slow, and the truth to compare with."""
    names = repository.git("-C", folder, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", ".").split("\0")
    return {
        name: int(repository.git("-C", folder, "log", "-1", "--format=%ct", "--", f":(literal){name}"))
        for name in filter(None, names)
    }


def clone(repository: Repository, folder: Path, *arguments: str) -> Path:
    repository.git("clone", "--quiet", *arguments, repository.folder.as_uri(), str(folder))
    return folder


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("seed", quick.every(4, range(20)))
def test_every_file_of_a_tangled_history_has_the_date_that_git_log_gives_it(
    repository: Repository, seed: int, repeats: bool
) -> None:
    Chronicle(seed, repeats=repeats).import_into(repository)
    assert read_history(in_repository(repository.folder)).commit_times == dates_by_log(repository)


@pytest.mark.parametrize("folder", ["deep/er", os.fsdecode(b"caf\xe9"), "new\nline"])
def test_a_site_in_a_subfolder_sees_its_own_files_alone(repository: Repository, folder: str) -> None:
    repository.commit({f"{folder}/page.html": "one", "outside.html": "one"}, when=T + 100)
    repository.commit({f"{folder}/sub/page.html": "one"}, when=T + 200)
    repository.commit({"outside.html": "two"}, when=T + 300)
    history = read_history(in_repository(repository.folder / folder))
    assert history.commit_times == {"page.html": T + 100, "sub/page.html": T + 200}


def test_a_merge_counts_in_a_subfolder_as_in_the_root(repository: Repository) -> None:
    repository.commit({"site/page.html": "one", "site/thrown.html": "one"}, when=T + 100)
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"site/page.html": "two", "site/thrown.html": "two"}, when=T + 200)
    repository.git("checkout", "--quiet", "main")
    repository.commit({"site/page.html": "three"}, when=T + 300)
    repository.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
    repository.commit({"site/page.html": "four"}, when=T + 400)
    assert read_history(in_repository(repository.folder / "site")).commit_times == {
        "page.html": T + 400,
        "thrown.html": T + 100,
    }


def test_a_folder_of_a_submodule_has_the_dates_of_its_own_repository(repository: Repository) -> None:
    outer = type(repository)(repository.folder.parent / "outer")
    repository.commit({"docs/page.html": "one"}, when=T + 100)
    repository.commit({"docs/late.html": "one"}, when=T + 200)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository.folder.as_uri(), "site")
    outer.commit({}, when=T + 900)
    history = read_history(in_repository(outer.folder / "site" / "docs"))
    assert history.commit_times == {"page.html": T + 100, "late.html": T + 200}


ODD_NAMES = (
    "new\nline.html",
    "tab\t.html",
    'quo"te.html',
    "-dash.html",
    "back\\slash.html",
    " space .html",
    "*.html",
    ":(top)magic.html",
    "\x01H 5.html",
    ":100644 0 A.html",
    "ünï.html",
    os.fsdecode(b"latin-\xe9.html"),
)


def test_names_may_be_anything_that_a_file_can_be_called(repository: Repository) -> None:
    repository.commit(dict.fromkeys(ODD_NAMES, "one"), when=T + 100)
    repository.write(dict.fromkeys(ODD_NAMES, "two"))
    history = read_history(in_repository(repository.folder))
    assert (history.commit_times, history.uncommitted) == (dict.fromkeys(ODD_NAMES, T + 100), frozenset(ODD_NAMES))


def test_a_shallow_clone_dates_only_what_changed_within_its_edge(repository: Repository, tmp_path: Path) -> None:
    for n, name in enumerate(("old.html", "mid.html", "new.html"), 1):
        repository.commit({name: "one"}, when=T + 100 * n)
    history = read_history(in_repository(clone(repository, tmp_path / "shallow", "--depth", "2")))
    assert history.commit_times == {"old.html": None, "mid.html": None, "new.html": T + 300}
    assert history.is_shallow


def test_a_shallow_clone_with_merges_never_gives_a_date_that_the_whole_history_does_not(
    repository: Repository, tmp_path: Path
) -> None:
    Chronicle(1).import_into(repository)
    whole = read_history(in_repository(repository.folder)).commit_times
    for depth in ("2", "4", "8", "16"):
        folder = clone(repository, tmp_path / f"clone-{depth}", "--depth", depth, "--branch=main")
        shallow = read_history(in_repository(folder)).commit_times
        assert {name: when for name, when in shallow.items() if when is not None}.items() <= whole.items()
        assert shallow.keys() == whole.keys()


def test_a_clone_without_blobs_gives_the_same_dates_and_fetches_none(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"page.html": "one", "still.html": "one", "gone.html": "one"}, when=T + 100)
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"page.html": "two"}, when=T + 200)
    repository.git("checkout", "--quiet", "main")
    repository.commit({"page.html": "three", "gone.html": None}, when=T + 300)
    repository.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
    repository.commit({"page.html": "four"}, when=T + 400)
    repository.git("config", "uploadpack.allowFilter", "true")
    blobless = clone(repository, tmp_path / "blobless", "--filter=blob:none")
    whole = read_history(in_repository(repository.folder))
    repository.folder.rename(tmp_path / "out-of-reach")
    assert read_history(in_repository(blobless)) == whole


def test_what_is_not_committed_has_no_date(repository: Repository) -> None:
    same = dict.fromkeys(["edited.html", "staged.html", "removed.html", "same.html"], "one")
    repository.commit({**same, ".gitignore": "built/"}, when=T + 100)
    repository.write({"edited.html": "two", "staged.html": "two", "removed.html": None, "new.html": "one"})
    repository.write({"built/page.html": "one", "added.html": "one"})
    repository.git("add", "staged.html", "added.html")
    history = read_history(in_repository(repository.folder))
    assert history.commit_times == dict.fromkeys([".gitignore", *same], T + 100)
    assert history.uncommitted == {"edited.html", "staged.html", "removed.html", "added.html"}


def test_a_file_written_again_with_the_same_bytes_keeps_its_date(repository: Repository) -> None:
    repository.commit({"page.html": "one"}, when=T + 100)
    repository.write({"page.html": "one"})
    os.utime(repository.folder / "page.html", (999, 999))
    assert read_history(in_repository(repository.folder)).commit_times == {"page.html": T + 100}


def test_a_repository_without_commits_knows_no_dates(repository: Repository) -> None:
    repository.write({"page.html": "one"})
    repository.git("add", "--all")
    history = read_history(in_repository(repository.folder))
    assert (history.commit_times, history.removal_times) == ({}, {})


def test_a_folder_in_no_repository_has_no_root(tmp_path: Path) -> None:
    assert Repositories(tmp_path).find(tmp_path) is None


def test_a_detached_head_is_as_good_as_a_branch(repository: Repository) -> None:
    commit = repository.commit({"page.html": "one"}, when=T + 100)
    repository.commit({"page.html": "two"}, when=T + 200)
    repository.git("checkout", "--quiet", commit)
    assert read_history(in_repository(repository.folder)).commit_times == {"page.html": T + 100}


def test_a_second_working_tree_is_as_good_as_the_first(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"site/page.html": "one"}, when=T + 100)
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    assert read_history(in_repository(tmp_path / "second" / "site")).commit_times == {"page.html": T + 100}


def test_the_number_of_subprocesses_does_not_grow_with_the_site(repository: Repository, git_calls: Path) -> None:
    counts = []
    for files in (3, 300):
        repository.commit({f"page-{n}.html": "one" for n in range(files)}, when=T + 100 + files)
        git_calls.write_text("")
        assert len(read_history(in_repository(repository.folder)).commit_times) == files
        counts.append(len(git_calls.read_text().splitlines()))
    assert counts[0] == counts[1] > 0


SETTINGS = (
    "log.showSignature=true",
    "i18n.logOutputEncoding=UTF-16",
    "log.showRoot=false",
    "log.follow=true",
    "log.diffMerges=off",
    "log.diffMerges=first-parent",
    "log.date=relative",
    "log.decorate=full",
    "log.mailmap=false",
    "format.pretty=oneline",
    "format.notes=true",
    "core.quotePath=true",
    "core.quotePath=false",
    "core.abbrev=4",
    "core.pager=false",
    "color.ui=always",
    "color.diff=always",
    "column.ui=always",
    "diff.relative=true",
    "diff.renames=copies",
    "diff.noprefix=true",
    "diff.mnemonicPrefix=true",
    "diff.external=false",
    "diff.ignoreSubmodules=none",
    "diff.submodule=log",
    "diff.orderFile=order",
    "diff.wordRegex=.",
    "diff.algorithm=histogram",
    "diff.wsErrorHighlight=all",
    "diff.colorMoved=zebra",
    "diff.statGraphWidth=3",
    "core.ignoreCase=true",
    "core.precomposeUnicode=true",
)
"""Settings of Git that change what its commands print."""
GROUPS = 4
"""So many readings try all settings: of those in a row, which exclude each other, each reading has one."""


def test_no_setting_of_the_user_moves_a_date(repository: Repository) -> None:
    repository.commit(
        {"sub/page.html": "one", "sub/moved.html": "some long line\n" * 9, "sub/ü.html": "one"}, when=T + 100
    )
    repository.git("mv", "sub/moved.html", "sub/new-name.html")
    repository.commit({"order": "*.html"}, when=T + 200)
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"sub/page.html": "two"}, when=T + 300)
    repository.git("checkout", "--quiet", "main")
    repository.commit({"sub/page.html": "three"}, when=T + 400)
    repository.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
    repository.commit({"sub/page.html": "four"}, when=T + 500)
    repository.write({"sub/ü.html": "two"})
    plain = read_history(in_repository(repository.folder / "sub"))
    assert plain.commit_times["page.html"] == T + 500
    for group in range(GROUPS):
        keys = [setting.split("=", 1) for setting in SETTINGS[group::GROUPS]]
        for key, value in keys:
            repository.git("config", key, value)
        assert read_history(in_repository(repository.folder / "sub")) == plain, keys
        for key, _ in keys:
            repository.git("config", "--unset", key)


@pytest.mark.parametrize("has_own_tree", [False, True])
def test_variables_that_git_gives_its_hooks_move_no_date(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, has_own_tree: bool
) -> None:
    """In a linked working tree a hook finds GIT_DIR set, which makes Git take any folder for the tree's root."""
    repository.commit({"site/page.html": "one"}, when=T + 100)
    folder, git_dir = repository.folder, repository.folder / ".git"
    if has_own_tree:
        folder, git_dir = tmp_path / "second", git_dir / "worktrees" / "second"
        repository.git("worktree", "add", "--quiet", "--detach", str(folder))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GIT_DIR", str(git_dir))
    monkeypatch.setenv("GIT_INDEX_FILE", str(git_dir / "index"))
    monkeypatch.setenv("GIT_PREFIX", "")
    assert in_repository(folder / "site").root == folder
    assert read_history(in_repository(folder / "site")).commit_times == {"page.html": T + 100}


def test_a_page_in_a_submodule_has_no_date_and_is_told_from_an_untracked_one(
    repository: Repository, tmp_path: Path
) -> None:
    library = clone(repository, tmp_path / "library")
    repository.commit({"a.html": "a"}, when=T)
    subprocess.run(["git", "-C", str(library), "pull", "--quiet"], check=True)
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.as_uri(), "lib")
    repository.commit({}, when=T + 1)
    dates = CommitDates(read_history(in_repository(repository.folder)), None, now=T + 100)
    assert dates.of(Item("lib/a.html", "lib/a.html")) is NoDateReason.SUBMODULE
    assert dates.of(Item("other/a.html", "other/a.html")) is NoDateReason.UNTRACKED


def test_what_the_environment_says_of_paths_changes_no_date(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a/b.html": "a"}, when=T)
    for variable in ("GIT_GLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_LITERAL_PATHSPECS"):
        monkeypatch.setenv(variable, "1")
    assert read_history(in_repository(repository.folder / "a")).commit_times == {"b.html": T}


@pytest.mark.parametrize("time", ["99999999999999999999 +0000", "x +0000"])
def test_a_commit_with_an_impossible_time_is_read_and_dates_nothing(repository: Repository, time: str) -> None:
    repository.commit({"a.html": "a"}, when=T)
    tree = repository.commit({"b.html": "b"}, when=T + 1)
    raw = repository.git("cat-file", "commit", tree).replace(f"{T + 1} +0000", time)
    odd = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        cwd=repository.folder,
        input=raw.encode(),
        capture_output=True,
        check=True,
    )
    repository.git("update-ref", "HEAD", odd.stdout.decode().strip())
    dates = CommitDates(read_history(in_repository(repository.folder)), None, now=T + 100)
    assert dates.of(Item("a.html", "a.html")) == format_unix_time(T)
    assert dates.of(Item("b.html", "b.html")) is NoDateReason.WRONG_TIME
