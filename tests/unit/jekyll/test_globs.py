"""Jekyll's two kinds of patterns."""

import pytest

from waypost.jekyll.globs import entry_pattern, path_pattern


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("/*.md", "/a/b.md", True),
        ("/a?.html", "/ab.html", True),
        ("/a?.html", "/abc.html", False),
        ("/[^a].md", "/b.md", True),
        ("/[^a].md", "/a.md", False),
        ("/A.md", "/a.md", False),
    ],
)
def test_a_star_of_exclude_matches_slashes_too(pattern: str, path: str, expected: bool) -> None:
    assert (entry_pattern(pattern).match(path) is not None) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs/*", "docs/a", True),
        ("docs/*", "docs/a/b", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/a/b/c.md", True),
        ("docs/**/*.md", "docs/.a/c.md", False),
        ("docs/*", "docs/.a", False),
        ("a*", "a.b", True),
        ("{a,b{c,d}}/*", "bd/x", True),
        ("{a,b{c,d}}/*", "b/x", False),
        ("[ab]?/*", "ax/x", True),
        ("[!a]/*", "a/x", False),
        ("a.b/*", "aXb/c", False),
    ],
)
def test_a_star_of_a_scope_matches_within_a_folder(pattern: str, path: str, expected: bool) -> None:
    assert (path_pattern(pattern).fullmatch(path) is not None) is expected
