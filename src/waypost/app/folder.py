"""A run over a folder, and over a repository that holds it."""

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from waypost.app import settings_file
from waypost.app.job import Job, checked, missing_templates, now
from waypost.build import state as states
from waypost.build.lister import Memory
from waypost.config.load import Layer, Site
from waypost.config.output_names import names
from waypost.core.dates import w3c
from waypost.core.errors import ConfigurationError, Mistake
from waypost.core.model import Warned
from waypost.rules.commit_dates import CommitDates
from waypost.rules.source_mapping import Provenance
from waypost.sources import git
from waypost.sources.filesystem import Tree
from waypost.stores.filesystem import Files


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

    def _opened(self) -> Tree:
        return Tree(self.source)

    def _store(self) -> Files:
        return Files(self.output)

    def _kept(self) -> tuple[Files, str] | None:
        return (Files(self.state.parent), self.state.name) if self.state else None

    @property
    def tracked(self) -> Path:
        """The folder whose history dates the pages: the site itself, or what it is made of."""
        return self.project if self.site.origins else self.source

    def _ignored(self) -> tuple[frozenset[str], list[Warned]]:
        if not self.site.skip_gitignored:
            return frozenset(), []
        if git.repository_root(self.source) is None:
            message = f"skip_gitignored had no effect: {self.source} is in no Git repository, or git is not installed"
            return frozenset(), [Warned("no-repository", message)]
        return git.ignored(self.source), []

    def _memory(self, beside: Executor) -> tuple[Memory, list[Warned]]:
        at = now()
        if self.state and self.site.lastmod == "content":
            state = Files(self.state.parent).read(self.state.name)
            return Memory(w3c(at), state=states.load(state, str(self.state))), []
        if self.site.lastmod != "git":
            return Memory(w3c(at)), []
        if git.repository_root(self.tracked) is None:
            message = f"pages have no date from Git: {self.tracked} is in no Git repository, or git is not installed"
            return Memory(w3c(at)), [Warned("no-repository", message)]
        provenance = Provenance(self.site.origins) if self.site.origins else None
        commits = beside.submit(lambda: CommitDates(git.history(self.tracked), provenance, at))
        return Memory(w3c(at), commits.result), []


def prepare(
    source: Path,
    *flags: Layer,
    file: Path | None = None,
    output: Path | None = None,
    here: Path | None = None,
    mistakes: Sequence[Mistake] = (),
) -> FolderJob:
    """Check the settings for a source folder; raises ConfigurationError, or SourceError for no such folder.

    Settings are looked for in the source, then in `here` (default: the working folder); `flags`
    beat them, the last of them most. `mistakes` found before are reported with the rest.
    """
    here = here or Path.cwd()
    found = settings_file.read(file, source, here)
    layers, folder = ([found[0], *flags], found[1].parent) if found else (list(flags), here)
    output = output or source
    mistakes = [*mistakes, *_misplaced(output, source, flags[-1]), *missing_templates(layers, folder)]
    site = checked(layers, mistakes)
    Tree(source)
    if site.state and "://" in site.state:
        problem = f"{site.state!r} is no path; a folder's state is a file beside it"
        raise ConfigurationError((Mistake("settings", "state", problem, "a path"),))
    project = folder if found or not site.origins else git.repository_root(here) or here
    state = folder / site.state if site.state else None
    if state and _is_output(state, output, site):
        problem = f"{state.name} in {output} is a name that Waypost gives to what it publishes"
        raise ConfigurationError((Mistake("settings", "state", problem, "another file, outside of what is published"),))
    return FolderJob(site, folder, source, output, state, found[1] if found else None, project)


def _misplaced(output: Path, source: Path, flags: Layer) -> list[Mistake]:
    """An output folder inside the source, but not at its root, whose sitemaps could not list the site.

    A sitemap may list only URLs at or below its own folder (sitemaps.org 0.9, "Sitemap file location").
    """
    place, root = output.resolve(), source.resolve()
    if place == root or not place.is_relative_to(root):
        return []
    problem = f"{output} lies inside the site, and a sitemap may list only what lies in its own folder"
    return [flags.mistake("output", problem, "the site's root, or a folder elsewhere that is published at base_url")]


def _is_output(state: Path, output: Path, site: Site) -> bool:
    is_taken = state.name == "robots.txt" or names(site).may_be_ours(state.name)
    return is_taken and state.parent.resolve() == output.resolve()
