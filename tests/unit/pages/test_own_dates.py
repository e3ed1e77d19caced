"""Which of the dates that a page gives itself counts."""

import pytest

from waypost.pages.own_dates import MODIFICATION_KEYS, NO_DATES, OwnDate, OwnDates, first_date, folded

NOW = "2026-03-01T12:00:00Z"
MODIFIED, PUBLISHED = OwnDate("2026-02-03", "lastmod"), OwnDate("2026-01-02", "date")
FUTURE, FALSE = OwnDate("2026-03-02", "lastmod"), OwnDate("1970-01-01", "date")


@pytest.mark.parametrize(
    ("own", "known", "date"),
    [
        (OwnDates(MODIFIED, PUBLISHED), "2026-02-20", "2026-02-03"),
        (OwnDates(MODIFIED, PUBLISHED), None, "2026-02-03"),
        (OwnDates(None, PUBLISHED), "2026-02-20", "2026-02-20"),
        (OwnDates(None, PUBLISHED), None, "2026-01-02"),
        (NO_DATES, "2026-02-20", "2026-02-20"),
        (NO_DATES, None, None),
    ],
)
def test_a_change_comes_before_what_git_knows_and_the_publication_after(
    own: OwnDates, known: str | None, date: str | None
) -> None:
    assert own.date(known) == date


def test_a_date_at_which_no_page_can_have_changed_does_not_count() -> None:
    own = OwnDates(FUTURE, PUBLISHED)
    assert (own.possible(NOW), own.impossible(NOW)) == (OwnDates(None, PUBLISHED), [FUTURE])
    own = OwnDates(MODIFIED, FALSE)
    assert (own.possible(NOW), own.impossible(NOW)) == (OwnDates(MODIFIED), [FALSE])
    assert NO_DATES.possible(NOW) == NO_DATES


def test_a_date_has_the_name_by_which_the_page_gives_it() -> None:
    own = OwnDates(MODIFIED, PUBLISHED)
    assert [own.name_of(date) for date in ("2026-02-03", "2026-01-02", "2026-02-20", None)] == [
        "lastmod",
        "date",
        "",
        "",
    ]


def test_the_first_text_that_is_a_date_counts() -> None:
    found = first_date([("a", "some day"), ("b", "2026-02-03T01:00:00+01:00"), ("c", "2026-02-04")])
    assert found == OwnDate("2026-02-03T00:00:00Z", "b")
    assert first_date([("a", "x")] * 1_000 + [("b", "2026-02-03")]) is None


def test_a_key_may_be_written_in_small_letters_or_with_other_marks() -> None:
    assert len({folded(key) for key in MODIFICATION_KEYS}) == len(MODIFICATION_KEYS)
    assert {folded(key) for key in ("lastUpdated", "Last-Updated", "last_updated")} == {"lastupdated"}
