"""One run over a site: its settings, where its items come from, where its files go, and what dates its pages."""

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from waypost.build import pipeline, removal_guard
from waypost.build.lister import DateSources, Lister, Listing, OnRead
from waypost.build.named_places import NamedPlaces
from waypost.build.page_reader import Progress
from waypost.build.plan import apply, listings
from waypost.build.present_sitemaps import usual_sitemaps
from waypost.build.subscribers import key_file_of
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.core.model import NamedUrls, Plan, RecognisedPart, SiteWarning, SourceKind
from waypost.files import FolderStore, Store
from waypost.files.source import Source
from waypost.project import recognition
from waypost.settings import load
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site
from waypost.sitemaps.output_format import is_marked
from waypost.sitemaps.render import Renderer, overriding_templates
from waypost.validate import ListedUrls

if TYPE_CHECKING:
    from waypost.build.bucket_listing import ListedObjects
    from waypost.build.bucket_site import BucketSite

_STATIC = SourceKind("static")
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999, the last that Python's datetime has."""
_MOST_STATE_BYTES = 1 << 30
"""The limit of a state file, which has about 100 bytes a page."""


class FolderPaths(NamedTuple):
    """The folder of a site, the one that its files are written to, and the settings file, if there is one."""

    source: Path
    output: Path
    settings: Path | None


class StatePath(NamedTuple):
    """The file that remembers the content of a folder between runs; no link of it leads out of `root`."""

    path: Path
    root: Path

    @property
    def store(self) -> FolderStore:
        """The folder that has the file."""
        return FolderStore(self.path.parent, _MOST_STATE_BYTES, self.root)


@dataclass(frozen=True)
class SiteInput:
    """Where the items of a site come from, and what their place says of them: nothing, unless it is known better."""

    source: Source

    def key(self, path: str) -> str:
        """The site's key of a path as a user types it."""
        return path

    def warnings(self) -> Sequence[SiteWarning]:
        """What the owner should know about the place."""
        return ()

    def ignored(self) -> tuple[frozenset[str], Sequence[SiteWarning]]:
        """The keys that Git ignores, if the settings ask for them, and warnings about that."""
        return frozenset(), ()

    def choose(self, listing: Listing) -> Listing:
        """The listing without what the sitemaps leave out that the generator of the site made, or with a warning."""
        return listing

    def keep(self) -> None:
        """Keep what later runs need of the files that are replaced; raises StoreError."""


class SiteDates:
    """What dates pages besides themselves: nothing, unless there is a history, or a state that remembers them."""

    def sources(self, state: StatePath | None, executor: Executor) -> tuple[DateSources, Sequence[SiteWarning]]:
        """Where dates come from, and warnings about that; slow work is submitted to the executor."""
        del state, executor
        return DateSources(format_unix_time(now())), ()

    def fetch_history(self) -> str:
        """Fetch the commits that a shallow clone lacks, if they date pages; returns why that failed, or `""`."""
        return "only the dates of a folder come from Git"

    def commit_of(self, key: str, files: Sequence[str], lastmod: str) -> str:
        """The abbreviated id of the commit that dates a page, or of its `files`; empty if none does."""
        del key, files, lastmod
        return ""

    def keep(self) -> None:
        """Keep what the next run need not find out again; raises StoreError."""


@dataclass(frozen=True)
class Job:
    """A run whose settings are checked; `places` opens the paths that they name.

    `recognised` has the parts of the project that no setting names. A run over a `folder` may have a `state` file; if
    the site is in a `bucket` with a state, that remembers what was read and published.
    """

    site: Site
    places: NamedPlaces
    input: SiteInput
    store: Store
    dates: SiteDates = field(default_factory=SiteDates)
    source_kind: SourceKind = _STATIC
    recognised: Sequence[RecognisedPart] = ()
    folder: FolderPaths | None = None
    state: StatePath | None = None
    bucket: "BucketSite | None" = None

    def plan(self, progress: Progress = lambda stage, done, total: None) -> Plan:
        """Read the site and plan what to publish; nothing is written.

        Raises RemovalError if the plan would remove too many of the listed pages.
        """
        plan = self.plan_publication(*self.list_pages(progress), progress)
        removal_guard.check(plan, self.site)
        return plan

    def list_pages(
        self, progress: Progress, on_read: OnRead | None = None, *, believes_sitemaps: bool = True
    ) -> tuple[Listing, DateSources]:
        """Read the site: what is listed, what is left out, and where the dates come from.

        `on_read` is called with each page that was read. The sitemaps in the site may decide the form of its URLs, if
        `believes_sitemaps`. What a bucket's state remembers is listed, unless pages are to be read.
        """
        if believes_sitemaps and on_read is None and self._remembered:
            return self._remembered.listing, self._remembered.dates
        with ThreadPoolExecutor(1) as executor:  # git reads history while the pages are read
            dates, date_warnings = self.dates.sources(self.state, executor)
            named = self.named_urls(dates.now)
            ignored, ignored_warnings = self.input.ignored()
            lister = Lister(
                self.input.source,
                self.site,
                dates,
                progress,
                on_read,
                believes_sitemaps=believes_sitemaps,
                entries=named.entries,
            )
            listing = lister.listing(ignored)
        of_base = list(recognition.other_base(listing.other_base, self.site, self.recognised))
        warnings = [*of_base, *self.input.warnings(), *date_warnings, *ignored_warnings, *named.warnings]
        listing = replace(listing, warnings=[*warnings, *listing.warnings], children=named.children)
        return self.input.choose(listing) if believes_sitemaps else listing, dates

    def plan_publication(self, listing: Listing, dates: DateSources, progress: Progress) -> Plan:
        """Plan what to publish of a listing; of what a state remembers, what was published. Nothing is written."""
        if self.bucket and self._remembered and self._remembered.listing is listing:
            return self._remembered.published(self.bucket)
        compared, problem = self._compared()
        return pipeline.plan_publication(
            listing, self.input.source, self.site, self.store, dates, self.renderer, progress, compared, problem
        )

    def listings(self, plan: Plan) -> tuple[ListedUrls, ListedUrls]:
        """What the current sitemaps list, and what the sitemaps of a plan not yet applied list; raises StoreError."""
        return listings(plan, self.site, self.store, self._compared()[0])

    def apply(self, plan: Plan) -> None:
        """Keep what later runs need, write the key file of IndexNow and the state file, then publish the plan."""
        self.input.keep()
        self.dates.keep()
        if (wanted := key_file_of(self.site)) and self.store.read(wanted[0]) != wanted[1]:
            self.store.write(*wanted)
        apply(plan, self.store, (self.state.store, self.state.path.name) if self.state else None)

    def present_sitemaps(self) -> dict[str, bytes]:
        """The uncompressed sitemaps at the usual names, by name, unless Waypost made one of them; raises StoreError."""
        found = usual_sitemaps(self.store)
        return {} if any(map(is_marked, found.values())) else found

    @property
    def paths(self) -> FolderPaths:
        """The paths of a run over a folder; raises ConfigurationError for a bucket, which has none."""
        if self.folder is None:
            raise ConfigurationError((ConfigIssue("command line", "SOURCE", "it is a bucket", "a folder"),))
        return self.folder

    @property
    def renderer(self) -> Renderer:
        """The renderer, in which the user's templates override Waypost's own."""
        return Renderer(overriding_templates(self.templates) if self.templates else {})

    @property
    def templates(self) -> Path | None:
        """The folder of the user's templates, if the settings name one."""
        return self.places.path("templates", self.site.templates) if self.site.templates else None

    @cached_property
    def _remembered(self) -> "ListedObjects | None":
        """What the state of a bucket remembers; None without one, or if it is that of one part of a divided bucket."""
        if self.bucket is None:
            return None
        from waypost.build import bucket_listing, divided_bucket  # a folder's run needs nothing of them

        is_divided = divided_bucket.DividedBucket(self.bucket).division().partitions
        if is_divided:
            return None
        return bucket_listing.list_objects(self.bucket, self.bucket.state.read(), bucket_listing.Looked())

    def named_urls(self, now: str) -> NamedUrls:
        """The URLs without a file that the settings name; raises ConfigurationError and SourceError."""
        if not (self.site.urls or self.site.sitemaps):
            return NamedUrls()
        from waypost.build.url_sources import named_urls  # most sites have none

        return named_urls(self.site, self.places, self.input.source.find, now)

    def _compared(self) -> tuple[Mapping[str, bytes] | None, str]:
        """The current sitemaps, if the setting `compare` names them and they exist, or why they cannot be fetched."""
        if not self.site.compare:
            return None, ""
        from waypost.build.present_sitemaps import named_sitemaps  # most sites compare with what is in their folder

        locate = partial(self.places.path, "compare")
        try:
            return named_sitemaps(self.site.compare, locate, "compare", self.site.private_hosts) or None, ""
        except SourceError as error:
            return None, str(error)


def check_all(config_sources: Sequence[ConfigSource], issues: Sequence[ConfigIssue]) -> Site:
    """The settings of all sources, later ones first.

    Raises ConfigurationError with their issues and with those that are given.
    """
    try:
        site = load.check_settings(config_sources)
    except ConfigurationError as error:
        raise ConfigurationError((*issues, *error.issues)) from None
    if issues:
        raise ConfigurationError(tuple(issues))
    return site


def missing_templates(config_sources: Sequence[ConfigSource], places: NamedPlaces) -> list[ConfigIssue]:
    """The mistake of naming a folder of templates that does not exist, or must not be opened."""
    named = [each for each in config_sources if isinstance(each.values.get("templates"), str)]
    if not named:
        return []
    try:
        folder = places.path("templates", named[-1].values["templates"])
    except ConfigurationError as error:
        return list(error.issues)
    return [] if folder.is_dir() else [named[-1].issue("templates", f"{folder} is not a folder")]


def now() -> int:
    """The current time in Unix seconds, or SOURCE_DATE_EPOCH if that is set; raises ConfigurationError."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch and not (epoch.isdecimal() and int(epoch) <= _LAST_SECOND):
        problem = f"{epoch!r} is not a number of seconds up to the year 9999"
        raise ConfigurationError((ConfigIssue("environment", "SOURCE_DATE_EPOCH", problem),))
    return int(epoch or time.time())
