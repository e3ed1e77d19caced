import os
import subprocess
import sys

import pytest

from waypost.evidence import words
from waypost.evidence.words import shingles

FIVE = "one two three four five"


@pytest.mark.parametrize(
    ("blocks", "number"),
    [
        ([], 0),
        ([""], 0),
        (["… — !?"], 0),
        (["one"], 1),
        (["one two three four"], 1),
        ([FIVE], 1),
        ([f"{FIVE} six"], 2),
        ([FIVE, FIVE], 1),
        ([FIVE, "six seven"], 2),
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
        ("  one\ttwo\nthree  four five ", FIVE),
        ("one_two_three_four_five", FIVE),
        ("Ärger über größere Öfen, später", "ärger ÜBER größere öfen später"),
        ("焼く前に", "焼 く 前 に"),
        ("ก่อน", " ก่อน "),
    ],
)
def test_case_and_what_is_no_word_do_not_matter(one: str, other: str) -> None:
    assert shingles([one]) == shingles([other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FIVE, "two one three four five"),
        (FIVE, "one two three four six"),
        ("one two", "onetwo"),
        ("größe", "grosse"),
        ("焼く", "く焼"),
        ("version 1.2", "version 1.3"),
    ],
)
def test_texts_with_other_words_or_another_order_have_nothing_in_common(one: str, other: str) -> None:
    assert not shingles([one]) & shingles([other])


def test_a_script_without_spaces_is_compared_by_its_characters() -> None:
    text = "焼く前に土をよく練って空気を抜いてください"
    assert len(shingles([text])) == len(text) - 4
    assert shingles([text[3:12]]) < shingles([text])


def test_a_word_of_latin_letters_in_such_a_text_is_one_word() -> None:
    assert shingles(["これはRakuの話"]) == shingles(["これは Raku の話"])


def test_the_order_of_the_blocks_does_not_matter() -> None:
    blocks = [FIVE, "another block", "and a third one of six words"]
    assert shingles(blocks) == shingles(reversed(blocks))


def test_a_lone_surrogate_is_no_error() -> None:
    assert len(shingles(["a \udcff b \ud800"])) <= 1


@pytest.mark.parametrize("seed", ["1", "2"])
def test_shingles_are_the_same_in_every_process(seed: str) -> None:
    texts = [f"{FIVE} six", "größe", "焼く前に土を"]
    code = f"from waypost.evidence.words import shingles; print(sorted(shingles({texts!r})))"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(shingles(texts)))


def test_the_memory_for_words_has_a_limit() -> None:
    shingles([" ".join(map(str, range(1_100_000))), "x" * 1_000])
    assert len(words._WORD_HASHES) <= 500_000
    assert "x" * 1_000 not in words._WORD_HASHES
