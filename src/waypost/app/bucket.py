"""A run over the objects of a bucket, with a ledger or without one."""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from waypost.announce import Subscriber
from waypost.app import settings_file
from waypost.app.bucket_website import website_warnings
from waypost.app.job import Job, check_all, missing_templates, now
from waypost.app.ledger_site import LedgerSite
from waypost.app.locations import Location, Locations, parse_bucket, parse_location
from waypost.app.named_places import NamedPlaces
from waypost.app.subscribers import subscribers_of
from waypost.build.bucket_site import BucketSite
from waypost.build.state_file import StateFile
from waypost.config.load import ConfigSource
from waypost.config.schema import Site
from waypost.core.clock import SystemClock
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.model import NamedSource, SiteWarning
from waypost.hosts import bucket_rules
from waypost.ledger.store import Ledger
from waypost.rules.page_url import entry_key
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer, overriding_templates
from waypost.sources.base import ObjectSource
from waypost.stores import ConditionalStore, DryRunStore, Store, WriteHeaders
from waypost.sync.bucket_context import DEFAULT_TIMING
from waypost.sync.publisher_lease import Timing
from waypost.sync.updater import Updater

_MOST_ISSUES = 100
_TIMING = Timing(clock_skew=0)
"""Commands with different settings may follow one another at once; they usually run on one machine."""


@dataclass(frozen=True)
class BucketJob(Job):
    """A run over a bucket without a ledger: nothing is remembered between runs."""

    location: Location
    objects: ObjectSource
    output: Store
    locations: Locations

    def key(self, path: str) -> str:
        """The site's key of an object's URI, or of a key below the prefix."""
        return path.removeprefix(str(self.location))

    def _open_source(self) -> ObjectSource:
        return self.objects

    def _store(self) -> Store:
        return self.output

    def _source_warnings(self) -> Sequence[SiteWarning]:
        return website_warnings(self.site, self.location, self.locations)


def prepare(
    source: str,
    *flags: ConfigSource,
    file: Path | None = None,
    output: str | None = None,
    issues: Sequence[ConfigIssue] = (),
) -> BucketJob | LedgerSite:
    """Check the settings for a bucket; raises ConfigurationError.

    Settings are read from `file`, else from the working folder; `flags` override them, and `issues` found before are
    reported with the rest. If the settings name a `state`, that is a ledger in a folder or a bucket; without one, pages
    have only the dates that they state themselves.
    """
    working_folder = Path.cwd()
    source_and_file = settings_file.read(file, working_folder, working_folder)
    config_sources = [source_and_file[0], *flags] if source_and_file else list(flags)
    folder = source_and_file[1].parent if source_and_file else working_folder
    places = NamedPlaces(config_sources, folder, _repository_of(folder), [source, output or ""])
    site = settings(config_sources, places, issues)
    location, locations = parse_bucket(source), Locations()
    if site.state:
        return ledger_site(site, places, locations, location, output, timing=_TIMING)
    store = locations.store(parse_location(output or source), _headers(site))
    return BucketJob(site, places, location, locations.source(location), store, locations)


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


def ledger_site(
    site: Site,
    places: NamedPlaces,
    locations: Locations,
    location: Location,
    output: str | None = None,
    warn: Callable[[str], None] = lambda message: None,
    timing: Timing = DEFAULT_TIMING,
) -> LedgerSite:
    """A bucket with a ledger, which is where the setting `state` says; `warn` gets messages about damage to it.

    Raises ConfigurationError if the ledger would be published with the site.
    """
    state_location = _private_location(site, places, location)
    renderer = _renderer(site, places)
    target = output or str(location)
    outputs = locations.store(parse_location(target), _headers(site))
    state, source = locations.store(state_location), locations.source(location)
    is_elsewhere = target.rstrip("/") != str(location).rstrip("/")

    def updater(ledger: ConditionalStore, published: ConditionalStore, subscribers: Sequence[Subscriber]) -> Updater:
        return Updater(
            source,
            site,
            Ledger(ledger, str(location), warn, pause_before_retry),
            published,
            renderer,
            lambda: format_unix_time(now()),
            timing=timing,
            is_elsewhere=is_elsewhere,
            subscribers=subscribers,
            state_uri=f"{str(state_location).rstrip('/')}/",
            named_sources=lambda: _named_sources(site, places, source),
        )

    def dry_run_updater() -> Updater:
        return updater(DryRunStore(state), DryRunStore(outputs), ())

    notifying = updater(state, outputs, subscribers_of(site, outputs))
    return LedgerSite(site, str(location), notifying, dry_run_updater, state, renderer, locations)


def bucket_site(
    site: Site, places: NamedPlaces, locations: Locations, location: Location, output: str | None = None
) -> BucketSite:
    """A bucket with a state, which is where the setting `state` says; raises ConfigurationError as `ledger_site`."""
    state_location = _private_location(site, places, location)
    target = output or str(location)
    source, outputs = locations.source(location), locations.store(parse_location(target), _headers(site))
    state = StateFile(locations.store(state_location), f"{str(state_location).rstrip('/')}/", _new_id)
    return BucketSite(
        site,
        str(location),
        source,
        outputs,
        state,
        _renderer(site, places),
        _Clock(),
        _new_id,
        is_elsewhere=target.rstrip("/") != str(location).rstrip("/"),
        named_sources=lambda: _all_named_sources(site, places, source),
        subscribers=tuple(subscribers_of(site, outputs)),
    )


class _Clock(SystemClock):
    """The clock of this machine, which SOURCE_DATE_EPOCH may stop."""

    def time(self) -> float:
        """The present in Unix seconds."""
        return float(now())


def _new_id() -> str:
    return secrets.token_hex(6)


def _renderer(site: Site, places: NamedPlaces) -> Renderer:
    return Renderer(overriding_templates(places.path("templates", site.templates)) if site.templates else {})


def _private_location(site: Site, places: NamedPlaces, location: Location) -> Location:
    """Where the state is; raises ConfigurationError if it would be published with the site."""
    found = _state_location(site, places)
    if location.contains(found):
        problem = f"{found} is inside the site {location}, so the ledger would be published with it"
        raise ConfigurationError((ConfigIssue("settings", "state", problem, "a folder in a private bucket"),))
    return found


def _all_named_sources(site: Site, places: NamedPlaces, source: ObjectSource) -> Sequence[NamedSource]:
    """What the settings name besides the objects; raises ConfigurationError."""
    from waypost.app.url_sources import named_sources  # most sites name nothing

    if not site.has_url_entries:
        return ()
    return list(named_sources(site, places, source.find, format_unix_time(now())))


def _named_sources(site: Site, places: NamedPlaces, source: ObjectSource) -> Sequence[NamedSource]:
    """What the settings name besides the objects; raises ConfigurationError for a group of which no key says it."""
    found, selection = _all_named_sources(site, places, source), Selection(site)
    problem = "a ledger finds a URL by its key, so a pattern of `groups` must say its group"
    issues = [
        ConfigIssue(entry.where or "settings", "group", f"{entry.loc}: {problem}", line=entry.line or None)
        for each in found
        for entry in each.entries
        if entry.group not in ("", selection.group(entry_key(entry.loc, site)))
    ]
    if issues:
        raise ConfigurationError(tuple(issues[:_MOST_ISSUES]))
    return found


def _headers(site: Site) -> WriteHeaders:
    """What the published files are written with; the ledger is not."""
    return WriteHeaders(site.cache_control, site.acl or "")


def _state_location(site: Site, places: NamedPlaces) -> Location:
    place = places.place("state", site.state or "")
    if place.kind == "path":
        return Location("", "", str(places.path("state", place.text)))
    return parse_location(place.text, "settings", "state")


def _git_dates(config_sources: Sequence[ConfigSource]) -> list[ConfigIssue]:
    """The mistake of asking for dates from Git."""
    last = next((each for each in reversed(config_sources) if "lastmod" in each.values), None)
    if last is None or last.values["lastmod"] != "git":
        return []
    return [last.issue("lastmod", "a bucket has no Git history", "content or none")]


def pause_before_retry(attempts: int) -> None:
    """Wait before another attempt to commit: at random up to 50 ms, doubled with each attempt up to 2 s."""
    time.sleep(random.uniform(0, min(0.05 * 2 ** (attempts - 1), 2.0)))  # noqa: S311 (jitter needs no secret)
