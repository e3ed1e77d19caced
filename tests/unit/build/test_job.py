"""One run over a site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from unit.sample_sites import RecordingStore, site

from waypost.build import state as states
from waypost.build.job import Job, SiteDates, SiteInput, StatePath, check_all, missing_templates, now
from waypost.build.lister import DateSources
from waypost.build.named_places import NamedPlaces
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.model import SiteWarning
from waypost.core.reasons import GIT_IGNORED
from waypost.files.folder_source import FolderSource
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from sites import Write

    from waypost.files import Store

BASE = {"base_url": "https://example.org/"}
ISSUE = ConfigIssue("the step's inputs", "branch", "'a b' is not a branch name")


@dataclass(frozen=True)
class IgnoringInput(SiteInput):
    """The files of a folder, of which Git ignores those that the test names."""

    keys: frozenset[str]

    def ignored(self) -> tuple[frozenset[str], list[SiteWarning]]:
        return self.keys, [SiteWarning("ignored", "about ignored files")]


class WarningDates(SiteDates):
    """Dates by a state that is empty, with a warning."""

    def sources(self, state: StatePath | None, executor: Executor) -> tuple[DateSources, list[SiteWarning]]:
        del state
        warning = executor.submit(lambda: SiteWarning("dates", "about the dates")).result()
        return DateSources("2026-03-01T00:00:00Z", state=states.load(None, "state.jsonl")), [warning]


def job_in(folder: Path, ignored: frozenset[str] = frozenset(), store: Store | None = None, **values: Any) -> Job:
    """A run over a folder that publishes to memory, unless the test gives a store."""
    source = IgnoringInput(FolderSource(folder), ignored)
    state = StatePath(folder.parent / "state.jsonl", folder.parent)
    settings = site(lastmod="content", state="state.jsonl", **values)
    return Job(settings, NamedPlaces((), folder), source, store or RecordingStore(), WarningDates(), state=state)


class StateSeeingStore(RecordingStore):
    """A store that records whether there was a state when each file was written."""

    def __init__(self, state: Path) -> None:
        super().__init__()
        self.state, self.seen = state, list[bool]()

    def write(self, name: str, data: bytes) -> None:
        self.seen.append(self.state.exists())
        super().write(name, data)


def test_a_plan_writes_nothing_and_is_applied_with_the_state_first(write: Write) -> None:
    folder = write({"a.html": "<title>A</title>"})
    store = StateSeeingStore(folder.parent / "state.jsonl")
    job = job_in(folder, store=store)
    plan = job.plan()
    assert (store.done, store.state.exists()) == ([], False)
    job.apply(plan)
    assert (store.done, store.seen) == ([("write", "sitemap.xml")], [True])


def test_warnings_about_dates_and_ignored_files_are_before_those_about_pages(write: Write) -> None:
    job = job_in(write({"a.html": "<title>A</title>", "b.html": "<link rel=canonical href='https://b.example/'>"}))
    assert [each.code for each in job.plan().warnings] == ["dates", "ignored", "foreign-canonical"]


def test_an_ignored_file_is_left_out_with_its_reason(write: Write) -> None:
    job = job_in(write({"a.html": "<title>A</title>", "b.html": ""}), frozenset({"b.html"}))
    plan = job.plan()
    assert [page.key for page in plan.pages] == ["a.html"]
    assert [(each.key, each.reason) for each in plan.skipped] == [("b.html", GIT_IGNORED)]


def test_the_user_s_templates_override_waypost_s_own(write: Write) -> None:
    folder = write({"a.html": "<title>A</title>", "ours/summary.md.j2": "ours: {{ url_count }}"})
    assert job_in(folder).templates is None
    renderer = job_in(folder, templates="ours").renderer
    assert renderer.text("summary.md.j2", url_count=1) == b"ours: 1"


def test_issues_that_were_found_before_are_reported_with_those_of_the_settings() -> None:
    assert check_all([ConfigSource("test", BASE)], []).base_url == "https://example.org/"
    with pytest.raises(ConfigurationError) as caught:
        check_all([ConfigSource("test", {**BASE, "gzip": "yes"})], [ISSUE])
    assert [issue.key for issue in caught.value.issues] == ["branch", "gzip"]
    with pytest.raises(ConfigurationError) as caught:
        check_all([ConfigSource("test", BASE)], [ISSUE])
    assert caught.value.issues == (ISSUE,)


def test_only_the_folder_of_templates_that_would_be_used_must_exist(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    found, absent = ConfigSource("a", {"templates": "ours"}), ConfigSource("b", {"templates": "absent"})
    assert missing_templates([absent, found], NamedPlaces([absent, found], tmp_path)) == []
    (issue,) = missing_templates([found, absent, ConfigSource("c", {"gzip": True})], NamedPlaces([absent], tmp_path))
    assert (issue.where, issue.key, issue.problem) == ("b", "templates", f"{tmp_path / 'absent'} is not a folder")


def test_the_present_may_be_set_for_builds_that_can_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "253402300799")
    assert now() == 253_402_300_799
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    assert now() > 1_700_000_000


@pytest.mark.parametrize("epoch", ["253402300800", "-1", "1e9", "yesterday", " 1"])
def test_a_present_that_is_not_a_number_of_seconds_is_an_issue(monkeypatch: pytest.MonkeyPatch, epoch: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(
        ConfigurationError, match=r"SOURCE_DATE_EPOCH: .* is not a number of seconds up to the year 9999"
    ):
        now()
