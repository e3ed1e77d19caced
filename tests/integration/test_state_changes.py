"""What changed since the last run, by its state, in a folder that has no sitemap of that run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.core.errors import RemovalError
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"


def built(tmp_path: Path, name: str, pages: dict[str, str], **values: Any) -> Job:
    """A site that was built into a folder of its own; its state is kept elsewhere."""
    folder = tmp_path / name
    for key, text in pages.items():
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        (folder / key).write_text(f"<!doctype html><title>{key}</title><p>{text}")
    state = str(tmp_path / "state.jsonl")
    return prepare(
        folder,
        ConfigSource("test", {"base_url": BASE, "lastmod": "content", "state": state, **values}, is_trusted=True),
    )


def publish(job: Job) -> None:
    job.apply(job.plan())


def test_changes_are_counted_since_the_last_run_and_not_since_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795219200")
    publish(built(tmp_path, "first", {"a.html": "1", "b.html": "1", "c.html": "1", "kept/index.html": "1"}))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795305600")
    plan = built(tmp_path, "second", {"a.html": "1", "b.html": "2", "new.html": "1", "kept/index.html": "1"}).plan()
    assert plan.changes.added == (f"{BASE}new.html",)
    assert plan.changes.removed == (f"{BASE}c.html",)
    assert plan.changes.lastmod_changed == (f"{BASE}b.html",)
    assert (plan.listed_before, plan.compared_with) == (4, "the state of the last run")


def test_a_first_run_adds_all_pages(tmp_path: Path) -> None:
    plan = built(tmp_path, "first", {"a.html": "1"}).plan()
    assert (plan.changes.added, plan.listed_before) == ((f"{BASE}a.html",), 0)


def test_sitemaps_that_are_there_are_compared_and_not_the_state(tmp_path: Path) -> None:
    job = built(tmp_path, "first", {"a.html": "1", "b.html": "1"})
    publish(job)
    plan = job.plan()
    assert not plan.is_stale
    assert plan.compared_with != "the state of the last run"


def test_a_build_that_loses_most_pages_of_the_state_is_refused(tmp_path: Path) -> None:
    publish(built(tmp_path, "first", {f"{n}.html": str(n) for n in range(30)}))
    with pytest.raises(RemovalError, match="29"):
        built(tmp_path, "second", {"0.html": "0"}).plan()
