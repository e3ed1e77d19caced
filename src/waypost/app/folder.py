"""A run over a folder, which may lie in a Git repository."""

import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from waypost.app import settings_file, source_kind
from waypost.app.generator_sitemaps import GeneratorSitemaps
from waypost.app.job import Job, check_all, missing_templates, now
from waypost.app.named_places import NamedPlaces
from waypost.app.page_history import KeptHistories, page_history, source_history
from waypost.app.published_folder import published_folder
from waypost.app.recognition import Recognition, as_setting, host_warnings
from waypost.app.subscribers import key_file_of
from waypost.build import generator_dates
from waypost.build import state as states
from waypost.build.generator_dates import GeneratorDates
from waypost.build.lister import DateSources, Listing, OnRead
from waypost.build.page_reader import Progress
from waypost.build.source_dates import SourceDates
from waypost.build.state import State
from waypost.config.load import ConfigSource
from waypost.config.output_names import output_names
from waypost.config.schema import Site
from waypost.core import tree_files
from waypost.core.dates import format_unix_time, unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError, StateError
from waypost.core.hashing import content_digest
from waypost.core.model import Example, History, Plan, SiteWarning
from waypost.core.warnings import site_warning
from waypost.git import GitCheckout, GitFolder, OtherFiles, Repositories, TrackedFiles, submodules
from waypost.hosts import FoundHost
from waypost.project import NamedBase
from waypost.rules.commit_dates import CommitDates
from waypost.rules.source_mapping import SourceMapper
from waypost.sources.base import Source
from waypost.sources.filesystem import FolderSource
from waypost.sources.project_folder import ProjectFolder
from waypost.sources.source_kind import generators_in, project_above
from waypost.stores import FolderStore

if TYPE_CHECKING:
    from waypost.jekyll import JekyllSource, Profile

_MOST_STATE_BYTES = 1 << 30
"""The limit of a state file, which has about 100 bytes a page."""


@dataclass(frozen=True)
class FolderJob(Job):
    """A run over a folder of files.

    `settings` is the settings file, if there is one. The setting `sources` has paths relative to `project`. `state` is
    the file that remembers content between runs, if there is one; no link of it leads out of `state_root`.
    `recognition` has what is recognised of the project,
    and `host` is what publishes the site.
    """

    source: Path
    output: Path
    state: Path | None
    state_root: Path | None
    settings: Path | None
    project: Path
    recognition: Recognition
    host: FoundHost

    def key(self, path: str) -> str:
        """The site's key of a path relative to the site or to the working folder."""
        normal, root = Path(os.path.normpath(path)), self.source.absolute()
        is_in_site = not normal.is_absolute() and (self.source / normal).exists()
        absolute = (self.source / normal if is_in_site else normal).absolute()
        return absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else path

    def commit_of(self, key: str, files: Sequence[str], lastmod: str) -> str:
        """The abbreviated id of the commit that dates a page, or of its `files`; empty if none does."""
        time = int(unix_time(lastmod))
        if files and self._tracked_files:
            return self._tracked_files.commit_at(files, time)
        return self.history_folder.commit_at(files or [key], time) if self.history_folder else ""

    def fetch_history(self) -> str:
        """Fetch the commits that a shallow clone lacks, if they date pages; returns why that failed, or `""`."""
        at = self.history_folder
        if self.site.lastmod != "git" or at is None or not at.repository.shallow_commits:
            return ""
        if at.repository.is_offline:
            return (
                f"name the checkout {at.root} in the input `repository`, or run Waypost in it: of another repository "
                "nothing is fetched"
            )
        if not at.repository.remote_url("origin"):
            return f"{at.root} has no remote `origin`; add it (`git remote add origin URL`)"
        return GitCheckout(at).fetch_history()

    def _open_source(self) -> Source:
        """The site's files, by its `source_kind`."""
        return self._jekyll_source or FolderSource(self.source)

    def source_warnings(self) -> Sequence[SiteWarning]:
        """What the owner should know about the source."""
        of_host = list(host_warnings(self.host))
        if not any(each.name == "base URL" for each in self.recognised):
            of_host += self.recognition.contradicted(self.site)
        if self._jekyll_source:
            return [*self._jekyll_source.warnings, *of_host]
        return [*source_kind.source_below(self.source, self.source_kind), *of_host]

    def _unopened_repository(self) -> Iterator[SiteWarning]:
        """The warning that the site has a `.git` of its own, which is not opened."""
        if unopened := self.recognition.repositories.unopened(self.source):
            example = Example(os.path.relpath(unopened / ".git", self.source.resolve()))
            yield site_warning("nested-repository", [example])

    @cached_property
    def _jekyll_source(self) -> "JekyllSource | None":
        """What Jekyll would build at the time of HEAD's commit, if it builds this folder; no other run imports that."""
        if self.source_kind.kind not in ("jekyll", "github-pages"):
            return None
        from waypost.jekyll import JekyllSource

        profile: Profile = "jekyll" if self.source_kind.kind == "jekyll" else "github-pages"
        time = self._site_folder.head_time() if self._site_folder else None
        return JekyllSource(FolderSource(self.source), profile, time or now())

    def _store(self) -> FolderStore:
        return FolderStore(self.output)

    def _state_file(self) -> tuple[FolderStore, str] | None:
        if self.state is None:
            return None
        return FolderStore(self.state.parent, _MOST_STATE_BYTES, self.state_root), self.state.name

    @property
    def history_folder(self) -> GitFolder | None:
        """The folder whose Git history dates the pages: the site, or the sources of a built site."""
        return self._project_folder if self.site.sources else self._site_folder

    @cached_property
    def _site_folder(self) -> GitFolder | None:
        return self.recognition.repositories.find(self.source)

    @cached_property
    def _project_folder(self) -> GitFolder | None:
        return self.recognition.repositories.find(self.project)

    def _ignored(self) -> tuple[frozenset[str], list[SiteWarning]]:
        if not self.site.skip_gitignored:
            return frozenset(), []
        if self._site_folder is None:
            message = f"skip_gitignored has no effect: {_no_repository(self.source)}"
            return frozenset(), [SiteWarning("no-repository", message)]
        return self._site_folder.ignored(), []

    def _date_sources(self, executor: Executor) -> tuple[DateSources, list[SiteWarning]]:
        found, warnings = self._dates(executor)
        return structs.replace(found, as_of=lambda: self._as_of), warnings

    @cached_property
    def _as_of(self) -> str:
        """The time of HEAD's commit: the same site lists the same pages, whenever it is built."""
        time = self._site_folder.head_time() if self._site_folder else None
        return format_unix_time(time or now())

    def _dates(self, executor: Executor) -> tuple[DateSources, list[SiteWarning]]:
        at = now()
        if (file := self._state_file()) and self.site.lastmod == "content":
            return DateSources(format_unix_time(at), state=self._read_state(*file)), []
        if self.site.lastmod != "git":
            return DateSources(format_unix_time(at)), []
        mapper = SourceMapper(self.site.sources) if self.site.sources else None
        sources = self._source_dates(at)
        if folder := self.history_folder:
            commits = executor.submit(lambda: CommitDates(self._history(folder), mapper, at))
            found = DateSources(format_unix_time(at), commits.result, sources, missing=self._missing_submodules)
            return found, [*self._unopened_repository()]
        if sources is None:
            place = self.project if self.site.sources else self.source
            message = f"pages have no date from Git: {_no_repository(place)}"
            return DateSources(format_unix_time(at)), [SiteWarning("no-repository", message)]
        return DateSources(format_unix_time(at), lambda: CommitDates(History(), None, at), sources), []

    def _history(self, at: GitFolder) -> History:
        if self.site.sources:
            return source_history(at, self.site, self._others(at), self._kept_histories)
        return page_history(at, self.site, self._kept_histories)

    @cached_property
    def _kept_histories(self) -> KeptHistories:
        return KeptHistories()

    def _others(self, at: GitFolder) -> Sequence[OtherFiles]:
        """The files of a project that lie in other repositories."""
        found = submodules(at, self.recognition.repositories.find)
        others = [each for each in found if isinstance(each, OtherFiles)]
        named = self.site.source_repository
        return [*others, self._named_repository(named, at)] if named else others

    def _missing_submodules(self) -> Sequence[str]:
        """The submodules of the project that are not checked out."""
        at = self._tracked_files.at if self._tracked_files else self._project_folder
        found = submodules(at, self.recognition.repositories.find) if at else ()
        return [each for each in found if isinstance(each, str)]

    def _named_repository(self, named: str, at: GitFolder) -> OtherFiles:
        """The repository that the setting names; raises ConfigurationError."""
        found = self.recognition.repositories.named(self.places.path("source_repository", named, self.project))
        if found is None:
            problem = f"{named!r} is in no Git repository"
            issue = ConfigIssue("settings", "source_repository", problem, "a folder in another repository")
            raise ConfigurationError((issue,))
        return OtherFiles(f"{Path(os.path.relpath(found.folder, at.folder.resolve())).as_posix()}/", found)

    def _read_state(self, store: FolderStore, name: str) -> State:
        """The state; raises StateError if it is another site's, unless the settings say what that means."""
        file = store.folder / name
        found = states.load(store.read(name), str(file))
        if found.is_of(self.site.base_url) or self.site.adopt_state or self.site.preview:
            return found
        raise StateError(
            f"{file} is the state of {found.base_url}, and this run is for {self.site.base_url}, so nothing was "
            "written; name a state file of its own for each site. If the site has moved, run once with --adopt-state "
            "(in a workflow `settings: adopt_state = true`); for a preview, set --preview (`settings: preview = true`)"
        )

    def _source_dates(self, now: int) -> SourceDates | None:
        """What finds the sources of built pages, if the site or the settings are in a repository."""
        tracked = self._tracked_files
        if tracked is None:
            return None

        # An output outside of the repository is looked for as if it were in the folder of the settings.
        built, root = self.source if self._site_folder else self.project / "-", tracked.folder.resolve()
        project = project_above(built.resolve(), root)

        def generators() -> Collection[str]:
            return [name for name, _ in generators_in(ProjectFolder(project))]

        below = f"{project.relative_to(root).as_posix()}/" if root in project.parents else ""
        return SourceDates(tracked, now, lambda: self._generator_dates, generators, below)

    @cached_property
    def _tracked_files(self) -> TrackedFiles | None:
        """The repository's files, of which a generator may have made the site, also those outside of its project."""
        found = self._site_folder or self._project_folder
        if not self.site.evidence or found is None:
            return None
        at = found.at(found.root)
        others = self._others(at)
        return TrackedFiles(
            at, self.source, others, lambda at: source_history(at, self.site, others, self._kept_histories)
        )

    @cached_property
    def _generator_dates(self) -> GeneratorDates:
        kept = self._kept_file("generator-dates")
        return generator_dates.read(FolderStore(self.source), *kept) if kept else GeneratorDates()

    def _kept_file(self, name: str) -> tuple[FolderStore, str] | None:
        """Where something of the generator's is kept: in the repository's own folder, which nothing publishes."""
        if self._tracked_files is None:
            return None
        output = content_digest(str(self.source.resolve()).encode("utf-8", "surrogateescape"))
        folder = self._tracked_files.at.repository.git_dir / "waypost"
        return FolderStore(folder), f"{name}-{output[:16]}.json"

    def list_pages(
        self, progress: Progress, on_read: OnRead | None = None, *, believes_sitemaps: bool = True
    ) -> tuple[Listing, DateSources]:
        """The same as of any source; pages that the generator's own sitemap leaves out are named, or left out, too."""
        listing, dates = super().list_pages(progress, on_read, believes_sitemaps=believes_sitemaps)
        return self._generator_sitemaps.applied_to(listing) if believes_sitemaps else listing, dates

    @cached_property
    def _generator_sitemaps(self) -> GeneratorSitemaps:
        def is_committed(name: str, body: bytes) -> bool:
            try:
                tracked = self._tracked_files
                return tracked is not None and tracked.has_copy((self.source / name).resolve(), body)
            except SourceError:  # Git refuses the repository, so nothing is known of the sitemap
                return True

        return GeneratorSitemaps(
            FolderStore(self.source),
            is_committed,
            lambda: self._kept_file("generator-choice"),
            is_honoured=self.site.honour_generator,
        )

    def apply(self, plan: Plan) -> None:
        """Write the state file, what later runs need and the key file of IndexNow, then publish the plan.

        The generator's sitemaps are replaced, and the next run must give the same result.
        """
        self._generator_sitemaps.keep()
        self._kept_histories.keep()
        if "_generator_dates" in vars(self) and (kept := self._kept_file("generator-dates")):
            generator_dates.keep(self._generator_dates, *kept)
        if (wanted := key_file_of(self.site)) and self._store().read(wanted[0]) != wanted[1]:
            self._store().write(*wanted)
        super().apply(plan)


def prepare(
    source: Path | None,
    *flags: ConfigSource,
    file: Path | None = None,
    output: Path | None = None,
    working_folder: Path | None = None,
    repositories: Repositories | None = None,
    issues: Sequence[ConfigIssue] = (),
) -> FolderJob:
    """Check the settings for a source folder; only these repositories are opened, by default the working folder's.

    Without a source, it is the folder that is recognised as the site of the project in the working folder. A base URL
    that no setting names is recognised, too.
    Raises ConfigurationError, or SourceError if there is no such folder or a generator must build the site from it.

    Settings are read from `file`, else from the source, else from the working folder; `flags` override them, later ones
    first, and `issues` found before are reported with the rest.
    """
    here = working_folder or Path.cwd()
    is_named = source is not None
    source = source or published_folder(here)
    output = output or source
    found_file = settings_file.read(file, source, here)
    config_sources = [found_file[0], *flags] if found_file else list(flags)
    folder = found_file[1].parent if found_file else here
    seen = Recognition(source, here, repositories or Repositories(here), _source_kind(config_sources))
    root = seen.repository.root if seen.repository else None
    misplaced = [*_misplaced(output, source, flags[-1]), *_links_out(source, output, root, flags[-1])]
    places = NamedPlaces(config_sources, folder, root)
    base = _recognised_base_url(seen, config_sources)
    config_sources = [*map(as_setting, base), *config_sources]
    site = check_all(config_sources, [*issues, *misplaced, *missing_templates(config_sources, places)])
    seen.require_publishable()
    host = seen.host(site.host, site.base_url)
    folder_part, *parts = seen.parts(base, host)
    is_project = found_file or not site.sources
    return FolderJob(
        replace(site, host_rules=host.rules),
        places,
        source,
        output,
        state := _state_file(site, places, output),
        places.root_of(state) if state else None,
        found_file[1] if found_file else None,
        folder if is_project else root or here,
        seen,
        host,
        source_kind=seen.kind,
        recognised=parts if is_named or source == here else [folder_part, *parts],
    )


def _source_kind(config_sources: Sequence[ConfigSource]) -> str:
    """The setting `source_kind`, which is not checked yet."""
    named = [str(each.values["source_kind"]) for each in config_sources if "source_kind" in each.values]
    return named[-1] if named else "auto"


def _recognised_base_url(seen: Recognition, config_sources: Sequence[ConfigSource]) -> list[NamedBase]:
    """The base URL that a site and its project name, if no setting does; raises ConfigurationError and SourceError."""
    if any("base_url" in each.values for each in config_sources):
        return []
    seen.require_publishable()
    return [seen.base_url] if seen.base_url else []


def settings_of(source: Path, *flags: ConfigSource, file: Path | None, issues: Sequence[ConfigIssue] = ()) -> Site:
    """The checked settings for a source folder, which need not exist; raises ConfigurationError."""
    found = settings_file.read(file, source, Path.cwd())
    return check_all([*([found[0]] if found else []), *flags], issues)


def _state_file(site: Site, places: NamedPlaces, output: Path) -> Path | None:
    """The file that remembers content between runs, if the settings name one; raises ConfigurationError."""
    if not site.state:
        return None
    state = places.path("state", site.state)
    if _is_output(state, output, site):
        problem = f"Waypost publishes a file with the name {state.name} in {output}"
        allowed = "another file, outside of what is published"
        raise ConfigurationError((ConfigIssue("settings", "state", problem, allowed),))
    return state


def _no_repository(folder: Path) -> str:
    return f"{folder} is not in a Git repository, or git is not installed"


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
