"""The parts of `make operate` that need no other program, with a short visibility timeout of the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from operate import damage, state_damage, uploads
from operate.trial import SHORT, Trial, deployed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operate.cases import Case

CASES = {
    case.run: case
    for case in (*uploads.CASES, *damage.CASES, *state_damage.CASES)
    if case.run
    in (
        uploads.aws_sync,
        damage.foreign_sitemap,
        damage.events_switched_off,
        state_damage.state_deleted,
        state_damage.state_overwritten,
    )
}


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    with deployed(tmp_path_factory.mktemp("operate"), SHORT) as trial:
        uploads.first_build(trial)
        yield trial


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.run.__name__)
def test_the_sitemaps_become_right_and_the_operator_sees_why_they_were_not(trial: Trial, case: Case) -> None:
    trial.start()
    assert case.run(trial).seen
