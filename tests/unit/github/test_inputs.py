import json
from dataclasses import fields

import pytest

from waypost.config.schema import SETTINGS
from waypost.github import inputs
from waypost.github.inputs import ACTION_INPUTS, Inputs


def read(**given: str) -> Inputs:
    return inputs.read({"WAYPOST_INPUTS": json.dumps({name.replace("_", "-"): text for name, text in given.items()})})


def settings(**given: str) -> dict[str, object]:
    return dict(read(**given).config_sources[-1].values)


def issues(**given: str) -> list[str]:
    return [str(issue) for issue in read(**given).issues]


def test_an_absent_input_has_the_default_of_its_declaration() -> None:
    asked = inputs.read({})
    assert (asked.source, asked.push, asked.commit, asked.fetch_history) == (".", "auto", "false", True)
    assert asked.message == "Update the sitemaps"
    assert not any(source.values for source in asked.config_sources)


def test_an_empty_input_counts_as_absent() -> None:
    assert settings(base_url=" ", gzip="", exclude="\n") == {}
    assert read(source=" ").source == "."


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("base_url", " https://example.org/ ", "https://example.org/"),
        ("gzip", "True", True),
        ("gzip", "false", False),
        ("gzip", "yes", "yes"),
        ("formats", "xml, text", ["xml", "text"]),
        ("pages", "html\n.txt ,", ["html", ".txt"]),
        ("exclude", "/a, b/\n\n  c \n", ["/a, b/", "c"]),
        ("groups", '{ blog = ["/blog/"] }', {"blog": ["/blog/"]}),
        ("overrides", '[{ match = ["*"], priority = 0.3 }]', [{"match": ["*"], "priority": 0.3}]),
    ],
)
def test_a_setting_is_read_as_its_declaration_says(name: str, text: str, value: object) -> None:
    assert settings(**{name: text}) == {name: value}


@pytest.mark.parametrize("given", [{"state": "s.jsonl"}, {"state_branch": "state"}])
def test_a_state_means_dates_by_content_unless_an_input_names_another_source_of_dates(given: dict[str, str]) -> None:
    assert settings(**given)["lastmod"] == "content"
    assert settings(**given, lastmod="none")["lastmod"] == "none"


def test_the_inputs_override_the_settings_that_are_given_in_toml() -> None:
    toml, single = read(settings='gzip = true\nname = "map"', gzip="false").config_sources
    assert (dict(toml.values), dict(single.values)) == ({"gzip": True, "name": "map"}, {"gzip": False})


def test_every_issue_names_its_input_and_what_is_allowed() -> None:
    assert issues(commit="yes", push="maybe", branch="a b", author="Ada", groups="{ a = [") == [
        "the step's inputs: commit: 'yes' is not an allowed value (true, false or pull-request)",
        "the step's inputs: push: 'maybe' is not an allowed value (auto, true or false)",
        "the step's inputs: branch: 'a b' is not a branch name (a name that Git accepts for a branch)",
        "the step's inputs: author: 'Ada' is not an author (Name <address>)",
        "the step's inputs: groups: Invalid value (at end of document) (a table of name = [patterns])",
    ]


def test_a_toml_input_holds_one_value() -> None:
    assert "there is more than one TOML value" in issues(overrides='[]\nname = "x"')[0]


def test_an_input_that_only_the_action_has_is_not_a_setting() -> None:
    assert not {each.name for each in ACTION_INPUTS} & {each.name for each in SETTINGS}
    assert {field.name for field in fields(Inputs)} - {each.name for each in ACTION_INPUTS} == {
        "config_sources",
        "issues",
    }


def test_the_title_of_a_pull_request_is_the_first_line_of_the_message_and_labels_are_separated_by_commas() -> None:
    asked = Inputs(message="Update\n\nMore", labels=" seo, ,automated ")
    assert (asked.pull_request_title, asked.label_names) == ("Update", ["seo", "automated"])
    assert Inputs(title="Sitemaps").pull_request_title == "Sitemaps"


@pytest.mark.parametrize(
    ("commit", "expected"), [("false", (False, False)), ("true", (True, False)), ("Pull-Request", (True, True))]
)
def test_a_commit_is_for_a_branch_or_for_a_pull_request(commit: str, expected: tuple[bool, bool]) -> None:
    asked = read(commit=commit)
    assert (asked.commits, asked.is_for_pull_request) == expected
