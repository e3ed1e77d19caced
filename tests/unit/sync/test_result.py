from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from waypost.sync.result import RunResult, total

OUTCOMES = st.lists(
    st.builds(
        RunResult,
        objects_listed=st.integers(0, 9),
        written=st.lists(st.sampled_from("abc"), unique=True).map(tuple),
        failed=st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy")),
        ignored=st.dictionaries(st.sampled_from("abc"), st.integers(1, 9)),
    )
)


@given(OUTCOMES)
def test_many_outcomes_are_what_adding_one_by_one_makes_of_them(outcomes: list[RunResult]) -> None:
    assert total(outcomes) == sum(outcomes, RunResult())
