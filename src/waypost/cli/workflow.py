"""The workflow that `waypost init` writes: one that commits sitemaps, or one that builds and publishes a site.

It refers to Waypost's own Action and package: to a commit, or to a release.
"""

import json
import os
import re
import shlex
import tomllib
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from waypost import RELEASE_TAG, REPOSITORY, SHOWN_ACTION, SHOWN_REPOSITORY, __version__
from waypost.core.model import SourceKind
from waypost.git import Repositories
from waypost.project import SiteFolder
from waypost.project.generator import Generator, Toolchain, generators
from waypost.project.project_folder import ProjectFolder
from waypost.project.shell_commands import typed_in
from waypost.settings.setting import to_toml
from waypost.sitemaps.render import Renderer

_GITHUB_URL = re.compile(r"(?:git\+)?https://(?:[^@/\s]+@)?github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_SCHEMA = "docs/schemas/settings.schema.json"
SETTINGS_FILE = "waypost.toml"
_TABLE = tomllib.loads(Path(__file__).with_name("workflow.toml").read_text(encoding="utf-8"))
ACTIONS: dict[str, str] = _TABLE["actions"]
GITLAB_FILE = ".gitlab-ci.yml"
_GITLAB = re.compile(r"(?:@|//)(?:[\w.-]+\.)?gitlab\.[\w.-]+[:/]")


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step that installs something: an action with its inputs, or a command."""

    uses: str = ""
    inputs: dict[str, str | bool] = field(default_factory=dict)
    run: str = ""
    needs_token: bool = False


@dataclass(frozen=True, slots=True)
class WorkflowRepository:
    """A repository, the branch that is checked out, and the folder in it with the settings file."""

    root: Path
    branch: str
    settings_folder: Path

    def config(self, site: SiteFolder, below: str = ".") -> str:
        """The path of the settings, from the folder of a run that would not find them itself; empty if it would."""
        place = (self.root / below).resolve()
        is_found = self.settings_folder.resolve() in (place, site.output.resolve())
        return "" if is_found else os.path.relpath(self.settings_folder.resolve() / SETTINGS_FILE, place)

    def config_option(self, site: SiteFolder, below: str = ".") -> str:
        """The option that names these settings for a run in a folder, with a space before it; empty without need."""
        config = self.config(site, below)
        return f" --config {shlex.quote(config)}" if config else ""

    def path(self, folder: Path) -> str:
        """The path of a folder from the root."""
        return Path(os.path.relpath(folder.resolve(), self.root.resolve())).as_posix()


def _actions() -> dict[str, str]:
    """The actions that workflows use, Waypost's own among them."""
    return {**ACTIONS, "waypost": own_origin().action}


def commit_workflow(site: SiteFolder, repository: WorkflowRepository) -> bytes:
    """A workflow that commits the sitemaps of a site to the branch with its files."""
    inputs = _inputs(site, repository)
    return Renderer().text("workflow.yml.j2", branch=repository.branch, inputs=inputs, actions=_actions())


def pages_workflow(site: SiteFolder, repository: WorkflowRepository, base_url: str | None = None) -> bytes:
    """A workflow that builds a site and publishes it on GitHub Pages.

    If its base URL is known, changes are counted from the published sitemap: the built folder has none before.
    """
    compared = {"settings": f"compare = {to_toml(f'{base_url}sitemap.xml')}"} if base_url else {}
    return Renderer().text(
        "workflow-pages.yml.j2",
        branch=repository.branch,
        project=repository.path(site.folder),
        generator=site.kind.generator,
        has_submodules=(repository.root / ".gitmodules").exists(),
        setup=setup_steps(site.kind, ProjectFolder(site.folder)),
        command=site.kind.command,
        inputs=_inputs(site, repository) | compared,
        actions=_actions(),
    )


def sitemap_step(
    site: SiteFolder, repository: WorkflowRepository, condition: str = "", *, commits: bool = False
) -> str:
    """The step that makes the sitemaps of a built site, for a workflow that exists, perhaps on a condition.

    Where what is published are commits, it `commits` the sitemaps.
    """
    inputs = [f"    {name}: {to_toml(value)}" for name, value in _inputs(site, repository).items()]
    inputs += ["    commit: true"] if commits else []
    only_if = [f"  if: {json.dumps(condition)}"] if condition else []
    return "\n".join([f"- uses: {own_origin().action}", *only_if, "  with:", *inputs])


def setup_lines(site: SiteFolder, place: str) -> list[str]:
    """The steps that install what the build of a site in a folder of the repository needs, as lines of a workflow."""
    lines = list[str]()
    for step in setup_steps(site.kind, ProjectFolder(site.folder)):
        run = step.run if "sudo " in step.run else typed_in(place, step.run)
        lines.append(f"- run: {run}" if step.run else f"- uses: {step.uses}")
        inputs = ", ".join(f"{name}: {json.dumps(value)}" for name, value in step.inputs.items())
        lines += [f"  with: {{{inputs}}}"] if inputs else []
        lines += ['  env: {GH_TOKEN: "${{ github.token }}"}'] if step.needs_token else []
    return lines


def is_gitlab(remote_url: str) -> bool:
    """Whether a remote is on a GitLab server, by its name."""
    return bool(_GITLAB.search(remote_url))


def gitlab_pipeline(site: SiteFolder, repository: WorkflowRepository) -> bytes:
    """A pipeline of GitLab's that builds a site, adds its sitemaps and publishes it on GitLab Pages."""
    setup = setup_steps(site.kind, ProjectFolder(site.folder)) if site.is_built else []
    return Renderer().text(
        "gitlab-ci.yml.j2",
        package=shlex.quote(own_origin().package),
        image="node:22" if any("node" in step.uses for step in setup) else "python:3.13",
        project=shlex.quote(repository.path(site.folder)),
        commands=[step.run for step in setup if step.run],
        command=site.kind.command if site.is_built else "",
        output=shlex.quote(repository.path(site.output)),
    )


def _inputs(site: SiteFolder, repository: WorkflowRepository) -> dict[str, str]:
    """The inputs of the step that makes the sitemaps."""
    output = site.output
    inputs = {"source": repository.path(output)}
    if config := repository.config(site):
        inputs["config"] = config
    return inputs


def setup_steps(kind: SourceKind, project: ProjectFolder) -> list[SetupStep]:
    """The steps that install what the build of a site needs."""
    if kind.generator == "Jekyll":
        return _ruby(project)
    generator = _generator(kind)
    if generator is None or generator.toolchain == "node":
        return _node(project)
    if generator.toolchain == "python":
        return _python(project, generator.package)
    if generator.toolchain == "apt":
        return [SetupStep(run=f"sudo apt-get update && sudo apt-get install --yes {generator.package}")]
    if install := _TABLE["with_tools"].get(generator.toolchain):
        return [SetupStep(run=install)]
    return [_release(generator.toolchain)]


def _generator(kind: SourceKind) -> Generator | None:
    return next((each for each in generators() if each.name == kind.generator), None)


def _ruby(project: ProjectFolder) -> list[SetupStep]:
    inputs: dict[str, str | bool] = {} if project.has_file(".ruby-version") else {"ruby-version": "3.3"}
    if project.has_file("Gemfile"):
        return [SetupStep(ACTIONS["ruby"], inputs), SetupStep(run="bundle install")]
    return [SetupStep(ACTIONS["ruby"], inputs), SetupStep(run="gem install jekyll")]


def _node(project: ProjectFolder) -> list[SetupStep]:
    setup = SetupStep(ACTIONS["node"], {"node-version": "22"})
    return [setup, SetupStep(run=_node_install(project))] if project.has_file("package.json") else [setup]


def _node_install(project: ProjectFolder) -> str:
    """The command that installs the packages of package.json, at the versions of the lock file if there is one."""
    is_locked = any(map(project.has_file, ("package-lock.json", "npm-shrinkwrap.json")))
    yarn_option = "--immutable" if project.has_file(".yarnrc.yml") else "--frozen-lockfile"
    command: str = _TABLE["install"][project.package_manager]
    return command.format(npm="ci" if is_locked else "install", yarn=yarn_option)


def _python(project: ProjectFolder, package: str) -> list[SetupStep]:
    packages = "-r requirements.txt" if project.has_file("requirements.txt") else package
    install = _TABLE["install"][project.python_manager].format(packages=packages)
    return [SetupStep(ACTIONS["python"], {"python-version": "3.13"}), SetupStep(run=install)]


def installs_a_guess(site: SiteFolder) -> bool:
    """Whether the workflow installs the generator alone, because the project does not say what else the site needs."""
    project = ProjectFolder(site.folder)
    generator = _generator(site.kind)
    is_python = generator is not None and generator.toolchain == "python"
    return is_python and project.python_manager == "pip" and not project.has_file("requirements.txt")


def _release(toolchain: Toolchain) -> SetupStep:
    """The step that installs the newest release of a program from its repository."""
    repository, asset = _TABLE["releases"][toolchain]
    download = f"gh release download --repo {repository} --pattern '{asset}' --output"
    if asset.endswith(".deb"):
        package = f'"$RUNNER_TEMP/{toolchain}.deb"'
        return SetupStep(run=f"{download} {package} && sudo dpkg --install {package}", needs_token=True)
    return SetupStep(run=f"{download} - | sudo tar -xz -C /usr/local/bin {toolchain}", needs_token=True)


class Origin(NamedTuple):
    """Where a program was installed from: a repository on GitHub, if that is known, and a commit of it.

    A program from PyPI has no other origin than a release (PEP 610 says where another came from). What is not known
    has a placeholder.
    """

    repository: str
    commit: str = ""

    @property
    def action(self) -> str:
        """The Action at the commit, or else at the release's tag."""
        if self.commit:
            return f"{self.repository or SHOWN_REPOSITORY}@{self.commit} # {__version__}"
        return f"{self.repository}@v{__version__}" if self.repository else SHOWN_ACTION

    @property
    def package(self) -> str:
        """What pip installs: the commit, or else the release in the registry, which counts from the first one on."""
        if RELEASE_TAG and not self.commit:
            return f"waypost=={__version__}"
        commit = self.commit or "<commit>"
        return f"waypost @ git+https://github.com/{self.repository or SHOWN_REPOSITORY}@{commit}"

    @property
    def settings_schema(self) -> str:
        """The address of the JSON Schema of `waypost.toml` at the commit or release; empty if that is not known."""
        revision = self.commit or (f"v{__version__}" if RELEASE_TAG else "")
        is_known = self.repository and revision
        return f"https://raw.githubusercontent.com/{self.repository}/{revision}/{_SCHEMA}" if is_known else ""


def own_origin() -> Origin:
    """Where this program was installed from."""
    try:
        return origin_of(distribution("waypost").read_text("direct_url.json") or "")
    except PackageNotFoundError:
        return Origin(REPOSITORY)


def origin_of(direct_url: str) -> Origin:
    """The origin of an installation with this `direct_url.json`, which is empty for one from PyPI."""
    try:
        found = json.loads(direct_url) if direct_url else {}
    except ValueError:
        return Origin(REPOSITORY)
    address = str(found.get("url", ""))
    if commit := found.get("vcs_info", {}).get("commit_id"):
        named = _GITHUB_URL.fullmatch(address)
        return Origin(named[1] if named else REPOSITORY, str(commit))
    url = urlsplit(address)
    folder = Path(unquote(url.path))
    return _clone(folder) if url.scheme == "file" and folder.is_dir() else Origin(REPOSITORY)


def _clone(folder: Path) -> Origin:
    opened = Repositories(folder).of_workspace
    if opened is None:
        return Origin(REPOSITORY)
    return Origin(opened.repository.github_name or REPOSITORY, opened.repository.head.commit or "")
