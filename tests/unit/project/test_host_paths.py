"""The patterns of paths in the rules of hosts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.project.host_paths import UnreadablePattern, firebase_pattern, redirects_pattern, vercel_pattern
from waypost.settings.host_rules import OneHost, PathRule


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("/a", ["/a"], ["/a/", "/A", "/a/b", "/ab"]),
        ("/a/*", ["/a/", "/a/b", "/a/b/c"], ["/a", "/b/a/"]),
        ("/a/:name", ["/a/b"], ["/a/", "/a/b/c", "/a/b/"]),
        ("/a/:name/c/*", ["/a/b/c/", "/a/b/c/d"], ["/a/b/c", "/a/b/d/c/e"]),
        ("/a%20b", ["/a b"], ["/a%20b"]),
        ("/*", ["/", "/a", "/a/b"], []),
        ("/a.b", ["/a.b"], ["/axb"]),
    ],
)
def test_a_redirects_file_has_placeholders_and_one_rest(pattern: str, fitting: list[str], others: list[str]) -> None:
    found = redirects_pattern(pattern)
    assert [path for path in [*fitting, *others] if found.fits(path)] == fitting


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [("/a", ["/a", "/a/"], ["/a/b"]), ("/a/*", ["/a", "/a/", "/a/b", "/a/b/"], ["/ab"]), ("/a/", ["/a", "/a/"], [])],
)
def test_netlify_does_not_see_the_last_slash(pattern: str, fitting: list[str], others: list[str]) -> None:
    found = redirects_pattern(pattern, ignores_slash=True)
    assert [path for path in [*fitting, *others] if found.fits(path)] == fitting


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("/a", ["/a"], ["/a/", "/a/b"]),
        ("/a/:path*", ["/a", "/a/", "/a/b", "/a/b/c"], ["/ab"]),
        ("/a/(.*)", ["/a/", "/a/b/c"], ["/a"]),
        ("/:lang/a", ["/de/a"], ["/de/x/a", "/a"]),
        ("/a/:rest(.*)/c", ["/a/b/c", "/a/b/b/c"], ["/a/b"]),
    ],
)
def test_vercel_has_the_syntax_of_path_to_regexp(pattern: str, fitting: list[str], others: list[str]) -> None:
    found = vercel_pattern(pattern)
    assert [path for path in [*fitting, *others] if found.fits(path)] == fitting


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("/a", ["/a"], ["/a/b"]),
        ("a", ["/a"], []),
        ("/a/**", ["/a/", "/a/b/c"], ["/a"]),
        ("/a/**/b", ["/a/b", "/a/x/y/b"], ["/a/xb"]),
        ("**/*.html", ["/a.html", "/a/b.html"], ["/a"]),
        ("/a/*", ["/a/b"], ["/a/b/c"]),
        ("/a/:x/c", ["/a/b/c"], ["/a/c"]),
        ("/a/:rest*", ["/a/", "/a/b/c"], []),
    ],
)
def test_firebase_has_globs(pattern: str, fitting: list[str], others: list[str]) -> None:
    found = firebase_pattern(pattern)
    assert [path for path in [*fitting, *others] if found.fits(path)] == fitting


@pytest.mark.parametrize("pattern", ["/a/(de|fr)", "/a/:x?", "/a{/b}?", "/(?!x).*", "/a+", "/:a" * 9])
def test_what_only_vercel_understands_is_refused(pattern: str) -> None:
    with pytest.raises(UnreadablePattern):
        vercel_pattern(pattern)


@pytest.mark.parametrize("pattern", ["/a/@(b|c)", "!/a", "/a/{b,c}", "/a?", "/[ab]", "/**/a/**/b/**/c"])
def test_what_only_firebase_understands_is_refused(pattern: str) -> None:
    with pytest.raises(UnreadablePattern):
        firebase_pattern(pattern)


def test_a_redirects_file_has_one_rest_and_few_placeholders() -> None:
    for pattern in ("/*/*/*", "/:a" * 9):
        with pytest.raises(UnreadablePattern):
            redirects_pattern(pattern)


@given(st.text(alphabet="ab/.*:()[]{}|\\+?^$%", max_size=30), st.text(alphabet="ab/.", max_size=30))
def test_no_pattern_raises_another_error(pattern: str, path: str) -> None:
    for read in (vercel_pattern, firebase_pattern, lambda text: redirects_pattern(text, ignores_slash=True)):
        try:
            read(pattern).fits(f"/{path}")
        except UnreadablePattern:
            continue
        except re.error as error:
            pytest.fail(f"{pattern!r}: {error}")


def test_no_pattern_is_slow() -> None:
    path = "/" + "a/" * 1_000
    assert not redirects_pattern("/" + ":x/" * 7 + "*b", ignores_slash=True).fits(path)
    assert not firebase_pattern("**/a/**b").fits(path)


_wildcards = st.sampled_from([":a", "*", "**", "**/"])


@given(st.lists(st.one_of(_wildcards, st.sampled_from(["a", "b", "/", "/a", "b/"])), max_size=9), st.data())
def test_a_wildcard_takes_no_more_and_no_less_than_a_plain_expression_says(
    parts: list[str], data: st.DataObject
) -> None:
    text = f"/{''.join(parts)}"
    try:
        pattern = firebase_pattern(text)
    except UnreadablePattern:
        return
    kinds = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    plain = re.sub(r"(?<=/)\*\*/|\*\*|\*|:[ab]+\*?", lambda found: kinds.get(found[0]) or _plain(found[0]), text)
    for path in data.draw(st.lists(st.text("ab/", max_size=10).map("/".__add__), max_size=20)):
        assert pattern.fits(path) == (re.fullmatch(plain, path) is not None)


def _plain(named: str) -> str:
    return ".*" if named.endswith("*") else "[^/]+"


@pytest.mark.parametrize("pattern", ["/:a:a:a:a:a:a:a:a!", "/*a*:b:c:d:e:f!", "/:a/:b:c:d:e/*:f!"])
def test_many_wildcards_are_tried_in_few_ways(pattern: str) -> None:
    found = redirects_pattern(pattern)
    assert not found.fits(f"/{'a' * 1_000}")
    assert not found.fits(f"/{'a' * 1_000}/{'a' * 1_000}")


def test_rules_decide_in_their_order_whatever_their_paths_begin_with() -> None:
    texts = ("/a/:x", "/:x/b", "/a/*", "/*")
    rules = [PathRule(redirects_pattern(text), f"/{n}") for n, text in enumerate(texts)]
    for order in (rules, rules[::-1]):
        host = OneHost("a", redirects=order)
        for path in ("/a/b", "/a/b/c", "/b/b", "/a", "/"):
            assert host.redirect(path) == next((each.target for each in order if each.pattern.fits(path)), "")
