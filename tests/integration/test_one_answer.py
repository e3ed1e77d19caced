"""What is published, and what builds it, is one answer: of a build, of `recognise`, of `init` and of the recipes."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from click.testing import CliRunner
from recipes import TOOL, page, sites
from source_folders import GENERATORS, PAGE

from waypost.cli.main import main
from waypost.cli.recipes import Lines
from waypost.cli.recipes import Site as BuiltSite
from waypost.project.generator import generators

if TYPE_CHECKING:
    from sites import Files, Write

HOST_FILES: dict[str, tuple[str, str]] = {
    "netlify": ("netlify.toml", '[build]\npublish = "out"\ncommand = "make site"'),
    "vercel": ("vercel.json", '{"outputDirectory": "out", "buildCommand": "make site"}'),
    "firebase": ("firebase.json", '{"hosting": {"public": "out", "predeploy": ["make site"]}}'),
    "cloudflare-pages": ("wrangler.toml", 'pages_build_output_dir = "out"\n[build]\ncommand = "make site"'),
    "cloudflare-workers": ("wrangler.json", '{"assets": {"directory": "out"}, "build": {"command": "make site"}}'),
    "gitlab-pages": (".gitlab-ci.yml", "pages: {script: [make site], publish: out}"),
    "render": ("render.yaml", "services: [{staticPublishPath: out, buildCommand: make site}]"),
    "amplify": ("amplify.yml", "frontend: {phases: {build: {commands: [make site]}}, artifacts: {baseDirectory: out}}"),
    "azure-static-web-apps": (
        "swa-cli.config.json",
        '{"configurations": {"a": {"appLocation": ".", "outputLocation": "out", "appBuildCommand": "make site"}}}',
    ),
}
WORKFLOW = (
    "on: push\njobs: {a: {steps: [{run: make site}, {uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: out}}]}}"
)
PAGES_URL = "https://owner.github.io/name/"
NAMES = sorted({each.name for each in generators()})


class Answers(NamedTuple):
    """What a build, `init` and `recognise` say of a project."""

    build: str
    init: str
    recognised: dict[str, str]


def answers(folder: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> Answers:
    monkeypatch.chdir(folder)
    runner = CliRunner()
    commands = ("build --dry-run", f"init --dry-run --base-url {PAGES_URL}", "recognise --json")
    build, init, recognised = (runner.invoke(main, command.split()) for command in commands)
    parts = {each["name"]: each["value"] for each in json.loads(recognised.stdout)}
    return Answers(build.stderr, init.stderr, parts)


@pytest.mark.parametrize("name", NAMES)
def test_each_generator_has_one_command_and_one_folder(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A generator without a source among the samples would be left out silently, so each must have one."""
    sources = [files for generator, _, files in GENERATORS if generator == name]
    files = sources[0] if sources else {"package.json": json.dumps({"dependencies": {_package(name): "*"}})}
    found = answers(write(files), monkeypatch)
    command = found.recognised["build"]
    assert found.recognised["generator"] == name
    assert f"`{command}`" in found.build
    if "with a server" in found.build:
        assert "its server renders pages, so no workflow was written" in found.init
        return
    (output,) = set(re.findall(r"`waypost build ([^` ]+)`", found.build))
    (source,) = set(re.findall(r'source: "([^"]+)"', found.init))
    assert source == output
    assert f"run: {command}" in found.init
    assert f"{command} && waypost build {output} --dry-run" in found.init


@pytest.mark.parametrize("site", sites(), ids=lambda site: site.name)
def test_the_recipe_of_a_generator_has_the_command_and_the_folder_of_a_source_in_the_root(
    write: Write, monkeypatch: pytest.MonkeyPatch, site: BuiltSite
) -> None:
    sources = [files for name, _, files in GENERATORS if name == site.name]
    found = [answers(write(files), monkeypatch) for files in sources]
    shown = {(each.recognised["build"], *re.findall(r"`waypost build ([^` ]+)`", each.build)) for each in found} or {
        (site.command, site.output)
    }
    assert (site.command, site.output) in shown or any("with a server" in each.build for each in found)
    assert f"| {site.name} | `{site.command}` | `{site.output}` |" in page()


@pytest.mark.parametrize("host", HOST_FILES)
def test_the_file_of_each_host_has_one_command_and_one_folder(
    write: Write, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    file, text = HOST_FILES[host]
    found = answers(write({file: text, "index.html": PAGE}), monkeypatch)
    assert found.build.startswith(f"error: {file} publishes out, which does not exist, so nothing was written\n")
    assert f"`make site` ({file})" in found.build
    assert "`waypost build out`" in found.build
    assert found.recognised["build"] == "make site"
    assert f"{file} publishes the site already" in found.init
    lines = Lines(BuiltSite("", "make site", "out", is_node=False), TOOL)
    written = re.sub(r"waypost @ git\S+?(?=')", TOOL.package, found.init)
    # Where Netlify looks for a folder depends on the site's age: a file that names one keeps it (netlify/build#5342).
    assert (lines.netlify(has_folder=True) if host == "netlify" else lines.of_host(host)) in written
    assert "make site && waypost build out --dry-run" in found.init


def test_a_workflow_goes_before_the_file_of_a_host_in_every_answer(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: Files = {
        ".github/workflows/a.yml": WORKFLOW,
        "netlify.toml": '[build]\npublish = "public"\ncommand = "hugo"',
    }
    found = answers(write(files), monkeypatch)
    assert "`make site` (.github/workflows/a.yml)" in found.build
    assert (found.recognised["build"], found.recognised["host"]) == ("make site", "GitHub Pages")
    assert ".github/workflows/a.yml publishes the site already; add this step before" in found.init


@pytest.mark.parametrize("name", sorted(each.name for each in generators() if each.is_application))
def test_what_builds_applications_has_no_recipe(name: str) -> None:
    assert f"| {name} |" not in page()


def _package(name: str) -> str:
    return next(each.dependencies[0] for each in generators() if each.name == name)
