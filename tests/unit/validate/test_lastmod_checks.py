from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from waypost.validate.lastmod_checks import LastmodChecks

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp()
GENERATED = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()


def checks(*generation_times: float) -> LastmodChecks:
    return LastmodChecks(NOW, lambda: generation_times)


def problems(texts: Sequence[str], *generation_times: float) -> list[str]:
    made = checks(*generation_times)
    made.add(texts, is_rss=False)
    return [code for code, _ in made.problems()]


def test_invalid_dates_are_returned_with_the_rule_that_each_breaks() -> None:
    texts = ["2026-03-01", "today", "2026-02-30", "2999-01-01"]
    assert checks().add(texts, is_rss=False) == {
        "today": "date-form",
        "2026-02-30": "date-impossible",
        "2999-01-01": "date-future",
    }


def test_the_newest_valid_date_is_kept_over_all_batches() -> None:
    made = checks()
    for texts in (["2026-02-01", "2999-01-01"], ["2026-02-28T12:00:00Z", "2026-01-01"]):
        made.add(texts, is_rss=False)
    assert made.newest == (datetime(2026, 2, 28, 12, tzinfo=UTC).timestamp(), "2026-02-28T12:00:00Z")


@pytest.mark.parametrize(("count", "codes"), [(4, []), (5, ["dates-all-equal"])])
def test_equal_dates_are_a_problem_if_there_are_several(count: int, codes: list[str]) -> None:
    assert problems(["2026-02-01"] * count) == codes


def test_two_different_dates_are_not_all_equal() -> None:
    assert problems(["2026-02-01"] * 99 + ["2026-02-02"]) == []


def test_dates_of_the_time_of_generation_are_a_problem_if_nearly_all_are() -> None:
    times = [f"2026-03-01T12:00:{second:02}Z" for second in range(10)]
    assert problems(times, GENERATED) == ["dates-of-generation"]
    assert problems([*times[:5], *(f"2026-02-0{day}" for day in range(1, 6))], GENERATED) == []
    assert problems(times) == []


def test_a_date_without_a_time_is_never_that_of_generation() -> None:
    midnight = datetime(2026, 3, 1, tzinfo=UTC).timestamp()
    assert problems(["2026-03-01"] * 10, midnight) == ["dates-all-equal"]


@pytest.mark.parametrize(
    "text", ["Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 13:00:00 +0100", "2026-03-01T12:00:00Z"]
)
def test_a_feed_may_have_dates_of_rss(text: str) -> None:
    made = checks()
    assert made.add([text], is_rss=True) == {}
    assert made.newest == (GENERATED, text)


def test_a_sitemap_may_not_have_dates_of_rss() -> None:
    assert checks().add(["Sun, 01 Mar 2026 12:00:00 GMT"], is_rss=False).popitem()[1] == "date-form"


@pytest.mark.parametrize("text", ["1970-01-01", "1970-01-01T00:00:00Z", "0001-01-01", "1990"])
def test_a_date_before_the_web_is_a_finding(text: str) -> None:
    made = checks()
    assert made.add([text, "1991-08-06"], is_rss=False) == {text: "date-before-web"}
    assert made.newest[1] == "1991-08-06"
