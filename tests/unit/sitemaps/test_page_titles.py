import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.sitemaps.page_titles import distinct_parts


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["A - My site", "B - My site", "C - My site", "My site"], ["A", "B", "C", "My site"]),
        (["A | Guide | Site", "B | Guide | Site", "C | Guide | Site"], ["A", "B", "C"]),
        (["Acme: A", "Acme: B", "Acme: C", "Other"], ["A", "B", "C", "Other"]),
        (["A — b — Acme", "C — Acme", "D — Acme"], ["A — b", "C", "D"]),
        (["A - Acme", "B - Acme", "C", "D", "E"], ["A - Acme", "B - Acme", "C", "D", "E"]),
        (["A - Acme", "B - Acme"], ["A - Acme", "B - Acme"]),
        (["well-known", "well-done", "well-read"], ["well-known", "well-done", "well-read"]),
        (["A - S", "B - S", "C - S", "", ""], ["A", "B", "C", "", ""]),
        ([], []),
    ],
)
def test_what_most_titles_repeat_is_removed(titles: list[str], expected: list[str]) -> None:
    assert distinct_parts(titles) == expected


TITLES = st.lists(st.text(st.sampled_from("ab -|:"), max_size=9) | st.just("") | st.just("x - y"))


@given(TITLES)
def test_no_title_becomes_empty_or_gets_anything_new(titles: list[str]) -> None:
    for before, after in zip(titles, distinct_parts(titles), strict=True):
        assert after in before
        assert bool(after) == bool(before)


@given(TITLES)
def test_the_order_of_titles_decides_nothing(titles: list[str]) -> None:
    assert sorted(distinct_parts(titles)) == sorted(distinct_parts(titles[::-1]))
