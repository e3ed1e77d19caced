"""Which scenarios are explored with which faults."""

from collections.abc import Callable
from typing import NamedTuple

from model.page_scenarios import (
    changed_back,
    duplicates,
    emptied,
    html,
    overlapping,
    renamed,
    several_indexes,
    single_to_index,
    single_to_several,
    tampering,
    unseen_tampering,
    with_records,
)
from model.pass_scenarios import (
    daily,
    records,
    records_of_two,
    renamed_over_days,
    renamed_site,
    run,
    run_alone,
    run_of_one_page,
    three_at_once,
    three_of_one_index,
)
from model.settings_scenarios import (
    edited_rules,
    one_roll_out,
    other_pages,
    rolled_back_for_two_indexes,
    rolled_back_for_two_updates,
    rolled_back_twice,
    rules,
    same_files,
    settings,
    tampering_in_build,
)
from model.state import Scenario


class Case(NamedTuple):
    """A scenario with faults: how many crashes, replacements or writes without an answer, late requests, and pauses.

    `sleeps` is how often a process is stopped after it has looked at its clock, until its lease has ended.
    """

    make: Callable[[], Scenario]
    crashes: int = 0
    unanswered: int = 0
    late: int = 0
    pauses: int = 0
    sleeps: int = 0

    def scenario(self, *without: str) -> Scenario:
        """The scenario, perhaps without some rules."""
        return self.make()._replace(
            crashes=self.crashes,
            unanswered=self.unanswered,
            late=self.late,
            pauses=self.pauses,
            sleeps=self.sleeps,
            without=frozenset(without),
        )

    @property
    def faults(self) -> str:
        """How many of each fault, in short."""
        faults = zip(("crash", "unanswered", "late", "pause", "sleep"), self[1:], strict=True)
        return " ".join(f"{kind}={count}" for kind, count in faults if count)

    @property
    def name(self) -> str:
        """The scenario's function and the faults."""
        return f"{self.make.__name__} {self.faults}".rstrip()


_SMALL = (overlapping, renamed, duplicates, several_indexes, changed_back, with_records)
_MIDDLE = (
    single_to_index,
    single_to_several,
    emptied,
    html,
    tampering,
    unseen_tampering,
    run,
    run_alone,
    run_of_one_page,
    same_files,
)
_LARGE = (
    one_roll_out,
    other_pages,
    tampering_in_build,
    rules,
    edited_rules,
    settings,
    rolled_back_for_two_indexes,
    rolled_back_for_two_updates,
    daily,
    renamed_over_days,
    renamed_site,
    records,
)
_ALL = (*_SMALL, *_MIDDLE, *_LARGE)

CASES: tuple[Case, ...] = (
    *(Case(make) for make in (*_ALL, rolled_back_twice, records_of_two, three_at_once, three_of_one_index)),
    *(Case(make, crashes=1) for make in _ALL),
    *(Case(make, unanswered=1) for make in _ALL),
    *(Case(make, late=1) for make in _ALL),
    *(Case(make, pauses=1) for make in _ALL),
    *(Case(make, sleeps=1) for make in (*_SMALL, *_MIDDLE)),
    *(Case(make, crashes=1, late=1) for make in (*_SMALL, *_MIDDLE)),
    *(Case(make, pauses=1, late=1) for make in (*_SMALL, *_MIDDLE)),
    *(Case(make, crashes=2, late=1) for make in _SMALL),
    *(Case(make, crashes=1, unanswered=1, late=1, pauses=1) for make in _SMALL),
    Case(three_of_one_index, crashes=1),
    Case(three_of_one_index, unanswered=1),
    Case(three_of_one_index, late=1),
)
