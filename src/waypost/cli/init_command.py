"""`waypost init`: example settings and a workflow."""

import os
from collections.abc import Container, Sequence
from pathlib import Path
from textwrap import wrap

import click
from msgspec.structs import replace

from waypost.app.source_kind import source_text
from waypost.cli import workflow
from waypost.cli.exits import errors
from waypost.cli.terminal import say
from waypost.cli.workflow import Repository
from waypost.config.schema import SETTINGS
from waypost.config.setting import Setting, to_toml
from waypost.core import urls
from waypost.git import Repositories
from waypost.project import SiteFolder, find_sites
from waypost.sources.project_folder import ProjectFolder
from waypost.stores import FolderStore

_WORKFLOW = Path(".github/workflows/sitemap.yml")
_UNKNOWN = "public"
"""The usual name of the folder that a project publishes."""
_HEAD = """\
# The settings of Waypost. Each line such as `# gzip = true` is an example: remove its `# ` to use it.
# A setting whose line begins with `# ` has its default.
"""
_WIDTH = 98


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
@click.option("--base-url", metavar="URL", help="The URL of the site's root folder. [default: from a CNAME file]")
def init(folder: Path, base_url: str | None) -> None:
    """Write a commented waypost.toml and a workflow for the site in FOLDER; existing files are not overwritten.

    If a site generator must build the site, the workflow builds it, adds the sitemaps and publishes it on GitHub
    Pages. Otherwise the workflow commits the sitemaps.
    """
    with errors():
        base = _checked_base(base_url) or _base_from_cname(folder)
        found = Repositories(Path.cwd()).find(folder) if folder.is_dir() else None
        repository = (
            Repository(found.root, found.branch() or "main", folder) if found else Repository(folder, "main", folder)
        )
        settings = folder / workflow.SETTINGS_FILE
        is_new = _write_new(settings, folder, settings_file(base))
        _write_workflow(_site(folder, found.ignored() if found else ()), repository, base)
        if base is None and is_new:
            say(f"next: set base_url in {settings}")


def _site(folder: Path, ignored: Container[str]) -> SiteFolder:
    """The site of a project; where none can be recognised, the folder is a guess."""
    site = find_sites(folder, ignored)[0]
    return site if site.is_known else replace(site, folder=folder / _UNKNOWN)


def _write_workflow(site: SiteFolder, repository: Repository, base_url: str | None) -> None:
    """Write the workflow that the site needs, or print the step to add to the one that publishes the site already."""
    target = repository.root / _WORKFLOW
    if site.kind.file:
        say(f"{site.folder} is {source_text(site.kind)}")
    if not site.is_built:
        is_new = _write_new(target, repository.root, workflow.commit_workflow(site, repository))
        if is_new and not site.is_known:
            say(f"next: set `source` in {target} to the folder that is published")
    elif publisher := workflow.publishing_workflow(repository.root, _WORKFLOW.name):
        say(f"{publisher} publishes the site already; add this step to it, after the one that builds the site:")
        say(workflow.sitemap_step(site, repository))
    elif _write_new(target, repository.root, workflow.pages_workflow(site, repository, base_url)):
        say("next: in the settings of the repository on GitHub, choose Pages, Source: GitHub Actions")


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


def _base_from_cname(folder: Path) -> str | None:
    """The base URL of a site on GitHub Pages with a domain of its own, which a file with this name holds."""
    try:
        return urls.normalize_base_url(f"https://{ProjectFolder(folder).text('CNAME').strip()}")
    except (OSError, ValueError):
        return None


def settings_file(base_url: str | None, settings: Sequence[Setting] = SETTINGS) -> bytes:
    """A settings file that explains every setting, with an example of each; `base_url` is set if it is known."""
    return "\n".join([_HEAD, *(_entry(each, base_url) for each in settings)]).encode()


def _entry(setting: Setting, base_url: str | None) -> str:
    default = f" Default: {setting.shown_default}." if setting.shown_default else ""
    comment = [*wrap(setting.meaning, _WIDTH), *wrap(f"Allowed: {setting.allowed}.{default}", _WIDTH)]
    is_set = setting.name == "base_url" and base_url
    line = f"base_url = {to_toml(base_url)}" if is_set else f"# {setting.name} = {setting.example}"
    return "\n".join([*(f"# {text}" for text in comment), line, ""])
