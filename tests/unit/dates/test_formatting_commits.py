"""Whether a commit left the words of files as they were."""

import pytest

from waypost.dates.formatting_commits import has_same_words, only_formats


@pytest.mark.parametrize(
    ("before", "after", "are_same"),
    [
        ("One, two", "One (two)", True),
        ("“One”、two", '"One", two', True),
        ("One\ntwo", "* One\n* two", True),
        ("One two", "two One", False),
        ("One two", "One two three", False),
        ("Join it", "🤝 Join it", False),
        ("don't", "dont", False),
        ("日本語", "日本", False),
    ],
)
def test_punctuation_and_order_of_lines_are_no_words(before: str, after: str, *, are_same: bool) -> None:
    assert has_same_words((before.encode(), after.encode())) == are_same


def test_texts_that_are_too_long_are_not_compared() -> None:
    assert has_same_words((b"x " * 100_000, b"x  " * 100_000))
    assert not has_same_words((b"x " * 300_000, b"x  " * 300_000))


def test_edits_that_differ_in_indentation_alone_are_the_same_edit() -> None:
    edits = [(f"{' ' * n}a = b".encode(), f"{' ' * n}a: b".encode()) for n in range(9)]
    assert not only_formats(edits)
    assert only_formats([(f"a{n} = b".encode(), f"a{n}: b".encode()) for n in range(9)])
