from array import array
from collections.abc import Mapping, Sequence

import pytest

from waypost.evidence.text_matches import Frame, TextMatch, TextMatches, packed_shingles
from waypost.evidence.words import shingles


def text(name: str, start: int = 0, words: int = 40) -> str:
    """So many words, each five of which are in no other text."""
    return " ".join(f"{name}{n}" for n in range(start, start + words))


def matches(pages: Mapping[str, Sequence[str]], files: Mapping[str, Sequence[str]]) -> TextMatches:
    return TextMatches(
        {key: packed_shingles(blocks) for key, blocks in pages.items()},
        {path: packed_shingles(blocks) for path, blocks in files.items()},
    )


def test_a_match_says_how_much_of_each_text_the_other_has() -> None:
    pages = {"a.html": [text("a"), text("b", words=16)]}
    found = matches(pages, {"a.md": [text("a"), text("c", words=40)]}).of("a.html")
    assert found == [TextMatch("a.md", 36, 36 / 72, 36 / 48)]
    assert found[0].strength == "50% of its text, 75% of the page's own"


def test_files_with_no_text_of_the_page_are_no_matches() -> None:
    found = matches({"a.html": [text("a")]}, {"a.md": [text("a")], "b.md": [text("b")]}).of("a.html")
    assert [match.path for match in found] == ["a.md"]


def test_a_page_without_text_of_its_own_has_no_matches() -> None:
    assert matches({"a.html": []}, {"a.md": [text("a")]}).of("a.html") == []


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_file_with_most_of_the_page_comes_first_then_the_one_of_which_the_page_has_most(is_reversed: bool) -> None:
    files = {
        "most.md": [text("a")],
        "half.md": [text("a", words=20)],
        "half-and-more.md": [text("a", words=20), text("x")],
        "equal-1.md": [text("a", words=10)],
        "equal-0.md": [text("a", words=10)],
    }
    ordered = dict(reversed(files.items())) if is_reversed else files
    found = matches({"a.html": [text("a")]}, ordered).of("a.html")
    assert [match.path for match in found] == ["most.md", "half.md", "half-and-more.md", "equal-0.md", "equal-1.md"]


def test_a_long_file_is_found_by_a_part_of_it_and_compared_as_a_whole() -> None:
    pages = {"a.html": [text("long", start=2_000, words=1_000)]}
    found = matches(pages, {"long.md": [text("long", words=5_000)], "other.md": [text("other", words=5_000)]})
    assert [(match.path, match.common, match.covered) for match in found.of("a.html")] == [("long.md", 996, 1.0)]


def test_the_best_of_many_similar_files_is_found() -> None:
    files = {f"{n:03}.md": [text("same"), text(f"own-{n}-")] for n in range(100)}
    found = matches({"a.html": [text("same"), text("own-77-")]}, files).of("a.html")
    assert found[0].path == "077.md"
    assert found[0].held == 1


def test_the_lines_of_many_pages_are_the_frame() -> None:
    frame = Frame([["menu", f"text {n}", "footer"] for n in range(10)])
    assert frame.own_lines(["menu", "text 3", "footer", "new"]) == ["text 3", "new"]
    assert frame.shingles == shingles(["menu", "footer"])


def test_a_line_of_three_pages_or_of_a_small_share_is_no_frame() -> None:
    assert Frame([["menu"]] * 3).own_lines(["menu"]) == ["menu"]
    assert Frame([["note"]] * 10 + [["other"]] * 90).own_lines(["note", "other"]) == ["note"]


def test_a_line_that_one_page_repeats_is_no_frame() -> None:
    assert Frame([["again"] * 100, ["other"]]).own_lines(["again"]) == ["again"]


def test_a_site_without_pages_has_no_frame() -> None:
    assert Frame([]).shingles == frozenset()


def test_packed_shingles_leave_out_those_of_the_frame() -> None:
    assert packed_shingles(["menu", "text"], frozenset(shingles(["menu"]))) == array("q", shingles(["text"]))
