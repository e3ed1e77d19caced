"""The settings that decide how pages are dated; tests/integration/test_page_dates.py has the histories."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

import pytest
from repositories import Repository, in_repository

from waypost.core.page_changes import PageChange, Verdicts
from waypost.dates.page_history import KeptHistories, WantedVersions, page_history, source_history
from waypost.pages.facts import RULES_VERSION
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from waypost.core.model import History
    from waypost.git import GitFolder

T = 1_700_000_000
URL = "https://www.example.org/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    repository = Repository(tmp_path / "site")
    repository.commit({"a.html": "<p>one"}, T)
    repository.commit({"a.html": "<p class=x>one"}, T + 1)
    return repository.folder


@pytest.mark.parametrize("significance", ["main", "text"])
def test_pages_have_times_of_their_own(folder: Path, significance: str) -> None:
    found = page_history(in_repository(folder), Site(base_url=URL, significance=significance))
    assert (found.page_times, found.commit_times) == ({"a.html": T}, {"a.html": T + 1})


@pytest.mark.parametrize("history", [page_history, source_history])
def test_where_bytes_count_no_file_has_another_time(
    folder: Path, history: Callable[[GitFolder, Site], History]
) -> None:
    assert history(in_repository(folder), Site(base_url=URL, significance="bytes")).page_times == {}


def test_sources_that_were_moved_and_wrapped_anew_keep_their_times(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "project")
    text = "One line of a text that goes on and on.\n"
    repository.commit({"old/a.md": text, "b.md": text, "logo.svg": "1"}, T)
    repository.commit({"old/a.md": None, "new/c.md": text, "b.md": text.replace(" a ", "\na "), "logo.svg": "2"}, T + 1)
    repository.commit({"new/c.md": text.replace(" and ", "\nand ")}, T + 2)
    found = source_history(in_repository(repository.folder), Site(base_url=URL))
    assert found.page_times == {"new/c.md": T, "b.md": T}
    assert found.commit_times == {"new/c.md": T + 2, "b.md": T + 1, "logo.svg": T + 1}


def test_the_budget_ends_the_search(folder: Path) -> None:
    assert page_history(in_repository(folder), Site(base_url=URL, date_budget=1)).beyond_budget == {"a.html"}


def test_a_kept_history_has_this_form(folder: Path) -> None:
    kept = KeptHistories()
    head = page_history(in_repository(folder), Site(base_url=URL), kept).head
    kept.keep()
    (file,) = (folder / ".git" / "waypost").iterdir()
    assert file.name == "history-2462e8937a64e685.json"
    found = json.loads(file.read_bytes())
    assert found.pop("read_as").startswith(f"pages in  by {RULES_VERSION}.12 main 250000 ")
    assert found == {
        "format": "waypost-history",
        "version": 1,
        "history": {
            "commit_times": {"a.html": T + 1},
            "page_times": {"a.html": T},
            "removal_times": {},
            "head": head,
            "is_shallow": False,
            **{name: [] for name in ("uncommitted", "beyond_budget", "unread")},
        },
    }


class LocalCheck:
    """A check that has read the pages of some names only; those count as unchanged."""

    endings: tuple[str, ...] = (".html",)

    def __init__(self, *readable: str) -> None:
        self.readable = frozenset(readable)
        self.expected: list[Sequence[PageChange]] = []

    def begin(self, page_count: int) -> None:
        pass

    def expect(self, changes: Sequence[PageChange]) -> None:
        self.expected.append(changes)

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        return changes[:100] if len(changes) >= 10 else ()

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        del changes
        return Verdicts(undecided & self.readable, frozenset(), undecided - self.readable)

    def combined(self, by_parent: Sequence[Sequence[PageChange]], undecided: Set[str]) -> Set[str]:
        del by_parent
        return undecided


def test_a_page_whose_versions_are_wanted_is_combined_when_they_are_there() -> None:
    check = wanted("a.html")
    check.check([change("b.html", 1)], {"a.html", "b.html"})
    assert check.combined([], {"a.html", "b.html"}) == {"a.html"}


def change(path: str, n: int) -> PageChange:
    return PageChange(path, f"{path} {n}".encode(), f"{path} {n + 1}".encode())


def wanted(*readable: str, reach: int = 2, limit: int = 100, local: Set[bytes] = frozenset()) -> WantedVersions:
    return WantedVersions(LocalCheck(*readable), lambda version: version in local, reach, limit)


def test_the_other_check_expects_the_same_changes() -> None:
    check = LocalCheck()
    WantedVersions(check, lambda version: True, 1, 100).expect([change("a.html", 1)])
    assert check.expected == [[change("a.html", 1)]]


def test_the_next_versions_of_a_page_are_wanted_as_far_as_the_reach() -> None:
    check = wanted(reach=2)
    found = [check.check([change("a.html", n)], {"a.html"}) for n in (9, 8, 7)]
    assert check.blobs == {b"a.html 10", b"a.html 9", b"a.html 8"}
    assert found == [
        Verdicts({"a.html"}, frozenset(), set()),
        Verdicts({"a.html"}, frozenset(), set()),
        Verdicts(set(), frozenset(), {"a.html"}),
    ]


def test_nothing_is_wanted_of_pages_that_can_be_read() -> None:
    check = wanted("a.html")
    assert check.check([change("a.html", 1)], {"a.html"}).unchanged == {"a.html"}
    assert check.blobs == set()


def test_nothing_is_wanted_that_is_there_or_is_a_file() -> None:
    check = wanted(local={b"a.html 1"})
    check.check([change("a.html", 1)._replace(after="a.html")], {"a.html"})
    assert check.blobs == set()


def test_the_pages_that_give_the_frame_are_wanted_too() -> None:
    check = wanted()
    check.check([change(f"{n}.html", 1) for n in range(10)], {"3.html"})
    assert len(check.blobs) == 20


def test_no_more_blobs_are_wanted_than_the_limit() -> None:
    check = wanted(limit=3)
    found = check.check([change(f"{n}.html", 1) for n in range(9)], {f"{n}.html" for n in range(9)})
    assert len(check.blobs) == 3
    assert check.check([change("9.html", 1)], {"9.html"}).unread == {"9.html"}
    assert found.unread == set()
