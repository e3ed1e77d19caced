import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.dates import source_mapping
from waypost.dates.source_mapping import SourceMapper, path_matcher
from waypost.settings.values import SourceMapping

_PARTS = st.sampled_from(["a", "-", "1", "/", "*", "**", "**/", "?", "{x}", "{y}", "{**p}", "{**q}", ".md"])


def provenance(page: str, *files: str) -> SourceMapper:
    return SourceMapper([SourceMapping(page, files)])


@pytest.mark.parametrize(
    ("page", "file", "key", "expected"),
    [
        ("about.html", "about.md", "about.html", ["about.md"]),
        ("about.html", "about.md", "docs/about.html", []),
        ("{name}.html", "src/{name}.md", "docs/a.html", []),
        ("{**path}.html", "src/{**path}.md", "docs/deep/a.html", ["src/docs/deep/a.md"]),
        ("{**path}/index.html", "{**path}.md", "index.html", []),
        ("{a}/{b}.html", "{b}/{a}.md", "x/y.html", ["y/x.md"]),
        ("{a}/{a}.html", "{a}.md", "x/y.html", []),
        ("a.html", "a.md", "aXhtml", []),
        ("{name}.html", "{name}.md", "a+b (1).html", ["a+b (1).md"]),
    ],
)
def test_a_page_s_source_follows_from_its_path(page: str, file: str, key: str, expected: list[str]) -> None:
    tracked = sorted({*expected, "other.md", "src/other.md"})
    assert list(provenance(page, file).files(key, tracked)) == expected


@pytest.mark.parametrize(
    ("pattern", "tracked", "matches"),
    [
        ("data/*.yml", "data/a.yml", True),
        ("data/*.yml", "data/deep/a.yml", False),
        ("data/**/*.yml", "data/a.yml", True),
        ("data/**", "data/deep/a.yml", True),
        ("data/**", "data2/a.yml", False),
        ("**/team.yml", "my-team.yml", False),
        ("data/?.yml", "data/ab.yml", False),
        ("data/*.yml", "data/axyml", False),
        ("data/{name}/*.yml", "data/y/a.yml", False),
        ("data/{name}*.yml", "data/x1.yml", True),
    ],
)
def test_a_glob_means_the_tracked_files_that_it_matches(pattern: str, tracked: str, matches: bool) -> None:
    found = list(provenance("{name}.html", pattern).files("x.html", [tracked]))
    assert found == ([tracked] if matches else [])


def test_every_row_that_matches_gives_its_files() -> None:
    rows = SourceMapper([SourceMapping("a.html", ("x.md", "y.md")), SourceMapping("{name}.html", ("{name}.md",))])
    assert list(rows.files("a.html", ["a.md", "x.md", "y.md"])) == ["x.md", "y.md", "a.md"]


@pytest.mark.parametrize(
    ("page", "file", "path", "keys"),
    [
        ("{**path}.html", "src/{**path}.md", "src/docs/a.md", ["docs/a.html"]),
        ("{**path}.html", "src/{**path}.md", "lib/a.md", []),
        ("{name}.html", "data/*.yml", "data/a.yml", []),
        ("{name}.html", "data/{name}-*.yml", "data/a-1.yml", ["a.html"]),
        ("{y}/{m}/{slug}.html", "{y}-{m}-{slug}.md", "2024-01-a-long-name.md", ["2024/01/a-long-name.html"]),
    ],
)
def test_a_source_names_the_page_that_it_makes_where_that_can_be_told(
    page: str, file: str, path: str, keys: list[str]
) -> None:
    assert list(provenance(page, file).pages(path)) == keys


def test_patterns_of_pages_that_match_no_key_are_found_once() -> None:
    mapper = SourceMapper(
        [SourceMapping("a/{x}.html", ("a/{x}.md", "a/{x}.rst")), SourceMapping("b/{**x}.html", ("b/{**x}.md",))]
    )
    assert list(mapper.unmatched(["b/c/d.html"])) == ["a/{x}.html"]
    assert list(mapper.unmatched(["a/b.html", "b/c.html"])) == []


@pytest.mark.parametrize(
    "file",
    ["**/{name}.md", "????-??-??-{name}.md", "**/{y}-{name}.md", "{name}-*.md", "**/{a}/**/{name}.md", "*{name}.md"],
)
def test_files_are_found_as_by_trying_each(file: str) -> None:
    tracked = sorted(
        ["2024-01-02-b-c.md", "a/2024-b-c.md", "b-c.md", "a/b-c.md", "x/a/y/b-c.md", "b-c-d.md", "b-x-c.md"]
    )
    page = "{a}/{y}/{name}.html"
    for name in ("b-c", "b", "c", "b-x"):
        key = f"a/2024/{name}.html"
        alone = [path for path in tracked if list(provenance(page, file).files(key, [path]))]
        assert list(provenance(page, file).files(key, tracked)) == alone


def test_a_name_that_no_page_gives_stays_as_it_is_written() -> None:
    mapper = SourceMapper([SourceMapping("{**path}.html", ("{x}/a.md",))])
    assert list(mapper.files("a.html", ["a.md", "{x}/a.md"])) == ["{x}/a.md"]


@pytest.mark.parametrize(
    ("template", "path", "values"),
    [
        ("{a}-{b}.md", "x-y-z.md", {"a": "x", "b": "y-z"}),
        ("{**a}/{**b}", "x/y/z", {"a": "x/y", "b": "z"}),
        ("**/{name}/**", "a/b/c", {"name": "b"}),
        ("{name}/{name}", "a/a", {"name": "a"}),
        ("{name}/{name}", "a/b", None),
        ("{a}-{b}/{a}", "x-y/x", {"a": "x", "b": "y"}),
        ("{a}-{b}/{a}", "x-y/z", None),
        ("*-*/?", "a-b/c", {}),
        ("*-*/?", "ab/c", None),
        ("", "", {}),
    ],
)
def test_a_path_gives_the_values_of_the_names(template: str, path: str, values: dict[str, str] | None) -> None:
    assert path_matcher(template)(path) == values


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("*a*a*a*a*a*a*a*a*a*a*a*ab", "a" * 255),
        ("{**a}x{**b}y{**c}z{**d}!", "xyz" * 1_300),
        ("**/*a/**/*a/**/*a/**/b", "a/" * 2_000),
        ("{**a}{**a}{**a}{**a}b", "a" * 4_000),
        ("{a}{b}{c}{d}{e}{f}{g}/!", "x" * 255 + "/"),
    ],
)
def test_a_path_that_could_be_divided_in_very_many_ways_is_soon_known_not_to_match(template: str, path: str) -> None:
    assert path_matcher(template)(path) is None


@given(st.lists(_PARTS, unique=True, max_size=7), st.text("ab-1/\n", max_size=9))
def test_both_ways_to_match_find_what_a_regular_expression_finds(parts: list[str], path: str) -> None:
    elements = source_mapping._elements("".join(parts), {})
    found = re.fullmatch(source_mapping._regex(elements), path)
    expected = found.groupdict() if found else None
    assert path_matcher("".join(parts))(path) == expected
    assert source_mapping._match(elements, path) == expected
