"""Runs of the function: which of them the state machine does, and what follows each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.aws.memory_function import EXECUTION_ARN, Context, MemoryFunction, call, log_lines

from waypost.sources.s3_events import ObjectChange
from waypost.sync.answers import LastError
from waypost.sync.result import RunResult

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    assert b"<b>1</b> page listed" in function.site.state.bodies()["report.html"]


def test_what_is_left_out_is_measured_by_reason_after_a_rebuild(capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.site.put("b.html", "<meta name=robots content=noindex>")
    function.rebuild()
    lines = log_lines(capsys)
    assert [(line["Reason"], line["UrlsExcluded"]) for line in lines if "Reason" in line] == [("noindex", 1)]
    assert [line["UrlsListed"] for line in lines if "UrlsListed" in line] == [1]


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
    function.runner.conclude("rebuild", RunResult(resume_after="a.html"), call(), max_removed=100)
    ((_, payload),) = function.invoked
    assert payload["max_removed"] == 100
