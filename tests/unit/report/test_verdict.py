from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from waypost.report.verdict import AffectedPage, Problem, make_verdict
from waypost.validate.rules import Severity


def problem(code: str, severity: Severity = Severity.WARNING, pages: int = 1, **values: object) -> Problem:
    affected = tuple(AffectedPage(f"{n}.html") for n in range(pages))
    return Problem(code, severity, "title", "advice", affected, **values)  # type: ignore[arg-type]


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


def test_what_different_parts_found_stays_apart() -> None:
    verdict = make_verdict([problem("a"), problem("a", found_by="waypost audit")])
    assert len(verdict.problems) == 2


@given(st.lists(st.builds(problem, st.sampled_from("abc"), st.sampled_from(Severity), st.integers(0, 5))))
def test_the_order_in_which_problems_are_found_decides_nothing(found: list[Problem]) -> None:
    def shown(problems: list[Problem]) -> list[tuple[str, Severity, int]]:
        return [(each.code, each.severity, len(each.pages)) for each in make_verdict(problems).problems]

    assert shown(found) == shown(found[::-1])
