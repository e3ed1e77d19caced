"""What the files of a folder are to a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.sample_sites import job_of

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Write

PAGE = "<!doctype html><title>A page</title>"


def test_files_that_git_ignores_are_left_out_if_the_settings_say_so(repository: Repository) -> None:
    repository.commit({"a.html": PAGE, ".gitignore": "draft.html\n"}, when=1_000_000_000)
    repository.write({"draft.html": PAGE})
    assert [page.key for page in job_of(repository.folder).plan().pages] == ["a.html", "draft.html"]
    assert [page.key for page in job_of(repository.folder, skip_gitignored=True).plan().pages] == ["a.html"]


def test_without_a_repository_a_setting_that_needs_one_has_no_effect_but_a_warning(write: Write) -> None:
    plan = job_of(write({"a.html": PAGE}), lastmod="git", skip_gitignored=True).plan()
    assert [page.lastmod for page in plan.pages] == [None]
    assert [warning.code for warning in plan.warnings] == ["no-repository", "no-repository"]
    assert plan.warnings[0].message.startswith("pages have no date from Git")
    assert plan.warnings[1].message.startswith("skip_gitignored has no effect")


def test_a_key_is_given_relative_to_the_site_or_to_the_working_folder_or_as_a_path(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write({"docs/a.html": PAGE})
    monkeypatch.chdir(source.parent)
    job = job_of(source)
    for path in ("docs/a.html", "./docs/../docs/a.html", "site/docs/a.html", str(source / "docs" / "a.html")):
        assert job.input.key(path) == "docs/a.html"
    assert job.input.key("/elsewhere/a.html") == "/elsewhere/a.html"
