"""A run that continues the history which an earlier one kept gives the same dates as one that reads all of it."""

from __future__ import annotations

import random
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING

import pytest
import quick
from chronicles import Chronicle
from repositories import in_repository

from waypost.dates.page_history import KeptHistories, page_history, source_history
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Command

    from waypost.core.model import History
    from waypost.git import GitFolder

T = 1_700_000_000
SITE = Site(base_url="https://www.example.org/")


class Pages(Chronicle):
    """A history in which about half of the changes give a page only another class."""

    def _fresh(self) -> str:
        return f"<p class=c{len(self.commits)}>{self.random.choice('ab')}"


class Sources(Chronicle):
    """A history in which many changes give a file only more white space."""

    PATHS = ("a.md", "b.md", "c/d.md", "c/e.md", "f.md", "d.md", "c/f.md")

    def _fresh(self) -> str:
        return f"text {self.random.choice('ab')}{' ' * self.random.randrange(3)}"


def read(folder: Path, kind: type[Chronicle], *, is_kept: bool = True) -> History:
    """The history as a run reads it."""
    kept = KeptHistories() if is_kept else None
    at: GitFolder = in_repository(folder)
    found = page_history(at, SITE, kept) if kind is Pages else source_history(at, SITE, (), kept)
    if kept:
        kept.keep()
    return found


@pytest.mark.parametrize("kind", [Pages, Sources])
@pytest.mark.parametrize("seed", quick.every(6, range(12)))
def test_a_tangled_history_is_continued_from_any_of_its_commits(
    repository: Repository, seed: int, kind: type[Chronicle]
) -> None:
    kind(seed).import_into(repository)
    commits = repository.git("log", "--format=%H").split()
    whole = read(repository.folder, kind, is_kept=False)
    for commit in random.Random(seed).sample(commits, min(8, len(commits))):
        repository.git("checkout", "--quiet", commit)
        read(repository.folder, kind)
        repository.git("checkout", "--quiet", "main")
        assert read(repository.folder, kind) == whole


def pages(count: int, stamp: int, **changed: str) -> dict[str, str | bytes | None]:
    texts = {f"p{n}": f"text {n}" for n in range(count)} | changed
    return {f"{name}.html": f"<title>{name}</title><p class=c{stamp}>{text}</p>" for name, text in texts.items()}


def test_the_next_run_reads_only_what_newer_commits_changed(
    repository: Repository, waypost: Command, git_calls: Path
) -> None:
    for stamp in range(5):
        repository.commit(pages(12, stamp), T + stamp)
    build = ("build", str(repository.folder), "--base-url", SITE.base_url)
    assert waypost(*build).returncode == 0
    first = (repository.folder / "sitemap.xml").read_bytes()
    git_calls.write_text("")
    assert waypost(*build).returncode == 0
    assert (repository.folder / "sitemap.xml").read_bytes() == first
    assert "cat-file" not in git_calls.read_text()
    repository.commit(pages(12, 9, p3="new"), T + 9)
    assert waypost(*build).returncode == 0
    assert (repository.folder / "sitemap.xml").read_bytes().count(b"2023-11-14T22:13:29") == 1


def test_a_new_clone_with_the_folder_of_an_earlier_run_reads_only_newer_commits(
    repository: Repository, waypost: Command, git_calls: Path, tmp_path: Path
) -> None:
    for stamp in range(5):
        repository.commit(pages(12, stamp), T + stamp)
    build = ("build", "--base-url", SITE.base_url)
    assert waypost(*build, str(repository.folder)).returncode == 0
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", str(repository.folder), str(clone))
    copytree(repository.folder / ".git" / "waypost", clone / ".git" / "waypost")
    git_calls.write_text("")
    assert waypost(*build, str(clone)).returncode == 0
    assert (clone / "sitemap.xml").read_bytes() == (repository.folder / "sitemap.xml").read_bytes()
    assert "cat-file" not in git_calls.read_text()


def test_a_small_site_that_grows_keeps_the_dates_of_its_first_pages(repository: Repository) -> None:
    footer = {f"p{n}.html": f"<p>Text {n}<p>2023" for n in range(4)}
    repository.commit({**footer}, T)
    repository.commit({name: text.replace("2023", "2024") for name, text in footer.items()}, T + 1)
    assert set(read(repository.folder, Pages).page_times.values()) == {T}
    repository.commit({f"q{n}.html": f"<p>Other {n}" for n in range(30)}, T + 2)
    found = read(repository.folder, Pages, is_kept=False).page_times
    assert {found[name] for name in footer} == {T}
    assert read(repository.folder, Pages).page_times == found


def test_a_dry_run_keeps_nothing(repository: Repository, waypost: Command) -> None:
    repository.commit(pages(1, 0), T)
    assert waypost("build", str(repository.folder), "--base-url", SITE.base_url, "--dry-run").returncode == 0
    assert not (repository.folder / ".git" / "waypost").exists()


@pytest.mark.parametrize("content", ["", "{", '{"a": "\udcff"}', '{"format": "waypost-history", "version": 2}'])
def test_a_kept_file_that_is_damaged_or_of_another_version_counts_as_missing(
    repository: Repository, content: str
) -> None:
    repository.commit(pages(2, 0), T)
    whole = read(repository.folder, Pages)
    (kept,) = (repository.folder / ".git" / "waypost").iterdir()
    right = kept.read_bytes()
    kept.write_text(content, errors="surrogateescape")
    assert read(repository.folder, Pages) == whole
    assert kept.read_bytes() == right


def test_other_rules_or_ignored_commits_read_the_whole_history(repository: Repository) -> None:
    repository.commit(pages(2, 0), T)
    repository.commit(pages(2, 0, p1="changed"), T + 1)
    assert read(repository.folder, Pages).page_times == {"p0.html": T, "p1.html": T + 1}
    repository.commit({".git-blame-ignore-revs": repository.git("rev-parse", "HEAD")}, T + 2)
    assert read(repository.folder, Pages).page_times == {"p0.html": T, "p1.html": T}


def test_a_history_that_was_written_anew_is_read_anew(repository: Repository) -> None:
    repository.commit(pages(2, 0), T)
    repository.commit(pages(2, 0, p1="changed"), T + 1)
    read(repository.folder, Pages)
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "--quiet", "--prune=now")
    repository.commit(pages(2, 0, p0="changed"), T + 2)
    assert read(repository.folder, Pages).page_times == {"p0.html": T + 2, "p1.html": T}


def test_uncommitted_pages_are_undated_and_nothing_of_them_is_kept(repository: Repository) -> None:
    repository.commit(pages(2, 0), T)
    repository.write(pages(2, 0, p0="edited"))
    assert read(repository.folder, Pages).page_times == {"p1.html": T}
    assert not (repository.folder / ".git" / "waypost").exists()
    repository.commit(pages(2, 0, p0="edited"), T + 1)
    assert read(repository.folder, Pages).page_times == {"p0.html": T + 1, "p1.html": T}
    repository.write(pages(2, 0, p0="again"))
    assert read(repository.folder, Pages).page_times == {"p1.html": T}


def test_a_shallow_clone_keeps_nothing(repository: Repository, tmp_path: Path) -> None:
    repository.commit(pages(2, 0), T)
    repository.commit(pages(2, 0, p0="new"), T + 1)
    folder = tmp_path / "shallow"
    repository.git("clone", "--quiet", "--depth=1", repository.folder.as_uri(), str(folder))
    assert read(folder, Pages).page_times == {"p0.html": None, "p1.html": None}
    assert not (folder / ".git" / "waypost").exists()


def test_a_git_folder_that_cannot_be_written_costs_a_run_nothing(repository: Repository) -> None:
    repository.commit(pages(1, 0), T)
    (repository.folder / ".git" / "waypost").write_text("a file in its place")
    assert read(repository.folder, Pages).page_times == {"p0.html": T}
