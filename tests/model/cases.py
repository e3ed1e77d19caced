"""Which scenarios are explored with which faults, and which rule is left out of which scenario."""

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
)
from model.pass_scenarios import daily, records, renamed_over_days, run, run_alone
from model.settings_scenarios import (
    one_roll_out,
    other_pages,
    rolled_back_twice,
    rules,
    same_files,
    settings,
    tampering_in_build,
)
from model.state import NO_NAMES, Scenario


class Case(NamedTuple):
    """A scenario with faults: how many crashes, replacements or writes without an answer, late requests, and pauses."""

    make: Callable[[], Scenario]
    crashes: int = 0
    unanswered: int = 0
    late: int = 0
    pauses: int = 0
    sleeps: int = 0

    def scenario(self, without: str = "") -> Scenario:
        """The scenario, perhaps without a rule."""
        left_out = frozenset({without}) if without else NO_NAMES
        return self.make()._replace(
            crashes=self.crashes,
            unanswered=self.unanswered,
            late=self.late,
            pauses=self.pauses,
            sleeps=self.sleeps,
            without=left_out,
        )

    @property
    def name(self) -> str:
        """The scenario's function and the faults, in short."""
        faults = zip(("crash", "unanswered", "late", "pause", "sleep"), self[1:], strict=True)
        return " ".join([self.make.__name__, *(f"{kind}={count}" for kind, count in faults if count)])


_SMALL = (overlapping, renamed, duplicates, several_indexes, changed_back)
_MIDDLE = (single_to_index, single_to_several, emptied, html, tampering, run, run_alone, same_files)
_LARGE = (one_roll_out, other_pages, tampering_in_build, rules, settings, daily, renamed_over_days)

CASES: tuple[Case, ...] = (
    *(Case(make) for make in (*_SMALL, *_MIDDLE, *_LARGE, rolled_back_twice)),
    *(Case(make, crashes=1) for make in (*_SMALL, *_MIDDLE, *_LARGE)),
    *(Case(make, unanswered=1) for make in (*_SMALL, *_MIDDLE, *_LARGE)),
    *(Case(make, late=1) for make in (*_SMALL, *_MIDDLE, *_LARGE)),
    *(Case(make, crashes=1, late=1) for make in (*_SMALL, *_MIDDLE)),
    *(Case(make, pauses=1, late=1) for make in (*_SMALL, *_MIDDLE)),
    *(Case(make, crashes=2, unanswered=1, late=1, pauses=1) for make in _SMALL),
    Case(records, late=1, pauses=1),
)

LEFT_OUT: tuple[tuple[str, Case], ...] = (
    ("owner ids", Case(overlapping, crashes=1, late=1)),
    ("clock", Case(overlapping, pauses=1)),
    ("margin", Case(overlapping, late=1)),
    ("If-Match", Case(tampering, late=1)),
    ("wait out", Case(overlapping, late=1)),
    ("redelivery", Case(overlapping, crashes=1, late=1)),
    ("own names only", Case(single_to_index)),
    ("remove names", Case(single_to_index)),
    ("continue", Case(single_to_index)),
    ("put back", Case(overlapping, pauses=1, late=1)),
    ("replace when unsure", Case(changed_back, late=1)),
    ("replace before writing", Case(overlapping, late=1)),
    ("take when pending", Case(overlapping, crashes=1)),
    ("wait", Case(overlapping, crashes=1)),
    ("look again", Case(changed_back)),
    ("third wave", Case(overlapping)),
    ("union", Case(overlapping, crashes=1)),
    ("look at doubtful", Case(overlapping, crashes=1)),
    ("moved duplicates", Case(duplicates)),
    ("former sitemap last", Case(single_to_several)),
    ("outdated by build", Case(same_files, crashes=1)),
    ("a day", Case(daily, pauses=1)),
    ("delete in role", Case(daily, pauses=1)),
    ("indexes first", Case(settings)),
    ("unnamed only", Case(daily)),
    ("config_since", Case(other_pages)),
    ("config_since of reading", Case(other_pages)),
    ("config_since grows", Case(rolled_back_twice)),
    ("rebuild confirms", Case(other_pages)),
    ("rules before", Case(rules)),
    ("rules after", Case(rules)),
    ("robots.txt If-Match", Case(rules, late=1)),
    ("messages wait for builds", Case(rules, crashes=1)),
    ("updates replace in builds", Case(tampering_in_build)),
    ("pending through a build", Case(other_pages, crashes=1)),
    ("look at files", Case(one_roll_out)),
    ("own keys", Case(one_roll_out, crashes=1)),
    ("rebuild again", Case(one_roll_out, crashes=1)),
    ("publish message", Case(run, crashes=1)),
    ("publish waits", Case(run, crashes=1)),
    ("deferred keys", Case(run_alone, crashes=1)),
    ("updates replace in runs", Case(run_alone, crashes=1)),
    ("run waits of workers", Case(run, late=1)),
    ("run's waves", Case(run_alone)),
    ("blocked", Case(html)),
    ("new records", Case(records, late=1, pauses=1)),
    ("records a day", Case(records)),
    ("fresh records list", Case(records)),
)
