"""Runs of the function: what is logged and measured of each, and what follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import Crash, Writer
from msgspec.structs import replace
from subscribers import Recorder
from unit.aws.memory_function import PUBLISH_MESSAGE, Context, MemoryFunction, call, log_lines

from waypost.aws.function_answers import RefusedAnswer
from waypost.aws.logs import save_error
from waypost.build.bucket_site import BucketResult
from waypost.build.bucket_state import Build, StateHead, StateProblem
from waypost.build.run_answer import RunAnswer
from waypost.core.errors import RebuildNeededError, SourceError, TryLaterError
from waypost.files.s3_events import ObjectChange

if TYPE_CHECKING:
    from collections.abc import Sequence


def conclude(function: MemoryFunction, action: str, result: BucketResult, changes: Sequence[ObjectChange] = ()) -> None:
    function.runner.conclude(action, result, call(), changes)


def measured(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The metrics since the last look."""
    lines = [line for line in log_lines(capsys) if "_aws" in line]
    return {name: value for line in lines for name, value in line.items() if name not in ("_aws", "Site")}


def test_a_run_out_of_time_is_continued_by_another_call_and_only_the_last_clears_the_error() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    save_error(function.site.state, SourceError("it broke"), "request-0", "2026-11-21T12:00:00Z")
    conclude(function, "rebuild", BucketResult(head=StateHead(build=Build("next", 0.0)), is_unfinished=True))
    assert function.invoked == [(Context().invoked_function_arn, {"action": "rebuild", "part": "next"})]
    assert function.last_error()
    conclude(function, "rebuild", function.runner.rebuild(call()))
    assert (len(function.invoked), function.last_error()) == (1, None)


def test_only_a_rebuild_writes_the_report() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    result = function.runner.rebuild(call())
    conclude(function, "update", result)
    assert "report.html" not in function.site.state.bodies()
    conclude(function, "rebuild", result)
    assert b"1 page is listed" in function.site.state.bodies()["report.html"]


def test_the_log_counts_what_is_left_out_by_reason_and_the_metrics_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.site.put("b.html", "<title>b</title><meta name=robots content=noindex>")
    function.rebuild()
    lines = log_lines(capsys)
    (run,) = (line for line in lines if "excluded_by_reason" in line)
    assert (run["excluded_by_reason"], run["urls_listed"]) == ({"noindex": 1}, 1)
    (metrics,) = (line for line in lines if "_aws" in line)
    names = [each["Name"] for each in metrics["_aws"]["CloudWatchMetrics"][0]["Metrics"]]
    assert (names, metrics["RebuildsCompleted"]) == (["RebuildsCompleted"], 1)


def test_only_the_end_of_a_rebuild_is_measured_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    result = function.runner.rebuild(call())
    capsys.readouterr()
    conclude(function, "rebuild", replace(result, is_unfinished=True))
    conclude(function, "update", result)
    assert measured(capsys) == {}
    conclude(function, "rebuild", result)
    assert measured(capsys) == {"RebuildsCompleted": 1}


def test_the_log_has_all_counts_and_the_first_names(capsys: pytest.CaptureFixture[str]) -> None:
    names = tuple(f"sitemap-{n}.xml" for n in range(25))
    result = BucketResult(written=names, removed=names[:3], failed=dict.fromkeys(names, ""))
    conclude(MemoryFunction(), "update", result)
    (line,) = (line for line in log_lines(capsys) if "written" in line)
    assert (line["written_count"], line["removed_count"], line["failed_count"]) == (25, 3, 25)
    assert (len(line["written"]), len(line["failed"])) == (20, 20)
    assert line["level"] == "ERROR"


HOUR = 494_000


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            StateHead(problems=(StateProblem("unreadable", 2, ("a", "b")), StateProblem("unknown-coding", 4))),
            {"Problems": 2},
        ),
        (StateHead(counts=((HOUR, 100),), page_count=25), {"RemovedPercent": 75.0, "Problems": 1}),
        (StateHead(counts=((HOUR - 30, 100),), page_count=25), {}),
    ],
    ids=["noted", "many removed", "removed two days ago"],
)
def test_what_the_operator_must_be_told_is_measured(
    capsys: pytest.CaptureFixture[str], head: StateHead, expected: dict[str, float]
) -> None:
    function = MemoryFunction()
    function.site.clock.seconds = HOUR * 3_600.0
    conclude(function, "update", BucketResult(head=head))
    assert measured(capsys) == expected


@pytest.mark.parametrize(("event_time", "is_measured"), [("2026-01-01T00:00:00Z", True), ("noon", False), ("", False)])
def test_the_latency_is_logged_from_a_valid_time_of_an_event(
    capsys: pytest.CaptureFixture[str], event_time: str, is_measured: bool
) -> None:
    changes = [ObjectChange("site", "www/a.html", event_time)]
    conclude(MemoryFunction(), "update", BucketResult(written=("sitemap.xml",)), changes)
    (line,) = (line for line in log_lines(capsys) if "action" in line)
    assert ("latency" in line) == is_measured


def test_subscribers_that_could_not_be_notified_are_notified_by_a_later_message_to_publish() -> None:
    recorder, function = Recorder(), MemoryFunction()
    function.put_pages("a.html")
    function.rebuild()
    function.site.subscribers.append(recorder)
    function.deploy()
    function.rebuild()
    recorder.urls.clear()
    recorder.failures.append(TryLaterError("no answer", 60))
    function.put_pages("b.html")
    conclude(function, "update", function.runner.update(["b.html"], call()))
    assert function.queue.sent == [(PUBLISH_MESSAGE, 60)]
    function.queue.sent.clear()
    conclude(function, "publish", function.runner.publish(call()))
    assert recorder.urls == ["https://example.org/b.html"]
    assert function.queue.sent == []


def test_a_refused_rebuild_publishes_what_updates_have_left() -> None:
    function = MemoryFunction(urls=4)
    function.put_pages(*(f"{n:03}.html" for n in range(30)))
    function.rebuild()
    function.put_pages("100.html")
    killed = Writer(function.site.gate, lambda: function.site.update("100.html"))
    killed.until("PUT outputs/")
    killed.step(Crash())
    for n in range(20):
        function.site.delete(f"{n:03}.html")
    assert isinstance(function.handle({"action": "rebuild"}), RefusedAnswer)
    assert function.site.remembered().head.pending == frozenset()
    assert any(b"100.html" in body for body in function.site.outputs.bodies().values())


@pytest.mark.parametrize("action", ["rebuild", "update"])
def test_a_lost_state_is_measured_and_a_warning(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    function = MemoryFunction()
    function.put_pages("a.html", "b.html")
    function.rebuild()
    del function.site.state.files["state"]
    capsys.readouterr()
    function.handle({"action": action, "keys": "a.html"})
    lines = log_lines(capsys)
    assert [line["message"] for line in lines if line.get("warning") == "state-damaged"] != []
    assert [line["Problems"] for line in lines if "Problems" in line] == [1]
    assert "b.html" in function.sitemap()


def test_a_state_whose_beginning_is_damaged_is_made_again() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.rebuild()
    function.site.state.write("state", b"cut")
    for _ in range(2):
        with pytest.raises(RebuildNeededError):
            function.runner.update_for_events({"a.html", "sitemap.xml"}, {}, call())
    assert [payload for _, payload in function.invoked] == [{"action": "rebuild"}]
    answer = function.handle({"action": "rebuild"})
    assert isinstance(answer, RunAnswer)
    assert (answer.finished, answer.url_count) == (True, 1)
