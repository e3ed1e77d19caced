"""Tracked pages have the dates of their last significant change, whatever their history looks like."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import quick
from chronicles import Chronicle
from repositories import in_repository

from waypost.core.model import History
from waypost.dates.page_history import page_history, source_history
from waypost.pages.html_head import visible_text
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from repositories import Repository

T = 1_700_000_000


def history(folder: Path, significance: str = "main", budget: int = 250_000) -> History:
    return page_history(
        in_repository(folder), Site(base_url="https://www.example.org/", significance=significance, date_budget=budget)
    )


def page(text: str, version: str = "1", stamp: int = 0, menu: str = "<li>Home", title: str = "Title") -> str:
    return (
        f"<!doctype html><title>{title}</title><link href=/app.{stamp:x}.css><body class=c{stamp}>"
        f"<!-- built {stamp} --><ul>{menu}</ul><p>Version {version}</p><main><p>{text}</p></main>"
    )


class Deployments:
    """A branch of built pages: each deployment writes every page again; `dates` are when their own texts changed."""

    def __init__(self, repository: Repository, pages: int) -> None:
        self.repository = repository
        self.texts = {f"{n:03}.html": f"text {n}" for n in range(pages)}
        self.dates: dict[str, int | None] = dict.fromkeys(self.texts, T)
        self.count = 0
        self.deploy({})

    def deploy(self, changed: dict[str, str], menu: str = "<li>Home", version: str = "") -> None:
        self.texts |= changed
        self.dates |= dict.fromkeys(changed, T + self.count)
        built = {path: page(text, version or str(self.count), self.count, menu) for path, text in self.texts.items()}
        self.repository.commit(dict(built), when=T + self.count)
        self.count += 1


@pytest.mark.parametrize("pages", [12, pytest.param(130, marks=pytest.mark.slow)])
def test_a_page_has_the_date_at_which_its_own_text_changed(repository: Repository, pages: int) -> None:
    deployments, chosen = Deployments(repository, pages), random.Random(1)
    for n in range(12):
        changed = chosen.sample(sorted(deployments.texts), 3)
        deployments.deploy({path: f"changed {n} {path}" for path in changed})
    assert history(repository.folder).page_times == deployments.dates


def test_a_menu_that_grows_changes_no_page(repository: Repository) -> None:
    deployments = Deployments(repository, 12)
    for n in range(1, 5):
        menu = "".join(f"<li>Entry {entry}" for entry in range(n))
        deployments.deploy({f"{n:03}.html": f"New text {n}"}, menu, version="1")
    assert history(repository.folder).page_times == deployments.dates


def test_a_page_that_takes_over_another_s_text_changed(repository: Repository) -> None:
    deployments = Deployments(repository, 12)
    deployments.deploy({"003.html": "text 4"})
    deployments.deploy({})
    assert history(repository.folder).page_times == deployments.dates


def test_a_symbolic_link_goes_by_its_target_s_name(repository: Repository) -> None:
    repository.commit({"a.html": page("one"), "c.html": page("two")}, T)
    (repository.folder / "b.html").symlink_to("a.html")
    repository.commit({}, T + 1)
    repository.write({"b.html": None, "c.html": None})
    (repository.folder / "b.html").symlink_to("other/../a.html")
    (repository.folder / "c.html").symlink_to("a.html")
    repository.commit({}, T + 2)
    repository.write({"c.html": None})
    repository.commit({"c.html": page("two"), "a.html": page("one", stamp=3)}, T + 3)
    assert history(repository.folder).page_times == {"a.html": T, "b.html": T + 2, "c.html": T + 3}


def test_a_submodule_with_the_name_of_a_page_has_no_date(repository: Repository) -> None:
    commit = repository.commit({"a.html": page("one")}, T)
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},lib.html")
    repository.git("commit", "--quiet", "--message", "x", when=T + 1)
    assert history(repository.folder).page_times == {"a.html": T, "lib.html": None}


def test_a_shallow_clone_dates_what_changed_within_its_edge(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"a.html": page("one"), "b.html": page("one"), "old.html": page("one")}, T)
    repository.commit({"b.html": page("one", stamp=1)}, T + 1)
    repository.commit({"a.html": page("two"), "b.html": page("one", stamp=2)}, T + 2)
    repository.commit({"a.html": page("two", stamp=3), "b.html": page("one", stamp=3)}, T + 3)
    repository.git("clone", "--quiet", "--depth=3", repository.folder.as_uri(), str(tmp_path / "clone"))
    found = history(tmp_path / "clone")
    assert (found.page_times, found.is_shallow) == ({"a.html": T + 2, "b.html": None, "old.html": None}, True)


def test_pages_beyond_the_budget_have_no_date_and_those_that_need_no_reading_have(repository: Repository) -> None:
    deployments = Deployments(repository, 12)
    repository.commit({"new.html": page("new")}, T + 1)
    deployments.count = 2
    deployments.deploy({"003.html": "changed"})
    found = history(repository.folder, budget=10)
    assert found.page_times == {"new.html": T + 1}
    assert found.beyond_budget == deployments.texts.keys()
    assert history(repository.folder, budget=24).beyond_budget == frozenset()
    assert history(repository.folder, budget=23).beyond_budget


def test_a_large_version_counts_several_times(repository: Repository) -> None:
    repository.commit({"a.html": page("x" * 100_000)}, T)
    repository.commit({"a.html": page("x" * 100_000, stamp=1)}, T + 1)
    repository.commit({"a.html": page("x" * 100_000, stamp=2)}, T + 2)
    assert history(repository.folder, budget=5).page_times == {"a.html": T}
    assert history(repository.folder, budget=4).beyond_budget == {"a.html"}


def test_an_uncommitted_change_that_is_not_significant_keeps_the_date(repository: Repository) -> None:
    deployments = Deployments(repository, 12)
    deployments.deploy({"002.html": "changed"})
    built = {path: page(text, "new", 99) for path, text in (deployments.texts | {"005.html": "new"}).items()}
    repository.write({**built, "011.html": None, "untracked.html": page("new")})
    found = history(repository.folder)
    undated = {"005.html", "011.html"}
    assert found.page_times == {path: time for path, time in deployments.dates.items() if path not in undated}
    assert found.uncommitted == deployments.texts.keys()
    repository.git("add", "--all")
    assert history(repository.folder).page_times == found.page_times


class Restyled(Chronicle):
    """A history in which about half of the changes give a page only another class."""

    def _fresh(self) -> str:
        return f"<p class=c{len(self.commits)}>{self.random.choice('ab')}"


def date_by_log(repository: Repository, path: str) -> int:
    """The date of one page, by a Git process for each version: slow, and the truth to compare with."""
    commit = "HEAD"
    while True:
        line = repository.git("log", "-1", "--format=%H %ct %P", commit, "--", path)
        commit, time, *parents = line.split()
        after = repository.git("show", f"{commit}:{path}")
        for parent in parents:
            if repository.git("ls-tree", "--name-only", parent, "--", path):
                before = repository.git("show", f"{parent}:{path}")
                if visible_text(before.encode()) == visible_text(after.encode()):
                    commit = parent
                    break
        else:
            return int(time)


@pytest.mark.parametrize("seed", quick.every(3, range(12)))
def test_every_page_of_a_tangled_history_has_the_date_that_its_versions_give(repository: Repository, seed: int) -> None:
    Restyled(seed).import_into(repository)
    found = history(repository.folder, "text").page_times
    assert found == {path: date_by_log(repository, path) for path in found}
    assert history(repository.folder).page_times == found


def blobless(repository: Repository, folder: Path) -> Path:
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repository.git("clone", "--quiet", "--filter=blob:none", repository.folder.as_uri(), str(folder))
    return folder


def test_the_number_of_subprocesses_does_not_grow_with_the_pages_or_their_versions(
    repository: Repository, git_calls: Path
) -> None:
    counts = []
    deployments = Deployments(repository, 12)
    for more in (2, 10):
        for n in range(more):
            deployments.deploy({f"{n:03}.html": f"changed {more}", f"new-{more}-{n}.html": "new"})
        git_calls.write_text("")
        assert history(repository.folder).page_times == deployments.dates
        counts.append(len(git_calls.read_text().splitlines()))
    assert counts[0] == counts[1] > 0


def test_a_clone_without_blobs_fetches_versions_in_few_batches_and_gives_the_same_dates(
    repository: Repository, tmp_path: Path, git_calls: Path
) -> None:
    deployments = Deployments(repository, 12)
    for n in range(11):
        deployments.deploy({f"{n:03}.html": f"changed {n}"})
    folder = blobless(repository, tmp_path / "blobless")
    git_calls.write_text("")
    assert history(folder).page_times == deployments.dates
    fetches = [line for line in git_calls.read_text().splitlines() if " fetch " in line]
    assert 0 < len(fetches) <= 4
    assert all("--stdin" in line for line in fetches)


def test_a_clone_without_blobs_tells_a_commit_of_formatting_by_the_same_files(
    repository: Repository, tmp_path: Path
) -> None:
    texts = {f"{n}.md": f"Plant{n} grows in row {n}." for n in range(6)}
    repository.commit({**texts}, T)
    repository.commit({path: text.replace("in", "(in)") for path, text in texts.items()}, T + 1)
    repository.commit({f"{n}.md": f"Other {n}." for n in range(5)}, T + 2)
    expected = dict.fromkeys(texts, T + 2) | {"5.md": T}
    for folder in (repository.folder, blobless(repository, tmp_path / "blobless")):
        assert source_history(in_repository(folder), Site(base_url="https://www.example.org/")).page_times == expected


def test_pages_whose_versions_cannot_be_fetched_have_no_date(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"a.html": page("one"), "b.html": page("two")}, T)
    repository.commit({"a.html": page("one", stamp=1)}, T + 1)
    folder = blobless(repository, tmp_path / "blobless")
    repository.folder.rename(tmp_path / "out-of-reach")
    found = history(folder)
    assert found.page_times == {"b.html": T}
    assert found.unread == frozenset({"a.html"})
