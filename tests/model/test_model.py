"""The protocol's invariants hold in every schedule of small scenarios, and not without its rules."""

import pytest

from model.cases import Case
from model.explore import explore
from model.left_out import NEEDED, Rules
from model.page_scenarios import changed_back, duplicates, emptied, overlapping, several_indexes, single_to_index
from model.pass_scenarios import daily, records, renamed_site, run
from model.settings_scenarios import edited_rules, other_pages

pytestmark = pytest.mark.slow

_WITHOUT_FAULTS = [
    Case(make)
    for make in (
        single_to_index,
        emptied,
        run,
        daily,
        renamed_site,
        records,
        edited_rules,
        other_pages,
        several_indexes,
    )
]
_WITH_FAULTS = [
    *(Case(make, crashes=1) for make in (overlapping, duplicates, single_to_index)),
    Case(changed_back, crashes=1, late=1),
    Case(overlapping, unanswered=1),
    Case(overlapping, pauses=1, late=1),
    Case(changed_back, sleeps=1),
]
_SHORT_RULES = {
    *("clock", "margin", "If-Match", "wait out", "redelivery", "own names only", "put back", "replace when unsure"),
    *("take when pending", "wait", "look again", "third wave", "union", "look at doubtful", "moved duplicates"),
    *("former sitemap last", "outdated by build", "a day", "indexes first", "unnamed only", "look at files"),
    *("robots.txt If-Match", "updates replace in builds", "run's waves", "blocked", "records a day", "new records"),
}
_SHORT = [(rules, case) for rules, case in NEEDED if _SHORT_RULES.issuperset(rules)]


@pytest.mark.parametrize("case", [*_WITHOUT_FAULTS, *_WITH_FAULTS], ids=lambda case: case.name)
def test_every_schedule_of_a_scenario_keeps_the_invariants(case: Case) -> None:
    report = explore(case.scenario())

    assert report.is_complete
    assert report.violation == "", "\n".join(report.trace)


@pytest.mark.parametrize(("rules", "case"), _SHORT, ids=lambda value: "" if isinstance(value, Case) else value[0])
def test_without_a_rule_some_schedule_breaks_an_invariant(rules: Rules, case: Case) -> None:
    assert explore(case.scenario(*rules)).violation
