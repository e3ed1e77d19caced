"""A run over the objects of a bucket, with a state or without one."""

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from waypost.build import named_places
from waypost.build.adoption import read_other
from waypost.build.bucket_explanation import object_key
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import BucketState, StateFile
from waypost.build.job import Job, SiteInput, check_all, missing_templates, now
from waypost.build.locations import Location, Locations, parse_bucket, parse_location
from waypost.build.named_places import NamedPlaces
from waypost.build.subscribers import subscribers_of
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, NamedSource, SiteWarning, printable
from waypost.files import ConditionalStore, WriteHeaders
from waypost.files.source import ObjectSource
from waypost.pages.selection import Selection
from waypost.project.host_recognition import bucket_rules
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer, overriding_templates

if TYPE_CHECKING:
    from waypost.files.s3_client import BucketWebsite


def website_warnings(site: Site, location: Location, locations: Locations) -> Sequence[SiteWarning]:
    """The warning of settings that the configuration contradicts; none where there is none, or it may not be read."""
    website = locations.website(location)
    contradictions = _contradictions(site, location, website) if website else ()
    found = [Example(setting, printable(problem)) for setting, problem in contradictions]
    return [site_warning("bucket-website", found)] if found else []


def _contradictions(site: Site, location: Location, website: "BucketWebsite") -> Iterator[tuple[str, str]]:
    """Each setting that is contradicted, and by what."""
    index, error = website.index_document, website.error_document
    host = urlsplit(site.base_url).hostname or ""
    if website.redirects_to and website.redirects_to.lower() != host:
        yield "base_url", f"the website endpoint redirects all requests to {website.redirects_to}"
    if index and index not in site.index_files:
        yield "index_files", f"the index document of folders is {index}"
    key = error.removeprefix(location.prefix)
    is_page = error.startswith(location.prefix) and Selection(site).exclusion_reason(key) is None
    if error and is_page and key.rpartition("/")[2] not in site.index_files:
        yield "exclude", f"{key} is the error document, and would be listed"


@dataclass(frozen=True)
class BucketInput(SiteInput):
    """The objects of a bucket."""

    site: Site
    location: Location
    locations: Locations

    def key(self, path: str) -> str:
        """The site's key of an object's URI, of a page's URL, or of a key below the prefix."""
        return object_key(path, self.site, str(self.location))

    def warnings(self) -> Sequence[SiteWarning]:
        """The warning of what the bucket's own configuration contradicts."""
        return website_warnings(self.site, self.location, self.locations)


def prepare(
    source: str,
    *flags: ConfigSource,
    file: Path | None = None,
    output: str | None = None,
    issues: Sequence[ConfigIssue] = (),
) -> Job:
    """Check the settings for a bucket; raises ConfigurationError.

    Settings are read from `file`, else from the working folder; `flags` override them, and `issues` found before are
    reported with the rest. If the settings name a `state`, that is in a folder or a bucket; without one, pages have
    only the dates that they state themselves.
    """
    working_folder = Path.cwd()
    source_and_file = named_places.read(file, working_folder, working_folder)
    config_sources = [source_and_file[0], *flags] if source_and_file else list(flags)
    folder = source_and_file[1].parent if source_and_file else working_folder
    places = NamedPlaces(config_sources, folder, _repository_of(folder), [source, output or ""])
    site, locations, location = settings(config_sources, places, issues), Locations(), parse_bucket(source)
    objects, outputs = _opened(site, locations, location, output)
    bucket = stateful(site, places, locations, location, output) if site.state else None
    return Job(site, places, BucketInput(objects, site, location, locations), outputs, bucket=bucket)


def read_adopted(
    bucket: BucketSite, locations: Locations, uri: str, where: str, name: str
) -> tuple[BucketState, tuple[SiteWarning, ...]]:
    """The state at `uri`, with whose dates a rebuild is to continue, and a warning of files published elsewhere.

    Raises ConfigurationError about the argument `name` if `uri` is no location, and as `adoption.read_other`.
    """
    store = locations.store(parse_location(uri, where, name))
    found = read_other(StateFile(store, f"{uri.rstrip('/')}/", _new_id))
    left = [Example(found.head.site_uri + each.name) for each in found.head.files]
    is_moved = found.head.site_uri != bucket.site_uri
    return found, (site_warning("adopted", left),) if left and is_moved else ()


def _repository_of(folder: Path) -> Path | None:
    """The root of the repository that contains a folder; None if there is none, or Git refuses it."""
    from waypost.git import Repositories  # the function has none

    found = Repositories(folder).of_workspace
    return found.root if found else None


def settings(config_sources: Sequence[ConfigSource], places: NamedPlaces, issues: Sequence[ConfigIssue] = ()) -> Site:
    """The checked settings of a bucket's site."""
    has_state = any("state" in each.values for each in config_sources)
    defaults = ConfigSource("the defaults of a bucket", {"lastmod": "content" if has_state else "none"})
    site = check_all(
        [defaults, *config_sources], [*issues, *missing_templates(config_sources, places), *_git_dates(config_sources)]
    )
    return replace(site, host_rules=bucket_rules(site.host))


def stateful(
    site: Site, places: NamedPlaces, locations: Locations, location: Location, output: str | None = None
) -> BucketSite:
    """A bucket with a state, which is where the setting `state` says.

    Raises ConfigurationError if the state would be published with the site.
    """
    state_location, clock, target = _private_location(site, places, location), _Clock(), output or str(location)
    source, outputs = _opened(site, locations, location, output)
    return BucketSite(
        site,
        str(location),
        source,
        outputs,
        StateFile(locations.store(state_location), f"{str(state_location).rstrip('/')}/", _new_id, str(location)),
        _renderer(site, places),
        clock,
        is_elsewhere=target.rstrip("/") != str(location).rstrip("/"),
        named_sources=lambda: _named_sources(site, places, source),
        subscribers=tuple(subscribers_of(site, outputs)),
        settings_since=clock.time(),
    )


def _opened(
    site: Site, locations: Locations, location: Location, output: str | None
) -> tuple[ObjectSource, ConditionalStore]:
    """The site's objects, and where its files are published."""
    headers = WriteHeaders(site.cache_control, site.acl or "")  # the state is written without them
    return locations.source(location), locations.store(parse_location(output or str(location)), headers)


class _Clock:
    """The clock of this machine, which SOURCE_DATE_EPOCH may stop."""

    def time(self) -> float:
        """The present in Unix seconds."""
        return float(now())

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def _new_id() -> str:
    return secrets.token_hex(6)


def _renderer(site: Site, places: NamedPlaces) -> Renderer:
    return Renderer(overriding_templates(places.path("templates", site.templates)) if site.templates else {})


def _private_location(site: Site, places: NamedPlaces, location: Location) -> Location:
    """Where the state is; raises ConfigurationError if it would be published with the site."""
    place = places.place("state", site.state or "")
    if place.kind == "path":
        found = Location("", "", str(places.path("state", place.text)))
    else:
        found = parse_location(place.text, "settings", "state")
    if location.contains(found):
        problem = f"{found} is inside the site {location}, so the state would be published with it"
        raise ConfigurationError((ConfigIssue("settings", "state", problem, "a folder in a private bucket"),))
    return found


def _named_sources(site: Site, places: NamedPlaces, source: ObjectSource) -> Sequence[NamedSource]:
    """What the settings name besides the objects; raises ConfigurationError."""
    from waypost.build.url_sources import named_sources  # most sites name nothing

    if not site.has_url_entries:
        return ()
    return list(named_sources(site, places, source.find, format_unix_time(now())))


def _git_dates(config_sources: Sequence[ConfigSource]) -> list[ConfigIssue]:
    """The mistake of asking for dates from Git."""
    last = next((each for each in reversed(config_sources) if "lastmod" in each.values), None)
    if last is None or last.values["lastmod"] != "git":
        return []
    return [last.issue("lastmod", "a bucket has no Git history", "content or none")]
