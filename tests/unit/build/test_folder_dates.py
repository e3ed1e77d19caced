"""What dates the pages of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.sample_sites import job_of

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Write

PAGE = "<!doctype html><title>A page</title>"


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


def test_a_page_expires_by_the_time_of_the_last_commit_whenever_the_site_is_built(repository: Repository) -> None:
    page = "<!doctype html><title>{}</title><meta name=robots content='unavailable_after: {}'>"
    files = {"old.html": page.format("a", "2026-01-01"), "new.html": page.format("b", "2026-12-31")}
    repository.commit({"index.html": PAGE, **files}, 1_770_000_000)
    found = job_of(repository.folder, lastmod="git").plan()
    assert [(each.key, each.reason, each.detail) for each in found.skipped if each.key == "old.html"] == [
        ("old.html", "noindex", "unavailable_after 2026-01-01")
    ]
    assert "new.html" in {page.key for page in found.pages}
