import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from waypost.core.finding_types import Severity
from waypost.report.verdict import AffectedPage, ProblemRow, ReportProblem, make_verdict


def problem(code: str, severity: Severity = Severity.WARNING, pages: int = 1, **values: object) -> ReportProblem:
    affected = tuple(AffectedPage(f"{n}.html") for n in range(pages))
    return ReportProblem(code, severity, "title", "advice", affected, **values)  # type: ignore[arg-type]


def test_a_site_without_problems_is_healthy() -> None:
    verdict = make_verdict([])
    assert (verdict.is_healthy, verdict.problems, verdict.errors) == (True, [], 0)


def test_notes_need_no_action() -> None:
    verdict = make_verdict([problem("a", Severity.NOTE)])
    assert verdict.is_healthy
    assert [each.code for each in verdict.notes] == ["a"]


def test_what_is_worse_comes_first_and_then_what_more_pages_have() -> None:
    found = [
        problem("few", pages=2),
        problem("note", Severity.NOTE, pages=99),
        problem("many", pages=40),
        problem("error", Severity.ERROR),
        problem("counted", count=50),
        problem("also-few", pages=2),
    ]
    verdict = make_verdict(found)
    assert [each.code for each in verdict.problems] == ["error", "counted", "many", "also-few", "few", "note"]
    assert (verdict.errors, len(verdict.to_fix), len(verdict.notes)) == (1, 5, 1)


def test_one_thing_that_was_found_twice_is_one_problem_with_each_page_once() -> None:
    (merged,) = make_verdict([problem("a", pages=3), problem("a", Severity.ERROR, pages=2)]).problems
    assert (merged.severity, [page.name for page in merged.pages]) == (Severity.ERROR, ["0.html", "1.html", "2.html"])


def test_a_page_that_has_a_problem_twice_is_one_page_and_two_places_are_two() -> None:
    places = tuple(AffectedPage(name, detail) for name, detail in (("a", "1"), ("a", "2"), ("b", "1")))
    assert replace(problem("x"), pages=places).page_count == 2
    assert replace(problem("x"), pages=places, noun="place").page_count == 3
    assert replace(problem("x"), pages=places, count=9).page_count == 9
    (merged,) = make_verdict([replace(problem("x"), pages=places), replace(problem("x"), pages=places[:1])]).problems
    assert merged.page_count == 2


@pytest.mark.parametrize("others", ["a", "hreflang-self"])
def test_a_fault_that_different_parts_found_counts_once_with_the_most_pages(others: str) -> None:
    known = "alternates-without-self" if others == "hreflang-self" else "a"
    found = [problem(known), problem(others, pages=3, found_by="waypost validate")]
    for some in (found, found[::-1]):
        (kept,) = make_verdict(some).problems
        assert (kept.found_by, kept.page_count) == ("waypost validate", 3)


def test_what_is_found_in_the_sitemaps_of_another_tool_stays_apart() -> None:
    assert len(make_verdict([problem("a"), problem("a", found_in="other sitemaps")]).problems) == 2


def test_what_several_pages_share_is_one_row_and_what_most_share_is_the_first() -> None:
    details = {"a": "x", "b": "y", "c": "y", "d": "z", "e": "z", "f": "z", "g": "", "h": ""}
    found = replace(problem("p"), pages=tuple(AffectedPage(name, detail) for name, detail in details.items()))
    assert found.rows == [
        ProblemRow("z", pages=["d", "e", "f"]),
        ProblemRow("y", pages=["b", "c"]),
        ProblemRow("a", "x"),
        ProblemRow("g"),
        ProblemRow("h"),
    ]
    assert (found.case_count, found.page_count) == (5, 8)
    assert problem("p", pages=4).case_count == 0


@given(st.lists(st.builds(problem, st.sampled_from("abc"), st.sampled_from(Severity), st.integers(0, 5))))
def test_the_order_in_which_problems_are_found_decides_nothing(found: list[ReportProblem]) -> None:
    def shown(problems: list[ReportProblem]) -> list[tuple[str, Severity, int]]:
        return [(each.code, each.severity, len(each.pages)) for each in make_verdict(problems).problems]

    assert shown(found) == shown(found[::-1])
