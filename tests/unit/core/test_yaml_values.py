"""YAML as Jekyll reads it."""

from datetime import UTC, date, datetime

import pytest

from waypost.core.yaml_values import YamlError, load_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-02-30", "2024-02-30"),
        ("2024-05-01", date(2024, 5, 1)),
        ("2024-05-01 10:00:00 +02:00", datetime(2024, 5, 1, 8, tzinfo=UTC)),
        (":title", ":title"),
        ("=", "="),
        ("yes", True),
        ("y", "y"),
        ("010", 8),
        ("!own text", "text"),
        ("!own [1]", [1]),
        ("!own {a: 1}", {"a": 1}),
        ("~", None),
    ],
)
def test_values_are_those_that_jekyll_gets(text: str, value: object) -> None:
    assert load_yaml(f"key: {text}") == {"key": value}


@pytest.mark.parametrize(("text", "line"), [("a: 1\nb: [", 3), ("a: 1\n\tb: 2\n", 2), ("a: \x00", 1)])
def test_text_that_is_not_yaml_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as raised:
        load_yaml(text)
    assert raised.value.line == line
    assert raised.value.problem


def test_code_in_a_tag_is_never_run() -> None:
    assert load_yaml("a: !!str 1") == {"a": "1"}
    with pytest.raises(YamlError):
        load_yaml("a: !!python/object/apply:os.getcwd []")
