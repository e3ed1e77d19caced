import json
from dataclasses import fields
from pathlib import Path

import pytest

from waypost.core.errors import ConfigurationError
from waypost.github import inputs
from waypost.github.inputs import ACTION_INPUTS, Inputs, input_path, workspace


def read(**given: str) -> Inputs:
    return inputs.read({"WAYPOST_INPUTS": json.dumps({name.replace("_", "-"): text for name, text in given.items()})})


def settings(**given: str) -> dict[str, object]:
    return dict(read(**given).config_sources[-1].values)


def issues(**given: str) -> list[str]:
    return [str(issue) for issue in read(**given).issues]


def test_an_absent_input_has_the_default_of_its_declaration() -> None:
    asked = inputs.read({})
    assert (asked.source, asked.push, asked.commit, asked.fetch_history) == ("", "auto", "false", True)
    assert asked.message == "Update the sitemaps"
    assert not any(source.values for source in asked.config_sources)


def test_an_empty_input_counts_as_absent() -> None:
    assert settings(base_url=" ", exclude="\n") == {}
    assert read(source=" ").source == ""


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("base_url", " https://example.org/ ", "https://example.org/"),
        ("exclude", "/a, b/\n\n  c \n", ["/a, b/", "c"]),
    ],
)
def test_a_setting_is_read_as_its_declaration_says(name: str, text: str, value: object) -> None:
    assert settings(**{name: text}) == {name: value}


def test_a_branch_for_the_state_means_dates_by_content_unless_the_settings_name_another_source_of_dates() -> None:
    assert settings(state_branch="state")["lastmod"] == "content"
    assert settings(state_branch="state", settings='lastmod = "none"') == {}


def test_the_inputs_override_the_settings_that_are_given_in_toml() -> None:
    toml, single = read(settings='gzip = true\nexclude = ["/b/"]', exclude="/a/").config_sources
    assert (dict(toml.values), dict(single.values)) == ({"gzip": True, "exclude": ["/b/"]}, {"exclude": ["/a/"]})


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("drop-html", "True", "drop_html = true"),
        ("Gzip", "false", "gzip = false"),
        ("max-removed", "100", "max_removed = 100"),
        ("compare", "https://example.org/sitemap.xml", 'compare = "https://example.org/sitemap.xml"'),
        ("pages", "html pdf", 'pages = ["html", "pdf"]'),
        ("formats", "xml, text", 'formats = ["xml", "text"]'),
        ("groups", '{ blog = ["/blog/"] }', 'groups = { blog = ["/blog/"] }'),
        ("gzip", "perhaps", "gzip = …"),
    ],
)
def test_a_setting_without_an_input_is_an_issue_that_says_the_line_to_write(name: str, text: str, line: str) -> None:
    assert issues(**{name: text})[0].endswith(f"it is no input; write in the input settings: {line}")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("base_url", "unknown input (did you mean base-url?)"),
        ("bas-url", "unknown input (did you mean base-url?)"),
        ("dorp-html", "unknown input (did you mean drop-html, which goes into the input settings?)"),
        ("entirely-different", "unknown input"),
        ("sign-off", "it is no input; end the input message with the line `Signed-off-by: NAME <ADDRESS>`"),
    ],
)
def test_an_unknown_input_is_an_issue_with_the_nearest_name(name: str, hint: str) -> None:
    found = inputs.read({"WAYPOST_INPUTS": json.dumps({name: "x"})}).issues
    assert [str(each) for each in found] == [f"the step's inputs: {name}: {hint}"]


def test_every_issue_names_its_input_and_what_is_allowed() -> None:
    assert issues(commit="yes", push="maybe", branch="a b", author="Ada", settings="a = [") == [
        "the step's inputs: commit: 'yes' is not an allowed value (true, false or pull-request)",
        "the step's inputs: push: 'maybe' is not an allowed value (auto, true or false)",
        "the step's inputs: branch: 'a b' is not a branch name (a name that Git accepts for a branch)",
        "the step's inputs: author: 'Ada' is not an author (Name <address>)",
        "the step's inputs: settings: Invalid value (at end of document) (settings in TOML, as in waypost.toml)",
    ]


def test_each_field_is_an_input() -> None:
    declared = {each.name for each in ACTION_INPUTS.values()}
    assert {field.name for field in fields(Inputs)} - declared == {"config_sources", "issues"}


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


def test_the_workspace_is_the_runner_s_or_else_the_working_folder(tmp_path: Path) -> None:
    assert workspace({"GITHUB_WORKSPACE": str(tmp_path)}) == tmp_path.resolve()
    assert workspace({}) == Path.cwd().resolve()


def test_a_path_may_lead_outside_only_if_it_is_written_so(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "workspace"
    (root / "site").mkdir(parents=True)
    (root / "inside").symlink_to("site")
    (root / "outside").symlink_to("..")
    assert input_path(root, "source", "inside") == root / "site"
    assert input_path(root, "source", str(tmp_path)) == tmp_path.resolve()
    for path in ("outside", ".git/hooks"):
        with pytest.raises(ConfigurationError, match=r"leads out of the workspace, or lies in \.git"):
            input_path(root, "source", path)
