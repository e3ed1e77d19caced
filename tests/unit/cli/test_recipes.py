"""The lines that add sitemaps to a site where it is built."""

from __future__ import annotations

import json
import tomllib

import pytest
import yaml

from waypost.cli.recipes import Lines, Recipe, Site, Tool, recipes

SITE = Site("Hugo", "make site", "out dir", is_node=False)
TOOL = Tool("waypost @ git+https://a.dev/b", "a/b@c")
COMMAND = (
    "make site && python3 -m venv /tmp/waypost && . /tmp/waypost/bin/activate"
    " && pip install 'waypost @ git+https://a.dev/b' && waypost build 'out dir' --fetch-history"
)


def test_the_build_command_installs_the_program_and_lists_the_output() -> None:
    assert Lines(SITE, TOOL).command() == COMMAND


@pytest.mark.parametrize("host", ["netlify", "vercel", "firebase", "cloudflare-pages"])
def test_the_file_of_each_host_has_the_command_in_its_own_language(host: str) -> None:
    text = Lines(SITE._replace(output="out"), TOOL).of_host(host)
    command = COMMAND.replace("'out dir'", "out")
    if host == "netlify":
        assert tomllib.loads(text)["build"]["command"] == command
    elif host == "vercel":
        assert json.loads(text)["buildCommand"] == "make site && sh sitemaps.sh"
    elif host == "firebase":
        assert json.loads(f"{{{text}}}") == {"public": "out", "predeploy": [command]}
    else:
        assert text == command


def test_the_command_in_vercel_json_is_short_and_its_script_stops_at_the_first_failure() -> None:
    script = Lines(SITE, TOOL).vercel_script().splitlines()
    assert script[0] == "set -e"
    assert script[1].startswith("(git remote add origin https://github.com/$VERCEL_GIT_REPO_OWNER/")
    assert " && ".join(("make site", *script[2:])) == COMMAND


def test_vercel_finds_the_output_of_next_js_itself() -> None:
    assert "outputDirectory" not in json.loads(Lines(SITE._replace(name="Next.js"), TOOL).vercel())
    assert json.loads(Lines(SITE, TOOL).vercel())["outputDirectory"] == "out dir"


@pytest.mark.parametrize("has_tools", [False, True])
def test_read_the_docs_gets_what_it_builds_with_unless_its_file_says_that(*, has_tools: bool) -> None:
    build = yaml.safe_load(Lines(SITE, TOOL).read_the_docs_jobs(has_tools=has_tools))["build"]
    assert any("waypost build " in each for each in build["jobs"]["post_build"])
    assert ("tools" in build, "os" in build) == (not has_tools, not has_tools)


@pytest.mark.parametrize("recipe", list(recipes(SITE, TOOL)), ids=lambda each: each.host)
def test_each_recipe_names_the_program_and_the_output(recipe: Recipe) -> None:
    assert "a.dev/b" in recipe.text or "a/b@c" in recipe.text or "sh sitemaps.sh" in recipe.text
    assert "out dir" in recipe.text
