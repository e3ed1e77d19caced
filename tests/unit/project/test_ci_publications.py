"""What other services and a project's scripts publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project.ci_publications import ci_publications
from waypost.project.project_folder import ProjectFolder

if TYPE_CHECKING:
    from sites import Files, Write

SH = """#!/bin/sh
hugo -t even
cd public
git add .
git commit -m x
git push origin master
"""


@pytest.mark.parametrize(
    ("file", "text", "publisher", "folders", "command"),
    [
        (
            ".travis.yml",
            "script: [npm ci, hexo generate]\nafter_success: [hexo deploy]",
            "hexo deploy",
            ("public",),
            "npx hexo generate",
        ),
        (".travis.yml", "script: make\ndeploy: {provider: pages, local_dir: out}", "pages", ("out",), "make"),
        (
            ".travis.yml",
            "script: [bundle install, bundle exec jekyll build]\nafter_success: [cd _site, git add -A, git push x y]",
            *("git push", ("_site",), "bundle exec jekyll build"),
        ),
        (
            ".circleci/config.yml",
            "jobs: {a: {steps: [checkout, {run: make}, {run: {command: npx gh-pages -d out}}]}}",
            *("gh-pages", ("out",), "make"),
        ),
        (
            "buildspec.yml",
            "phases: {build: {commands: [npm run build]}, post_build: {commands: [aws s3 sync ./out s3://b]}}",
            *("aws s3 sync", ("out",), "npm run build"),
        ),
        ("azure-pipelines.yml", "steps: [{script: make}, {bash: rsync -a out/ a.dev:b}]", "rsync", ("out",), "make"),
        (
            "bitbucket-pipelines.yml",
            "pipelines: {default: [{step: {script: [make, surge out]}}]}",
            "surge",
            ("out",),
            "make",
        ),
        ("deploy.sh", SH, "git push", ("public",), "hugo -t even"),
    ],
)
def test_each_service_publishes_by_the_commands_of_its_file(
    write: Write, file: str, text: str, publisher: str, folders: tuple[str, ...], command: str
) -> None:
    (found,) = ci_publications(ProjectFolder(write({file: text})))
    assert (found.file, found.publisher, found.folders, found.command) == (file, publisher, folders, command)
    assert found.copies


@pytest.mark.parametrize(
    "files",
    [
        {".travis.yml": "script: make test"},
        {".travis.yml": "deploy: {provider: npm}"},
        {".travis.yml": "{"},
        {"deploy.sh": "git push origin main"},
        {".circleci/config.yml": "a: &a [*a]"},
    ],
    ids=["tests", "a package", "no YAML", "the repository itself", "a list in itself"],
)
def test_what_publishes_no_site_is_none(write: Write, files: Files) -> None:
    assert list(ci_publications(ProjectFolder(write(files)))) == []
