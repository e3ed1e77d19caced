"""`waypost init`: example settings and a workflow."""

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from textwrap import wrap
from urllib.parse import urlsplit

import click
from click.core import ParameterSource
from msgspec.structs import replace

from waypost.build import named_places
from waypost.cli import workflow
from waypost.cli.host_builds import (
    adapted_lines,
    builder_of,
    can_be_a_step,
    server_lines,
    server_routes,
    sitemap_command,
)
from waypost.cli.options import LocalPath, SiteOptions, job
from waypost.cli.output import errors
from waypost.cli.publishing_advice import (
    advice,
    edited,
    filled_branch_lines,
    is_edited,
    publication_of,
    ways_to_publish,
)
from waypost.cli.terminal import say
from waypost.cli.workflow import WorkflowRepository, own_origin
from waypost.core import urls
from waypost.core.errors import ConfigurationError, SourceError
from waypost.core.model import printable
from waypost.files import FolderStore
from waypost.git import GitFolder, Repositories
from waypost.project import SiteFolder, built_into, find_sites, home_folders, names_no_path, pages_url
from waypost.project.generator import is_application
from waypost.project.host_recognition import AUTO
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH, Publication, RunContext
from waypost.project.publications import builders, filling, publications
from waypost.project.published_folder import built_folder, is_built_anew, source_text, unknown_site
from waypost.project.recognition import Recognition, of_site, run_context
from waypost.project.server_advice import ServerAdvice
from waypost.project.shell_commands import typed_in
from waypost.project.source_kind import recognize
from waypost.settings.output_names import MARK
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting, to_toml

_WORKFLOW = Path(".github/workflows/sitemap.yml")
_EXPRESSION = "${{"
"""What begins an expression that GitHub evaluates, wherever it is in a workflow."""
_HEAD = """\
# The settings of Waypost. Each line such as `# gzip = true` is an example: remove its `# ` to use it.
# A setting whose line begins with `# ` has its default.
"""
_WIDTH = 98
_BRANCH_COMMITS = (
    "next: look whether the first such commit goes online: where GitHub Pages publishes a branch, GitHub's page says "
    "that a workflow's own commit starts no build, and users report that it does; if not, publish by Actions"
)
_FILLED_BRANCH = (
    f"next: if a workflow of another branch fills {PUBLISHED_BRANCH}, it takes the sitemaps away again: type "
    "`waypost init` in that branch instead"
)


@click.command()
@click.argument("folder", type=LocalPath(file_okay=False), default=".")
@click.option(
    "--base-url", metavar="URL", help="The URL of the site's root folder. [default: what the site and its project name]"
)
@click.option("--write", is_flag=True, help="Put the step into the workflow that publishes the site already.")
@click.option("--dry-run", "-n", is_flag=True, help="Print what would be written, and write nothing.")
def init(folder: Path, base_url: str | None, *, write: bool, dry_run: bool) -> None:
    """Write a commented waypost.toml and a workflow for the site in FOLDER; existing files are not overwritten.

    What publishes the site already is kept: the step or the lines to add to it are printed. If nothing does and a site
    generator must build the site for GitHub Pages, the workflow builds it, adds the sitemaps and publishes it. For a
    site that is committed as it is, the workflow commits the sitemaps.
    """
    with errors():
        given = _checked_base(base_url)
        repositories = Repositories(Path.cwd())
        found = repositories.find(folder if folder.is_dir() else Path())
        run = run_context(found)
        project = ProjectFolder(found.root if found else folder)
        named = _site_built_into(folder, found, run)
        folder = named.folder if named else folder
        message = found.message_in_origin(PUBLISHED_BRANCH) if found else None
        by_hand = list(filling(project, run, message))
        is_named = click.get_current_context().get_parameter_source("folder") is ParameterSource.COMMANDLINE
        site = named or _site(folder, found, run, by_hand, is_named=is_named)
        seen = of_site(site, folder, repositories)
        base = given or _recognised_base(seen)
        settings = folder / workflow.SETTINGS_FILE
        if base and not site.is_built and site.kind.file:
            _require_listable(site, base, settings)
        is_published = PUBLISHED_BRANCH in run.branches[:1]
        branch = PUBLISHED_BRANCH if is_published else (found.default_branch() or found.branch() if found else "")
        repository = WorkflowRepository(project.root, branch or "main", folder)
        files = _Files(repository.root, dry_run=dry_run)
        is_new = files.write_new(settings, folder, settings_file(base, own_origin().settings_schema))
        if given and not is_new and _set_in(settings, "base_url").rstrip("/") != given.rstrip("/"):
            say(f"{settings} was not given base_url = {to_toml(given)}: set it there")
        published = [*publications(project, run), *publications(project, replace(run, branches=()))]
        published = published or [each for each in by_hand if not (each.commits and site.is_built)]
        is_on_pages = seen.is_on_pages(_set_in(settings, "host") or AUTO, base or "")
        is_filled = message is not None
        _Advice(site, repository, files, base, found, is_on_pages, is_filled).give(published, write=write)
        if base is None and is_new:
            say(f"next: set base_url in {settings}")
        say(f"next: look at what would be listed: `{_dry_run(site, settings)}`")


def _recognised_base(seen: Recognition) -> str | None:
    """The base URL that the site and its project name, if they agree; what was found is printed."""
    named = [*seen.base_urls]
    named += seen.linked_bases(named[0].base_url) if len(named) == 1 else []
    if len(named) == 1:
        say(f"base_url is {named[0].base_url}, by {named[0].evidence}")
        return named[0].base_url
    for each in named or filter(None, [seen.told_base]):
        say(f"{each.evidence}: {each.base_url}")
    return None


def _require_listable(site: SiteFolder, base: str, settings: Path) -> None:
    """Raise the error with which a build refuses a site that is committed as it is."""
    file = settings if settings.is_file() else None
    options = SiteOptions(("lastmod=none",), file, None if file and _set_in(file, "base_url") else base)
    job(os.path.relpath(site.output), options).plan()


def _set_in(settings: Path, name: str) -> str:
    """A value in a file of settings; empty if it has none, or cannot be read."""
    try:
        found = named_places.read(settings, settings.parent, settings.parent)
        return str(found[0].values.get(name, "")) if found else ""
    except ConfigurationError:
        return ""


def _dry_run(site: SiteFolder, settings: Path) -> str:
    """The commands to type here that build the site, if it must be built, and show what would be listed."""
    build = ""
    if site.kind.command and site.is_built:
        build = f"{site.declared_command or typed_in(os.path.relpath(site.folder), site.kind.command)} && "
    config = f" --config {shlex.quote(os.path.relpath(settings))}" if settings.parent.resolve() != Path.cwd() else ""
    if site.kind.has_server:
        advice = ServerAdvice(site, os.path.relpath(site.folder), "")
        return build.removesuffix(" && ") if advice.hook else f"{build}{advice.command(config, last=' --dry-run')}"
    return f"{build}waypost build {shlex.quote(os.path.relpath(site.output))}{config} --dry-run"


def _site_built_into(folder: Path, found: GitFolder | None, run: RunContext) -> SiteFolder | None:
    """The site that is built into a folder, whose settings are not in it; None if the folder is no such output.

    Raises click.BadParameter if there is no such folder, either.
    """
    is_committed = found is not None and found.tracks(folder / "index.html")
    project = ProjectFolder(Path(os.path.relpath(found.root))) if found and not is_committed else None
    site = built_into(folder, project, run) if project else None
    if site and site.is_built and site.output.resolve() == folder.resolve():
        return site
    if not folder.is_dir():
        raise click.BadParameter(f"Directory {str(folder)!r} does not exist.", param_hint="'[FOLDER]'")
    return None


def _site(
    folder: Path, found: GitFolder | None, run: RunContext, by_hand: Sequence[Publication], *, is_named: bool
) -> SiteFolder:
    """The site of a project, as a build finds it; where none is recognised, the only folder with a home page.

    Built pages that Git tracks are the site, and not the source that a generator builds them from, unless somebody
    builds and publishes that source by hand. Of several, the one in the folder itself is meant if that `is_named`.
    """
    sites = find_sites(folder, found.ignored() if found else (), run)
    own_sites = [each for each in sites if each.folder.resolve() == folder.resolve()] if is_named else []
    sites = own_sites or sites
    if len({each.folder for each in sites}) == 1:
        first, *others = sorted(sites, key=lambda each: not each.kind.generator)
        for other in others:
            by = printable(other.declared.file) if other.declared else other.kind.file
            say(f"{by} publishes {other.output}, too; this is for {first.output}")
        sites = [first]
    if len(sites) > 1:
        named = ", ".join(dict.fromkeys(f"`waypost init {shlex.quote(str(each.folder))}`" for each in sites))
        raise SourceError(f"{folder} has several sites, so nothing was written; name one of them: {named}")
    site = sites[0]
    own = next((each for each in by_hand if each.generator and each.generator == site.kind.generator), None)
    site = replace(site, declared=site.declared or own)
    built = built_folder(site) if site.is_built else None
    kind = recognize(built) if built else site.kind
    if built and built != site.folder and found and found.tracks(built / kind.file) and not is_built_anew(site):
        return SiteFolder(built, kind, declared=site.declared)
    if site.is_known:
        return site
    homes = list(islice(home_folders(folder), 2))
    if len(homes) != 1:
        raise SourceError(
            f"{unknown_site(folder, Path.cwd())}\n  name the folder that is published: `waypost init FOLDER`"
        )
    return replace(site, folder=folder / homes[0])


@dataclass(frozen=True)
class _Files:
    """Writes files of a repository that do not exist, or says what they would be."""

    root: Path
    dry_run: bool

    def write_new(self, target: Path, root: Path, content: bytes) -> bool:
        """Write a file in a folder unless it exists; returns whether it is new. Raises StoreError."""
        if os.path.lexists(target):
            say(f"unchanged: {target} exists already", "yellow")
            return False
        self.replace(target, root, content)
        return True

    def replace(self, target: Path, root: Path, content: bytes) -> None:
        """Write a file, or print it. Raises StoreError."""
        if self.dry_run:
            say(f"would be written: {target}", "green")
            say(content.decode("utf-8", "replace"))
            return
        FolderStore(root).write(target.relative_to(root).as_posix(), content)
        say(f"written: {target}", "green")


@dataclass(frozen=True)
class _Advice:
    """Writes the workflow that a site needs, or prints what to add to what publishes the site already."""

    site: SiteFolder
    repository: WorkflowRepository
    files: _Files
    base_url: str | None
    git: GitFolder | None
    is_on_pages: bool
    is_filled: bool = False
    """Whether origin has a branch for GitHub Pages."""

    @property
    def target(self) -> Path:
        """The workflow that is written."""
        return self.repository.root / _WORKFLOW

    def give(self, published: Sequence[Publication], *, write: bool) -> None:
        """Write the workflow, or print the lines; of what publishes the site, with `write` the workflow is edited."""
        site, repository = self.site, self.repository
        if _EXPRESSION in repository.path(site.folder):
            raise SourceError(
                f"the name of {site.folder} has {_EXPRESSION}, which GitHub would evaluate in a workflow, so none was "
                "written; give the folder another name"
            )
        if site.kind.file:
            say(f"{site.folder} is {source_text(site.kind)}")
        publication = publication_of(repository.path(site.output), published, _WORKFLOW.as_posix())
        if publication and publication.builds and not publication.host and self.is_on_pages:
            publication = replace(publication, host="github-pages")
        is_step = publication is not None and publication.step is not None and not publication.builds
        if site.kind.has_server and not (is_step and can_be_a_step(site)):
            for line in server_lines(site, repository):
                say(line)
        elif self.git and workflow.is_gitlab(self.git.repository.origin_url):
            self._write_gitlab()
        elif publication and (publication.step or publication.publisher or site.is_built or publication.is_pipeline):
            self._add_to(publication, write=write)
            self._name_others(publication, published)
            if site.kind.has_server:
                say(server_routes(site, repository))
        elif site.is_built and builder_of(site):
            for line in adapted_lines(site, repository):
                say(line)
        elif not site.is_built:
            self._commit()
        elif not site.kind.generator:
            say("where the site is built and published, add this step after the build:")
            say(workflow.sitemap_step(site, repository))
        else:
            self._build_and_publish()
        for line in self._remarks():
            say(line)
        _ask_for_names()

    def _remarks(self) -> Iterator[str]:
        """What the owner should know of the site before the first run."""
        if is_application(self.site.kind.generator) and not self.site.kind.has_server:
            yield "next: if it is a single-page application, its routes are no files: list them by the setting `urls`"
        if self.site.kind.generator == "Jekyll" and self.repository.settings_folder.samefile(self.site.folder):
            yield f"next: Jekyll publishes {workflow.SETTINGS_FILE}, too, unless `exclude` in _config.yml has it"
        if self.base_url and self._is_below_unsaid_path(self.base_url):
            path = urlsplit(self.base_url).path
            yield f"next: check base_url: {self.site.kind.file} does not say that the site is below {path}"
        root = self.site.output
        for name in ("sitemap.xml", "sitemap_index.xml") if root.is_dir() and not self.site.is_built else ():
            text = ProjectFolder(root).text(name)
            if text and MARK not in text:
                yield f"next: the first run replaces {name}, which another program or a person wrote"

    def _is_below_unsaid_path(self, base_url: str) -> bool:
        """Whether the repository's name alone says that the site is in a folder of its owner's host."""
        if base_url != pages_url(self.git.repository.github_name if self.git else ""):
            return False
        commands = self.site.declared.commands if self.site.declared else ()
        is_said = any("base" in each.lower() for each in commands)
        is_unnamed = not is_said and names_no_path(ProjectFolder(self.site.folder), self.site.kind)
        return is_unnamed and urlsplit(base_url).path != "/"

    def _add_to(self, publication: Publication, *, write: bool) -> None:
        """Say what to add to a publication, or add it to its workflow."""
        file = self.repository.root / publication.file
        if publication.step and is_edited(file, self.repository, self.site):
            say(f"unchanged: {file} has the step already", "yellow")
            return
        content = edited(self.site, publication, self.repository) if write else None
        if content is not None:
            self.files.replace(file, self.repository.root, content)
            return
        for line in advice(self.site, publication, self.repository, self.base_url):
            say(line)
        if write:
            say(f"nothing was written in {publication.file}: add it yourself", "yellow")
        elif edited(self.site, publication, self.repository) is not None:
            say(f"`waypost init --write` adds it to {publication.file}")

    def _name_others(self, publication: Publication, published: Sequence[Publication]) -> None:
        """Name the other workflows that publish the same folder, whose host may have another base URL."""
        same = [each for each in published if each.step and each.is_deployed and each.folders == publication.folders]
        others = {each.file: each for each in same if publication.folders and each.file != publication.file}
        for each in others.values() if publication.step else ():
            is_same = _place_of(each) == _place_of(publication)
            what = "add the same to it" if is_same else "elsewhere, perhaps with another base URL"
            say(f"next: {printable(each.file)} publishes {each.folders[0]}, too: {what}")

    def _build_and_publish(self) -> None:
        """Write the workflow that builds the site and publishes it on GitHub Pages."""
        site, repository = self.site, self.repository
        if not self.is_on_pages:
            found = builders(ProjectFolder(repository.root), run_context(self.git), site.folder, site.kind.generator)
            for line in ways_to_publish(site, repository, self.base_url, self.git, found):
                say(line)
            return
        if self.is_filled and not os.path.lexists(self.target):
            for line in filled_branch_lines(site, repository):
                say(line)
            return
        content = workflow.pages_workflow(site, repository, self.base_url)
        if not self.files.write_new(self.target, repository.root, content):
            self._print_step()
            return
        say("next: in the settings of the repository on GitHub, choose Pages, Source: GitHub Actions")
        if workflow.installs_a_guess(site):
            say("next: in the workflow, also install the packages of the theme, the plugins and the extensions")

    def _commit(self) -> None:
        """Write the workflow that commits the sitemaps."""
        is_new = self.files.write_new(
            self.target, self.repository.root, workflow.commit_workflow(self.site, self.repository)
        )
        if not is_new:
            self._print_step()
            return
        if not self.site.is_known:
            say(f"next: set `source` in {self.target} to the folder that is published")
        declared = self.site.declared
        if declared is None or declared.host in ("", "github-pages"):
            say(_BRANCH_COMMITS)
        if self.repository.branch == PUBLISHED_BRANCH:
            say(_FILLED_BRANCH)

    def _print_step(self) -> None:
        """Print the step for a site that a workflow which exists does not name."""
        if not is_edited(self.target, self.repository, self.site):
            source = self.repository.path(self.site.output)
            say(f"it has no step for {source}; where that site is built and published, add:")
            say(workflow.sitemap_step(self.site, self.repository))

    def _write_gitlab(self) -> None:
        """Write the configuration of GitLab's pipelines, or print the command to add to the one that there is."""
        target = self.repository.root / workflow.GITLAB_FILE
        if os.path.lexists(target):
            say(f"{target} exists already; add this command to the job that publishes the site, after the build:")
            say(f"  {sitemap_command(self.site, self.repository)}")
        else:
            self.files.write_new(target, self.repository.root, workflow.gitlab_pipeline(self.site, self.repository))


def _place_of(publication: Publication) -> tuple[str, str, str]:
    return publication.host, publication.target, publication.repository


def _ask_for_names() -> None:
    """Say what to replace in what was written, where it is not known from which repository this program came."""
    action = own_origin().action.partition(" #")[0]
    if action.startswith("<"):
        say(f"next: put the repository and the commit of Waypost that you use in the place of {action}")


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
