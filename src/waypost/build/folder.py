"""Finds the site, the settings and the repositories of a run over a folder, and checks them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from waypost.build import named_places
from waypost.build.folder_dates import FolderDates
from waypost.build.folder_input import FolderInput, jekyll_source
from waypost.build.folder_repositories import FolderRepositories
from waypost.build.job import FolderPaths, Job, StatePath, check_all, missing_templates
from waypost.build.named_places import NamedPlaces
from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.files import FolderStore
from waypost.files.folder_source import FolderSource
from waypost.git import Repositories
from waypost.project import NamedBase
from waypost.project.host_recognition import FoundHost
from waypost.project.published_folder import published_folder
from waypost.project.recognition import Recognition, run_context
from waypost.settings.load import ConfigSource
from waypost.settings.output_names import output_names
from waypost.settings.schema import Site


def prepare(
    source: Path | None,
    *flags: ConfigSource,
    file: Path | None = None,
    output: Path | None = None,
    working_folder: Path | None = None,
    repositories: Repositories | None = None,
    issues: Sequence[ConfigIssue] = (),
    named_sources: Mapping[str, Sequence[Path]] | None = None,
) -> Job:
    """Check the settings for a source folder; only these repositories are opened, by default the working folder's.

    Without a source, it is the folder that is recognised as the site of the project in the working folder. A base URL
    that no setting names is recognised, too.
    Raises ConfigurationError, or SourceError if there is no such folder or a generator must build the site from it.

    Settings are read from `file`, else from the source, else from the working folder; `flags` override them, later ones
    first, and `issues` found before are reported with the rest. `named_sources` has the files of which the generator
    says that it has made a page, by the page's key.
    """
    here = working_folder or Path.cwd()
    is_named = source is not None
    opened = repositories or Repositories(here)
    source = source or recognised_source(here, flags, file, opened)
    output = output or source
    found_file = named_places.read(file, source, here)
    config_sources = [found_file[0], *flags] if found_file else list(flags)
    settings = found_file[1] if found_file else None
    seen = Recognition(source, here, opened, _source_kind(config_sources))
    root = seen.repository.root if seen.repository else None
    misplaced = [*_misplaced(output, source, flags[-1]), *_links_out(source, output, root, flags[-1])]
    places = NamedPlaces(config_sources, settings.parent if settings else here, root)
    base = _recognised_base_url(seen, config_sources)
    config_sources = [*(each.as_setting() for each in base), *config_sources]
    site = check_all(config_sources, [*issues, *misplaced, *missing_templates(config_sources, places)])
    seen.require_publishable()
    host = seen.host(site.host, site.base_url)
    folder_part, *parts = seen.parts(base, host)
    project = places.folder if settings or not site.sources else root or here
    site, paths = replace(site, host_rules=host.rules), FolderPaths(source, output, settings)
    job = _job(site, places, seen, host, paths, project, named_sources or {}, is_base_url_set=not base)
    return replace(job, recognised=parts if is_named or source == here else [folder_part, *parts])


def _job(
    site: Site,
    places: NamedPlaces,
    seen: Recognition,
    host: FoundHost,
    paths: FolderPaths,
    project: Path,
    named_sources: Mapping[str, Sequence[Path]],
    *,
    is_base_url_set: bool,
) -> Job:
    """The run over a folder by its checked settings; raises ConfigurationError if its state would be published."""
    repositories = FolderRepositories(seen.repositories, site, places, paths.source, project)
    jekyll = jekyll_source(seen.kind, repositories)
    source = jekyll or FolderSource(paths.source)
    return Job(
        site,
        places,
        FolderInput(source, seen, host, repositories, jekyll, is_base_url_set),
        FolderStore(paths.output),
        FolderDates(repositories, named_sources),
        seen.kind,
        folder=paths,
        state=_state_path(site, places, paths.output),
    )


def recognised_source(here: Path, flags: Sequence[ConfigSource], file: Path | None, repositories: Repositories) -> Path:
    """The folder that the project in the working folder publishes, by all that is declared there and by the settings.

    Raises SourceError if it must be built, or named, and ConfigurationError if the settings cannot be read.
    """
    found = named_places.read(file, here, here)
    named = [each.values.get("base_url") for each in [*([found[0]] if found else []), *flags]]
    base_url = next((each for each in reversed(named) if isinstance(each, str)), "")
    repository = repositories.of_workspace
    return published_folder(here, run_context(repository, base_url), repository)


def _source_kind(config_sources: Sequence[ConfigSource]) -> str:
    """The setting `source_kind`, which is not checked yet."""
    named = [str(each.values["source_kind"]) for each in config_sources if "source_kind" in each.values]
    return named[-1] if named else "auto"


def _recognised_base_url(seen: Recognition, config_sources: Sequence[ConfigSource]) -> list[NamedBase]:
    """The base URL that a site and its project name, if no setting does; raises ConfigurationError and SourceError."""
    if any("base_url" in each.values for each in config_sources):
        return []
    seen.require_publishable()
    if seen.base_url is None:
        seen.repositories.find(seen.here)  # that Git refuses the repository is told first: it may name the base URL
    return [seen.base_url] if seen.base_url else []


def settings_of(source: Path, *flags: ConfigSource, file: Path | None, issues: Sequence[ConfigIssue] = ()) -> Site:
    """The checked settings for a source folder, which need not exist; raises ConfigurationError."""
    found = named_places.read(file, source, Path.cwd())
    return check_all([*([found[0]] if found else []), *flags], issues)


def _state_path(site: Site, places: NamedPlaces, output: Path) -> StatePath | None:
    """The file that remembers content between runs, if the settings name one; raises ConfigurationError."""
    if not site.state:
        return None
    state = places.path("state", site.state)
    if _is_output(state, output, site):
        problem = f"Waypost publishes a file with the name {state.name} in {output}"
        allowed = "another file, outside of what is published"
        raise ConfigurationError((ConfigIssue("settings", "state", problem, allowed),))
    return StatePath(state, places.root_of(state))


def _misplaced(output: Path, source: Path, flags: ConfigSource) -> list[ConfigIssue]:
    """The mistake of an output folder inside the source but not at its root: its sitemaps could not list the site.

    A sitemap may list only URLs at or below its own folder (sitemaps.org 0.9, "Sitemap file location").
    """
    target, root = output.resolve(), source.resolve()
    if target == root or not target.is_relative_to(root):
        return []
    problem = f"{output} is inside the site, and a sitemap may list only URLs in its own folder"
    return [flags.issue("output", problem, "the site's root, or a folder elsewhere that is published at base_url")]


def _links_out(source: Path, output: Path, root: Path | None, flags: ConfigSource) -> list[ConfigIssue]:
    """The mistake of a site or an output that is a link out of the repository, as anybody can commit one."""
    named = {"source": source, "output": output} if root else {}
    return [
        flags.issue(name, f"{path} is a link that leads out of the repository, or lies in .git", "the folder itself")
        for name, path in named.items()
        if root and tree_files.leads_out(path, root)
    ]


def _is_output(state: Path, output: Path, site: Site) -> bool:
    is_output_name = state.name == "robots.txt" or output_names(site).could_be_ours(state.name)
    return is_output_name and state.parent.resolve() == output.resolve()
