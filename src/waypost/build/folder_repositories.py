"""The repositories that know when the files of a site changed: the site's, its project's, and those that these name."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from waypost.build.named_places import NamedPlaces
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.finding_types import stated_warning
from waypost.core.hashing import content_digest
from waypost.core.model import History, SiteWarning
from waypost.dates.page_history import KeptHistories, entry_history, page_history, part_times, source_history
from waypost.files import FolderStore
from waypost.git import GitFolder, OtherFiles, Repositories, TrackedFiles, linked_names, submodules, with_names
from waypost.settings.schema import Site


@dataclass(frozen=True)
class FolderRepositories:
    """The repositories of a site in a folder, each opened when it is asked for.

    The setting `sources` has paths relative to `project`.
    """

    repositories: Repositories
    site: Site
    places: NamedPlaces
    source: Path
    project: Path

    @cached_property
    def of_site(self) -> GitFolder | None:
        """The site's folder, if a repository contains it."""
        return self.repositories.find(self.source)

    @cached_property
    def of_project(self) -> GitFolder | None:
        """The project's folder, if a repository contains it."""
        return self.repositories.find(self.project)

    @property
    def dating(self) -> GitFolder | None:
        """The folder whose history dates the pages: the site, or the sources of a built site."""
        return self.of_project if self.site.sources else self.of_site

    @cached_property
    def tracked_files(self) -> TrackedFiles | None:
        """The repository's files, of which a generator may have made the site, also those outside of its project."""
        found = self.of_site or self.of_project
        if not self.site.evidence or found is None:
            return None
        at = found.at(found.root)
        others = self._others(at)
        return TrackedFiles(
            at,
            self.source,
            others,
            lambda at: source_history(at, self.site, others, self.kept_histories),
            lambda at, parts: part_times(at, self.site, parts, self.kept_histories),
        )

    @cached_property
    def kept_histories(self) -> KeptHistories:
        """The histories that this run has read, and those that earlier ones kept."""
        return KeptHistories()

    @property
    def head_time(self) -> int | None:
        """The time of HEAD's commit: the same site lists the same pages, whenever it is built."""
        return self.of_site.head_time() if self.of_site else None

    def history(self, at: GitFolder) -> History:
        """The history of a folder, with the last significant change of each page, or of each source."""
        if self.site.sources:
            return _with_names(at, source_history(at, self.site, self._others(at), self.kept_histories))
        return page_history(at, self.site, self.kept_histories)

    def entry_history(self, at: GitFolder) -> History:
        """The history of the repository of a folder, with the last change of what lists show of each file."""
        root = at.at(at.root)
        return _with_names(root, entry_history(root, self.site, self._others(root)))

    def missing_submodules(self) -> Sequence[str]:
        """The submodules of the project that are not checked out."""
        at = self.tracked_files.at if self.tracked_files else self.of_project
        found = submodules(at, self.repositories.find) if at else ()
        return [each for each in found if isinstance(each, str)]

    def kept_file(self, name: str) -> tuple[FolderStore, str] | None:
        """Where something of the generator's is kept: in the repository's own folder, which nothing publishes."""
        if self.tracked_files is None:
            return None
        output = content_digest(str(self.source.resolve()).encode("utf-8", "surrogateescape"))
        folder = self.tracked_files.at.repository.git_dir / "waypost"
        return FolderStore(folder), f"{name}-{output[:16]}.json"

    def _others(self, at: GitFolder) -> Sequence[OtherFiles]:
        """The files of a project that lie in other repositories."""
        found = submodules(at, self.repositories.find)
        others = [each for each in found if isinstance(each, OtherFiles)]
        named = self.site.source_repository
        return [*others, self._named_repository(named, at)] if named else others

    def _named_repository(self, named: str, at: GitFolder) -> OtherFiles:
        """The repository that the setting names; raises ConfigurationError."""
        found = self.repositories.named(self.places.path("source_repository", named, self.project))
        if found is None:
            problem = f"{named!r} is in no Git repository"
            issue = ConfigIssue("settings", "source_repository", problem, "a folder in another repository")
            raise ConfigurationError((issue,))
        return OtherFiles(f"{Path(os.path.relpath(found.folder, at.folder.resolve())).as_posix()}/", found)


def no_repository(folder: Path, effect: str) -> SiteWarning:
    """The warning that Git knows nothing of a folder whose dates or ignored files it is asked for."""
    reason = f"{folder} is not in a Git repository, or git is not installed"
    return stated_warning("no-repository", effect=effect, reason=reason)


def _with_names(at: GitFolder, found: History) -> History:
    """The history of a folder with the names that symbolic links give its files."""
    return with_names(found, linked_names(found.commit_times, at.folder.resolve()))
