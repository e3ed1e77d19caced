"""A run over a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waypost.app.folder import FolderJob, prepare
from waypost.config.load import ConfigSource
from waypost.core.errors import ConfigurationError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository
    from sites import Write

PAGE = "<title>A</title>"


def job_of(source: Path, output: Path | None = None, **values: Any) -> FolderJob:
    """A run whose working folder is the one above the site."""
    flags = ConfigSource("test", {"base_url": "https://example.org/", "lastmod": "none", **values})
    return prepare(source, flags, output=output, working_folder=source.parent)


def test_a_key_is_given_relative_to_the_site_or_to_the_working_folder_or_as_a_path(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write({"docs/a.html": PAGE})
    monkeypatch.chdir(source.parent)
    job = job_of(source)
    for path in ("docs/a.html", "./docs/../docs/a.html", "site/docs/a.html", str(source / "docs" / "a.html")):
        assert job.key(path) == "docs/a.html"
    assert job.key("/elsewhere/a.html") == "/elsewhere/a.html"


def test_settings_of_the_file_are_overridden_by_flags_and_its_folder_is_where_paths_begin(write: Write) -> None:
    source = write({"a.html": PAGE, "waypost.toml": 'name = "map"\ngzip = true\nstate = "kept/state.jsonl"\n'})
    job = job_of(source, gzip=False, lastmod="content")
    assert (job.site.name, job.site.gzip) == ("map", False)
    assert (job.settings, job.state) == (source / "waypost.toml", source / "kept" / "state.jsonl")


def test_a_folder_that_does_not_exist_is_an_error_of_the_source(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="absent"):
        job_of(tmp_path / "absent")


def test_an_output_below_the_site_s_root_is_an_issue_of_the_flags(write: Write) -> None:
    source = write({"a.html": PAGE})
    with pytest.raises(ConfigurationError) as caught:
        job_of(source, source / "maps")
    (issue,) = caught.value.issues
    assert (issue.where, issue.key) == ("test", "output")
    assert job_of(source, source.parent / "public").output == source.parent / "public"
    assert job_of(source, source / "maps" / "..").plan().written == ["sitemap.xml"]


@pytest.mark.parametrize("state", ["s3://bucket/state", "site/sitemap.xml", "site/sitemap-blog.xml", "site/robots.txt"])
def test_a_state_must_be_a_file_that_waypost_does_not_publish(write: Write, state: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        job_of(write({"a.html": PAGE}), state=state, lastmod="content")
    assert [issue.key for issue in caught.value.issues] == ["state"]


@pytest.mark.parametrize("state", ["site/state.jsonl", "kept/sitemap.xml"])
def test_a_state_may_be_beside_the_outputs_or_have_the_name_of_one_elsewhere(write: Write, state: str) -> None:
    source = write({"a.html": PAGE})
    assert job_of(source, state=state, lastmod="content").state == source.parent / state


def test_a_state_dates_a_page_by_the_run_that_saw_its_content_change(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write({"a.html": PAGE, "b.html": PAGE})
    for epoch, content in (("1000000000", PAGE), ("1100000000", f"{PAGE}<p>More"), ("1200000000", f"{PAGE}<p>More")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        (source / "a.html").write_text(content)
        job = job_of(source, state="state.jsonl", lastmod="content")
        plan = job.plan()
        job.apply(plan)
    assert [page.lastmod for page in plan.pages] == ["2004-11-09T11:33:20Z", None]
    assert plan.is_stale is False


def test_pages_have_the_dates_of_their_commits(repository: Repository) -> None:
    repository.commit({"a.html": PAGE, "b.html": PAGE}, when=1_000_000_000)
    repository.commit({"b.html": f"{PAGE}<p>More"}, when=1_100_000_000)
    plan = job_of(repository.folder, lastmod="git").plan()
    assert [page.lastmod for page in plan.pages] == ["2001-09-09T01:46:40Z", "2004-11-09T11:33:20Z"]


def test_a_built_site_has_the_dates_of_its_sources(repository: Repository) -> None:
    repository.commit({"content/a.md": "# A"}, when=1_000_000_000)
    repository.write({"public/a.html": PAGE})
    sources = [{"page": "a.html", "files": ["content/a.md"]}]
    job = job_of(repository.folder / "public", lastmod="git", sources=sources)
    assert job.history_folder is not None
    assert job.history_folder.folder == repository.folder.resolve()
    assert [page.lastmod for page in job.plan().pages] == ["2001-09-09T01:46:40Z"]


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


def test_a_page_expires_by_the_time_of_the_last_commit_whenever_the_site_is_built(repository: Repository) -> None:
    page = "<!doctype html><title>{}</title><meta name=robots content='unavailable_after: {}'>"
    files = {"old.html": page.format("a", "2026-01-01"), "new.html": page.format("b", "2026-12-31")}
    repository.commit({"index.html": PAGE, **files}, 1_770_000_000)
    found = job_of(repository.folder).plan()
    assert [(each.key, each.reason, each.detail) for each in found.skipped if each.key == "old.html"] == [
        ("old.html", "noindex", "unavailable_after 2026-01-01")
    ]
    assert "new.html" in {page.key for page in found.pages}
