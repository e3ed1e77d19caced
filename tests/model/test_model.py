"""The protocol's invariants hold in every schedule of small scenarios, and not without its rules."""

import pytest

from model.cases import LEFT_OUT, Case
from model.explore import explore
from model.page_scenarios import changed_back, duplicates, emptied, overlapping, several_indexes, single_to_index
from model.pass_scenarios import run

pytestmark = pytest.mark.slow

_SMALL = [Case(make) for make in (overlapping, duplicates, several_indexes, changed_back)]
_MIDDLE = [Case(make) for make in (single_to_index, emptied, run)]
_WITH_FAULTS = [Case(overlapping, crashes=1), Case(duplicates, crashes=1), Case(overlapping, unanswered=1)]
_QUICK_RULES = ("look again", "moved duplicates", "former sitemap last", "remove names", "outdated by build")


@pytest.mark.parametrize("case", [*_SMALL, *_MIDDLE, *_WITH_FAULTS], ids=lambda case: case.name)
def test_every_schedule_of_a_scenario_keeps_the_invariants(case: Case) -> None:
    report = explore(case.scenario())

    assert report.is_complete
    assert report.violation == "", "\n".join(report.trace)


@pytest.mark.parametrize("rule", _QUICK_RULES)
def test_without_a_rule_some_schedule_breaks_an_invariant(rule: str) -> None:
    case = dict(LEFT_OUT)[rule]

    assert explore(case.scenario(rule)).violation
