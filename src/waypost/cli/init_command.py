"""`waypost init`: example settings and a workflow."""

import os
import shlex
from collections.abc import Container, Sequence
from pathlib import Path
from textwrap import wrap

import click
from msgspec.structs import replace

from waypost.cli import workflow
from waypost.cli.options import LocalPath
from waypost.cli.output import errors
from waypost.cli.terminal import say
from waypost.cli.workflow import WorkflowRepository, own_origin
from waypost.core import urls
from waypost.core.errors import SourceError
from waypost.files import FolderStore
from waypost.git import GitFolder, Repositories
from waypost.project import SiteFolder, find_sites
from waypost.project.project_folder import ProjectFolder
from waypost.project.published_folder import source_text
from waypost.project.recognition import Recognition
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting, to_toml

_WORKFLOW = Path(".github/workflows/sitemap.yml")
_EXPRESSION = "${{"
"""What begins an expression that GitHub evaluates, wherever it is in a workflow."""
_UNKNOWN = "public"
"""The usual name of the folder that a project publishes."""
_HEAD = """\
# The settings of Waypost. Each line such as `# gzip = true` is an example: remove its `# ` to use it.
# A setting whose line begins with `# ` has its default.
"""
_WIDTH = 98


@click.command()
@click.argument("folder", type=LocalPath(file_okay=False), default=".")
@click.option(
    "--base-url", metavar="URL", help="The URL of the site's root folder. [default: what the site and its project name]"
)
def init(folder: Path, base_url: str | None) -> None:
    """Write a commented waypost.toml and a workflow for the site in FOLDER; existing files are not overwritten.

    If a site generator must build the site, the workflow builds it, adds the sitemaps and publishes it on GitHub
    Pages. Otherwise the workflow commits the sitemaps. Of a site that another service publishes already, the command to
    add to its build is printed.
    """
    with errors():
        given = _checked_base(base_url)
        repositories = Repositories(Path.cwd())
        found = repositories.find(folder) if folder.is_dir() else None
        site = _site(folder, found.ignored() if found else ())
        base = given or _recognised_base(site, folder, repositories)
        branch = (found.default_branch() or found.branch() if found else None) or "main"
        repository = WorkflowRepository(found.root if found else folder, branch, folder)
        settings = folder / workflow.SETTINGS_FILE
        is_new = _write_new(settings, folder, settings_file(base, own_origin().settings_schema))
        if given and not is_new:
            say(f"{settings} was not given base_url = {to_toml(given)}: set it there")
        _write_workflow(site, repository, base, _origin(found))
        if base is None and is_new:
            say(f"next: set base_url in {settings}")
        say(f"next: look at what would be listed: `{_dry_run(site, settings)}`")


def _recognised_base(site: SiteFolder, folder: Path, repositories: Repositories) -> str | None:
    """The base URL that the site and its project name, if they agree; what was found is printed."""
    if not site.folder.is_dir():
        return None
    source = site.output if site.output.is_dir() else site.folder
    named = Recognition(source, folder, repositories).base_urls
    if len(named) == 1:
        say(f"base_url is {named[0].base_url}, by {named[0].evidence}")
        return named[0].base_url
    for each in named:
        say(f"{each.evidence}: {each.base_url}")
    return None


def _origin(found: GitFolder | None) -> str:
    return found.repository.origin_url if found else ""


def _dry_run(site: SiteFolder, settings: Path) -> str:
    """The commands to type here that build the site, if it must be built, and show what would be listed."""
    project = os.path.relpath(site.folder)
    build = f"{site.kind.command} && " if site.kind.command and site.kind.kind == "generator" else ""
    if build and project != ".":
        build = f"(cd {shlex.quote(project)} && {site.kind.command}) && "
    config = f" --config {shlex.quote(os.path.relpath(settings))}" if settings.parent.resolve() != Path.cwd() else ""
    return f"{build}waypost build {shlex.quote(os.path.relpath(site.output))}{config} --dry-run"


def _site(folder: Path, ignored: Container[str]) -> SiteFolder:
    """The site of a project; where none can be recognised, the folder is a guess."""
    found = find_sites(folder, ignored)
    if len(found) > 1:
        named = ", ".join(f"`waypost init {shlex.quote(str(each.folder))}`" for each in found)
        raise SourceError(f"{folder} has several sites, so nothing was written; name one of them: {named}")
    site = found[0]
    return site if site.is_known else replace(site, folder=folder / _UNKNOWN)


def _write_workflow(site: SiteFolder, repository: WorkflowRepository, base_url: str | None, origin: str) -> None:
    """Write the workflow that the site needs, or print the step to add to what publishes the site already."""
    target = repository.root / _WORKFLOW
    if _EXPRESSION in repository.path(site.folder):
        raise SourceError(
            f"the name of {site.folder} has {_EXPRESSION}, which GitHub would evaluate in a workflow, so none was "
            "written; give the folder another name"
        )
    if site.kind.file:
        say(f"{site.folder} is {source_text(site.kind)}")
    if deployed := workflow.deployment(repository.root, site.folder):
        say(f"{deployed} publishes the site already, so no workflow was written; add to its build command:")
        say(f"  {workflow.build_command(site, repository)}")
    elif workflow.is_gitlab(origin):
        _write_gitlab(site, repository)
    elif not site.is_built:
        is_new = _write_new(target, repository.root, workflow.commit_workflow(site, repository))
        if is_new and not site.is_known:
            say(f"next: set `source` in {target} to the folder that is published")
        if is_new:
            say("next: where GitHub Pages publishes this branch, such a commit goes online with your next push")
        else:
            _print_step(site, repository)
    elif publisher := workflow.publishing_workflow(repository.root, _WORKFLOW.name):
        say(f"{publisher} publishes the site already; add this step to it, after the one that builds the site:")
        say(workflow.sitemap_step(site, repository))
    elif not site.kind.generator:
        say("where the site is built and published, add this step after the build:")
        say(workflow.sitemap_step(site, repository))
    elif _write_new(target, repository.root, workflow.pages_workflow(site, repository, base_url)):
        say("next: in the settings of the repository on GitHub, choose Pages, Source: GitHub Actions")
        if workflow.installs_a_guess(site):
            say("next: in the workflow, also install the packages of the theme, the plugins and the extensions")
    else:
        _print_step(site, repository)
    _ask_for_names()


def _print_step(site: SiteFolder, repository: WorkflowRepository) -> None:
    """Print the step for a site that a workflow which exists does not name."""
    source = repository.path(site.output)
    if f"source: {to_toml(source)}" not in ProjectFolder(repository.root).text(_WORKFLOW.as_posix()):
        say(f"it has no step for {source}; where that site is built and published, add:")
        say(workflow.sitemap_step(site, repository))


def _ask_for_names() -> None:
    """Say what to replace in what was written, where it is not known from which repository this program came."""
    action = own_origin().action.partition(" #")[0]
    if action.startswith("<"):
        say(f"next: put the repository and the commit of Waypost that you use in the place of {action}")


def _write_gitlab(site: SiteFolder, repository: WorkflowRepository) -> None:
    """Write the configuration of GitLab's pipelines, or print the command to add to the one that there is."""
    target = repository.root / workflow.GITLAB_FILE
    if os.path.lexists(target):
        say(f"{target} exists already; add this command to the job that publishes the site, after the build:")
        say(f"  {workflow.build_command(site, repository)}")
    else:
        _write_new(target, repository.root, workflow.gitlab_pipeline(site, repository))


def _write_new(target: Path, root: Path, content: bytes) -> bool:
    """Write a file in a folder unless it exists; returns whether it was written. Raises StoreError."""
    if os.path.lexists(target):
        say(f"unchanged: {target} exists already", "yellow")
        return False
    FolderStore(root).write(target.relative_to(root).as_posix(), content)
    say(f"written: {target}", "green")
    return True


def _checked_base(base_url: str | None) -> str | None:
    try:
        return urls.normalize_base_url(base_url) if base_url else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--base-url") from None


def settings_file(base_url: str | None, schema: str = "", settings: Sequence[Setting] = SETTINGS) -> bytes:
    """A settings file that explains every setting, with an example of each; `base_url` is set if it is known.

    Its first line names the JSON Schema, if there is one, by which editors complete and check the settings.
    """
    head = f"#:schema {schema}\n{_HEAD}" if schema else _HEAD
    return "\n".join([head, *(_entry(each, base_url) for each in settings)]).encode()


def _entry(setting: Setting, base_url: str | None) -> str:
    default = f" Default: {setting.shown_default}." if setting.shown_default else ""
    comment = [*wrap(setting.meaning, _WIDTH), *wrap(f"Allowed: {setting.allowed}.{default}", _WIDTH)]
    is_set = setting.name == "base_url" and base_url
    line = f"base_url = {to_toml(base_url)}" if is_set else f"# {setting.name} = {setting.example}"
    return "\n".join([*(f"# {text}" for text in comment), line, ""])
