"""One way in which a project publishes a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from publishing import PAGES, WORKFLOW, found_in, workflow

from waypost.project.publication import Publication

if TYPE_CHECKING:
    from sites import Write


@pytest.mark.parametrize("script", ["|\n          if x; then\n            make\n          fi", "make " + "x" * 300])
def test_a_script_is_no_command_to_type(write: Write, script: str) -> None:
    files = workflow(PAGES, "path: out")
    files = {WORKFLOW: str(files[WORKFLOW]).replace("run: make html", f"run: {script}")}
    (declared,) = (each for each in found_in(write(files)) if each.folders)
    assert (declared.folders, declared.command) == (("out",), "")


@pytest.mark.parametrize(
    ("commands", "command"),
    [
        (("npm ci", "npm run build"), "npm run build"),
        (("(cd web && npm ci)", "(cd web && npm run build)"), "(cd web && npm run build)"),
        (("pip install -r a.txt", "npm ci"), ""),
        (("curl -y", "sh", "rustup update", "cargo install mdbook", "mdbook build"), "mdbook build"),
        (("sh -s -- -y", "pelican-themes -i x", "(cd a && sh)", "bash build.sh"), "bash build.sh"),
        (("mkdir -p ~/bin", "ln -s $_ x", "which quarto", "quarto render"), "quarto render"),
        (("make a", "make b"), "make a && make b"),
        (("yarn", "yarn --immutable", "yarn build --out-dir x"), "yarn build --out-dir x"),
        (("bundle", "bundle install --jobs 2", "bundle exec middleman build"), "bundle exec middleman build"),
        (("'[[' -f a", "-f b ']]'", "npm list", "cut -f 1", "true", "make"), "make"),
        (("hugo mod get -u ./...", "hugo --gc --baseURL '${{a}}/' --cacheDir $X/a --minify"), "hugo --gc --minify"),
        (("(cd web && hugo version)", "(cd web && hugo --baseURL $URL)"), "(cd web && hugo)"),
        (("mkdocs --version", "uv run mkdocs build -d $_"), "uv run mkdocs build"),
        (("zola check", "bundle exec jekyll doctor", "node -v", "env", "asdf install uv latest"), ""),
        (("zola check", "zola build", "rsync -a $a $b"), "zola build"),
        (("if a", "then pip install b", "fi", "(cd docs && mdbook build)"), "(cd docs && mdbook build)"),
        (("set -e", "python -m pip list", "python -c 'import a'", "pip freeze", "make"), "make"),
        (("make", "find . -exec rm -rf {} +", "rmdir a"), "make"),
        (("dotnet tool update -g docfx", "docfx docfx.json"), "docfx docfx.json"),
        (("npm ci && npm run build && (cd a && make)",), "npm run build && (cd a && make)"),
        (("(cd web && npm ci && npm run build)",), "(cd web && npm run build)"),
        (("(cd web && cd a && npm run build)",), "(cd web && cd a && npm run build)"),
        (("(cd web && bash -c 'npm ci && make')",), "(cd web && bash -c 'npm ci && make')"),
        (("install a /usr/bin", "locale-gen en_US.UTF-8", "mdbook build"), "mdbook build"),
        ((), ""),
    ],
)
def test_what_installs_or_asks_is_no_part_of_the_build(commands: tuple[str, ...], command: str) -> None:
    assert Publication("a", commands=commands).command.startswith(command)
    assert bool(Publication("a", commands=commands).command) == bool(command)
