"""What the files of hosts publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from publishing import folders_in, found_in
from source_folders import PAGE

if TYPE_CHECKING:
    from sites import Files, Write


@pytest.mark.parametrize(
    ("files", "folder", "command"),
    [
        ({"netlify.toml": '[build]\npublish = "out/"\ncommand = "make"'}, "out", "make"),
        (
            {"netlify.toml": '[build]\npublish = "out"\n[context.production]\ncommand = "of-production"'},
            "out",
            "of-production",
        ),
        ({"netlify.toml": '[build]\npublish = "out"\ncommand = "npm i && make"'}, "out", "make"),
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
        ({"render.yaml": "services: [{rootDir: web, staticPublishPath: ./out, buildCommand: b}]"}, "web/out", ""),
        (
            {"amplify.yml": "frontend: {phases: {build: {commands: [b]}}, artifacts: {baseDirectory: out}}"},
            "out",
            "b",
        ),
        (
            {"swa-cli.config.json": '{"configurations": {"a": {"outputLocation": "out", "appBuildCommand": "b"}}}'},
            "out",
            "b",
        ),
        ({"website/netlify.toml": '[build]\npublish = "out"'}, "website/out", ""),
        ({"website/netlify.toml": '[build]\npublish = "/out"'}, "website/out", ""),
        ({"package.json": '{"workspaces": ["web"]}', "web/vercel.json": '{"outputDirectory": "o"}'}, "web/o", ""),
    ],
)
def test_a_folder_that_a_host_s_file_declares_has_the_command_of_that_file(
    write: Write, files: Files, folder: str, command: str
) -> None:
    (declared,) = (each for each in found_in(write(files)) if each.folders)
    assert (declared.folders[0], declared.exists, declared.file in files) == (folder, False, True)
    assert command in declared.command


@pytest.mark.parametrize(
    "files",
    [
        {".gitlab-ci.yml": "pages:\n  script: [make]\n"},
        {".gitlab-ci.yml": "test:\n  artifacts: {paths: [public]}\n"},
        {"docs/.gitlab-ci.yml": "pages:\n  script: make\n  publish: out\n"},
        {"docs/amplify.yml": "frontend: {artifacts: {baseDirectory: out}}"},
        {"netlify.toml": "build = 3"},
        {"wrangler.toml": 'main = "worker.js"'},
        {"vercel.json": '{"outputDirectory": "a\\u0001b"}'},
        {"vercel.json": '{"outputDirectory": "a\\u0000b"}'},
        {"netlify.toml": '[build]\npublish = "../www-out"'},
        {"package.json": '{"workspaces": ["examples/*"]}', "examples/a/vercel.json": '{"outputDirectory": "out"}'},
        {"vercel.json": "[]"},
    ],
)
def test_what_names_no_folder_of_the_project_declares_none(write: Write, files: Files) -> None:
    assert folders_in(write(files)) == []


@pytest.mark.parametrize(("place", "found"), [("site/out", "site/out"), ("out", "out")])
def test_netlify_s_folder_is_in_its_base_or_in_the_root(write: Write, place: str, found: str) -> None:
    files = {"netlify.toml": '[build]\nbase = "site"\npublish = "out"', f"{place}/index.html": PAGE}
    (declared,) = found_in(write(files))
    assert (declared.folders, declared.exists) == ((found,), True)


def test_each_target_of_firebase_is_declared(write: Write) -> None:
    folder = write({"firebase.json": '{"hosting": [{"target": "x", "public": "a"}, {"target": "y", "public": "b"}]}'})
    assert folders_in(folder) == [("a",), ("b",)]


def test_a_folder_without_a_file_does_not_exist_yet(write: Write) -> None:
    (declared,) = found_in(write({"vercel.json": '{"outputDirectory": "out"}', "out/.keep": ""}))
    assert not declared.exists


@pytest.mark.parametrize(
    "files",
    [
        {"netlify.toml": '[build]\npublish = ".next"\ncommand = "npm run build"'},
        {"amplify.yml": "frontend: {phases: {build: {commands: [npm run build]}}, artifacts: {baseDirectory: .next}}"},
    ],
    ids=["Netlify", "Amplify"],
)
def test_what_a_server_is_built_into_is_no_published_folder(write: Write, files: Files) -> None:
    (found,) = found_in(write(files))
    assert (found.folders, found.command) == ((), "npm run build")


def test_a_job_of_gitlab_s_has_the_values_of_the_anchors_that_it_merges(write: Write) -> None:
    jobs = ".a: &a {script: [make a], publish: out}\n.b: &b {<<: *a, script: [make b]}\npages: {<<: [*b, *a]}\n"
    (found,) = found_in(write({".gitlab-ci.yml": jobs}))
    assert (found.folders, found.command) == (("out",), "make b")
    loops = "".join(f".{n}: &n{n} {{<<: [{', '.join([f'*n{n - 1}'] * 9 if n else [])}]}}\n" for n in range(9))
    hostile = f"{loops}pages: {{<<: *n8, script: [make], publish: out}}\n"
    assert [each.command for each in found_in(write({".gitlab-ci.yml": hostile}))] in ([], ["make"])


def test_a_job_of_gitlab_s_has_the_values_of_those_that_it_extends(write: Write) -> None:
    jobs = ".a: {script: [make a], publish: out}\n.b: {extends: .a, script: [make b]}\npages: {extends: [.b]}\n"
    (found,) = found_in(write({".gitlab-ci.yml": jobs}))
    assert (found.folders, found.command) == (("out",), "make b")
    loop = "pages: {extends: .a, script: [make], publish: out}\n.a: {extends: pages}\n"
    assert [each.folders for each in found_in(write({".gitlab-ci.yml": loop}))] == [("out",)]
