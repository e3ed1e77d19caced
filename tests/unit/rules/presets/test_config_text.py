from pathlib import Path

import pytest
from preset_rows import project

from waypost.rules.presets.config_text import block, has_key, script, scripts, strings, table, tables, value

CONFIG = """
export default {
  // docs: { path: "comment" }
  url: "https://site.example", /* path: "comment" */
  i18n: { defaultLocale: "en", locales: ["en", 'de'], "other": `fr` },
  docs: { sidebarPath: "./a.js", path: 'text', nested: { id: "}" } },
  blog: false,
}
"""


def test_a_script_is_read_without_its_comments_and_with_its_strings(tmp_path: Path) -> None:
    text = script(project(tmp_path, {"site.config.mjs": CONFIG}), scripts("site.config"))
    assert "comment" not in text
    assert value(text, "url") == "https://site.example"
    assert script(project(tmp_path, {}), scripts("other.config")) == ""


def test_values_and_blocks_of_a_script(tmp_path: Path) -> None:
    text = script(project(tmp_path, {"site.config.js": CONFIG}), scripts("site.config"))
    docs = block(text, "docs")
    assert value(docs, "path") == "text"
    assert value(docs, "routeBasePath") is None
    assert strings(block(text, "locales")) == ["en", "de"]
    assert block(text, "blog") == ""
    assert has_key(text, "blog")
    assert not has_key(text, "Path")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("book.toml", '[book]\nsrc = "text"\n'),
        ("book.yaml", "book:\n  src: text\n"),
        ("book.json", '{"book": {"src": "text"}}'),
    ],
)
def test_a_table_is_read_in_each_format(name: str, text: str, tmp_path: Path) -> None:
    assert table(project(tmp_path, {name: text}), tables("book")) == {"book": {"src": "text"}}


@pytest.mark.parametrize(
    ("name", "text"), [("a.toml", "x ="), ("a.yml", "x: ["), ("a.json", "{"), ("a.yaml", "text"), ("b.toml", "x = 1")]
)
def test_a_table_that_is_wrong_or_missing_is_empty(name: str, text: str, tmp_path: Path) -> None:
    assert table(project(tmp_path, {name: text}), tables("a")) == {}


@pytest.mark.parametrize(
    "text",
    [
        '\\"' * 200_000,
        "\\'" * 200_000,
        "\\`" * 200_000,
        "/* " * 200_000,
        "'`" * 100_000 + "\n" + '"' * 100_001,
        "key: {" * 100_000,
    ],
)
def test_marks_that_nothing_closes_are_searched_once(text: str, tmp_path: Path) -> None:
    assert script(project(tmp_path, {"a.js": text}), ["a.js"]) == text
    assert block(text, "key") == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[" * 100_000),
        ("a.json", '{"a": ' + "1" * 5_000 + "}"),
        ("a.toml", "a = " + "[" * 5_000),
        ("a.toml", "a." * 100_000 + "b = 1"),
        ("a.yml", "[" * 50_000),
        ("a.yml", "a: &a [*a]"),
    ],
)
def test_a_table_over_a_limit_is_empty(name: str, text: str, tmp_path: Path) -> None:
    assert table(project(tmp_path, {name: text}), tables("a")) == {}
