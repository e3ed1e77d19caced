"""The answer of a comparison: old and new values, moves, and laws that hold for any two lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from waypost.build.diff_answer import (
    LIMIT,
    DatePair,
    LastmodChange,
    MetadataChange,
    MovedUrl,
    UrlCounts,
    diff_answer,
    diff_markdown,
    diff_summary,
    has_changes,
)
from waypost.core.diff import MoveGroup
from waypost.validate import SITEMAP_NAMESPACE, FieldChange, ListedUrls
from waypost.validate.sitemap_entry import Content

BASE = "https://e.org/"
LOW, HIGH = (((SITEMAP_NAMESPACE, "priority", (), text, ()),) for text in ("0.1", "0.9"))
LOCS = st.builds(
    lambda origin, folder, name, form: f"{origin}/{folder}{name}{form}",
    st.sampled_from(["http://e.org", "https://e.org", "https://e.net"]),
    st.sampled_from(["", "a/", "b/", "a/b/"]),
    st.sampled_from("123456"),
    st.sampled_from(["", "/", ".html"]),
)
SIDES = st.dictionaries(
    LOCS, st.tuples(st.sampled_from(["", "2026-01-01", "2026-01-02"]), st.sampled_from([(), LOW, HIGH])), max_size=12
)
EXPECTED = f"""\
**7 URLs before, 7 now: 1 added, 1 removed, 4 moved, 1 with another date, 1 with other metadata**

#### Removed: 1 (14.29% of the URLs)

- `{BASE}gone`

#### Moved: 4

- `http://www.e.org/*` → `{BASE}*` (3 URLs, scheme, host)
- `{BASE}moved.html` → `{BASE}moved/` (form)

<details><summary>Added: 1</summary>

- `{BASE}new`

</details>

<details><summary>Other metadata: 1</summary>

- `{BASE}described`: `priority` `0.1` → `0.9`

</details>

<details><summary>Another date: 1</summary>

- `{BASE}dated`: `2026-01-01` → `2026-01-02`

</details>
"""


def listed(*locs: str) -> ListedUrls:
    return dict.fromkeys(locs, ("", ()))


def test_a_url_on_both_sides_has_its_old_and_new_date_and_metadata() -> None:
    answer = diff_answer({"a": ("2026-01-01", LOW), "b": ("", ())}, {"a": ("", HIGH), "b": ("", ())})
    assert answer.lastmod_changed == [LastmodChange("a", "2026-01-01", None)]
    assert answer.metadata_changed == ("a",)
    assert answer.metadata_changes == [MetadataChange("a", [FieldChange("priority", "0.1", "0.9")])]
    assert (answer.url_count, answer.unchanged_count) == (UrlCounts(2, 2), 1)


def test_a_moved_page_is_neither_added_nor_removed_and_its_changes_are_those_of_the_move() -> None:
    old, new = f"{BASE}a.html", f"{BASE}a/"
    answer = diff_answer({old: ("2026-01-01", LOW)}, {new: ("2026-01-02", HIGH)})
    assert (answer.added, answer.removed, answer.removed_percent, answer.sections) == ((), (), 0.0, [])
    change = DatePair("2026-01-01", "2026-01-02")
    assert answer.moved == [MovedUrl(old, new, ("form",), 0, change, [FieldChange("priority", "0.1", "0.9")])]
    assert answer.move_groups == (MoveGroup(old, new, ("form",), 1),)
    assert has_changes(answer)


def test_a_page_that_only_moved_has_no_other_changes() -> None:
    (moved,) = diff_answer(listed(f"{BASE}a"), listed(f"{BASE}a/")).moved
    assert (moved.lastmod, moved.fields) == (UNSET, UNSET)


def test_the_share_of_removed_urls_has_two_decimals() -> None:
    assert diff_answer(listed("a", "b", "c"), listed("a", "b")).removed_percent == 33.33
    assert diff_answer({}, listed("a")).removed_percent == 0.0


@pytest.mark.parametrize(
    ("old", "new", "summary"),
    [
        (listed("a"), listed("a"), "1 URL before, 1 now: 0 added, 0 removed, 0 with another date"),
        (
            {f"{BASE}a": ("1", ()), f"{BASE}b": ("", ()), "c": ("", LOW)},
            {f"{BASE}a/": ("2", ()), f"{BASE}b/": ("", ()), "c": ("", HIGH)},
            "3 URLs before, 3 now: 0 added, 0 removed, 2 moved (1 with another date), 0 with another date, "
            "1 with other metadata",
        ),
    ],
)
def test_the_summary_has_moves_and_metadata_where_there_are_any(old: ListedUrls, new: ListedUrls, summary: str) -> None:
    assert diff_summary(diff_answer(old, new)) == summary


@given(SIDES, SIDES)
def test_each_url_is_removed_or_added_or_moved_or_on_both_sides(old: ListedUrls, new: ListedUrls) -> None:
    answer = diff_answer(old, new)
    both = sorted(old.keys() & new.keys())
    assert sorted([*answer.removed, *(move.old for move in answer.moved), *both]) == sorted(old)
    assert sorted([*answer.added, *(move.new for move in answer.moved), *both]) == sorted(new)
    changed = {each.loc for each in answer.lastmod_changed} | {each.loc for each in answer.metadata_changes}
    assert answer.unchanged_count == len(both) - len(changed)


@given(SIDES, SIDES)
def test_swapped_sides_swap_added_and_removed_and_reverse_moves(old: ListedUrls, new: ListedUrls) -> None:
    there, back = diff_answer(old, new), diff_answer(new, old)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert {(move.old, move.new) for move in there.moved} == {(move.new, move.old) for move in back.moved}
    assert [(each.loc, each.old, each.new) for each in there.lastmod_changed] == [
        (each.loc, each.new, each.old) for each in back.lastmod_changed
    ]
    assert there.unchanged_count == back.unchanged_count


def priority(text: str) -> tuple[Content, ...]:
    return ((SITEMAP_NAMESPACE, "priority", (), text, ()),)


OLD: ListedUrls = {
    f"{BASE}gone": ("", ()),
    f"{BASE}moved.html": ("", ()),
    f"{BASE}dated": ("2026-01-01", ()),
    f"{BASE}described": ("", priority("0.1")),
    **{f"http://www.e.org/{n}": ("", ()) for n in range(3)},
}
NEW: ListedUrls = {
    f"{BASE}new": ("", ()),
    f"{BASE}moved/": ("", ()),
    f"{BASE}dated": ("2026-01-02", ()),
    f"{BASE}described": ("", priority("0.9")),
    **{f"{BASE}{n}": ("", ()) for n in range(3)},
}


def test_removed_and_moved_pages_are_shown_and_the_rest_is_folded() -> None:
    assert diff_markdown(diff_answer(OLD, NEW), 50) == EXPECTED


def test_nothing_changed_is_one_line() -> None:
    assert diff_markdown(diff_answer(OLD, OLD), 50) == "The sitemap has not changed: 7 URLs.\n"


def test_at_most_so_many_urls_of_a_kind_are_shown() -> None:
    text = diff_markdown(diff_answer(listed(), listed(*(f"{BASE}{n}" for n in range(9)))), 4)
    assert text.count(f"- `{BASE}") == 4
    assert "- … and 5 more\n" in text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a`b", f"`` {BASE}a`b ``"),
        ("a``b", f"``` {BASE}a``b ```"),
        ("<b>@all", f"`{BASE}<b>@all`"),
        ("a\n\n# b", f"`{BASE}a\\n\\n# b`"),
        ("x" * 400, f"`{BASE}{'x' * (150 - len(BASE))}…{'x' * 150}`"),
    ],
)
def test_a_url_is_code_that_ends_where_the_url_ends(name: str, shown: str) -> None:
    assert f"\n- {shown}\n" in diff_markdown(diff_answer({}, listed(BASE + name)), 50)


def test_a_large_comparison_is_cut_and_every_kind_of_change_is_counted() -> None:
    long = "x" * 200
    both = {f"{BASE}{long}both-{n}": n for n in range(500)}
    old = {**listed(*(f"{BASE}{long}old-{n}" for n in range(500))), **{loc: ("1", priority("1")) for loc in both}}
    new = {**listed(*(f"{BASE}{long}new-{n}" for n in range(500))), **{loc: ("2", priority("2")) for loc in both}}
    text = diff_markdown(diff_answer(old, new), 0)
    assert len(text) <= LIMIT
    for title in ("Removed: 500", "Added: 500", "Other metadata: 500", "Another date: 500"):
        assert title in text
    assert text.count("<details>") == text.count("</details>") == 3


@pytest.mark.slow
@given(st.integers(2_000, 9_000), st.sets(st.text(max_size=400), max_size=40), st.integers(0, 50))
def test_the_text_is_never_longer_than_its_limit(limit: int, names: set[str], most: int) -> None:
    old = {f"{BASE}{name}": ("1", priority("1")) for name in names}
    new = {f"{BASE}{name}{'x' * (n % 2)}": ("2", ()) for n, name in enumerate(sorted(names))}
    assert len(diff_markdown(diff_answer(old, new), most, limit)) <= limit
