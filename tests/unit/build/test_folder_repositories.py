"""The repositories that know when the files of a site changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unit.sample_sites import job_of, site

from waypost.build.folder_dates import FolderDates
from waypost.build.folder_repositories import FolderRepositories
from waypost.build.named_places import NamedPlaces
from waypost.git import Repositories

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository

PAGE = "<!doctype html><title>A page</title>"


def test_a_built_site_has_the_dates_of_its_sources(repository: Repository) -> None:
    repository.commit({"content/a.md": "# A"}, when=1_000_000_000)
    repository.write({"public/a.html": PAGE})
    sources = [{"page": "a.html", "files": ["content/a.md"]}]
    job = job_of(repository.folder / "public", lastmod="git", sources=sources)
    assert [page.lastmod for page in job.plan().pages] == ["2001-09-09T01:46:40Z"]


def repositories_of(source: Path, project: Path, **values: Any) -> FolderRepositories:
    """The repositories of a site that is not built by a generator, unless the test says so."""
    return FolderRepositories(Repositories(project), site(**values), NamedPlaces((), project), source, project)


def test_the_history_of_the_sources_dates_a_built_site_and_that_of_the_site_any_other(repository: Repository) -> None:
    repository.commit({"content/a.md": "# A", "public/a.html": PAGE}, when=1_000_000_000)
    built = repositories_of(
        repository.folder / "public", repository.folder, sources=[{"page": "a.html", "files": ["content/a.md"]}]
    )
    other = repositories_of(repository.folder / "public", repository.folder)
    assert built.dating is built.of_project
    assert other.dating is other.of_site


def test_the_site_in_no_repository_has_no_history_and_nothing_is_fetched_or_kept_for_it(tmp_path: Path) -> None:
    found = repositories_of(tmp_path, tmp_path, lastmod="git")
    assert (found.dating, found.head_time, found.tracked_files, found.kept_file("a")) == (None, None, None, None)
    dates = FolderDates(found)
    assert (dates.fetch_history(), dates.commit_of("a.html", (), "2026-01-01")) == ("", "")
