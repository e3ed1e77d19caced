"""Renames of folders: found from the names of pages that both sides share, and from nothing less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.folder_moves import FolderMove, find_folder_moves

LANGUAGES = ("de", "en", "fr", "ja", "ko", "ru")


def pages(folder: str, *names: object) -> list[str]:
    return [f"{folder}/{name}" for name in names]


def folders(removed: list[str], added: list[str]) -> list[tuple[str, str, int]]:
    return [(move.old, move.new, len(move.pages)) for move in find_folder_moves(removed, added)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("e.org/blog", "e.org/articles"),
        ("e.org/docs/guide", "e.org/docs/manual"),
        ("e.org/guide", "e.org/docs/guide"),
        ("e.org/docs/guide", "e.org/guide"),
        ("e.org/a/b", "e.org/c/d"),
        ("e.org/en/guide", "e.org/guide/en"),
        ("e.org", "e.net"),
        ("e.org", "docs.e.org"),
        ("user.example/project", "e.org"),
    ],
)
def test_a_folder_that_was_renamed_or_moved_is_found_with_all_its_pages(old: str, new: str) -> None:
    names = ["a", "b", "c", "deep/d", "deep/e"]
    (found,) = find_folder_moves([*pages(old, *names), old], [*pages(new, *names), new])
    assert (found.old, found.new) == (old, new)
    assert set(found.pages) == {(old, new), *zip(pages(old, *names), pages(new, *names), strict=True)}


def test_pages_that_were_also_added_and_removed_are_not_in_the_move() -> None:
    removed, added = pages("e.org/blog", "a", "b", "c", "gone"), pages("e.org/articles", "a", "b", "c", "new")
    (found,) = find_folder_moves(removed, added)
    assert found == FolderMove("e.org/blog", "e.org/articles", found.pages)
    assert sorted(page for page, _ in found.pages) == pages("e.org/blog", "a", "b", "c")


def test_a_folder_is_found_in_each_language_although_all_have_the_same_names() -> None:
    removed = [page for language in LANGUAGES for page in pages(f"e.org/{language}/guide", *range(9))]
    added = [page.replace("/guide/", "/docs/") for page in removed]
    assert folders(removed, added) == [(f"e.org/{each}/guide", f"e.org/{each}/docs", 9) for each in LANGUAGES]


def test_the_folder_is_the_deepest_one_that_has_all_the_pages() -> None:
    assert folders(pages("e.org/a/b", 1, 2, 3), pages("e.org/x/a/b", 1, 2, 3)) == [("e.org/a/b", "e.org/x/a/b", 3)]


def test_two_pages_do_not_make_a_folder_s_move_but_one_does_to_another_host() -> None:
    assert folders(pages("e.org/a", 1, 2), pages("e.org/b", 1, 2)) == []
    assert folders(["e.org/a"], ["e.net/a"]) == [("e.org", "e.net", 1)]


def test_a_few_shared_names_in_large_folders_are_a_coincidence() -> None:
    shared = ["about", "contact", "help"]
    removed = pages("e.org/a", *shared, *(f"old-{n}" for n in range(40)))
    added = pages("e.org/b", *shared, *(f"new-{n}" for n in range(40)))
    assert folders(removed, added) == []


def test_a_small_folder_may_be_merged_into_a_larger_one() -> None:
    names = [f"page-{n}" for n in range(5)]
    added = pages("e.org/articles", *names, *range(20))
    assert folders(pages("e.org/news", *names), added) == [("e.org/news", "e.org/articles", 5)]


@pytest.mark.parametrize(
    ("old", "new"), [("e.org/de", "e.org/fr"), ("e.org/pt-BR", "e.org/es"), ("de.e.org", "fr.e.org")]
)
def test_a_language_that_is_removed_has_not_become_another_one(old: str, new: str) -> None:
    assert folders(pages(old, *range(9)), pages(new, *range(9))) == []


def test_the_default_language_may_get_a_folder() -> None:
    assert folders(pages("e.org/guide", 1, 2, 3), pages("e.org/en/guide", 1, 2, 3)) == [
        ("e.org/guide", "e.org/en/guide", 3)
    ]


def test_names_that_are_in_every_folder_say_nothing() -> None:
    removed = [page for n in range(30) for page in pages(f"e.org/old-{n}", "about", "team", "news")]
    added = [page for n in range(30) for page in pages(f"e.org/new-{n}", "about", "team", "news")]
    assert folders(removed, added) == []


def test_a_large_folder_and_a_small_one_are_both_found_in_a_large_site() -> None:
    big, small = range(25_000), ["x", "y", "z"]
    removed = [*pages("e.org/blog", *big), *pages("e.org/shop", *small)]
    added = [*pages("e.org/articles", *big), *pages("e.org/store", *small)]
    assert folders(removed, added) == [
        ("e.org/blog", "e.org/articles", 25_000),
        ("e.org/shop", "e.org/store", 3),
    ]


@pytest.mark.parametrize(("depth", "count"), [(15, 1), (16, 0)])
def test_a_rename_is_found_sixteen_folders_deep(depth: int, count: int) -> None:
    removed = pages("e.org" + "/x" * (depth - 1) + "/old" + "/y" * 300, 1, 2, 3)
    added = [page.replace("/old/", "/new/") for page in removed]
    assert len(folders(removed, added)) == count


PAGES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map("/".join)


@given(st.sets(PAGES, max_size=40), st.sets(PAGES, max_size=40))
def test_each_page_is_in_one_move_at_most(removed: set[str], added: set[str]) -> None:
    removed, added = removed - added, added - removed
    pairs = [pair for move in find_folder_moves(removed, added) for pair in move.pages]
    assert len({old for old, _ in pairs}) == len({new for _, new in pairs}) == len(pairs)
    assert {old for old, _ in pairs} <= removed
    assert {new for _, new in pairs} <= added


@given(st.sets(PAGES, max_size=40), st.sets(PAGES, max_size=40))
def test_the_path_below_the_folders_of_a_move_is_the_same(removed: set[str], added: set[str]) -> None:
    for move in find_folder_moves(removed - added, added - removed):
        for old, new in move.pages:
            assert old.removeprefix(move.old) == new.removeprefix(move.new)
