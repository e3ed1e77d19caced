"""A subscriber that is added from outside the package: one class, and one row of SUBSCRIBERS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_stores import SimulatedSite

from waypost.announce.base import PublishResult
from waypost.app.folder import prepare
from waypost.app.subscribers import SUBSCRIBERS, notify_of_plan, notify_of_run
from waypost.config.load import ConfigSource
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waypost.config.schema import Site


class Recorder:
    """Remembers every publication that it is notified of."""

    name = "the recorder"

    def __init__(self) -> None:
        self.results: list[PublishResult] = []

    def notify(self, result: PublishResult) -> None:
        self.results.append(result)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A subscriber of every site that is published at example.org."""
    found = Recorder()

    def make(site: Site) -> Recorder | None:
        return found if site.base_url == "https://example.org/" else None

    SUBSCRIBERS.append(make)
    yield found
    SUBSCRIBERS.remove(make)


def test_a_folder_s_build_notifies_of_its_files_and_urls_and_of_nothing_when_nothing_changed(
    tmp_path: Path, recorder: Recorder
) -> None:
    (tmp_path / "a.html").write_text("<title>A</title>")
    job = prepare(tmp_path, ConfigSource("test", {"base_url": "https://example.org/", "lastmod": "none"}))
    for _ in range(2):
        plan = job.plan()
        job.apply(plan)
        assert not notify_of_plan(job.site, plan).warnings
    (result,) = recorder.results
    assert result.written == ("sitemap.xml",)
    assert result.changes.first.added == ("https://example.org/a.html",)


def test_a_run_over_a_bucket_notifies_of_what_it_wrote_and_removed(recorder: Recorder) -> None:
    site = SimulatedSite(lastmod="content", state="x")
    site.put("a.html", "one")
    notify_of_run(site.settings, rebuild.rebuild(site.updater()))
    site.put("b.html", "two")
    notify_of_run(site.settings, rebuild.update(site.updater(), ["b.html"]))
    first, second = recorder.results
    assert first.written == second.written == ("sitemap.xml",)
    assert first.changes.counts["added"] == 0  # a ledger's first build is not a change
    assert second.changes.first.added == ("https://example.org/b.html",)


def test_a_site_whose_settings_do_not_ask_for_a_subscriber_does_not_notify_it(recorder: Recorder) -> None:
    site = SimulatedSite(base_url="https://example.com/", lastmod="content", state="x")
    site.put("a.html", "one")
    notify_of_run(site.settings, rebuild.rebuild(site.updater()))
    assert recorder.results == []
