"""Links to other sites, from their answers to the findings of an audit."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_stores import VirtualClock
from unit.live.fake_site import SITE, FakeSite, reply

from waypost.cli.external_links import ExternalLinks, ExternalOptions
from waypost.core.errors import StoreError

GONE, BROKEN = f"{SITE}/gone", f"{SITE}/broken"
DAY = 86_400


def codes(site: FakeSite, clock: VirtualClock, options: ExternalOptions) -> dict[str, str]:
    answers = ExternalLinks(options, lambda stage, done, total: None, site, clock)([GONE, BROKEN])
    assert answers.counts.has_memory == (options.memory is not None)
    return {url: code for url, (code, _) in answers.problems.items()}


def test_only_what_a_file_remembers_as_missing_on_two_days_is_gone(tmp_path: Path) -> None:
    clock, site = VirtualClock(), FakeSite({GONE: reply(404), BROKEN: reply(500)})
    for memory, second in ((tmp_path / "answers", "external-gone"), (None, "external-missing")):
        options = ExternalOptions(memory, max_age=0)
        first = {GONE: "external-missing", BROKEN: "external-unreachable"}
        assert codes(site, clock, options) == first
        clock.sleep(2 * DAY)
        assert codes(site, clock, options) == {**first, GONE: second}


def test_after_the_time_limit_nothing_is_asked() -> None:
    answers = ExternalLinks(ExternalOptions(max_minutes=0), print, FakeSite(), VirtualClock())([GONE])
    assert (answers.counts.asked, sum(answers.counts.unasked.values())) == (0, 1)


def test_a_file_that_cannot_remember_answers_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("text" * 999)
    with pytest.raises(StoreError, match="cannot be used for answers"):
        codes(FakeSite(), VirtualClock(), ExternalOptions(tmp_path / "other"))
