"""One run over a folder: the site's settings, and the source, stores and history they call for."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from waypost import config, ledger, pipeline
from waypost.config import Layer, Site
from waypost.entry import settings_file
from waypost.errors import ConfigurationError, Mistake
from waypost.listing import Listing, Memory, Progress
from waypost.model import Plan, Warned
from waypost.naming import names
from waypost.plan import apply
from waypost.render import Renderer, overriding_templates
from waypost.rules.commits import CommitDates
from waypost.rules.lastmod import w3c
from waypost.rules.provenance import Provenance
from waypost.sources import git
from waypost.sources.tree import Tree
from waypost.stores.files import Files

_LAST_SECOND = 253_402_300_799


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is ready.

    `settings` is the file that they are in, if one is; `folder` is where their relative paths begin,
    `project` where those of sources do. `state` remembers content between runs.
    """

    site: Site
    source: Path
    output: Path
    state: Path | None
    settings: Path | None
    folder: Path
    project: Path

    def plan(self, progress: Progress = lambda stage, done, total: None) -> Plan:
        """Read the site and plan what to publish; nothing is written."""
        return self.publication(*self.listing(progress), progress)

    def listing(self, progress: Progress) -> tuple[Listing, Memory]:
        """Read the site: what is listed, what is left out, and what the dates were drawn from."""
        with ThreadPoolExecutor(1) as beside:  # git reads history while the pages are read
            memory, warned = self._memory(beside)
            ignored, unheeded = self._ignored()
            listing = pipeline.listing(Tree(self.source), self.site, memory, progress, ignored)
        return replace(listing, warned=[*warned, *unheeded, *listing.warned]), memory

    def publication(self, listing: Listing, memory: Memory, progress: Progress) -> Plan:
        """Plan what to publish of a listing; nothing is written."""
        return pipeline.publication(
            listing, Tree(self.source), self.site, Files(self.output), memory, self.renderer, progress
        )

    def apply(self, plan: Plan) -> None:
        """Remember what the plan saw, then publish it."""
        state = (Files(self.state.parent), self.state.name) if self.state else None
        apply(plan, Files(self.output), state)

    @property
    def renderer(self) -> Renderer:
        """The templates, the user's before Waypost's own."""
        return Renderer(overriding_templates(self.templates) if self.templates else {})

    @property
    def templates(self) -> Path | None:
        """The folder of the user's templates."""
        return self.folder / self.site.templates if self.site.templates else None

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
        now = _now()
        if self.state and self.site.lastmod == "content":
            state = Files(self.state.parent).read(self.state.name)
            return Memory(w3c(now), ledger=ledger.load(state, str(self.state))), []
        if self.site.lastmod != "git":
            return Memory(w3c(now)), []
        if git.repository_root(self.tracked) is None:
            message = f"pages have no date from Git: {self.tracked} is in no Git repository, or git is not installed"
            return Memory(w3c(now)), [Warned("no-repository", message)]
        provenance = Provenance(self.site.origins) if self.site.origins else None
        commits = beside.submit(lambda: CommitDates(git.history(self.tracked), provenance, now))
        return Memory(w3c(now), commits.result), []


def prepare(
    source: Path,
    *flags: Layer,
    file: Path | None = None,
    output: Path | None = None,
    here: Path | None = None,
    mistakes: Sequence[Mistake] = (),
) -> Job:
    """Check the settings for a source folder; raises ConfigurationError, or SourceError for no such folder.

    Settings are looked for in the source, then in `here` (default: the working folder); `flags`
    beat them, the last of them most. `mistakes` found before are reported with the rest.
    """
    here = here or Path.cwd()
    found = settings_file.read(file, source, here)
    layers, folder = ([found[0], *flags], found[1].parent) if found else (list(flags), here)
    output = output or source
    mistakes = [*mistakes, *_misplaced(output, source, flags[-1]), *_missing_folders(layers, folder)]
    try:
        site = config.check(layers)
    except ConfigurationError as error:
        raise ConfigurationError((*mistakes, *error.mistakes)) from None
    if mistakes:
        raise ConfigurationError(tuple(mistakes))
    Tree(source)
    project = folder if found or not site.origins else git.repository_root(here) or here
    state = folder / site.state if site.state else None
    if state and _is_output(state, output, site):
        problem = f"{state.name} in {output} is a name that Waypost gives to what it publishes"
        raise ConfigurationError((Mistake("settings", "state", problem, "another file, outside of what is published"),))
    return Job(site, source, output, state, found[1] if found else None, folder, project)


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


def _missing_folders(layers: Sequence[Layer], folder: Path) -> list[Mistake]:
    named = [(layer, layer.values["templates"]) for layer in layers if isinstance(layer.values.get("templates"), str)]
    return [
        layer.mistake("templates", f"{folder / name} is not a folder")
        for layer, name in named[-1:]
        if not (folder / name).is_dir()
    ]


def _now() -> int:
    """The present in Unix seconds, or the time that SOURCE_DATE_EPOCH puts in its place."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not (given.isdecimal() and int(given) <= _LAST_SECOND):
        raise ConfigurationError(
            (Mistake("environment", "SOURCE_DATE_EPOCH", f"{given!r} is not a number of seconds up to the year 9999"),)
        )
    return int(given or time.time())
