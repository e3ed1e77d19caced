"""The folders that a project declares as published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from source_folders import PAGE

from waypost.project.declared_folder import declared_folders
from waypost.project.project_folder import ProjectFolder

if TYPE_CHECKING:
    from sites import Files, Write

WORKFLOW = ".github/workflows/a.yml"
PAGES = "actions/upload-pages-artifact@v5"
STEPS = """on: push
jobs:
  a:
    steps:
      - run: make html
      - name: Deploy
        uses: {action}
        with:
          {value}
"""


def workflow(action: str, value: str) -> Files:
    return {".git/HEAD": "", WORKFLOW: STEPS.format(action=action, value=value)}


@pytest.mark.parametrize(
    ("files", "folder", "command"),
    [
        ({"netlify.toml": '[build]\npublish = "out/"\ncommand = "make"'}, "out", "make"),
        ({"firebase.json": '{"hosting": {"public": "out", "predeploy": ["a", "b"]}}'}, "out", "a && b"),
        ({"firebase.json": '{"hosting": [{"public": "out", "predeploy": "a"}]}'}, "out", "a"),
        ({"vercel.json": '{"outputDirectory": "./out", "buildCommand": "make site"}'}, "out", "make site"),
        ({"wrangler.toml": 'pages_build_output_dir = "out"\n[build]\ncommand = "b"'}, "out", "b"),
        ({"wrangler.jsonc": '{"assets": {"directory": "./out"}}'}, "out", ""),
        ({".gitlab-ci.yml": "pages:\n  script: [make]\n  artifacts: {paths: [public/]}\n"}, "public", "make"),
        ({".gitlab-ci.yml": "pages:\n  script: make\n  publish: out\n"}, "out", "make"),
        (
            {".gitlab-ci.yml": "pages:\n  script:\n    - !reference [a, script]\n    - b\n  pages: {publish: out}\n"},
            "out",
            "b",
        ),
        (workflow(PAGES, "path: out"), "out", "make html"),
        (workflow(PAGES, "name: x"), "_site", "make html"),
        (workflow("peaceiris/actions-gh-pages@v4", "publish_dir: ./out"), "out", "make html"),
        (workflow("JamesIves/github-pages-deploy-action@v4", "{folder: out}"), "out", "make html"),
    ],
)
def test_a_folder_that_a_file_declares_has_the_command_of_that_file(
    write: Write, files: Files, folder: str, command: str
) -> None:
    (declared,) = declared_folders(ProjectFolder(write(files)))
    assert (declared.paths, declared.command, declared.exists) == ((folder,), command, False)
    assert declared.file in files


@pytest.mark.parametrize(
    "files",
    [
        workflow("actions/upload-artifact@v7", "path: out"),
        workflow(PAGES, "path: ${{ env.OUT }}"),
        workflow(PAGES, "path: ../out"),
        workflow(PAGES, "path: 'out"),
        {WORKFLOW: STEPS.format(action=PAGES, value="path: out")},
        {".gitlab-ci.yml": "pages:\n  script: [make]\n"},
        {".gitlab-ci.yml": "test:\n  artifacts: {paths: [public]}\n"},
        {"netlify.toml": '[build]\npublish = "/out"'},
        {"netlify.toml": "build = 3"},
        {"firebase.json": '{"hosting": [{"public": "a"}, {"public": "b"}]}'},
        {"vercel.json": '{"outputDirectory": "a\\u0001b"}'},
        {"vercel.json": '{"outputDirectory": "a\\u0000b"}'},
        {"netlify.toml": '[build]\npublish = "../www-out"'},
        {"vercel.json": "[]"},
    ],
)
def test_what_names_no_folder_of_the_project_declares_none(write: Write, files: Files) -> None:
    assert declared_folders(ProjectFolder(write(files))) == []


@pytest.mark.parametrize(("place", "found"), [("site/out", "site/out"), ("out", "out")])
def test_netlify_s_folder_is_in_its_base_or_in_the_root(write: Write, place: str, found: str) -> None:
    files = {"netlify.toml": '[build]\nbase = "site"\npublish = "out"', f"{place}/index.html": PAGE}
    (declared,) = declared_folders(ProjectFolder(write(files)))
    assert (declared.paths, declared.exists) == ((found,), True)


def test_workflows_that_are_very_long_together_are_not_read(write: Write) -> None:
    files = workflow(PAGES, "path: out")
    long = {f".github/workflows/{number}.yml": f"# {PAGES}" + "x" * 600_000 for number in (1, 2)}
    assert declared_folders(ProjectFolder(write({**files, **long}))) == []


def test_a_folder_without_a_file_does_not_exist_yet(write: Write) -> None:
    (declared,) = declared_folders(ProjectFolder(write({"vercel.json": '{"outputDirectory": "out"}', "out/.keep": ""})))
    assert not declared.exists


@pytest.mark.parametrize("script", ["|\n          if x; then\n            make\n          fi", "make " + "x" * 300])
def test_a_script_is_no_command_to_type(write: Write, script: str) -> None:
    files = workflow(PAGES, "path: out")
    files = {**files, WORKFLOW: str(files[WORKFLOW]).replace("run: make html", f"run: {script}")}
    (declared,) = declared_folders(ProjectFolder(write(files)))
    assert (declared.paths, declared.command) == (("out",), "")
