import re
from collections.abc import Callable
from typing import Any

import pytest

from waypost.config import checks
from waypost.config.checks import InvalidValue, Patterns


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


def test_patterns_with_the_same_lines_are_equal() -> None:
    assert Patterns(["a", "b"]) == Patterns(("a", "b"))
    assert hash(Patterns(["a"])) == hash(Patterns(("a",)))
    assert Patterns(["a", "b"]) != Patterns(["b", "a"])


def test_no_patterns_are_false() -> None:
    assert not Patterns()
    assert Patterns(["a"])


def test_each_bad_pattern_is_named_by_its_place() -> None:
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
        (checks.texts, "abc"),
        (checks.patterns, "docs/"),
        (checks.choice("a", "b"), "c"),
        (checks.choice("a", "b"), ["a"]),
        (checks.choices("a", "b"), []),
        (checks.base_url, 3),
        (checks.base_url, "example.org"),
        (checks.pages, []),
        (checks.groups, ["blog"]),
        (checks.output_name, ""),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(check: Callable[[Any], Any], value: Any) -> None:
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


def test_each_unknown_page_type_is_named_by_its_place() -> None:
    assert problems(checks.pages, ["html", "txt", ".a/b", "HTML"]).keys() == {"[1]", "[2]", "[3]"}


def test_choices_come_in_the_order_of_the_names_whatever_the_value_s() -> None:
    assert checks.choices("xml", "text")(["text", "xml", "text"]) == ("xml", "text")


def test_index_files_are_names_not_paths() -> None:
    assert problems(checks.index_files, ["index.html", "", "a/index.html"]).keys() == {"[1]", "[2]"}


@pytest.mark.parametrize(
    ("value", "name"), [("sitemap", "sitemap"), ("sitemap.xml", "sitemap"), ("Site_map-2.0", "Site_map-2.0")]
)
def test_an_output_name_may_have_its_ending(value: str, name: str) -> None:
    assert checks.output_name(value) == name


@pytest.mark.parametrize("value", ["a/b", "../sitemap", ".hidden", "-x", "a b", "ü", "a" * 65, "sitemap\n", ".xml"])
def test_an_output_name_that_is_no_plain_file_name_is_refused(value: str) -> None:
    assert problems(checks.output_name, value).keys() == {""}


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0.0"), (1, "1.0"), (0.5, "0.5"), (0.8, "0.8"), (0.25, "0.25"), (0.123456, "0.123"), (1e-9, "0.0")],
)
def test_a_priority_is_written_as_a_decimal(value: float, written: str) -> None:
    assert checks.override({"match": ["*"], "priority": value}, "[0]").priority == written


@pytest.mark.parametrize("value", [-0.1, 1.1, 2, "0.5", True, float("nan"), float("inf")])
def test_a_priority_outside_0_to_1_is_refused(value: object) -> None:
    def check(priority: object) -> object:
        return checks.override({"match": ["*"], "priority": priority}, "[0]")

    assert problems(check, value).keys() == {"[0].priority"}


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ({}, {"[0]"}),
        ({"match": ["*"]}, {"[0]"}),
        ({"priority": 0.5}, {"[0]"}),
        ({"match": "*", "priority": 0.5}, {"[0].match"}),
        ({"match": ["!"], "priority": 0.5}, {"[0].match[0]"}),
        ({"match": ["*"], "changefreq": "sometimes"}, {"[0].changefreq"}),
        ({"match": ["*"], "changefreq": "Daily"}, {"[0].changefreq"}),
        ({"match": ["*"], "priority": 0.5, "prio": 1}, {"[0].prio"}),
        ("match", {"[0]"}),
    ],
)
def test_a_wrong_override_is_named_by_the_key_that_is_wrong(table: object, keys: set[str]) -> None:
    assert problems(lambda value: checks.override(value, "[0]"), table).keys() == keys


def test_the_mistakes_of_all_tables_are_reported() -> None:
    tables = [{"match": ["*"], "priority": 2}, {"match": ["*"], "priority": 1}, {}]
    assert problems(lambda value: checks.each(value, checks.override), tables).keys() == {"[0].priority", "[2]"}


@pytest.mark.parametrize("changefreq", ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"])
def test_the_protocol_s_frequencies_are_accepted(changefreq: str) -> None:
    assert checks.override({"match": ["*"], "changefreq": changefreq}, "").changefreq == changefreq


def test_groups_keep_the_table_s_order() -> None:
    assert [name for name, _ in checks.groups({"docs": ["/docs/"], "blog": ["/blog/"]})] == ["docs", "blog"]


@pytest.mark.parametrize(
    "name", ["pages", "index", "Blog", "a_b", "1st", "-a", "a.b", "", "a" * 33, "x-0123456789abcdef"]
)
def test_a_group_s_name_that_another_output_could_have_is_refused(name: str) -> None:
    assert problems(checks.groups, {name: ["*"]}).keys() == {f".{name}"}


def test_a_bad_pattern_in_a_group_is_named_by_its_place() -> None:
    assert problems(checks.groups, {"blog": ["ok", "!"], "docs": "no list"}).keys() == {".blog[1]", ".docs"}


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ({"page": "a.html"}, {"[0]"}),
        ({"page": "a.html", "files": ["a.md"], "file": "x"}, {"[0].file"}),
        ({"page": "{x}.html", "files": ["{y}.md"]}, {"[0].files[0]"}),
        ({"page": "{x.html", "files": ["a.md"]}, {"[0].page"}),
        ({"page": "{X}.html", "files": ["a.md"]}, {"[0].page"}),
        ({"page": "a.html", "files": ["{*x}.md"]}, {"[0].files[0]"}),
        ({"page": "a.html", "files": "a.md"}, {"[0].files"}),
        ({"page": "", "files": ["a.md"]}, {"[0].page"}),
    ],
)
def test_a_wrong_source_is_named_by_the_key_that_is_wrong(table: object, keys: set[str]) -> None:
    assert problems(lambda value: checks.source(value, "[0]"), table).keys() == keys


def test_what_is_wrong_is_said_of_the_value_itself() -> None:
    assert re.search("'huge'", problems(checks.choice("a"), "huge")[""])
