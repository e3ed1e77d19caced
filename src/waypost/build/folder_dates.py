"""What dates the pages of a folder: commits, the commits of what built pages are made of, or a state."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from waypost.build import generator_sitemaps
from waypost.build import state as states
from waypost.build.folder_repositories import FolderRepositories, no_repository
from waypost.build.job import SiteDates, StatePath, now
from waypost.build.lister import DateSources
from waypost.build.state import State
from waypost.core.dates import format_unix_time, unix_time
from waypost.core.errors import StateError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, History, SiteWarning
from waypost.dates import source_dates
from waypost.dates.commit_dates import CommitDates
from waypost.dates.entry_dates import EntryDates
from waypost.dates.source_dates import GeneratorDates, SourceDates
from waypost.dates.source_mapping import SourceMapper
from waypost.files import FolderStore
from waypost.git import GitCheckout
from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import generators_in, project_above
from waypost.settings.schema import Site


@dataclass(frozen=True)
class FolderDates(SiteDates):
    """The dates of the pages of a folder, which may lie in a Git repository.

    `named_sources` has the files of which a generator says that it has made a page, by the page's key.
    """

    repositories: FolderRepositories
    named_sources: Mapping[str, Sequence[Path]] = field(default_factory=dict)

    def sources(self, state: StatePath | None, executor: Executor) -> tuple[DateSources, Sequence[SiteWarning]]:
        """Where dates come from, and warnings about that; Git reads the history in the executor."""
        found, warnings = self._sources(state, executor)
        return replace(found, as_of=lambda: self._as_of, entries=self._entry_dates), warnings

    def fetch_history(self) -> str:
        """Fetch the commits that a shallow clone lacks, if they date pages; returns why that failed, or `""`."""
        at = self.repositories.dating
        if self.repositories.site.lastmod != "git" or at is None or not at.repository.shallow_commits:
            return ""
        if at.repository.is_offline:
            return (
                f"name the checkout {at.root} in the input `repository`, or run Waypost in it: of another repository "
                "nothing is fetched"
            )
        if not at.repository.origin_url:
            return f"{at.root} has no remote `origin`; add it (`git remote add origin URL`)"
        return GitCheckout(at).fetch_history()

    def commit_of(self, key: str, files: Sequence[str], lastmod: str) -> str:
        """The abbreviated id of the commit that dates a page, or of its `files`; empty if none does."""
        tracked, dating, time = self.repositories.tracked_files, self.repositories.dating, int(unix_time(lastmod))
        if files and tracked:
            return tracked.commit_at(files, time)
        return dating.commit_at(files or [key], time) if dating else ""

    def keep(self) -> None:
        """Keep the histories, and the dates of what the generator made; raises StoreError."""
        self.repositories.kept_histories.keep()
        if "_generator_dates" in vars(self) and (kept := self.repositories.kept_file("generator-dates")):
            source_dates.keep(self._generator_dates, *kept)

    def _entry_dates(self) -> EntryDates:
        """The dates of the entries of lists; none without a repository."""
        found = self.repositories.of_site or self.repositories.of_project
        history = self.repositories.entry_history(found) if found else History()
        return EntryDates(history, now(), found.prefix if found else "")

    @cached_property
    def _as_of(self) -> str:
        return format_unix_time(self.repositories.head_time or now())

    def _sources(self, state: StatePath | None, executor: Executor) -> tuple[DateSources, Sequence[SiteWarning]]:
        at, of_site, site = now(), self.repositories, self.repositories.site
        if state and site.lastmod == "content":
            return DateSources(format_unix_time(at), state=_read_state(state, site)), ()
        if site.lastmod != "git":
            return DateSources(format_unix_time(at)), ()
        mapper = SourceMapper(site.sources) if site.sources else None
        sources = self._source_dates(at)
        if folder := of_site.dating:
            commits = executor.submit(lambda: CommitDates(of_site.history(folder), mapper, at))

            def mapped(key: str) -> Sequence[str]:
                return [folder.prefix + file for file in commits.result().files(key)]

            found = DateSources(
                format_unix_time(at), commits.result, sources, missing=of_site.missing_submodules, mapped=mapped
            )
            return found, [*self._unopened_repository()]
        if sources is None:
            place = of_site.project if site.sources else of_site.source
            return DateSources(format_unix_time(at)), [no_repository(place, "pages have no date from Git")]
        return DateSources(format_unix_time(at), lambda: CommitDates(History(), None, at), sources), ()

    def _unopened_repository(self) -> Iterator[SiteWarning]:
        """The warning that the site has a `.git` of its own, which is not opened."""
        source = self.repositories.source
        if unopened := self.repositories.repositories.unopened(source):
            example = Example(os.path.relpath(unopened / ".git", source.resolve()))
            yield site_warning("nested-repository", [example])

    def _source_dates(self, now: int) -> SourceDates | None:
        """What finds the sources of built pages, if the site or the settings are in a repository."""
        of_site, tracked = self.repositories, self.repositories.tracked_files
        if tracked is None:
            return None

        # An output outside of the repository is looked for as if it were in the folder of the settings.
        built, root = of_site.source if of_site.of_site else of_site.project / "-", tracked.folder.resolve()
        project = project_above(built.resolve(), root)

        def generators() -> Collection[str]:
            return [name for name, _ in generators_in(ProjectFolder(project))]

        below = f"{project.relative_to(root).as_posix()}/" if root in project.parents else ""
        named = {key: _below(root, files) for key, files in self.named_sources.items()}
        return SourceDates(tracked, now, lambda: self._generator_dates, generators, below, named)

    @cached_property
    def _generator_dates(self) -> GeneratorDates:
        kept = self.repositories.kept_file("generator-dates")
        return (
            generator_sitemaps.generator_dates(FolderStore(self.repositories.source), *kept)
            if kept
            else GeneratorDates()
        )


def _below(root: Path, files: Sequence[Path]) -> list[str]:
    """The paths of the files that lie in a folder, relative to it."""
    return [each.relative_to(root).as_posix() for file in files if (each := file.resolve()).is_relative_to(root)]


def _read_state(state: StatePath, site: Site) -> State:
    """The state; raises StateError if it is another site's, unless the settings say what that means."""
    found = states.load(state.store.read(state.path.name), str(state.path))
    if found.is_of(site.base_url) or site.adopt_state or site.preview:
        return found
    raise StateError(
        f"{state.path} is the state of {found.base_url}, and this run is for {site.base_url}, so nothing was "
        "written; name a state file of its own for each site. If the site has moved, run once with --adopt-state "
        "(in a workflow `settings: adopt_state = true`); for a preview, set --preview (`settings: preview = true`)"
    )
