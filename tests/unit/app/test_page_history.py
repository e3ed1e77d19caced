"""The settings that decide how pages are dated; tests/integration/test_page_dates.py has the histories."""

from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.app.page_history import page_history
from waypost.config.schema import Site

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


def test_bytes_and_pages_with_sources_go_by_the_files(folder: Path) -> None:
    for site in (Site(base_url=URL, significance="bytes"), Site(base_url=URL, preset="hugo")):
        assert page_history(in_repository(folder), site).page_times == {}


def test_the_budget_ends_the_search(folder: Path) -> None:
    assert page_history(in_repository(folder), Site(base_url=URL, date_budget=1)).beyond_budget == {"a.html"}
