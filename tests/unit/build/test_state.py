from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.build import state
from waypost.build.state import ContentDate, State
from waypost.core.errors import StateError
from waypost.pages.facts import RULES_VERSION

GOLDEN = Path(__file__).parents[2] / "golden" / "state-3.jsonl"
WITHOUT_SITE = GOLDEN.with_name("state-2.jsonl")
BASE = "https://example.org/"
NOW = "2026-03-01T12:00:00Z"
THEN = "2025-01-01T00:00:00Z"

HEADER = b'{"format":"waypost-state","version":3,"rules_version":2,"base_url":"https://example.org/"}\n'
STATE = State(
    {"b.html": ContentDate("d2", None), "a.html": ContentDate("d1", NOW)},
    {"s.xml": ContentDate("d3", NOW)},
    rules_version=2,
    base_url="https://example.org/",
)

entries = st.dictionaries(st.text(), st.builds(ContentDate, st.text(), st.none() | st.text()), max_size=8)


@given(entries, entries, st.integers(min_value=0, max_value=99), st.randoms(use_true_random=False))
def test_what_is_dumped_is_loaded_and_has_a_line_for_each_page_whatever_their_order(
    pages: dict[str, ContentDate], sitemaps: dict[str, ContentDate], rules_version: int, random: Random
) -> None:
    before = State(pages, sitemaps, rules_version, BASE)
    data = state.dump(before)
    assert state.load(data, "state") == before
    assert data.count(b"\n") == len(pages) + len(sitemaps) + 1
    shuffled = list(pages.items())
    random.shuffle(shuffled)
    assert state.dump(State(dict(shuffled), sitemaps, rules_version, BASE)) == data


def test_the_state_is_text_that_git_shows_well() -> None:
    assert state.dump(STATE) == GOLDEN.read_bytes()


def test_a_state_file_of_this_version_can_be_read() -> None:
    assert state.load(GOLDEN.read_bytes(), "state") == STATE


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
        (b"[" * 100_000, 1),
        (b'{"format":"waypost-state","version":2}\n', 1),
        (b'{"format":"waypost-state","version":1,"rules_version":1}\n', 1),
        (b'{"format":"waypost-state","version":2,"rules_version":"1"}\n', 1),
        (b'{"format":"waypost-state","version":2,"rules_version":1,"more":1}\n', 1),
        (b'{"format":"waypost-state","version":3,"rules_version":1}\n', 1),
        (b'{"format":"waypost-state","version":2,"rules_version":1,"base_url":"https://example.org/"}\n', 1),
        (b'{"format":"waypost-bucket","version":3,"rules_version":1}\n', 1),
        (HEADER + b'["page","a","d",null]\n["page","b"', 3),
        (HEADER + b'["image","a","d",null]\n', 2),
        (HEADER + b'["page","a",3,null]\n', 2),
        (HEADER + b'["page","a","d",null,1]\n', 2),
        (HEADER + b"<<<<<<< HEAD\n", 2),
        (HEADER + b'["page","\xff","d",null]\n', 2),
    ],
)
def test_a_damaged_state_is_refused_with_its_line_and_a_remedy(data: bytes, line: int) -> None:
    with pytest.raises(StateError, match=rf"^state\.jsonl:{line}: .*remove it"):
        state.load(data, "state.jsonl")


@pytest.mark.parametrize("rest", [b"}", b',"rules_version":9}', b',"rules_version":9,"more":{}}\n["page","a"]'])
def test_a_newer_state_asks_for_a_newer_waypost(rest: bytes) -> None:
    with pytest.raises(StateError, match=r"^state\.jsonl:1: the state has version 4 .* update Waypost$"):
        state.load(b'{"format":"waypost-state","version":4' + rest, "state.jsonl")


def test_a_state_from_before_the_first_release_is_refused_with_what_to_do() -> None:
    with pytest.raises(StateError, match=r"^state\.jsonl:1: .* before the first release; delete it: dates are"):
        state.load(b'["waypost-state",1]\n["page","a.html","d1",null]\n', "state.jsonl")


@given(st.binary())
def test_no_bytes_raise_anything_but_a_state_error(data: bytes) -> None:
    for content in (data, HEADER + data):
        try:
            state.load(content, "state")
        except StateError:
            continue


def test_the_same_content_keeps_the_date_that_it_had_at_first_and_another_one_has_the_time_of_its_change() -> None:
    assert state.date_content(None, "d", now=NOW) == ContentDate("d", None)
    assert state.date_content(None, "d", now=NOW, at_first=THEN) == ContentDate("d", THEN)
    assert state.date_content(ContentDate("d", THEN), "d", now=NOW) == ContentDate("d", THEN)
    assert state.date_content(ContentDate("d", None), "d", now=NOW) == ContentDate("d", None)
    assert state.date_content(ContentDate("d", THEN), "e", now=NOW) == ContentDate("e", NOW)


@pytest.mark.parametrize("rules_version", [RULES_VERSION - 1, RULES_VERSION + 1])
def test_a_page_keeps_its_date_where_other_rules_made_its_digest(rules_version: int) -> None:
    before = State({"a.html": ContentDate("d", THEN), "b.html": ContentDate("d", None)}, {}, rules_version)
    assert before.date_page("a.html", "e", now=NOW) == ContentDate("e", THEN)
    assert before.date_page("b.html", "e", now=NOW, at_first=NOW) == ContentDate("e", None)
    assert before.date_page("c.html", "e", now=NOW, at_first=THEN) == ContentDate("e", THEN)


def test_a_page_is_dated_by_its_digest_where_the_same_rules_made_it() -> None:
    before = State({"a.html": ContentDate("d", THEN)})
    assert before.date_page("a.html", "d", now=NOW) == ContentDate("d", THEN)
    assert before.date_page("a.html", "e", now=NOW) == ContentDate("e", NOW)


def test_a_state_of_before_states_named_their_site_is_read_and_belongs_to_the_first_that_takes_it() -> None:
    found = state.load(WITHOUT_SITE.read_bytes(), "state")
    assert found.pages == STATE.pages
    assert found.is_of("https://example.org/")
    assert found.is_of("https://other.example.org/")


def test_a_state_is_of_the_site_that_it_names_alone() -> None:
    assert STATE.is_of("https://example.org/")
    assert not STATE.is_of("https://other.example.org/")
