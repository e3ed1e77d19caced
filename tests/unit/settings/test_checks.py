import re
from collections.abc import Callable
from typing import Any

import pytest

from waypost.settings import checks
from waypost.settings.checks import InvalidValue
from waypost.settings.values import Patterns


def problems(check: Callable[[Any], Any], value: Any) -> dict[str, str]:
    with pytest.raises(InvalidValue) as caught:
        check(value)
    return dict(caught.value.problems)


@pytest.mark.parametrize(
    ("lines", "key", "decided"),
    [
        ([], "a.html", None),
        (["a.html"], "a.html", True),
        (["a.html"], "x/a.html", True),
        (["/a.html"], "x/a.html", None),
        (["drafts/"], "drafts/a.html", True),
        (["drafts/"], "x/drafts/a.html", True),
        (["drafts/"], "drafts", None),
        (["/drafts"], "drafts/a.html", True),
        (["x/drafts"], "y/x/drafts/a.html", None),
        (["*.pdf"], "deep/down/a.pdf", True),
        (["**/old/*.html"], "a/b/old/c.html", True),
        (["docs/**"], "docs/a/b.html", True),
        (["*.html", "!keep.html"], "keep.html", False),
        (["!keep.html", "*.html"], "keep.html", True),
        (["!keep.html"], "keep.html", False),
        (["# a comment", ""], "# a comment", None),
        ([r"\#a.html"], "#a.html", True),
        ([r"\!a.html"], "!a.html", True),
        (["a?c.html"], "abc.html", True),
        (["a[0-9].html"], "a5.html", True),
        (["a[!0-9].html"], "a5.html", None),
        (["ü.html"], "ü.html", True),
    ],
)
def test_patterns_decide_as_gitignore_does(lines: list[str], key: str, decided: bool | None) -> None:
    assert Patterns(lines).decision(key) is decided


def test_each_invalid_pattern_is_named_by_its_index() -> None:
    assert problems(checks.patterns, ["ok", "!", "fine"]).keys() == {"[1]"}
    assert problems(checks.patterns, ["ok", 3, None]).keys() == {"[1]", "[2]"}


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (checks.flag, "true"),
        (checks.flag, 1),
        (checks.flag, None),
        (checks.text, ""),
        (checks.text, "  "),
        (checks.text, 3),
        (checks.each(checks.string), "abc"),
        (checks.patterns, "docs/"),
        (checks.choice("a", "b"), "c"),
        (checks.choice("a", "b"), ["a"]),
        (checks.choices("a", "b"), []),
        (checks.base_url, 3),
        (checks.base_url, "example.org"),
        (checks.pages, []),
        (checks.output_name, ""),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(check: Callable[[Any], Any], value: Any) -> None:
    assert problems(check, value).keys() == {""}


@pytest.mark.parametrize(
    ("value", "suffixes"),
    [
        (["html"], {".html", ".htm", ".xhtml", ".xht", ".shtml"}),
        (["pdf", ".TXT"], {".pdf", ".txt"}),
        (["markdown"], {".md", ".markdown"}),
        ([".tar.gz"], {".tar.gz"}),
    ],
)
def test_page_types_become_endings_in_lower_case(value: list[str], suffixes: set[str]) -> None:
    assert checks.pages(value) == suffixes


def test_each_unknown_page_type_is_named_by_its_index() -> None:
    assert problems(checks.pages, ["html", "txt", ".a/b", "HTML"]).keys() == {"[1]", "[2]", "[3]"}


def test_choices_have_the_order_of_the_allowed_names() -> None:
    assert checks.choices("xml", "text")(["text", "xml", "text"]) == ("xml", "text")


def test_a_file_name_has_no_folder() -> None:
    assert problems(checks.each(checks.file_name), ["index.html", "", "a/index.html"]).keys() == {"[1]", "[2]"}


@pytest.mark.parametrize(
    ("value", "name"), [("sitemap", "sitemap"), ("sitemap.xml", "sitemap"), ("Site_map-2.0", "Site_map-2.0")]
)
def test_the_ending_of_an_output_name_is_removed(value: str, name: str) -> None:
    assert checks.output_name(value) == name


@pytest.mark.parametrize("value", ["a/b", "../sitemap", ".hidden", "-x", "a b", "ü", "a" * 65, "sitemap\n", ".xml"])
def test_an_output_name_that_is_not_a_plain_file_name_is_refused(value: str) -> None:
    assert problems(checks.output_name, value).keys() == {""}


def test_a_problem_quotes_the_value() -> None:
    assert re.search("'huge'", problems(checks.choice("a"), "huge")[""])


@pytest.mark.parametrize("value", [0, 1, 50, 100])
def test_a_percentage_is_a_whole_number(value: int) -> None:
    assert checks.percent(value) == value


@pytest.mark.parametrize("value", [-1, 101, 50.0, "50", True, None])
def test_anything_else_is_no_percentage(value: object) -> None:
    with pytest.raises(InvalidValue, match="is not a whole number from 0 to 100"):
        checks.percent(value)
