"""A run over a folder, and over a repository that holds it."""

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from waypost.app import settings_file
from waypost.app.job import Job, check_all, missing_templates, now
from waypost.build import state as states
from waypost.build.lister import DateSources
from waypost.config.load import ConfigSource
from waypost.config.output_names import output_names
from waypost.config.schema import Site
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.model import SiteWarning
from waypost.rules.commit_dates import CommitDates
from waypost.rules.source_mapping import SourceMapper
from waypost.sources import git
from waypost.sources.filesystem import FolderSource
from waypost.stores.filesystem import FolderStore


@dataclass(frozen=True)
class FolderJob(Job):
    """A run over a folder of files.

    `settings` is the file that they are in, if one is; relative paths of sources begin at `project`.
    `state` remembers content between runs.
    """

    source: Path
    output: Path
    state: Path | None
    settings: Path | None
    project: Path

    def key(self, path: str) -> str:
        """A path below the site, or below the working folder, as the site's key."""
        given = Path(os.path.normpath(path))
        below = given if given.is_absolute() or not (self.source / given).exists() else self.source / given
        root = self.source.absolute()
        return below.absolute().relative_to(root).as_posix() if below.absolute().is_relative_to(root) else path

    def _open_source(self) -> FolderSource:
        return FolderSource(self.source)

    def _store(self) -> FolderStore:
        return FolderStore(self.output)

    def _state_file(self) -> tuple[FolderStore, str] | None:
        return (FolderStore(self.state.parent), self.state.name) if self.state else None

    @property
    def history_folder(self) -> Path:
        """The folder whose history dates the pages: the site itself, or what it is made of."""
        return self.project if self.site.source_mappings else self.source

    def _ignored(self) -> tuple[frozenset[str], list[SiteWarning]]:
        if not self.site.skip_gitignored:
            return frozenset(), []
        if git.repository_root(self.source) is None:
            message = f"skip_gitignored had no effect: {self.source} is in no Git repository, or git is not installed"
            return frozenset(), [SiteWarning("no-repository", message)]
        return git.ignored(self.source), []

    def _date_sources(self, beside: Executor) -> tuple[DateSources, list[SiteWarning]]:
        at = now()
        if self.state and self.site.lastmod == "content":
            state = FolderStore(self.state.parent).read(self.state.name)
            return DateSources(format_unix_time(at), state=states.load(state, str(self.state))), []
        if self.site.lastmod != "git":
            return DateSources(format_unix_time(at)), []
        if git.repository_root(self.history_folder) is None:
            message = (
                f"pages have no date from Git: {self.history_folder} is in no Git repository, or git is not installed"
            )
            return DateSources(format_unix_time(at)), [SiteWarning("no-repository", message)]
        provenance = SourceMapper(self.site.source_mappings) if self.site.source_mappings else None
        commits = beside.submit(lambda: CommitDates(git.history(self.history_folder), provenance, at))
        return DateSources(format_unix_time(at), commits.result), []


def prepare(
    source: Path,
    *flags: ConfigSource,
    file: Path | None = None,
    output: Path | None = None,
    here: Path | None = None,
    issues: Sequence[ConfigIssue] = (),
) -> FolderJob:
    """Check the settings for a source folder; raises ConfigurationError, or SourceError for no such folder.

    Settings are looked for in the source, then in `here` (default: the working folder); `flags`
    beat them, the last of them most. `mistakes` found before are reported with the rest.
    """
    here = here or Path.cwd()
    found = settings_file.read(file, source, here)
    sources, folder = ([found[0], *flags], found[1].parent) if found else (list(flags), here)
    output = output or source
    issues = [*issues, *_misplaced(output, source, flags[-1]), *missing_templates(sources, folder)]
    site = check_all(sources, issues)
    FolderSource(source)
    if site.state and "://" in site.state:
        problem = f"{site.state!r} is no path; a folder's state is a file beside it"
        raise ConfigurationError((ConfigIssue("settings", "state", problem, "a path"),))
    project = folder if found or not site.source_mappings else git.repository_root(here) or here
    state = folder / site.state if site.state else None
    if state and _is_output(state, output, site):
        problem = f"{state.name} in {output} is a name that Waypost gives to what it publishes"
        raise ConfigurationError(
            (ConfigIssue("settings", "state", problem, "another file, outside of what is published"),)
        )
    return FolderJob(site, folder, source, output, state, found[1] if found else None, project)


def _misplaced(output: Path, source: Path, flags: ConfigSource) -> list[ConfigIssue]:
    """An output folder inside the source, but not at its root, whose sitemaps could not list the site.

    A sitemap may list only URLs at or below its own folder (sitemaps.org 0.9, "Sitemap file location").
    """
    place, root = output.resolve(), source.resolve()
    if place == root or not place.is_relative_to(root):
        return []
    problem = f"{output} lies inside the site, and a sitemap may list only what lies in its own folder"
    return [flags.issue("output", problem, "the site's root, or a folder elsewhere that is published at base_url")]


def _is_output(state: Path, output: Path, site: Site) -> bool:
    is_taken = state.name == "robots.txt" or output_names(site).could_be_ours(state.name)
    return is_taken and state.parent.resolve() == output.resolve()
