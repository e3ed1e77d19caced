import re
from typing import Any

import pytest
from sites import MakeSite

from waypost.core.errors import ConfigurationError
from waypost.settings import load
from waypost.settings.load import ConfigSource

BASE = {"base_url": "https://example.org/"}


def issues(*sources: ConfigSource) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        load.check_settings(sources)
    return [str(issue) for issue in caught.value.issues]


def test_every_issue_is_reported_at_once() -> None:
    found = issues(
        ConfigSource(
            "waypost.toml", {"gzip": "yes", "lastmod": "never", "pages": ["html", "docx", "odt"], "nonsense": 1}
        )
    )
    assert len(found) == 6
    for key in ("gzip", "lastmod", "pages[1]", "pages[2]", "nonsense", "base_url"):
        assert any(f": {key}: " in issue for issue in found), key


def test_the_error_counts_its_issues_and_exits_with_2() -> None:
    with pytest.raises(ConfigurationError, match=r"2 issues in the settings:\n  .*\n  ") as caught:
        load.check_settings([ConfigSource("x", {**BASE, "gzip": 1, "drop_html": 1})])
    assert caught.value.exit_code == 2
    with pytest.raises(ConfigurationError, match=r"^1 issue in the settings:"):
        load.check_settings([ConfigSource("x", {**BASE, "gzip": 1})])


def test_a_later_source_overrides_an_earlier_one() -> None:
    site = load.check_settings(
        [ConfigSource("file", {**BASE, "gzip": True, "drop_html": True}), ConfigSource("flags", {"gzip": False})]
    )
    assert site.gzip is False
    assert site.drop_html is True


def test_an_issue_names_its_source() -> None:
    (found,) = issues(ConfigSource("waypost.toml", dict(BASE)), ConfigSource("command line", {"limits": "huge"}))
    assert found == "command line: limits: 'huge' is not an allowed value (strict or current)"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ('base_url = "https://e.org/"\n[groups]\nB = ["/b/"]\n', "groups.B", 2),
        ('base_url = "https://e.org/"\n\n[[overrides]]\nmatch = ["/b/"]\npriority = 7\n', "overrides[0].priority", 3),
        ('base_url = "https://e.org/"\ngroups.B = ["/b/"]\n', "groups.B", 2),
        ('"gzip" = 1\nbase_url = "https://e.org/"\n', "gzip", 1),
        ("base_url = 'nothing'\n", "base_url", 1),
    ],
)
def test_an_issue_in_a_table_names_the_line_where_the_setting_begins(text: str, key: str, line: int) -> None:
    source = load.parse_toml(text, "waypost.toml")
    assert source is not None
    with pytest.raises(ConfigurationError) as caught:
        load.check_settings([source])
    assert [(issue.key, issue.line) for issue in caught.value.issues] == [(key, line)]


def test_the_line_of_an_issue_is_searched_in_waypost_s_own_table() -> None:
    text = '[project]\nname = "demo"\n\n[tool.waypost]\nbase_url = "https://example.org/"\nname = "a/b"\n'
    source = load.parse_toml(text, "pyproject.toml")
    assert source is not None
    (found,) = issues(source)
    assert found.startswith("pyproject.toml:6: name: ")


def test_an_issue_spells_a_key_as_its_source_does() -> None:
    (found,) = issues(ConfigSource("command line", {"base_url": "x"}, spellings={"base_url": "--base-url"}))
    assert found.startswith("command line: --base-url: ")


@pytest.mark.parametrize(
    ("key", "suggestion"),
    [("baseurl", "base_url"), ("drop-html", "drop_html"), ("excludes", "exclude"), ("Base-URL", "base_url")],
)
def test_the_nearest_name_is_suggested_for_an_unknown_setting(key: str, suggestion: str) -> None:
    (found,) = issues(ConfigSource("x", {**BASE, key: 1}))
    assert f"{key}: unknown setting (did you mean {suggestion}?)" in found


def test_a_missing_base_url_is_an_issue() -> None:
    (found,) = issues()
    assert re.search(r"settings: base_url: it is missing \(.*waypost\.toml, --base-url, or the input base-url\)", found)


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"lastmod": "content"}, "lastmod"),
        ({"state": "s.jsonl", "lastmod": "git"}, "state"),
        ({"sources": [{"page": "a.html", "files": ["a.md"]}], "lastmod": "none"}, "sources"),
        ({"lists": "newest", "lastmod": "none"}, "lists"),
        ({"base_url": "https://example.org/docs/", "robots_sitemaps": True}, "robots_sitemaps"),
        ({"name": "robots", "formats": ["text"]}, "name"),
        ({"name": "llms"}, "name"),
        ({"name": "llms-map"}, "name"),
        ({"formats": ["llms"]}, "formats"),
    ],
)
def test_settings_that_contradict_one_another_are_refused(values: dict[str, Any], key: str) -> None:
    (found,) = issues(ConfigSource("x", {**BASE, **values}))
    assert found.startswith(f"x: {key}: ")


def test_invalid_toml_is_reported_with_its_line() -> None:
    with pytest.raises(ConfigurationError, match=r"waypost\.toml:2: TOML: .*line 2"):
        load.parse_toml("gzip = true\nbase_url = \n", "waypost.toml")


def test_only_waypost_s_table_of_a_pyproject_is_read() -> None:
    source = load.parse_toml('[project]\nname = "x"\n[tool.waypost]\ngzip = true\n', "some/pyproject.toml")
    assert source is not None
    assert dict(source.values) == {"gzip": True}


@pytest.mark.parametrize("text", ["", "[tool.ruff]\nx = 1\n", '[project]\nname = "waypost"\n'])
def test_a_pyproject_without_the_table_is_not_a_settings_file(text: str) -> None:
    assert load.parse_toml(text, "pyproject.toml") is None


def test_an_empty_waypost_toml_is_a_settings_file() -> None:
    source = load.parse_toml("", "waypost.toml")
    assert source is not None
    assert not source.values


@pytest.mark.parametrize("text", ["tool = 3\n", "[tool]\nwaypost = 3\n", "[[tool.waypost]]\ngzip = true\n"])
def test_a_pyproject_whose_table_has_another_type_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        load.check_settings(
            [source] if (source := load.parse_toml(text, "pyproject.toml")) else [ConfigSource("x", {"gzip": 3})]
        )


@pytest.mark.parametrize(
    ("profile", "numbers"), [("strict", (50_000, 1_000, 10_485_760)), ("current", (50_000, 50_000, 52_428_800))]
)
def test_the_limits_are_those_of_the_protocol(make_site: MakeSite, profile: str, numbers: tuple[int, int, int]) -> None:
    limit = make_site(limits=profile).file_limits
    assert (limit.urls, limit.sitemaps, limit.bytes) == numbers


def test_a_state_means_dates_by_content_unless_another_source_of_dates_is_named(make_site: MakeSite) -> None:
    assert make_site(state="state.jsonl").lastmod == "content"
    kept = ConfigSource("file", {"base_url": "https://example.org/", "state": "state.jsonl"})
    assert load.check_settings([kept, ConfigSource("flags", {"lastmod": "none"})]).lastmod == "none"


@pytest.mark.parametrize(
    "text", ["a = " + "1" * 5_000, "a = " + "[" * 5_000, "a." * 100_000 + "b = 1", "#" * 1_000_000]
)
def test_toml_over_a_limit_is_reported_as_invalid(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"waypost\.toml.*: TOML: "):
        load.parse_toml(text, "waypost.toml")


def test_of_very_many_issues_the_first_hundred_are_reported() -> None:
    text = "".join(f"unknown{n}{'x' * 20} = 1\n" for n in range(500))
    source = load.parse_toml(text, "waypost.toml")
    assert source
    with pytest.raises(ConfigurationError) as caught:
        load.check_settings([source])
    assert [issue.line for issue in caught.value.issues[:100]] == list(range(1, 101))


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"exclude": ["/a"] * 1_001}, "exclude"),
        ({"groups": {"a": ["/a"] * 1_000, "b": ["/b"]}}, "groups"),
        ({"overrides": [{"match": ["/a"], "priority": 0.5}] * 1_001}, "overrides"),
        ({"sources": [{"page": "a", "files": ["b"]}] * 1_001}, "sources"),
    ],
)
def test_more_patterns_than_are_matched_are_refused(values: dict[str, Any], key: str) -> None:
    (found,) = issues(ConfigSource("waypost.toml", {**BASE, **values}))
    assert f"{key}: it has 1,001 " in found
    assert "and at most 1,000 are read" in found
