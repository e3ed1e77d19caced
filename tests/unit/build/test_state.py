from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.build import state
from waypost.build.state import ContentDate, State
from waypost.core.errors import LedgerError

NOW = "2026-03-01T12:00:00Z"
THEN = "2025-01-01T00:00:00Z"

entries = st.dictionaries(st.text(), st.builds(ContentDate, st.text(), st.none() | st.text()), max_size=8)


@given(entries, entries)
def test_what_is_dumped_is_loaded(pages: dict[str, ContentDate], sitemaps: dict[str, ContentDate]) -> None:
    before = State(pages, sitemaps)
    assert state.load(state.dump(before), "state") == before


@given(entries, st.randoms(use_true_random=False))
def test_the_bytes_do_not_depend_on_the_order_in_which_pages_came(
    pages: dict[str, ContentDate], random: Random
) -> None:
    shuffled = list(pages.items())
    random.shuffle(shuffled)
    assert state.dump(State(dict(shuffled))) == state.dump(State(pages))


@given(entries)
def test_each_page_has_a_line_of_its_own(pages: dict[str, ContentDate]) -> None:
    assert state.dump(State(pages)).count(b"\n") == len(pages) + 1


def test_the_state_is_text_that_git_shows_well() -> None:
    remembered = State(
        {"b.html": ContentDate("d2", None), "a.html": ContentDate("d1", NOW)}, {"s.xml": ContentDate("d3", NOW)}
    )
    assert state.dump(remembered).decode() == (
        '["waypost-state",1]\n'
        f'["page","a.html","d1","{NOW}"]\n'
        '["page","b.html","d2",null]\n'
        f'["sitemap","s.xml","d3","{NOW}"]\n'
    )


def test_a_state_that_is_not_there_yet_remembers_nothing() -> None:
    assert state.load(None, "state") == State()


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"\n", 1),
        (b"<html>", 1),
        (b'["other-state",1]\n', 1),
        (b'["waypost-state"]\n', 1),
        (b'["waypost-state",1]\n["page","a","d",null]\n["page","b"', 3),
        (b'["waypost-state",1]\n["image","a","d",null]\n', 2),
        (b'["waypost-state",1]\n["page","a",3,null]\n', 2),
        (b'["waypost-state",1]\n["page","a","d",null,1]\n', 2),
        (b'["waypost-state",1]\n<<<<<<< HEAD\n', 2),
        (b'["waypost-state",1]\n["page","\xff","d",null]\n', 2),
    ],
)
def test_a_damaged_state_is_refused_with_its_line_and_a_remedy(data: bytes, line: int) -> None:
    with pytest.raises(LedgerError, match=rf"^state\.jsonl:{line}: .*remove it"):
        state.load(data, "state.jsonl")


def test_a_newer_state_asks_for_a_newer_waypost() -> None:
    with pytest.raises(LedgerError, match=r"has version 2 .* update Waypost"):
        state.load(b'["waypost-state",2]\n', "state.jsonl")


@given(st.binary())
def test_no_bytes_raise_anything_but_a_ledger_error(data: bytes) -> None:
    for content in (data, b'["waypost-state",1]\n' + data):
        try:
            state.load(content, "state")
        except LedgerError:
            continue


def test_a_content_seen_for_the_first_time_has_no_date_but_the_page_s_own() -> None:
    assert state.date_content(None, "d", now=NOW) == ContentDate("d", None)
    assert state.date_content(None, "d", now=NOW, at_first=THEN) == ContentDate("d", THEN)


def test_a_content_that_is_the_same_keeps_its_date() -> None:
    assert state.date_content(ContentDate("d", THEN), "d", now=NOW) == ContentDate("d", THEN)
    assert state.date_content(ContentDate("d", None), "d", now=NOW) == ContentDate("d", None)


def test_a_changed_content_is_dated_when_it_was_seen() -> None:
    assert state.date_content(ContentDate("d", THEN), "e", now=NOW) == ContentDate("e", NOW)


def test_a_content_that_comes_back_is_a_change_too() -> None:
    changed = state.date_content(ContentDate("d", THEN), "e", now="2026-01-01T00:00:00Z")
    assert state.date_content(changed, "d", now=NOW) == ContentDate("d", NOW)
