"""The subscribers of a site: subscribers in the settings, and one that is added from outside the package by one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import MemoryStore, RequestGate
from search_engine import KEY, SearchEngine
from servers import running
from subscribers import Recorder

from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.build.subscribers import SUBSCRIBERS, notify_now, notify_of_plan, plan_result, subscribers_of
from waypost.core.errors import AnnounceError, TryLaterError
from waypost.core.model import Changes
from waypost.notify.base import PublishResult, notify
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waypost.settings.schema import Site

pytestmark = pytest.mark.usefixtures("without_proxies")
BASE = "https://example.org/"


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A subscriber of every site that is published at example.org."""
    found = Recorder()

    def make(site: Site, outputs: object) -> Recorder | None:
        del outputs
        return found if site.base_url == BASE else None

    SUBSCRIBERS.append(make)
    yield found
    SUBSCRIBERS.remove(make)


def job(folder: Path, **values: Any) -> Job:
    return prepare(folder, ConfigSource("test", {"base_url": BASE, "lastmod": "none", **values}, is_trusted=True))


def publish(folder: Path, **values: Any) -> PublishResult:
    """Publish a folder; returns what its subscribers are to be notified of."""
    run = job(folder, **values)
    plan = run.plan()
    run.apply(plan)
    return plan_result(run.site, plan)


def test_a_folder_s_build_notifies_of_its_files_and_urls_and_of_nothing_when_nothing_changed(
    tmp_path: Path, recorder: Recorder
) -> None:
    for name in ("a", "b", "b"):
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title>")
        run = job(tmp_path)
        plan = run.plan()
        run.apply(plan)
        assert not [each for each in notify_of_plan(run.site, plan).warnings if each.code == "not-announced"]
    first, second = recorder.results
    assert (first.written, second.written) == (("sitemap.xml",),) * 2
    assert second.changes.added == (f"{BASE}b.html",)


def test_a_first_build_has_no_urls_and_a_change_of_the_base_url_neither(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<title>x</title>")
    assert publish(tmp_path).changes.added == ()
    moved = publish(tmp_path, base_url="https://www.example.org/")
    assert moved.written == ("sitemap.xml",)
    assert (moved.changes.added, moved.changes.removed) == ((), ())


def test_the_same_publication_has_the_same_id_and_another_one_has_another(tmp_path: Path) -> None:
    ids: list[str] = []
    for text in ("1", "1", "2"):
        folder = tmp_path / str(len(ids))
        folder.mkdir()
        (folder / f"{text}.html").write_text("<title>x</title>")
        ids.append(publish(folder).id)
    assert ids[0] == ids[1] != ids[2]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({}, []),
        ({"indexnow": "a1b2c3d4"}, ["indexnow"]),
        ({"cloudfront": "E1", "event_bus": "default"}, ["cloudfront", "event_bus"]),
    ],
)
def test_each_setting_asks_for_one_subscriber(tmp_path: Path, values: dict[str, Any], names: list[str]) -> None:
    assert [each.name for each in subscribers_of(job(tmp_path, **values).site)] == names


def test_what_fails_for_now_is_tried_four_times_with_pauses_and_the_others_once() -> None:
    slow, refused, good = Recorder("slow"), Recorder("refused"), Recorder("good")
    slow.failures += [TryLaterError("no answer", seconds) for seconds in (5, 900, 1)]
    refused.failures.append(AnnounceError("wrong key"))
    slept: list[float] = []
    found = notify_now([slow, refused, good], [PublishResult("1", BASE, ("sitemap.xml",))], slept.append)
    assert (slow.calls, refused.calls, good.calls) == (4, 1, 1)
    assert slept == [5, 60, 1]
    assert {each.subscriber: each.warning is None for each in found} == {"slow": True, "refused": False, "good": True}


def test_after_the_last_attempt_the_failure_is_a_warning() -> None:
    slow = Recorder("slow")
    slow.failures += [TryLaterError("no answer", 1)] * 9
    (found,) = notify_now([slow], [PublishResult("1", BASE, ("sitemap.xml",))], lambda seconds: None)
    assert slow.calls == 4
    assert found.warning
    assert found.warning.message == "the sitemaps are published, but slow failed: no answer"


@pytest.mark.parametrize(
    ("written", "names"), [(True, {"a.html", "a1b2c3d4.txt", "sitemap.xml"}), (False, {"a.html", "sitemap.xml"})]
)
def test_a_folder_s_build_writes_the_key_file_if_the_settings_ask_for_it(
    tmp_path: Path, *, written: bool, names: set[str]
) -> None:
    (tmp_path / "a.html").write_text("<title>x</title>")
    run = job(tmp_path, indexnow={"key": "a1b2c3d4", "file": written})
    run.apply(run.plan())
    assert {file.name for file in tmp_path.iterdir()} == names
    if written:
        assert (tmp_path / "a1b2c3d4.txt").read_text() == "a1b2c3d4"


def test_a_bucket_gets_the_key_file_when_its_site_has_none(tmp_path: Path) -> None:
    outputs = MemoryStore(RequestGate(), "outputs")
    with running(SearchEngine()) as engine:
        engine.key_file = None
        settings = {"key": KEY, "file": True, "engine": f"{engine.url}/indexnow"}
        site = job(tmp_path, base_url=engine.site, indexnow=settings).site
        (subscriber,) = subscribers_of(site, outputs)
        results = [PublishResult("1", engine.site, changes=Changes((engine.site,)))]
        assert notify(subscriber, results).retry_after == 60
        assert outputs.bodies() == {f"{KEY}.txt": KEY.encode()}
        engine.key_file = KEY
        assert notify(subscriber, results).warning is None
        assert engine.submitted == [[engine.site]]
