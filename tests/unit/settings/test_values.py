import pytest
from pathspec import GitIgnoreSpec

from waypost.settings.values import PAGE_TYPES, Patterns


def test_patterns_are_the_same_if_their_lines_are_in_the_same_order() -> None:
    assert Patterns(["a", "!b"]) == Patterns(iter(("a", "!b")))
    assert Patterns(["a", "!b"]) != Patterns(["!b", "a"])
    assert Patterns(["a"]) != GitIgnoreSpec.from_lines(["a"])
    assert len({Patterns(["a"]), Patterns(["a"]), Patterns(["b"])}) == 2


def test_patterns_without_lines_are_false_and_others_show_their_lines() -> None:
    assert not Patterns()
    assert Patterns(["a"])
    assert repr(Patterns(["a", "!b"])) == "Patterns(['a', '!b'])"


def test_an_ending_is_lower_case_and_belongs_to_one_type() -> None:
    endings = [ending for of_type in PAGE_TYPES.values() for ending in of_type]
    assert len(set(endings)) == len(endings)
    assert all(ending.startswith(".") and ending == ending.lower() for ending in endings)


@pytest.mark.parametrize(("key", "line"), [("docs/a.html", "docs/"), ("docs/b.html", "!b.html"), ("c.html", "")])
def test_the_pattern_that_decides_is_known(key: str, line: str) -> None:
    assert Patterns(["docs/", "!b.html"]).deciding_line(key) == line


def test_patterns_that_match_no_key_are_found_in_their_order() -> None:
    patterns = Patterns(["# a comment", "x/", "docs/", "", "!y.html", "*.html"])
    assert list(patterns.unmatched(["docs/a.html", "b.css"])) == ["x/", "!y.html"]
    assert list(patterns.unmatched([])) == ["x/", "docs/", "!y.html", "*.html"]
