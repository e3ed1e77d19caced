"""The protocol's invariants hold in every schedule of small scenarios, and not without its rules."""

import pytest

from model.cases import Case
from model.explore import explore
from model.left_out import NEEDED, Rules
from model.page_scenarios import changed_back, duplicates, emptied, overlapping, several_indexes, single_to_index
from model.pass_scenarios import daily, records, renamed_over_days, renamed_site, run
from model.settings_scenarios import edited_rules, other_pages, settings

pytestmark = pytest.mark.slow

_PAGES = (single_to_index, several_indexes, emptied)
_PASSES = (run, daily, renamed_over_days, renamed_site, records)
_SETTINGS = (edited_rules, other_pages, settings)
_WITHOUT_FAULTS = [Case(make) for make in (*_PAGES, *_PASSES, *_SETTINGS)]
_WITH_FAULTS = [
    *(Case(make, crashes=1) for make in (overlapping, duplicates, single_to_index)),
    Case(changed_back, crashes=1, late=1),
    Case(overlapping, unanswered=1),
    Case(overlapping, pauses=1, late=1),
    Case(changed_back, sleeps=1),
]


@pytest.mark.parametrize("case", [*_WITHOUT_FAULTS, *_WITH_FAULTS], ids=lambda case: case.name)
def test_every_schedule_of_a_scenario_keeps_the_invariants(case: Case) -> None:
    report = explore(case.scenario())

    assert report.is_complete
    assert report.violation == "", "\n".join(report.trace)


@pytest.mark.parametrize(("rules", "case"), NEEDED, ids=lambda value: "" if isinstance(value, Case) else value[0])
def test_without_a_rule_some_schedule_breaks_an_invariant(rules: Rules, case: Case) -> None:
    assert explore(case.scenario(*rules)).violation
