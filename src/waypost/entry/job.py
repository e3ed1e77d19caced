"""One run over a folder: the site's settings, and the source, stores and history they call for."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from waypost import config, ledger, pipeline
from waypost.config import Layer, Site
from waypost.entry import settings_file
from waypost.errors import ConfigurationError, Mistake
from waypost.listing import Memory, Progress
from waypost.model import Plan, Warned
from waypost.render import Renderer, overriding_templates
from waypost.rules.commits import CommitDates
from waypost.rules.lastmod import w3c
from waypost.rules.provenance import Provenance
from waypost.sources import git
from waypost.sources.tree import Tree
from waypost.stores.files import Files


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is ready: `folder` is where relative paths of the settings begin."""

    site: Site
    source: Path
    output: Path
    folder: Path

    def plan(self, progress: Progress = lambda stage, done, total: None) -> Plan:
        """Read the site and plan what to publish; nothing is written."""
        memory, warned = self._memory(progress)
        ignored, unheeded = self._ignored()
        plan = pipeline.build(
            Tree(self.source),
            self.site,
            Files(self.output),
            memory,
            self.renderer,
            ignored=ignored,
            progress=progress,
        )
        return replace(plan, warned=[*warned, *unheeded, *plan.warned])

    def apply(self, plan: Plan) -> None:
        """Publish the plan, then remember what it saw."""
        state = self.state
        pipeline.apply(plan, Files(self.output), (Files(state.parent), state.name) if state else None)

    @property
    def renderer(self) -> Renderer:
        """The templates, the user's before Waypost's own."""
        return Renderer(overriding_templates(self.folder / self.site.templates) if self.site.templates else {})

    @property
    def state(self) -> Path | None:
        """The file that remembers content between runs."""
        return self.folder / self.site.state if self.site.state else None

    def _ignored(self) -> tuple[frozenset[str], list[Warned]]:
        if not self.site.skip_gitignored:
            return frozenset(), []
        if git.repository_root(self.source) is None:
            message = f"skip_gitignored had no effect: {self.source} is in no Git repository, or git is not installed"
            return frozenset(), [Warned("no-repository", message)]
        return git.ignored(self.source), []

    def _memory(self, progress: Progress) -> tuple[Memory, list[Warned]]:
        now = w3c(_now())
        if self.state:
            return Memory(now, ledger=ledger.load(Files(self.state.parent).read(self.state.name), str(self.state))), []
        if self.site.lastmod == "none":
            return Memory(now), []
        tracked = self.folder if self.site.origins else self.source
        if git.repository_root(tracked) is None:
            return Memory(now), [
                Warned(
                    "no-repository",
                    f"pages have no date from Git: {tracked} is in no Git repository, or git is not installed",
                )
            ]
        progress("reading Git's history", 0, None)
        return Memory(
            now, CommitDates(git.history(tracked), Provenance(self.site.origins) if self.site.origins else None)
        ), []


def prepare(
    source: Path, *flags: Layer, file: Path | None = None, output: Path | None = None, here: Path | None = None
) -> Job:
    """Check the settings for a source folder; raises ConfigurationError, or SourceError for no such folder.

    Settings are looked for in the source, then in `here` (default: the working folder); `flags`
    beat them, the last of them most.

    A sitemap may list only URLs at or below its own folder (sitemaps.org 0.9, "Sitemap file
    location"), so an output folder inside the source, but not at its root, is refused.
    """
    root = Tree(source).root
    here = here or Path.cwd()
    found = settings_file.read(file, source, here)
    layers, folder = ([found[0], *flags], found[1]) if found else (list(flags), here)
    site = config.check(layers)
    output = output or source
    if output.resolve() != root and output.resolve().is_relative_to(root):
        problem = f"{output} is published below {site.base_url}, where a sitemap may list only what lies in that folder"
        raise ConfigurationError(
            (
                Mistake(
                    flags[-1].where,
                    "output",
                    problem,
                    "the source's root, or a folder outside it whose files are published at base_url",
                ),
            )
        )
    if site.templates and not (folder / site.templates).is_dir():
        raise ConfigurationError((Mistake(layers[0].where, "templates", f"{folder / site.templates} is not a folder"),))
    return Job(site, source, output, folder)


def _now() -> int:
    """The present in Unix seconds, or the time that SOURCE_DATE_EPOCH puts in its place."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not given.isdecimal():
        raise ConfigurationError(
            (Mistake("environment", "SOURCE_DATE_EPOCH", f"{given!r} is not a number of seconds"),)
        )
    return int(given or time.time())
