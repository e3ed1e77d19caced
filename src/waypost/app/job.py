"""One run over a site: its settings, and the source, stores and dates they call for."""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from waypost.build import pipeline
from waypost.build.lister import DateSources, Listing, Progress
from waypost.build.plan import apply
from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.config.schema import Site
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.model import Plan, SiteWarning
from waypost.sitemaps.render import Renderer, overriding_templates
from waypost.sources.base import Source
from waypost.stores.base import Store

_LAST_SECOND = 253_402_300_799


@dataclass(frozen=True)
class Job(ABC):
    """A run that is ready; `folder` is where relative paths of the settings begin."""

    site: Site
    folder: Path

    def plan(self, progress: Progress = lambda stage, done, total: None) -> Plan:
        """Read the site and plan what to publish; nothing is written."""
        return self.plan_publication(*self.list_pages(progress), progress)

    def list_pages(self, progress: Progress) -> tuple[Listing, DateSources]:
        """Read the site: what is listed, what is left out, and what the dates were drawn from."""
        with ThreadPoolExecutor(1) as beside:  # git reads history while the pages are read
            memory, warned = self._date_sources(beside)
            ignored, unheeded = self._ignored()
            listing = pipeline.list_pages(self._open_source(), self.site, memory, progress, ignored)
        return replace(listing, warnings=[*warned, *unheeded, *listing.warnings]), memory

    def plan_publication(self, listing: Listing, memory: DateSources, progress: Progress) -> Plan:
        """Plan what to publish of a listing; nothing is written."""
        return pipeline.plan_publication(
            listing, self._open_source(), self.site, self._store(), memory, self.renderer, progress
        )

    def apply(self, plan: Plan) -> None:
        """Remember what the plan saw, then publish it."""
        apply(plan, self._store(), self._state_file())

    @property
    def renderer(self) -> Renderer:
        """The templates, the user's before Waypost's own."""
        return Renderer(overriding_templates(self.templates) if self.templates else {})

    @property
    def templates(self) -> Path | None:
        """The folder of the user's templates."""
        return self.folder / self.site.templates if self.site.templates else None

    @abstractmethod
    def key(self, path: str) -> str:
        """A path as people give it, as the site's key."""

    @abstractmethod
    def _open_source(self) -> Source:
        """The site's files or objects."""

    @abstractmethod
    def _store(self) -> Store:
        """Where the outputs stand."""

    @abstractmethod
    def _state_file(self) -> tuple[Store, str] | None:
        """Where the state is kept, and its name there."""

    @abstractmethod
    def _date_sources(self, beside: Executor) -> tuple[DateSources, list[SiteWarning]]:
        """What dates are drawn from, and what there is to say of that."""

    def _ignored(self) -> tuple[frozenset[str], list[SiteWarning]]:
        """The keys that Git ignores, where the settings ask for them."""
        return frozenset(), []


def check_all(sources: Sequence[ConfigSource], issues: Sequence[ConfigIssue]) -> Site:
    """The settings of all layers; raises ConfigurationError with their mistakes and those found before."""
    try:
        site = load.check_settings(sources)
    except ConfigurationError as error:
        raise ConfigurationError((*issues, *error.issues)) from None
    if issues:
        raise ConfigurationError(tuple(issues))
    return site


def missing_templates(sources: Sequence[ConfigSource], folder: Path) -> list[ConfigIssue]:
    """The mistake of naming a folder of templates that is none."""
    named = [(layer, layer.values["templates"]) for layer in sources if isinstance(layer.values.get("templates"), str)]
    return [
        layer.issue("templates", f"{folder / name} is not a folder")
        for layer, name in named[-1:]
        if not (folder / name).is_dir()
    ]


def now() -> int:
    """The present in Unix seconds, or the time that SOURCE_DATE_EPOCH puts in its place."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not (given.isdecimal() and int(given) <= _LAST_SECOND):
        raise ConfigurationError(
            (
                ConfigIssue(
                    "environment", "SOURCE_DATE_EPOCH", f"{given!r} is not a number of seconds up to the year 9999"
                ),
            )
        )
    return int(given or time.time())
