import os
import subprocess
import sys
from array import array
from collections.abc import Mapping, Sequence

import pytest

from waypost.dates import text_matches
from waypost.dates.text_matches import TextMatch, TextMatches, boilerplate_of, packed_shingles, shingles

FIVE = "one two three four five"


def text(name: str, start: int = 0, words: int = 40) -> str:
    """How many words, each five of which are in no other text."""
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


@pytest.mark.parametrize(("count", "found"), [(100, 12), (101, 0)])
def test_a_text_that_too_many_files_have_finds_none(count: int, found: int) -> None:
    files = {f"{n}.md": [text("same")] for n in range(count)}
    assert len(matches({"a.html": [text("same")]}, files).of("a.html")) == found


def test_the_best_of_many_similar_files_is_found() -> None:
    files = {f"{n:03}.md": [text("same"), text(f"own-{n}-")] for n in range(100)}
    found = matches({"a.html": [text("same"), text("own-77-")]}, files).of("a.html")
    assert found[0].path == "077.md"
    assert found[0].held == 1


def test_the_file_with_the_path_of_the_page_is_compared_though_many_others_have_more_of_it() -> None:
    same, new = text("same", words=20), text("new", words=20)
    files = {f"terms/v{n}.0.md": [same, new] if n > 1 else [same] for n in range(1, 30)}
    found = matches({"terms/v1.0/index.html": [same, new]}, files).of("terms/v1.0/index.html")
    assert len(found) == 13
    assert found[-1].path == "terms/v1.0.md"


def test_the_lines_of_many_pages_are_the_frame() -> None:
    assert boilerplate_of([["menu", f"text {n}", "footer"] for n in range(10)]) == {"menu", "footer"}
    assert boilerplate_of([["menu"]] * 3) == set()
    assert boilerplate_of([["menu"]] * 4) == {"menu"}
    assert boilerplate_of([["note"]] * 30 + [["other"]] * 70) == {"other"}
    assert boilerplate_of([["again"] * 100, ["other"]]) == boilerplate_of([]) == set()


def test_packed_shingles_leave_out_those_of_the_frame() -> None:
    assert packed_shingles(["menu", "text"], shingles(["menu"])) == array("q", shingles(["text"]))


@pytest.mark.parametrize(
    ("blocks", "number"),
    [
        ([], 0),
        (["… — !?"], 0),
        (["one two three four"], 1),
        ([FIVE], 1),
        ([f"{FIVE} six"], 2),
        ([FIVE, FIVE], 1),
        (["one two three", "four five six"], 2),
    ],
)
def test_a_text_has_a_shingle_for_each_five_words_in_a_row_and_for_each_shorter_block(
    blocks: list[str], number: int
) -> None:
    assert len(shingles(blocks)) == number


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The End of It All", "the end of it all"),
        ("one, two; three - four: five!", FIVE),
        ("Ärger über größere Öfen, später", "ärger ÜBER größere öfen später"),
        ("焼く前に", "焼 く 前 に"),
        ("ก่อน", " ก่อน "),
    ],
)
def test_case_and_what_is_no_word_do_not_matter(one: str, other: str) -> None:
    assert shingles([one]) == shingles([other])


@pytest.mark.parametrize(
    ("one", "other"),
    [(FIVE, "two one three four five"), (FIVE, "one two three four six"), ("größe", "grosse"), ("焼く", "く焼")],
)
def test_texts_with_other_words_or_another_order_have_nothing_in_common(one: str, other: str) -> None:
    assert not shingles([one]) & shingles([other])


def test_a_script_without_spaces_is_compared_by_its_characters() -> None:
    text = "焼く前に土をよく練って空気を抜いてください"
    assert len(shingles([text])) == len(text) - 4
    assert shingles([text[3:12]]) < shingles([text])


def test_a_word_of_latin_letters_in_such_a_text_is_one_word() -> None:
    assert shingles(["これはRakuの話"]) == shingles(["これは Raku の話"])


def test_a_lone_surrogate_is_no_error() -> None:
    assert len(shingles(["a \udcff b \ud800"])) <= 1


def test_shingles_are_the_same_in_every_process() -> None:
    texts = [f"{FIVE} six", "größe", "焼く前に土を"]
    code = f"from waypost.dates.text_matches import shingles; print(sorted(shingles({texts!r})))"
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(shingles(texts)))


@pytest.mark.slow
def test_the_memory_for_words_has_a_limit() -> None:
    shingles([" ".join(map(str, range(600_000))), "x" * 1_000])
    assert len(text_matches._WORD_HASHES) <= 500_000
    assert "x" * 1_000 not in text_matches._WORD_HASHES
