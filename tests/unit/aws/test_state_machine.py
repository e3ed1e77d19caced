"""The state machine that rebuilds partitions: what the function asks of it, and what it asks of the function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError
from unit.aws.memory_function import Context, Executions, MemoryFunction, log_lines
from unit.aws.test_event_handler import batch, queued

from waypost.aws.function import start_execution
from waypost.aws.function_answers import BatchAnswer, PartitionAnswer, StartedAnswer
from waypost.core.errors import OtherRunError, RemovalError, StateError

if TYPE_CHECKING:
    from collections.abc import Mapping

DIVISION = b'{"partitions":[{"prefix":"docs/"},{"prefix":"shop/"}]}'


@pytest.fixture
def function() -> MemoryFunction:
    """A function over a bucket that is divided into three parts by hand."""
    made = MemoryFunction(urls=1_000)
    made.put_pages("index.html", *(f"{folder}/{n:02}.html" for folder in ("docs", "shop") for n in range(30)))
    made.site.state.write("partitions", DIVISION)
    return made


def run_state_machine(function: MemoryFunction, started: Mapping[str, Any], *remaining: int) -> list[str]:
    """Do what the state machine does, one request after another; returns the errors of partitions that failed."""
    failed, since = list[str](), function.ask({"action": "status"}).built_at or "2026"
    for request in (*started["partitions"], {**started["remainder"], "since": since}):
        answer = PartitionAnswer(finished=False)
        while not answer.finished:
            try:
                found = function.ask({**request, "part": answer.part}, *remaining)
            except (OtherRunError, RemovalError, StateError) as error:
                failed.append(str(error))
                break
            assert isinstance(found, PartitionAnswer)
            answer = found
    return failed


def test_a_rebuild_of_a_divided_bucket_starts_the_state_machine_with_a_request_for_each_part(
    function: MemoryFunction,
) -> None:
    answer = function.ask({"action": "rebuild", "lag": 900.0})
    assert answer == StartedAnswer(finished=False, partitions=3, execution="arn:machine:1")
    parts = [{"action": "rebuild", "partition": name, "lag": 900.0} for name in ("part1", "part2", "")]
    assert function.executions.started == [{"partitions": parts[:-1], "remainder": parts[-1]}]
    assert function.site.outputs.bodies() == {}


def test_an_execution_that_runs_is_not_started_twice(function: MemoryFunction) -> None:
    function.executions.running = ["arn:machine:7"]
    answer = function.ask({"action": "rebuild"})
    assert isinstance(answer, StartedAnswer)
    assert (answer.execution, function.executions.started) == ("arn:machine:7", [])


def test_the_requests_of_an_execution_rebuild_all_parts_and_the_last_one_completes_the_rebuild(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.ask({"action": "rebuild"})
    assert run_state_machine(function, function.executions.started[0]) == []
    assert sorted(function.site.outputs.bodies()) == ["sitemap-part1.xml", "sitemap-part2.xml", "sitemap.xml"]
    lines = log_lines(capsys)
    assert sum(line.get("RebuildsCompleted", 0) for line in lines) == 1
    status = function.ask({"action": "status"})
    assert [(each.prefix, each.url_count) for each in status.partitions] == [("", 1), ("docs/", 30), ("shop/", 30)]
    assert (status.url_count, status.sitemap_count, status.problems) == (61, 3, [])


def test_a_partition_that_fails_leaves_the_others_right_and_the_rebuild_incomplete(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.ask({"action": "rebuild"})
    run_state_machine(function, function.executions.started[0])
    function.site.clock.sleep(3_600)
    for n in range(1, 30):
        function.site.delete(f"docs/{n:02}.html")
    function.put_pages("shop/new.html")
    function.site.clock.sleep(60)
    capsys.readouterr()
    since = "2026-11-21T01:00:30Z"
    with pytest.raises(RemovalError):
        function.ask({"action": "rebuild", "partition": "part1"})
    assert function.ask({"action": "rebuild", "partition": "part2"}) == PartitionAnswer(finished=True)
    with pytest.raises(StateError, match="part1 could not be rebuilt"):
        function.ask({"action": "rebuild", "partition": "", "since": since})
    bodies = {name: body.decode().count("<loc>") for name, body in function.site.outputs.bodies().items()}
    assert bodies == {"sitemap-part1.xml": 30, "sitemap-part2.xml": 31, "sitemap.xml": 1}
    lines = log_lines(capsys)
    assert [line["RebuildsRefused"] for line in lines if "RebuildsRefused" in line] == [1]
    assert not any("RebuildsCompleted" in line for line in lines)


def test_events_go_to_the_states_of_their_partitions_and_only_those_of_one_that_waits_come_again(
    function: MemoryFunction,
) -> None:
    function.ask({"action": "rebuild"})
    run_state_machine(function, function.executions.started[0])
    function.put_pages("docs/new.html", "shop/new.html")
    function.site.state.remove("part2-state")
    answer = function.handle(batch("www/docs/new.html", "www/shop/new.html"))
    assert isinstance(answer, BatchAnswer)
    assert [each.item_identifier for each in answer.batch_item_failures] == ["m1"]
    assert function.site.outputs.bodies()["sitemap-part1.xml"].decode().count("<loc>") == 31
    assert function.invoked == [(Context().invoked_function_arn, {"action": "rebuild"})]
    function.site.state.remove("part1-state")
    keys = [{"bucket": {"name": "site"}, "object": {"key": f"www/{each}/new.html"}} for each in ("docs", "shop")]
    answer = function.handle(queued({"Records": [{"eventSource": "aws:s3", "s3": each} for each in keys]}))
    assert isinstance(answer, BatchAnswer)
    assert [each.item_identifier for each in answer.batch_item_failures] == ["m0"]


def test_keys_of_several_parts_are_updated_and_explained(function: MemoryFunction) -> None:
    function.ask({"action": "rebuild"})
    run_state_machine(function, function.executions.started[0])
    function.put_pages("docs/new.html", "shop/new.html")
    answer = function.ask({"action": "update", "keys": ["docs/new.html", "shop/new.html"]})
    assert answer.written == ("sitemap-part1.xml", "sitemap-part2.xml")
    found = function.ask(
        {"action": "explain", "keys": ["docs/new.html", "index.html", "https://example.org/shop/new.html"]}
    )
    assert [each.listed for each in found.explained] == [True, True, True]
    check = function.ask({"action": "check"})
    assert (check.in_sync, check.files) == (True, {})
    function.put_pages("shop/other.html")
    check = function.ask({"action": "check"})
    assert (check.in_sync, list(check.drift.new.first)) == (False, ["shop/other.html"])


def test_a_missing_state_machine_and_a_start_that_is_denied_are_errors_for_the_reader() -> None:
    with pytest.raises(StateError, match="WAYPOST_STATE_MACHINE"):
        start_execution("", Executions, [], {})

    class Denied(Executions):
        def start_execution(self, **_: Any) -> Mapping[str, Any]:
            raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "StartExecution")

    with pytest.raises(StateError, match="arn:x cannot be started: An error"):
        start_execution("arn:x", Denied, [], {})
