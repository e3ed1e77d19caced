"""`waypost recognise`: what Waypost sees in a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.invoke import Invoke

from source_folders import PAGE


@pytest.fixture(autouse=True)
def _no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)


def test_each_part_is_a_line_with_what_showed_it(invoke: Invoke) -> None:
    Path("mkdocs.yml").write_text("site_name: A\nsite_url: https://docs.waypost.dev/\n")
    Path("uv.lock").touch()
    Path("netlify.toml").touch()
    for folder in ("1.0", "2.0"):
        (Path("site") / folder).mkdir(parents=True)
        (Path("site") / folder / "index.html").write_text(PAGE)
    (Path("site") / "index.html").write_text(PAGE)
    assert invoke("recognise").stdout.splitlines() == [
        "  folder     site (index.html: it is a complete page)",
        "  generator  MkDocs (mkdocs.yml; built)",
        "  build      uv run mkdocs build (of MkDocs, in .)",
        "  base URL   https://docs.waypost.dev/ (`site_url` in mkdocs.yml)",
        "  host       Netlify (netlify.toml)",
        "  versions   1.0, 2.0 (the names of its folders)",
    ]


def test_what_disagrees_or_is_not_built_is_shown_and_is_no_error(invoke: Invoke) -> None:
    Path("hugo.toml").write_text('baseURL = "https://docs.waypost.dev/"\n')
    Path("CNAME").write_text("www.waypost.dev")
    result = invoke("recognise", "--json")
    assert result.exit_code == 0
    found = [(each["name"], each["value"]) for each in json.loads(result.stdout)]
    assert found == [
        ("folder", "."),
        ("generator", "Hugo"),
        ("build", "hugo"),
        ("base URL", "https://www.waypost.dev/"),
        ("base URL", "https://docs.waypost.dev/"),
    ]


def test_a_setting_comes_first_and_what_the_site_names_beside_it(invoke: Invoke) -> None:
    Path("waypost.toml").write_text('base_url = "https://a.waypost.dev/"\n')
    Path("index.html").write_text(PAGE.replace("<title", "<link rel=canonical href=https://b.waypost.dev/><title"))
    found = [each for each in json.loads(invoke("recognise", "--json").stdout) if each["name"] == "base URL"]
    assert [(each["value"], each["evidence"]) for each in found] == [
        ("https://a.waypost.dev/", "the setting"),
        ("https://b.waypost.dev/", "the canonical link of index.html"),
    ]


def test_mistakes_in_the_settings_are_reported(invoke: Invoke) -> None:
    Path("waypost.toml").write_text('base_url = "https://a.waypost.dev/"\nunknown = 1\n')
    assert invoke("recognise").exit_code == 2


def test_the_files_of_two_hosts_are_both_named(invoke: Invoke) -> None:
    for name in ("index.html", "CNAME", "vercel.json"):
        Path(name).write_text({"index.html": PAGE, "CNAME": "www.waypost.dev"}.get(name, "{}"))
    found = [(each["value"], each["evidence"]) for each in json.loads(invoke("recognise", "--json").stdout)]
    assert [pair for pair in found if pair[1] in ("vercel.json", "CNAME")][-2:] == [
        ("Vercel", "vercel.json"),
        ("GitHub Pages", "CNAME"),
    ]


def test_what_a_workflow_builds_has_its_own_configuration_beside_a_stray_page(invoke: Invoke) -> None:
    Path(".github/workflows").mkdir(parents=True)
    text = "on: push\njobs: {a: {steps: [{uses: shalzz/zola-deploy-action@v1}]}}"
    for name, content in {
        "index.html": PAGE,
        "config.toml": 'base_url = "https://www.waypost.dev"\n[markdown]\n',
        ".github/workflows/a.yml": text,
    }.items():
        Path(name).write_text(content)
    found = {each["name"]: each["value"] for each in json.loads(invoke("recognise", "--json").stdout)}
    assert (found["generator"], found["base URL"]) == ("Zola", "https://www.waypost.dev/")
