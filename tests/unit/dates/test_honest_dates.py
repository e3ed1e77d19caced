"""Which dates of another tool's sitemap are right, wrong, or not known to be either."""

import pytest

from waypost.core.dates import format_unix_time, unix_time
from waypost.dates.honest_dates import DateDecision, Listed, Why, decide, false_times

NOW = int(unix_time("2026-03-01T12:00:00Z"))
CHANGED = "2026-02-03T04:05:06Z"


def decided(*listed: Listed) -> list[DateDecision]:
    return decide(listed, false_times([listed]), NOW)


@pytest.mark.parametrize("written", [CHANGED, "2026-02-03", "2026-02-03T04:05Z", "2026-02-03T00:00:00.000+01:00"])
def test_a_date_that_has_the_time_of_the_change_in_it_stays_as_it_is_written(written: str) -> None:
    assert decided(Listed("u", written, True, CHANGED)) == [DateDecision(written)]


@pytest.mark.parametrize(
    "written", ["", "2026-02-04", "2026-02-03T04:05:07Z", "2026-02-03T00:00:01Z", "2026", "yesterday"]
)
def test_a_page_that_was_found_has_the_date_of_its_change(written: str) -> None:
    assert decided(Listed("u", written, True, CHANGED)) == [DateDecision(CHANGED, Why.CHANGED_THEN)]


def test_the_time_of_a_change_of_which_only_the_day_is_known_may_be_written() -> None:
    assert decided(Listed("u", CHANGED, True, "2026-02-03")) == [DateDecision(CHANGED)]


@pytest.mark.parametrize("written", ["", "2026-02-04", "yesterday", "2026-03-02"])
@pytest.mark.parametrize("is_found", [True, False])
def test_what_nothing_is_known_of_keeps_what_it_has(written: str, is_found: bool) -> None:
    assert decided(Listed("u", written, is_found)) == [DateDecision(written)]


@pytest.mark.parametrize("written", ["2026-03-03", "2026-03-01T12:10:00Z", "2031"])
@pytest.mark.parametrize("is_found", [True, False])
def test_a_date_in_the_future_goes(written: str, is_found: bool) -> None:
    assert decided(Listed("u", written, is_found)) == [DateDecision("", Why.FUTURE)]


BUILT = "2026-02-20T10:00:00Z"
GONE = DateDecision("", Why.SAME_FOR_ALL)


def page(number: int, written: str = BUILT, changed: str = CHANGED) -> Listed:
    """A page that was found, and of which the change is known."""
    return Listed(f"p{number}", written, True, changed)


def unknown(count: int, written: str = BUILT) -> list[Listed]:
    """Pages that were not found, and those that were, but have no known change."""
    return [Listed(f"u{number}", written, is_found=number % 2 == 0) for number in range(count)]


def is_removed(*listed: Listed) -> bool:
    """Whether the last one loses its date."""
    return decided(*listed)[-1] == GONE


@pytest.mark.parametrize("count", [1, 2, 20, 10_000])
def test_a_time_that_nearly_all_urls_share_goes_if_pages_contradict_it(count: int) -> None:
    """One of forty may have another, so that 99 percent would be too many to ask for."""
    others = [Listed(f"o{n}", "2026-01-01") for n in range(count // 40)]
    found = decided(page(1), page(2), *unknown(count), *others)
    assert found[2:] == [GONE] * count + [DateDecision("2026-01-01")] * len(others)


@pytest.mark.parametrize(("others", "removed"), [(1, True), (2, False)])
def test_a_time_of_fewer_urls_stays(others: int, removed: bool) -> None:
    """Nine of ten, or nine of eleven."""
    different = [Listed(f"o{n}", f"2025-0{n + 1}-01") for n in range(others)]
    assert is_removed(*different, page(1), page(2), *unknown(7)) is removed


def test_urls_without_a_date_do_not_count() -> None:
    assert is_removed(*(Listed(f"o{n}", "") for n in range(20)), page(1), page(2), *unknown(1))


@pytest.mark.parametrize(
    ("contradicting", "confirming", "removed"), [(1, 0, False), (2, 0, True), (2, 1, True), (2, 2, False), (3, 2, True)]
)
def test_two_pages_contradict_a_time_and_more_than_confirm_it(
    contradicting: int, confirming: int, removed: bool
) -> None:
    against = [page(n) for n in range(contradicting)]
    for_it = [page(n + 10, changed=BUILT) for n in range(confirming)]
    assert is_removed(*against, *for_it, *unknown(1)) is removed


def test_a_page_that_is_listed_twice_contradicts_once() -> None:
    assert not is_removed(page(1), page(1), *unknown(1))


@pytest.mark.parametrize(
    ("seconds", "removed"),
    [(1, True), (600, True), (3_700, True), (21_600, True), (21_700, False), (90_000, False)],
)
def test_the_times_of_a_build_are_one_time(seconds: int, removed: bool) -> None:
    """They may be hours apart, before and after midnight, and in any time zone; a day is more than a build."""
    end = int(unix_time("2026-02-20T00:00:01Z"))
    last = format_unix_time(end)
    first = format_unix_time(end - seconds)
    assert is_removed(page(1, first), page(2, last), *unknown(1, last)) is removed
    assert is_removed(page(1, first), page(2, first), *unknown(1, last.replace("Z", "+00:00"))) is removed


def test_all_times_of_a_build_go_also_the_first_and_the_last() -> None:
    start = int(unix_time(BUILT))
    spread = [Listed(f"u{n}", format_unix_time(start + 10 * n)) for n in range(100)]
    assert decided(page(1), page(2), *spread)[2:] == [GONE] * 100


def test_a_day_is_one_time_and_the_day_before_another() -> None:
    day = [page(1, "2026-02-20"), page(2, "2026-02-20T00:00:00+00:00"), *unknown(18, "2026-02-20")]
    assert is_removed(*day)
    assert not is_removed(*day, Listed("o", "2026-02-19"))
    assert is_removed(*day, Listed("o", "2026-02-20T23:00:00Z"))


@pytest.mark.parametrize(
    ("changed", "confirms", "contradicts"),
    [
        ("2026-02-20T22:00:00Z", True, False),
        ("2026-02-21T09:00:00Z", False, False),
        ("2026-02-19T11:00:00Z", False, False),
        ("2026-02-21T15:00:00Z", False, True),
        ("2026-02-19T09:00:00Z", False, True),
    ],
)
def test_a_day_is_contradicted_only_by_another_day_in_every_time_zone(
    changed: str, confirms: bool, contradicts: bool
) -> None:
    day = "2026-02-20"
    against = [page(n, day) for n in (1, 2)]
    assert is_removed(*against, page(3, day, changed), page(4, day, changed), *unknown(1, day)) is not confirms
    assert is_removed(page(3, day, changed), page(4, day, changed), *unknown(1, day)) is contradicts


def test_another_time_zone_is_no_contradiction() -> None:
    pages = [page(n, "2026-02-20T23:30:00-05:00", "2026-02-21T04:30:00Z") for n in range(20)]
    assert all(each.why is None for each in decided(*pages, *unknown(1, "2026-02-21T04:30:00Z")))


def test_a_time_that_is_false_in_one_sitemap_is_false_in_all() -> None:
    others = [Listed(f"o{n}", f"2025-01-{n + 10}") for n in range(20)]
    sitemaps = [[page(1), *unknown(1)], [page(2), *others], [*others, *unknown(1)]]
    false = false_times(sitemaps)
    assert [decide(each, false, NOW)[-1] for each in sitemaps] == [GONE, DateDecision("2025-01-29"), GONE]


@pytest.mark.parametrize("written", ["2026", "2026-02", "yesterday", ""])
def test_what_is_no_day_is_no_shared_time(written: str) -> None:
    assert all(each.why is not Why.SAME_FOR_ALL for each in decided(page(1), page(2), *unknown(9, written)))
    assert false_times([[]]) == []
