"""The workflows of `waypost init`: what they install, build, list and publish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from source_folders import GENERATORS, JEKYLL, PAGE

from waypost.cli import workflow
from waypost.cli.own_action import own_action
from waypost.cli.workflow import WorkflowRepository
from waypost.core.model import SourceKind
from waypost.project import find_sites
from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import recognize

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Files, Write


OWN = own_action().partition("@")[0]


def pages_of(folder: Path, settings_folder: Path | None = None) -> Any:
    """The workflow that builds the site in a folder, which is the root of its repository."""
    repository = WorkflowRepository(folder, "trunk", settings_folder or folder)
    return yaml.load(workflow.pages_workflow(find_sites(folder)[0], repository), yaml.BaseLoader)


def runs(steps: list[dict[str, Any]]) -> list[str]:
    """The commands of steps."""
    return [step["run"] for step in steps if "run" in step]


def step_of(steps: list[dict[str, Any]], action: str) -> dict[str, Any]:
    """The only step that uses an action."""
    (found,) = (step for step in steps if step.get("uses", "").startswith(f"{action}@"))
    return found


@pytest.mark.parametrize("files", [files for _, _, files in GENERATORS])
def test_a_site_is_built_then_listed_then_published(write: Write, files: Files) -> None:
    folder = write(files)
    kind, made = recognize(folder), pages_of(folder)
    assert made["on"]["push"]["branches"] == ["trunk"]
    assert made["permissions"] == {}
    steps = made["jobs"]["build"]["steps"]
    assert runs(steps)[-1] == kind.command
    assert step_of(steps, OWN)["with"]["source"] == kind.output
    assert step_of(steps, "actions/upload-pages-artifact")["with"]["path"] == kind.output
    assert step_of(steps, "actions/checkout")["with"]["fetch-depth"] == "0"
    publish = made["jobs"]["publish"]
    assert (publish["needs"], publish["permissions"]) == ("build", {"pages": "write", "id-token": "write"})
    assert step_of(publish["steps"], "actions/deploy-pages")


def test_a_project_below_the_root_is_built_in_its_folder(write: Write) -> None:
    made = pages_of(write({"go.mod": "", "docs/mkdocs.yml": "site_name: A\n"}))["jobs"]["build"]
    assert made["defaults"]["run"]["working-directory"] == "docs"
    assert step_of(made["steps"], OWN)["with"] == {"source": "docs/site"}


def test_settings_below_the_root_are_named(write: Write) -> None:
    root = write({"docs/mkdocs.yml": "site_name: A\n"})
    site = find_sites(root / "docs")[0]
    made = yaml.load(workflow.pages_workflow(site, WorkflowRepository(root, "main", root / "docs")), yaml.BaseLoader)
    inputs = step_of(made["jobs"]["build"]["steps"], OWN)["with"]
    assert inputs == {"source": "docs/site", "config": "docs/waypost.toml"}


def test_a_repository_with_submodules_is_checked_out_with_them(write: Write) -> None:
    steps = pages_of(write({"hugo.toml": "", ".gitmodules": ""}))["jobs"]["build"]["steps"]
    assert step_of(steps, "actions/checkout")["with"]["submodules"] == "recursive"


@pytest.mark.parametrize(
    ("files", "install"),
    [
        ({"astro.config.mjs": ""}, []),
        ({"astro.config.mjs": "", "package.json": "{}"}, ["npm install"]),
        ({"astro.config.mjs": "", "package.json": "{}", "package-lock.json": ""}, ["npm ci"]),
        (
            {"astro.config.mjs": "", "package.json": "{}", "yarn.lock": ""},
            ["corepack enable && yarn install --frozen-lockfile"],
        ),
        (
            {"astro.config.mjs": "", "package.json": "{}", "yarn.lock": "", ".yarnrc.yml": ""},
            ["corepack enable && yarn install --immutable"],
        ),
        (
            {"astro.config.mjs": "", "package.json": "{}", "pnpm-lock.yaml": ""},
            ["corepack enable && pnpm install --frozen-lockfile"],
        ),
        ({"mkdocs.yml": "site_name: A\n"}, ["pip install mkdocs"]),
        ({"mkdocs.yml": "site_name: A\n", "requirements.txt": ""}, ["pip install -r requirements.txt"]),
        ({"_config.yml": "", "Gemfile": 'gem "jekyll"\n'}, ["bundle install"]),
    ],
)
def test_what_the_build_needs_is_installed_as_the_project_says(write: Write, files: Files, install: list[str]) -> None:
    folder = write(files)
    steps = workflow.setup_steps(recognize(folder), ProjectFolder(folder))
    assert [step.run for step in steps if step.run] == install


@pytest.mark.parametrize(("name", "program"), [("Hugo", "hugo"), ("mdBook", "mdbook"), ("Zola", "zola")])
def test_a_generator_that_is_one_program_is_installed_from_its_releases(write: Write, name: str, program: str) -> None:
    (step,) = workflow.setup_steps(SourceKind("generator", name), ProjectFolder(write({})))
    assert step.run.startswith("gh release download --repo ")
    assert step.run.endswith(f" | sudo tar -xz -C /usr/local/bin {program}")
    assert step.needs_token


def test_jekyll_without_gems_of_the_project_is_installed_itself(write: Write) -> None:
    kind = SourceKind("jekyll", "Jekyll", "_config.yml", "", "jekyll build", "_site")
    steps = workflow.setup_steps(kind, ProjectFolder(write({".ruby-version": "3.4"})))
    assert [step.run for step in steps] == ["", "gem install jekyll"]
    assert steps[0].inputs == {}


@pytest.mark.parametrize("files", [{"index.html": PAGE}, JEKYLL[0][2]])
def test_the_sitemaps_of_a_site_that_is_not_built_here_are_committed(write: Write, files: Files) -> None:
    root = write({f"pages/{name}": content for name, content in files.items()})
    site = find_sites(root / "pages")[0]
    made = yaml.load(workflow.commit_workflow(site, WorkflowRepository(root, "gh-pages", root)), yaml.BaseLoader)
    assert made["on"]["push"]["branches"] == ["gh-pages"]
    job = made["jobs"]["sitemap"]
    assert job["permissions"] == {"contents": "write"}
    assert step_of(job["steps"], OWN)["with"] == {"source": "pages", "commit": "true"}


def test_the_actions_of_others_are_pinned_by_commit() -> None:
    pinned = [name for name, action in workflow.ACTIONS.items() if len(action.split("@")[1].split(" ")[0]) == 40]
    assert pinned == [name for name in workflow.ACTIONS if name != "waypost"]


@pytest.mark.parametrize(
    ("name", "text", "publishes"),
    [
        ("pages.yml", "      - uses: actions/deploy-pages@v4", True),
        ("deploy.yaml", "- uses: peaceiris/actions-gh-pages@v4", True),
        ("deploy.yaml", "- uses: JamesIves/github-pages-deploy-action@v4", True),
        ("sitemap.yml", "- uses: actions/deploy-pages@v4", False),
        ("pages.yml", "# - uses: actions/deploy-pages@v4", False),
        ("pages.yml", "- run: echo deploy-pages", False),
    ],
)
def test_a_workflow_that_publishes_the_site_is_found(write: Write, name: str, text: str, *, publishes: bool) -> None:
    root = write({f".github/workflows/{name}": text})
    found = workflow.publishing_workflow(root, "sitemap.yml")
    assert found == (root / ".github/workflows" / name if publishes else None)


def test_a_long_line_of_a_workflow_is_read_once(write: Write) -> None:
    root = write({".github/workflows/a.yml": "uses: " * 100_000})
    assert workflow.publishing_workflow(root, "own.yml") is None
