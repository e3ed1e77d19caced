"""The protocol's invariants hold in every schedule of small scenarios, and not without its rules."""

import pytest

from model.cases import LEFT_OUT, Case
from model.explore import explore
from model.page_scenarios import changed_back, duplicates, overlapping, several_indexes

_SMALL = [Case(make) for make in (overlapping, duplicates, several_indexes, changed_back)]
_QUICK_RULES = ("look again", "moved duplicates", "former sitemap last", "remove names", "outdated by build")


@pytest.mark.parametrize("case", _SMALL, ids=lambda case: case.name)
def test_every_schedule_of_a_small_scenario_keeps_the_invariants(case: Case) -> None:
    report = explore(case.scenario())

    assert report.is_complete
    assert report.violation == "", "\n".join(report.trace)


@pytest.mark.parametrize("rule", _QUICK_RULES)
def test_without_a_rule_some_schedule_breaks_an_invariant(rule: str) -> None:
    case = dict(LEFT_OUT)[rule]

    assert explore(case.scenario(rule)).violation
