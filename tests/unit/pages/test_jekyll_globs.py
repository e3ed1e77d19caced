"""Jekyll's two kinds of patterns."""

import pytest

from waypost.pages.jekyll_globs import entry_pattern, path_pattern


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("/*.md", "/a/b.md", True),
        ("/a?.html", "/ab.html", True),
        ("/a?.html", "/abc.html", False),
        ("/[^a].md", "/b.md", True),
        ("/[^a].md", "/a.md", False),
    ],
)
def test_a_star_of_exclude_matches_slashes_too(pattern: str, path: str, expected: bool) -> None:
    assert (entry_pattern(pattern).match(path) is not None) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs/*", "docs/a", True),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/a/b/c.md", True),
        ("docs/**/*.md", "docs/.a/c.md", False),
        ("a*", "a.b", True),
        ("{a,b{c,d}}/*", "bd/x", True),
        ("[ab]?/*", "ax/x", True),
        ("[!a]/*", "a/x", False),
        ("a.b/*", "aXb/c", False),
    ],
)
def test_a_star_of_a_scope_matches_within_a_folder(pattern: str, path: str, expected: bool) -> None:
    assert (path_pattern(pattern).fullmatch(path) is not None) is expected


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/" * 14 + "*zz", "a/" * 100 + "b.md"),
        ("*a" * 200 + "b", "a" * 255),
        ("[z-a]/*", "z/a"),
        ("a\\x[\\x]*", "a\\xx"),
        ("{" * 900, "a"),
    ],
)
def test_a_pattern_that_no_path_matches_is_soon_known_to_match_none(pattern: str, path: str) -> None:
    assert path_pattern(pattern).fullmatch(path) is None
    assert entry_pattern("*a" * 200 + "b").match("a" * 255) is None


@pytest.mark.parametrize("pattern", ["{a,b}" * 9, "{" * 100 + "a,b" + "}," * 100 + "x" * 900, "a" * 2_000])
def test_a_pattern_that_is_short_for_very_many_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="more than 1,000 characters"):
        path_pattern(pattern)
