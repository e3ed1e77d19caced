"""The workflows of `waypost init`: what they install, build, list and publish."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from source_folders import GENERATORS, JEKYLL, PAGE

from waypost import REPOSITORY, __version__
from waypost.cli import workflow
from waypost.cli.workflow import WorkflowRepository, origin_of, own_origin
from waypost.core.model import SourceKind
from waypost.project import find_sites
from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import recognize

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Files, Write


OWN = own_origin().action.partition("@")[0]


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


COMMIT = "0123456789abcdef0123456789abcdef01234567"


ROOT = Path(__file__).parents[3]
PLACEHOLDER = "<owner>/<repository>"


def action_at(url: str, commit: str = "") -> str:
    vcs = {"vcs_info": {"vcs": "git", "commit_id": commit}} if commit else {}
    return origin_of(json.dumps({"url": url, **vcs})).action


@pytest.mark.skipif(bool(REPOSITORY), reason="the repository has a name")
@pytest.mark.parametrize(
    "text", ["", "not JSON", "{}", '{"url": "https://a.dev/waypost.whl"}', '{"url": "file:///absent"}']
)
def test_an_origin_without_a_commit_gives_a_placeholder_and_nobody_s_repository(text: str) -> None:
    assert origin_of(text).action == f"{PLACEHOLDER}@<commit>"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/acme/sitemaps", "acme/sitemaps"),
        ("https://github.com/acme/sitemaps.git", "acme/sitemaps"),
        ("https://token@github.com/acme/site.maps/", "acme/site.maps"),
        ("https://gitlab.com/acme/sitemaps", REPOSITORY or PLACEHOLDER),
        ("https://github.com.evil.example/acme/sitemaps", REPOSITORY or PLACEHOLDER),
    ],
)
def test_a_program_that_was_installed_from_a_commit_names_its_repository_and_it(url: str, name: str) -> None:
    assert action_at(url, COMMIT) == f"{name}@{COMMIT} # {__version__}"


def test_a_program_from_a_clone_names_its_origin_and_its_commit(repository: Repository) -> None:
    repository.commit({"a.txt": ""}, when=1_700_000_000)
    repository.git("remote", "add", "origin", "git@github.com:acme/sitemaps.git")
    head = repository.git("rev-parse", "HEAD").strip()
    assert action_at(repository.folder.as_uri()) == f"acme/sitemaps@{head} # {__version__}"


def test_a_clone_without_an_origin_on_github_has_a_placeholder(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"a.txt": ""}, when=1_700_000_000)
    shown = REPOSITORY or PLACEHOLDER
    assert action_at(repository.folder.as_uri()).startswith(f"{shown}@")
    assert action_at(tmp_path.as_uri()).startswith(f"{shown}@")


def test_the_schema_of_the_settings_is_that_of_the_commit_and_none_where_no_repository_is_known() -> None:
    url = "https://github.com/acme/sitemaps"
    direct_url = json.dumps({"url": url, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    schema = origin_of(direct_url).settings_schema
    address = f"https://raw.githubusercontent.com/acme/sitemaps/{COMMIT}/"
    assert schema.startswith(address)
    assert (ROOT / schema.removeprefix(address)).is_file()
    assert origin_of("").settings_schema == "" or REPOSITORY


def test_this_installation_has_a_reference() -> None:
    assert re.fullmatch(r"\S+/\S+@(v\d[\w.]*|<commit>|[0-9a-f]{40} # \d[\w.]*)", own_origin().action)
