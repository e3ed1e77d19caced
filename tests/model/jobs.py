"""The explorations of `make model`, and what is expected of each."""

from typing import NamedTuple

from model.cases import CASES, Case
from model.explore import Report
from model.left_out import NEEDED, NOT_NEEDED, Rules


class Job(NamedTuple):
    """An exploration: a case without some rules, and whether it must find a violation."""

    case: Case
    rules: Rules = ()
    must_fail: bool = False

    @property
    def title(self) -> str:
        """The rules that are left out, the scenario and the faults."""
        return f"{' + '.join(self.rules)}: {self.case.name}" if self.rules else self.case.name


class Result(NamedTuple):
    """What an exploration has found."""

    job: Job
    report: Report

    @property
    def is_expected(self) -> bool:
        """Whether there is a violation where one must be, and else all states were explored without any."""
        return bool(self.report.violation) if self.job.must_fail else self.outcome == "complete"

    @property
    def outcome(self) -> str:
        """The violation, or how far the exploration went."""
        return self.report.violation or ("complete" if self.report.is_complete else "cut")


JOBS = (
    *(Job(case) for case in CASES),
    *(Job(case, rules, must_fail=True) for rules, case in NEEDED),
    *(Job(case, rules) for rules, case, _ in NOT_NEEDED),
)
