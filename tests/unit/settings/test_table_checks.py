from collections.abc import Callable
from typing import Any

import pytest

from waypost.settings import checks, table_checks
from waypost.settings.checks import InvalidValue


def problems(check: Callable[[Any], Any], value: Any) -> dict[str, str]:
    with pytest.raises(InvalidValue) as caught:
        check(value)
    return dict(caught.value.problems)


def test_groups_that_are_not_a_table_are_refused() -> None:
    assert problems(table_checks.groups, ["blog"]).keys() == {""}


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0.0"), (1, "1.0"), (0.5, "0.5"), (0.8, "0.8"), (0.25, "0.25"), (0.123456, "0.123"), (1e-9, "0.0")],
)
def test_a_priority_is_written_as_a_decimal(value: float, written: str) -> None:
    assert table_checks.override({"match": ["*"], "priority": value}).priority == written


@pytest.mark.parametrize("value", [-0.1, 1.1, 2, "0.5", True, float("nan"), float("inf")])
def test_a_priority_outside_0_to_1_is_refused(value: object) -> None:
    def check(priority: object) -> object:
        return table_checks.override({"match": ["*"], "priority": priority})

    assert problems(check, value).keys() == {".priority"}


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ({}, {"", ".match"}),
        ({"match": ["*"]}, {""}),
        ({"priority": 0.5}, {".match"}),
        ({"match": "*", "priority": 7, "prio": 1}, {".match", ".priority", ".prio"}),
        ({"match": "*", "priority": 0.5}, {".match"}),
        ({"match": ["!"], "priority": 0.5}, {".match[0]"}),
        ({"match": ["*"], "changefreq": "sometimes"}, {".changefreq"}),
        ({"match": ["*"], "changefreq": "Daily"}, {".changefreq"}),
        ({"match": ["*"], "priority": 0.5, "prio": 1}, {".prio"}),
        ("match", {""}),
    ],
)
def test_a_problem_of_an_override_is_at_its_key(table: object, keys: set[str]) -> None:
    assert problems(table_checks.override, table).keys() == keys


def test_the_problems_of_all_tables_are_reported() -> None:
    tables = [{"match": ["*"], "priority": 2}, {"match": ["*"], "priority": 1}, {}]
    assert problems(checks.each(table_checks.override), tables).keys() == {"[0].priority", "[2]", "[2].match"}


@pytest.mark.parametrize("changefreq", ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"])
def test_the_changefreqs_of_the_protocol_are_accepted(changefreq: str) -> None:
    assert table_checks.override({"match": ["*"], "changefreq": changefreq}).changefreq == changefreq


def test_groups_have_the_order_of_the_table() -> None:
    assert [name for name, _ in table_checks.groups({"docs": ["/docs/"], "blog": ["/blog/"]})] == ["docs", "blog"]


@pytest.mark.parametrize(
    "name", ["pages", "index", "Blog", "a_b", "1st", "-a", "a.b", "", "a" * 33, "x-0123456789abcdef"]
)
def test_a_group_name_that_another_file_could_have_is_refused(name: str) -> None:
    assert problems(table_checks.groups, {name: ["*"]}).keys() == {f".{name}"}


def test_an_invalid_pattern_in_a_group_is_named_by_its_index() -> None:
    assert problems(table_checks.groups, {"blog": ["ok", "!"], "docs": "no list"}).keys() == {".blog[1]", ".docs"}


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ({"page": "a.html"}, {".files"}),
        ({"page": "a.html", "files": ["a.md"], "file": "x"}, {".file"}),
        ({"page": "{x}.html", "files": ["{y}.md"]}, {".files[0]"}),
        ({"page": "{x.html", "files": ["a.md"]}, {".page"}),
        ({"page": "{X}.html", "files": ["a.md"]}, {".page"}),
        ({"page": "a.html", "files": ["{*x}.md"]}, {".files[0]"}),
        ({"page": "a.html", "files": "a.md"}, {".files"}),
        ({"page": "{x}.html", "files": ["{y}.md", "a/", 3]}, {".files[0]", ".files[1]", ".files[2]"}),
        ({"page": "", "files": ["a.md"]}, {".page"}),
    ],
)
def test_a_problem_of_a_source_is_at_its_key(table: object, keys: set[str]) -> None:
    assert problems(table_checks.source, table).keys() == keys


def test_severities_keep_their_order() -> None:
    assert table_checks.severities({"deep": "off", "broken-link": "note"}) == (("deep", "off"), ("broken-link", "note"))


@pytest.mark.parametrize("value", [{"deep": "fatal"}, {"deep": 1}, ["deep"], "deep"])
def test_an_unknown_severity_is_refused(value: object) -> None:
    with pytest.raises(InvalidValue):
        table_checks.severities(value)


@pytest.mark.parametrize("path", ["a" * 2_000, "*a" * 51, "{a}-" * 51, "?" * 51])
def test_a_path_with_too_many_wildcards_is_refused(path: str) -> None:
    assert "has more than 1,000 characters and 50 wildcards" in str(
        problems(table_checks.source, {"page": path, "files": ["a"]})
    )
