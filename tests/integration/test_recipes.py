"""The recipes of the documentation, each run over a site that its generator has built."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from generator_fixtures import unpack
from recipes import TOOL, sites

from waypost.cli.recipes import ENVIRONMENT, VERCEL_SCRIPT, Lines, Recipe, Site, recipes
from waypost.github.inputs import ACTION_INPUTS

if TYPE_CHECKING:
    from repositories import Repository

BASE = "https://site.example/"
FIXTURES = {"Next.js": "nextjs"} | {
    name: name.lower()
    for name in (
        *("Antora", "Astro", "Docusaurus", "Eleventy", "Hexo", "Hugo", "Jekyll", "mdBook", "MkDocs", "Nikola"),
        *("Pelican", "Sphinx", "SvelteKit", "VitePress"),
    )
}
PAGES = {
    "index.html": "<!doctype html><title>Home</title><p>Home",
    "about/index.html": "<!doctype html><title>About</title><p>About",
}
PROGRAM = """#!/bin/sh
case "$(basename "$0") $*" in
  "python3 -m venv "*) mkdir -p "$3/bin" && : > "$3/bin/activate" ;;
  "pip install "*|"ghp-import "*|"npx gh-pages "*|"npm ci"|aws*) echo "$*" >> "$CALLS" ;;
  *) mkdir -p "$OUTPUT" && cp -R "$BUILT/." "$OUTPUT/" ;;
esac
"""
"""A program of a host or a generator: installs and deployments are written down, and all else builds the site."""
PAIRS = [(site, each) for site in sites() for each in recipes(site, TOOL) if VERCEL_SCRIPT not in each.place]


def marked_pairs() -> list[Any]:
    """All pairs. One of each host is quick, for a small site; of the others a third of each site and each host is slow,
    and the rest runs before a release: a pair of 243 takes most of a second."""
    seen: set[str] = set()
    found = []
    for n, (site, recipe) in enumerate(PAIRS):
        is_quick = recipe.host not in seen and site.name not in FIXTURES
        seen |= {recipe.host} if is_quick else set()
        row, column = divmod(n, len(PAIRS) // len(sites()))
        others = pytest.mark.release if (row - column) % 3 else pytest.mark.slow
        found.append(pytest.param(site, recipe, id=f"{site.name} on {recipe.host}", marks=[] if is_quick else [others]))
    return found


@pytest.mark.parametrize(("site", "recipe"), marked_pairs())
def test_a_recipe_publishes_the_sitemap_of_the_built_site(site: Site, recipe: Recipe, repository: Repository) -> None:
    built = repository.folder.parent / "built"
    if name := FIXTURES.get(site.name):
        unpack(name, built)
    for path, text in {} if name else PAGES.items():
        (built / path).parent.mkdir(parents=True, exist_ok=True)
        (built / path).write_text(text)
    for own in built.rglob("sitemap*"):
        own.unlink()
    repository.commit({"README.md": "A site"}, when=1_700_000_000)
    published = run(site, recipe, repository.folder, built)
    sitemap = (published / "sitemap.xml").read_text()
    assert sitemap.count("<loc>") == len(re.findall(f"<loc>{BASE}", sitemap)) >= 2


def run(site: Site, recipe: Recipe, folder: Path, built: Path) -> Path:
    """Do what a host does with a recipe; returns the folder that it publishes."""
    commands = [each.replace(ENVIRONMENT, f"{folder.parent}/environment") for each in commands_of(recipe, site)]
    published = folder / {"GitLab Pages": "public", "Read the Docs": "_readthedocs/html"}.get(recipe.host, site.output)
    if recipe.host == "Read the Docs" and "post_build" in recipe.text:
        commands.insert(0, site.command)
    output = published if "post_build" in recipe.text else folder / site.output
    programs = folder.parent / "bin"
    programs.mkdir()
    for each in {site.command.split()[0], "python3", "pip", "ghp-import", "npx", "npm", "aws"}:
        (programs / each).write_text(PROGRAM)
        (programs / each).chmod(0o755)
    waypost = programs / "waypost"
    waypost.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m waypost "$@" --set base_url={BASE}\n')
    waypost.chmod(0o755)
    script = Lines(site, TOOL).vercel_script()
    (folder / VERCEL_SCRIPT).write_text(script.replace(ENVIRONMENT, f"{folder.parent}/environment"))
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "BUILT": str(built),
        "OUTPUT": str(output),
        "CALLS": str(folder.parent / "calls"),
        "READTHEDOCS_OUTPUT": str(folder / "_readthedocs"),
        "READTHEDOCS_CANONICAL_URL": BASE,
    }
    done = subprocess.run(
        ["bash", "-ec", "\n".join(commands)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return published


def commands_of(recipe: Recipe, site: Site) -> list[str]:
    """The commands in a recipe, with the Action's step as the command that it runs."""
    if recipe.language == "sh":
        return recipe.text.splitlines()
    if recipe.language == "toml":
        read = tomllib.loads(recipe.text)["build"]
        assert read["publish"] == site.output
        return [read["command"]]
    if recipe.language == "json":
        named = json.loads(recipe.text).get("outputDirectory")
        assert named == (None if site.name == "Next.js" else site.output)
        return [json.loads(recipe.text)["buildCommand"]]
    if recipe.language == "text":
        return [recipe.text.splitlines()[0].partition(":")[2].strip()]
    return [command for step in steps(yaml.safe_load(recipe.text)) for command in commands_of_step(step, site)]


def steps(parsed: Any) -> list[Any]:
    """The steps of a workflow, or the commands of a pipeline."""
    if isinstance(parsed, list):
        return parsed
    if "pages" in parsed:
        return list(parsed["pages"]["script"])
    build = parsed["build"]
    return [command for part in (build.get("jobs", build)).values() if isinstance(part, list) for command in part]


def commands_of_step(step: Any, site: Site) -> list[str]:
    if isinstance(step, str):
        return [step]
    if "run" in step:
        return [step["run"]]
    if "<repository>" in step["uses"]:
        assert step["with"].keys() <= ACTION_INPUTS.keys()
        return [f"waypost build {step['with']['source']}"]
    assert "checkout" in step["uses"] or site.output in json.dumps(step["with"])
    return []


def test_every_recipe_has_at_most_twelve_lines() -> None:
    assert {f"{site.name} on {each.host}": n for site, each in PAIRS if (n := each.text.count("\n") + 1) > 12} == {}


def test_the_page_has_a_row_for_every_generator_and_each_recipe_of_a_host() -> None:
    text = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
    assert all(f"| {site.name} | `{site.command}` | `{site.output}` |" in text for site in sites())
    assert len(sites()) >= 25
    for site in sites():
        shown = site._replace(command="COMMAND", output="OUTPUT")
        of_next = text.replace(',\n  "outputDirectory": "OUTPUT"', "") if site.name == "Next.js" else text
        assert [each.host for each in recipes(shown, TOOL) if each.text not in text and each.text not in of_next] == []
