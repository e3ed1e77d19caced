from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from waypost.sync.result import RunResult, total

RESULTS = st.lists(
    st.builds(
        RunResult,
        objects_listed=st.integers(0, 9),
        written=st.lists(st.sampled_from("abc"), unique=True).map(tuple),
        failed=st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy")),
        ignored=st.dictionaries(st.sampled_from("abc"), st.integers(1, 9)),
    )
)


@given(RESULTS)
def test_a_total_equals_the_results_added_one_by_one(results: list[RunResult]) -> None:
    assert total(results) == sum(results, RunResult())
