"""Runs of the function: which of them the state machine does, and what follows each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import MemoryStore
from subscribers import Recorder
from unit.aws.memory_function import EXECUTION_ARN, Context, MemoryFunction, call, log_lines
from unit.published_sites import commit_only

from waypost.app.run_answer import RunAnswer
from waypost.aws.function_answers import RefusedAnswer
from waypost.aws.own_messages import PUBLISH_MESSAGE
from waypost.core.diff import count_changes
from waypost.core.errors import StoreError, TryLaterError
from waypost.core.model import Changes, SiteWarning
from waypost.ledger.manifest import Manifest, RemovedPages
from waypost.sources.s3_events import ObjectChange
from waypost.sync.rebuild_options import RebuildOptions
from waypost.sync.result import RunResult
from waypost.sync.status_answers import LastError

if TYPE_CHECKING:
    from collections.abc import Sequence

ONE_REMOVED = count_changes(Changes(removed=("a",)))
RECENT = 4_000_000_000.0
ERROR = LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-0")


def conclude(function: MemoryFunction, action: str, result: RunResult, changes: Sequence[ObjectChange] = ()) -> None:
    function.runner.conclude(action, result, call(), changes)


def test_an_update_without_a_ledger_builds_it_in_one_call_if_the_bucket_is_small() -> None:
    function = MemoryFunction(min_objects=3)
    function.put_pages("a.html", "b.html")
    assert function.runner.update({"a.html"}, call()).written == ("sitemap.xml",)
    assert (function.sitemap().count("<loc>"), function.step_functions.statuses) == (2, {})


def test_an_update_without_a_ledger_starts_the_state_machine_if_the_bucket_is_large(
    capsys: pytest.CaptureFixture[str],
) -> None:
    function = MemoryFunction(min_objects=2)
    function.put_pages("a.html", "b.html")
    assert function.runner.update({"a.html"}, call()) == RunResult()
    (execution,) = function.step_functions.statuses
    assert execution.startswith(f"{EXECUTION_ARN}:rebuild-")
    assert [line["execution"] for line in log_lines(capsys)] == [execution]
    repeated = function.runner.update({"a.html"}, call())  # the rebuild may have listed this key already
    assert repeated.failed.keys() == {"a.html"}


def test_keys_that_a_running_rebuild_will_read_are_not_failed() -> None:
    function = MemoryFunction(min_objects=2)
    function.put_pages("a.html", "b.html")
    function.runner.update({"a.html"}, call())
    assert function.machine
    function.machine.take_step({"step": "plan", "run": "one"}, lambda: False)
    assert function.runner.update({"a.html"}, call()).failed == {}


def test_a_run_out_of_time_is_continued_by_another_call_and_only_the_last_clears_the_error() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.last_error.write(ERROR)
    conclude(function, "rebuild", RunResult(resume_after="a.html"))
    payload = {"action": "rebuild", "after": "a.html", "stopped_at": function.site.clock.time()}
    assert function.invoked == [(Context().invoked_function_arn, payload)]
    assert function.last_error.read() == ERROR
    conclude(function, "rebuild", function.runner.rebuild("", call()))
    assert (len(function.invoked), function.last_error.read()) == (1, None)


def test_only_a_rebuild_writes_the_report() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    result = function.runner.rebuild("", call())
    conclude(function, "update", result)
    assert "report.html" not in function.site.state.bodies()
    conclude(function, "rebuild", result)
    assert b"1 page is listed" in function.site.state.bodies()["report.html"]


def test_the_log_counts_what_is_left_out_by_reason_and_the_metrics_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.site.put("b.html", "<meta name=robots content=noindex>")
    function.rebuild()
    lines = log_lines(capsys)
    (run,) = (line for line in lines if "excluded_by_reason" in line)
    assert (run["excluded_by_reason"], run["urls_listed"]) == ({"noindex": 1}, 1)
    (measured,) = (line for line in lines if "_aws" in line)
    names = [each["Name"] for each in measured["_aws"]["CloudWatchMetrics"][0]["Metrics"]]
    assert (names, measured["RebuildsCompleted"]) == (["RebuildsCompleted"], 1)


def test_only_the_end_of_a_rebuild_is_measured_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    result = function.runner.rebuild("", call())
    capsys.readouterr()
    conclude(function, "rebuild", RunResult(resume_after="a.html"))
    conclude(function, "update", result)
    assert not any("RebuildsCompleted" in line for line in log_lines(capsys))
    conclude(function, "rebuild", result)
    assert [line["RebuildsCompleted"] for line in log_lines(capsys) if "RebuildsCompleted" in line] == [1]


def test_the_log_has_all_counts_and_the_first_names(capsys: pytest.CaptureFixture[str]) -> None:
    names = tuple(f"sitemap-{n}.xml" for n in range(25))
    conclude(MemoryFunction(), "update", RunResult(written=names, removed=names[:3], failed=dict.fromkeys(names, "")))
    (line,) = (line for line in log_lines(capsys) if "written" in line)
    assert (line["written_count"], line["removed_count"], line["failed_count"]) == (25, 3, 25)
    assert (len(line["written"]), len(line["failed"])) == (20, 20)
    assert line["level"] == "ERROR"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (RunResult(failed={"a": "", "b": "", "c": ""}, unreadable=2), {"Unreadable": 2}),
        (
            RunResult(unreadable=30, warnings=(SiteWarning("unknown-coding", "", 4),)),
            {"Unreadable": 34},
        ),
        (RunResult(warnings=(SiteWarning("sitemap-kept", "", 2),)), {"SitemapsKept": 2}),
        (
            RunResult(
                changes=count_changes(Changes(removed=("a",))), manifest=Manifest(removed=RemovedPages(RECENT, 60, 80))
            ),
            {"RemovedPercent": 75.0},
        ),
        (RunResult(manifest=Manifest(removed=RemovedPages(RECENT, 60, 80))), {}),
        (RunResult(changes=ONE_REMOVED, manifest=Manifest(removed=RemovedPages(1, 60, 80))), {}),
    ],
    ids=["failed", "warned of", "kept", "removed", "removed by an earlier run", "removed long ago"],
)
def test_what_the_operator_must_be_told_is_measured(
    capsys: pytest.CaptureFixture[str], result: RunResult, expected: dict[str, float]
) -> None:
    conclude(MemoryFunction(), "update", result)
    measured = [line for line in log_lines(capsys) if "_aws" in line]
    found = {name: value for line in measured for name, value in line.items() if name not in ("_aws", "Site")}
    assert found == expected


@pytest.mark.parametrize(("event_time", "is_measured"), [("2026-01-01T00:00:00Z", True), ("noon", False), ("", False)])
def test_the_latency_is_measured_from_a_valid_time_of_an_event(
    capsys: pytest.CaptureFixture[str], event_time: str, is_measured: bool
) -> None:
    changes = [ObjectChange("site", "www/a.html", event_time)]
    conclude(MemoryFunction(), "update", RunResult(written=("sitemap.xml",)), changes)
    assert any("PublishLatency" in line for line in log_lines(capsys)) == is_measured


def test_a_continued_rebuild_keeps_what_was_accepted() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.runner.conclude(
        "rebuild", RunResult(resume_after="a.html"), call(), options=RebuildOptions(max_removed=100, lag=900)
    )
    ((_, payload),) = function.invoked
    assert (payload["max_removed"], payload["lag"]) == (100, 900)


def test_a_rebuild_publishes_what_an_update_had_no_time_for() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    conclude(function, "update", RunResult(is_all_published=False))
    assert [payload for _, payload in function.invoked] == [{"action": "rebuild"}]


def test_subscribers_that_could_not_be_notified_are_notified_by_a_later_message_to_publish() -> None:
    recorder, function = Recorder(), MemoryFunction()
    function.put_pages("a.html")
    function.rebuild()
    function.site.subscribers.append(recorder)
    recorder.failures.append(TryLaterError("no answer", 60))
    function.put_pages("b.html")
    function.queue.sent.clear()
    conclude(function, "update", function.runner.update(["b.html"], call()))
    assert (PUBLISH_MESSAGE, 60) in function.queue.sent
    function.queue.sent.clear()
    conclude(function, "publish", function.runner.publish(call()))
    assert recorder.urls == ["https://example.org/b.html"]
    assert function.queue.sent == []


def refused_rebuild(capsys: pytest.CaptureFixture[str]) -> MemoryFunction:
    """A function that is to rebuild a bucket where too many pages are gone; an update has left a page to publish."""
    function = MemoryFunction(urls=4)
    function.put_pages(*(f"{n:03}.html" for n in range(30)))
    function.rebuild()
    function.put_pages("100.html")
    commit_only(function.site, "100.html")
    for n in range(20):
        function.site.delete(f"{n:03}.html")
    capsys.readouterr()
    return function


def test_a_refused_rebuild_publishes_what_updates_have_left_and_logs_that(capsys: pytest.CaptureFixture[str]) -> None:
    function = refused_rebuild(capsys)
    assert isinstance(function.handle({"action": "rebuild"}), RefusedAnswer)
    assert function.site.manifest().pending == ()
    assert any(b"100.html" in body for body in function.site.outputs.bodies().values())
    lines = log_lines(capsys)
    assert [line["written_count"] > 0 for line in lines if line.get("action") == "publish"] == [True]
    assert [line["RebuildsRefused"] for line in lines if "RebuildsRefused" in line] == [1]
    function.handle({"action": "rebuild"})  # nothing is left now
    assert not [line for line in log_lines(capsys) if line.get("action") == "publish"]


def test_a_rebuild_is_refused_also_if_what_updates_have_left_cannot_be_published(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class DeniedStore(MemoryStore):
        def put_if_match(self, name: str, *rest: Any) -> str:
            raise StoreError(f"{name}: AccessDenied {len(rest)}")

    function = refused_rebuild(capsys)
    function.site.outputs = DeniedStore(function.site.gate, "outputs", function.site.outputs.files)
    function.deploy(urls=4)
    assert isinstance(function.handle({"action": "rebuild"}), RefusedAnswer)
    lines = log_lines(capsys)
    assert any("what updates have left could not be published" in line.get("message", "") for line in lines)
    assert [line["RebuildsRefused"] for line in lines if "RebuildsRefused" in line] == [1]


def test_a_rebuild_hands_on_when_it_stopped() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    started = function.site.clock.time()
    function.handle({"action": "rebuild"}, Context([900_000, 1_000]))
    ((_, payload),) = function.invoked
    assert started <= payload.pop("stopped_at") <= function.site.clock.time()
    assert payload == {"action": "rebuild", "after": ""}


@pytest.mark.parametrize(("pause", "is_found"), [(60, False), (3_700, True)])
def test_a_rebuild_that_is_continued_more_than_an_hour_later_lists_from_the_beginning(
    pause: int, is_found: bool
) -> None:
    function = MemoryFunction()
    function.put_pages("b.html", "c.html")
    function.rebuild()
    stopped_at = function.site.clock.time()
    function.put_pages("a.html")  # no event arrives
    function.site.clock.sleep(pause)
    function.handle({"action": "rebuild", "after": "b.html", "stopped_at": stopped_at})
    assert ("/a.html<" in function.sitemap()) == is_found


@pytest.mark.parametrize("action", ["rebuild", "update"])
def test_lost_records_are_a_metric_and_a_warning_of_the_answer(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html", "b.html")
    function.rebuild()
    function.put_pages("a.html")
    (lost,) = [name for name in function.site.state.files if name.startswith("shards/")]
    del function.site.state.files[lost]
    capsys.readouterr()
    answer = function.handle({"action": action, "keys": "a.html"})
    assert isinstance(answer, RunAnswer)
    assert [lost in text for text in answer.warnings] == [True]
    assert [line["RecordsLost"] for line in log_lines(capsys) if "RecordsLost" in line] == [1]
    assert "b.html" in function.sitemap()


def test_without_lost_records_that_metric_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    conclude(MemoryFunction(), "update", RunResult())
    assert not any("RecordsLost" in line for line in log_lines(capsys))
