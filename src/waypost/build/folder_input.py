"""The files of a folder as the items of a site: as they are, or as Jekyll would build them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from waypost.build.folder_repositories import FolderRepositories, no_repository
from waypost.build.generator_sitemaps import GeneratorSitemaps
from waypost.build.job import SiteInput, now
from waypost.build.lister import Listing
from waypost.core.model import SiteWarning, SourceKind
from waypost.files.folder_source import FolderSource
from waypost.project.host_recognition import FoundHost
from waypost.project.published_folder import source_below
from waypost.project.recognition import Recognition

if TYPE_CHECKING:
    from waypost.pages.jekyll_config import Profile
    from waypost.pages.jekyll_source import JekyllSource


@dataclass(frozen=True)
class FolderInput(SiteInput):
    """The files of a folder, the host that publishes them, and the sitemaps that a generator made among them.

    `jekyll` is what builds them, if Jekyll does. The base URL of the site may be set, or recognised.
    """

    recognition: Recognition
    host: FoundHost
    repositories: FolderRepositories
    jekyll: "JekyllSource | None"
    is_base_url_set: bool

    def key(self, path: str) -> str:
        """The site's key of a path relative to the site or to the working folder."""
        source = self.repositories.source
        normal, root = Path(os.path.normpath(path)), source.absolute()
        is_in_site = not normal.is_absolute() and (source / normal).exists()
        absolute = (source / normal if is_in_site else normal).absolute()
        return absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else path

    def warnings(self) -> Sequence[SiteWarning]:
        """What the owner should know about the folder, its base URL and its host."""
        of_host = list(self.host.warnings())
        if self.is_base_url_set:
            of_host += self.recognition.contradicted(self.repositories.site)
        if self.jekyll:
            return [*self.jekyll.warnings, *of_host]
        return [*source_below(self.repositories.source, self.recognition.kind), *of_host]

    def ignored(self) -> tuple[frozenset[str], Sequence[SiteWarning]]:
        """The keys that Git ignores, if the settings ask for them, and warnings about that."""
        if not self.repositories.site.skip_gitignored:
            return frozenset(), ()
        if self.repositories.of_site is None:
            return frozenset(), [no_repository(self.repositories.source, "skip_gitignored has no effect")]
        return self.repositories.of_site.ignored(), ()

    def choose(self, listing: Listing) -> Listing:
        """The listing without what the sitemaps leave out that the generator of the site made, or with a warning."""
        return self._generator_sitemaps.applied_to(listing)

    def keep(self) -> None:
        """Keep the choice of the sitemaps that are replaced, as the next run must give the same result."""
        self._generator_sitemaps.keep()

    @cached_property
    def _generator_sitemaps(self) -> GeneratorSitemaps:
        return GeneratorSitemaps(self.repositories)


def jekyll_source(kind: SourceKind, repositories: FolderRepositories) -> "JekyllSource | None":
    """What Jekyll would build at the time of HEAD's commit, if it builds this folder; no other run imports that."""
    if kind.kind not in ("jekyll", "github-pages"):
        return None
    from waypost.pages.jekyll_source import JekyllSource

    profile: Profile = "jekyll" if kind.kind == "jekyll" else "github-pages"
    return JekyllSource(FolderSource(repositories.source), profile, repositories.head_time or now())
