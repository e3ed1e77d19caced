"""The files through which the steps of a distributed rebuild pass on their results."""

from __future__ import annotations

import msgspec
import pytest
from fake_stores import MemoryStore, RequestGate
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.diff import ChangeCounts, count_changes
from waypost.core.errors import LedgerError
from waypost.core.model import Changes, Example, SiteWarning
from waypost.distributed.artifacts import (
    RESULT_NAMES,
    BuildResult,
    MergeResult,
    OpenKey,
    RunArtifacts,
    RunContext,
    ScanResult,
    ScanTask,
    Segment,
)
from waypost.ledger.ledger_state import Run
from waypost.ledger.manifest import PublishedFile, ShardEntry
from waypost.sync.result import RunResult

RUN = Run("nightly", 3)


def artifacts(store: MemoryStore | None = None, run: Run = RUN) -> RunArtifacts:
    return RunArtifacts(store or MemoryStore(RequestGate(), "state"), run)


def test_a_value_is_read_as_it_was_written_under_the_name_of_the_run() -> None:
    files = artifacts()
    context = RunContext("digest", "Disallow: /x", base_is_current=True, has_base=True, recorded_facts="digest")
    assert files.put("context.json", context) == "runs/nightly-3-context.json"
    assert files.get("context.json", RunContext) == context


def test_a_later_value_replaces_one_that_may_change() -> None:
    files = artifacts()
    for owner in ("one", "two"):
        files.put("context.json", RunContext(owner))
    assert files.get("context.json", RunContext) == RunContext("two")


def test_the_first_result_counts_and_a_second_one_is_ignored() -> None:
    files = artifacts()
    for key in ("first", "second"):
        files.put_once("scanned-0000000", ScanResult(key, None, ()))
    assert files.get("scanned-0000000", ScanResult).start_after == "first"


def test_a_missing_file_is_found_to_be_none_and_an_error_where_it_is_needed() -> None:
    assert artifacts().find("merged.json", MergeResult) is None
    with pytest.raises(LedgerError, match=r"runs/nightly-3-merged\.json is missing; start the rebuild again"):
        artifacts().get("merged.json", MergeResult)


@pytest.mark.parametrize("content", [b"", b"?", b"{}", b'{"segments": 1}'])
def test_a_damaged_file_is_an_error_that_names_it(content: bytes) -> None:
    store = MemoryStore(RequestGate(), "state")
    store.write("runs/nightly-3-merged.json", content)
    with pytest.raises(LedgerError, match=r"runs/nightly-3-merged\.json is damaged .*; start the rebuild again"):
        artifacts(store).find("merged.json", MergeResult)


def test_names_are_those_of_this_run_in_their_order() -> None:
    store = MemoryStore(RequestGate(), "state")
    files = artifacts(store)
    for name in ("built-0000001", "built-0000000", "scanned-0000000"):
        files.put(name, None)
    artifacts(store, Run("nightly", 30)).put("built-0000002", None)
    artifacts(store, Run("nightly-3", 3)).put("built-0000003", None)
    assert files.names("built-") == ["built-0000000", "built-0000001"]


def test_all_values_are_read_in_the_order_of_their_names() -> None:
    files = artifacts()
    for number in (10, 2, 0):
        files.put(f"built-{number:07}", BuildResult(((ShardEntry("", None, str(number), 1, "r"),),)))
    found = files.read_all("built-", BuildResult)
    assert [each.entries[0][0].first_key for each in found] == ["0", "2", "10"]


def test_tasks_of_all_rounds_are_counted_and_their_payloads_are_in_one_file_a_round() -> None:
    files = artifacts()
    assert files.task_count("scan") == 0
    assert files.write_tasks("scan", 0, [{"n": 0}, {"n": 1}]) == "runs/nightly-3-scan-0000000-2.json"
    files.write_tasks("scan", 2, [{"n": 2}])
    files.write_tasks("publish", 0, [{"n": 0}])
    assert files.task_count("scan") == 3
    assert files.get("scan-0000000-2.json", list[dict[str, int]]) == [{"n": 0}, {"n": 1}]


@pytest.mark.parametrize("step", RESULT_NAMES)
def test_a_step_is_done_once_each_task_of_its_last_round_has_a_result(step: str) -> None:
    files, results = artifacts(), RESULT_NAMES[step]
    assert files.is_done(step)
    files.write_tasks(step, 0, [None, None])
    files.put_once(f"{results}-0000000", None)
    assert not files.is_done(step)
    files.write_tasks(step, 2, [None])
    assert not files.is_done(step)
    files.put_once(f"{results}-0000002", None)
    assert files.is_done(step)


def test_a_segment_counts_the_objects_of_its_fragments_and_a_merge_has_all_duplicates() -> None:
    one = ShardEntry("", None, "", 3, "r", (), {"noindex": 2})
    segments = (
        Segment("", (one, one), duplicates={"a": "b"}),
        Segment("blog", (one,), duplicates={"c": "d"}),
        Segment("papers", ()),
    )
    assert [segment.object_count for segment in segments] == [10, 5, 0]
    assert MergeResult(segments).duplicates == {"a": "b", "c": "d"}


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
NUMBERS = st.integers(0, 2**40)
ENTRIES = st.lists(
    st.builds(
        ShardEntry,
        TEXT,
        st.none() | TEXT,
        TEXT,
        NUMBERS,
        TEXT,
        st.lists(st.builds(PublishedFile, TEXT, TEXT, st.none() | TEXT), max_size=1).map(tuple),
        st.dictionaries(TEXT, NUMBERS, max_size=1),
        TEXT,
    ),
    max_size=2,
).map(tuple)
CHANGES = st.builds(count_changes, st.builds(Changes, st.lists(TEXT, max_size=2).map(tuple))) | st.just(ChangeCounts())
WARNINGS = st.builds(SiteWarning, TEXT, TEXT, NUMBERS, st.lists(st.builds(Example, TEXT, TEXT), max_size=1).map(tuple))
RESULTS = st.builds(
    RunResult,
    *(NUMBERS, NUMBERS, NUMBERS),
    written=st.lists(TEXT, max_size=2).map(tuple),
    failed=st.dictionaries(TEXT, TEXT, max_size=1),
    ignored=st.dictionaries(TEXT, NUMBERS, max_size=1),
    warnings=st.lists(WARNINGS, max_size=1).map(tuple),
    resume_after=st.none() | TEXT,
    changes=CHANGES,
)
SEGMENTS = st.builds(
    Segment, TEXT, ENTRIES, TEXT, st.none() | TEXT, st.booleans(), st.booleans(), st.dictionaries(TEXT, TEXT)
)
VALUES = st.one_of(
    st.builds(RunContext, TEXT, TEXT, st.booleans(), st.booleans(), TEXT),
    st.builds(ScanTask, NUMBERS, TEXT, st.none() | TEXT, ENTRIES, st.none() | NUMBERS),
    st.builds(
        ScanResult,
        TEXT,
        st.none() | TEXT,
        ENTRIES,
        st.lists(st.builds(OpenKey, TEXT, st.booleans(), TEXT), max_size=2).map(tuple),
        RESULTS,
        st.lists(TEXT, max_size=2).map(tuple),
    ),
    st.builds(MergeResult, st.lists(SEGMENTS, max_size=2).map(tuple), RESULTS),
    st.builds(BuildResult, st.lists(ENTRIES, max_size=2).map(tuple), RESULTS),
)


@given(VALUES)
def test_every_value_of_a_run_is_stored_and_read_without_loss(value: msgspec.Struct) -> None:
    files = artifacts()
    files.put("value", value)
    assert files.get("value", type(value)) == value
