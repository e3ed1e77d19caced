"""One site's bucket, ledger and published files, and what its settings make of them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_setting

from msgspec.structs import replace

from waypost.announce import Subscriber
from waypost.build.bucket_site import read_robots_txt, robots_rules
from waypost.build.object_reader import Snapshots
from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.clock import Clock as RoleClock
from waypost.core.clock import SystemClock
from waypost.core.errors import ConflictError, SettingsChangedError
from waypost.core.model import Changes, NamedSource, UrlForm
from waypost.core.reasons import Reason
from waypost.core.retry import ONE_ATTEMPT, Retry
from waypost.ledger.ledger_state import LedgerState, PublisherLease
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdate, ManifestUpdater
from waypost.ledger.record_cache import Load, OrderedRecords
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.records import Record
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.ledger.url_list import UrlList
from waypost.rules import page_facts, page_url, robots
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer
from waypost.sources.base import ObjectSource
from waypost.stores import ConditionalStore
from waypost.sync.lost_ranges import read_ranges, require_few
from waypost.sync.outbox import Outbox
from waypost.sync.published_files import PublishedFiles
from waypost.sync.publisher import FileChanges, Publisher
from waypost.sync.publisher_lease import PublisherLeaseHolder, Timing
from waypost.sync.publishing_work import PublishingWork
from waypost.sync.url_list_source import UrlListSource, entries_by_key

Clock = Callable[[], str]
"""Returns the current as a W3C datetime in UTC."""
DEFAULT_TIMING = Timing()
NO_CHANGES = Changes()


class BucketContext:
    """One site's bucket, ledger and published files.

    `clock` gives the time for dates, `lease_clock` that for the leases of builder and publisher. `is_elsewhere` means
    that the sitemaps are not published in the site's own folder; then they follow the site's robots.txt.
    `before_taking_lease` is called before this process becomes the publisher. `subscribers` are notified of what is
    published; `state_uri` is where the ledger is stored. `named_sources` reads what settings name besides the bucket.
    """

    def __init__(
        self,
        source: ObjectSource,
        site: Site,
        ledger: Ledger,
        outputs: ConditionalStore,
        renderer: Renderer,
        clock: Clock,
        *,
        lease_clock: RoleClock | None = None,
        timing: Timing = DEFAULT_TIMING,
        is_elsewhere: bool = False,
        subscribers: Sequence[Subscriber] = (),
        state_uri: str = "",
        named_sources: Callable[[], Iterable[NamedSource]] = tuple,
    ) -> None:
        self.source = UrlListSource(source, lambda key: self._object_reason(key) is None)
        self.site, self.ledger, self.clock, self.named_sources = site, ledger, clock, named_sources
        self._url_list = ""
        self.lease_clock, self.timing = lease_clock or SystemClock(), timing
        self._outputs, self._renderer, self._is_elsewhere = outputs, renderer, is_elsewhere
        self._formed_site, self.selection = site, Selection(site)
        self.config_digest = f"{site.digest}-{renderer.digest}"
        self.lease = self.publisher_lease(PublisherLease(ledger.new_id()))
        self.before_taking_lease: Callable[[], None] = lambda: None
        self.outbox = Outbox(ledger, site.base_url, state_uri, self.lease_clock, subscribers, self.can_publish)

    def publisher_lease(self, lease: PublisherLease, timing: Timing | None = None) -> PublisherLeaseHolder:
        """The holder of a lease."""
        return PublisherLeaseHolder(self.ledger, self.lease_clock, timing or self.timing, lease)

    def publish_once(
        self,
        version: LedgerVersion,
        work: PublishingWork | None = None,
        deadline_reached: Callable[[], bool] = lambda: False,
        *,
        collects: bool = False,
        lease: PublisherLeaseHolder | None = None,
        patience: float | None = None,
    ) -> FileChanges:
        """Publish what is pending, by this process's lease or another; see `Publisher.publish`.

        Raises LostRecordsError if records that it needs are lost.
        """
        known, documents = (work.known_by(version.manifest), work.documents) if work else ({}, {})
        lease = lease or self.lease
        publisher = Publisher(
            self.ledger,
            lease,
            self.published_files,
            self.can_publish,
            self.outbox,
            self.before_taking_lease,
            patience,
        )
        done = publisher.publish(version, known, documents, deadline_reached, collects=collects)
        return self._announced(done, lease.owner, deadline_reached)

    def _announced(self, done: FileChanges, owner: str, deadline_reached: Callable[[], bool]) -> FileChanges:
        """Notify subscribers of what this publication has left to this process."""
        if done.version is None:
            return done
        found = self.outbox.announce(done.version, owner, deadline_reached)
        warnings = (*done.warnings, *found.warnings)
        return replace(done, version=found.version, warnings=warnings, notify_after=found.retry_after)

    def has_builder(self) -> bool:
        """Whether a build is in progress."""
        builder = self.ledger.read_or_recover().manifest.builder
        return builder is not None and builder.is_live(self.lease_clock.time())

    def can_publish(self, manifest: Manifest) -> bool:
        """Whether a manifest is to be published, and was made with the current settings."""
        return manifest.is_publishable and self.is_built_with(manifest, manifest.robots_rules)

    def left_to_publish(self, version: LedgerVersion) -> LedgerVersion | None:
        """The manifest if files are pending that no live publisher writes; None otherwise.

        The messages of a run that died come again, and may then find nothing to commit.
        """
        return version if version.manifest.pending and self.lease.is_free(version.manifest) else None

    def commit(
        self, version: LedgerVersion, after: Manifest, files: Mapping[str, bytes], changes: Changes = NO_CHANGES
    ) -> LedgerVersion:
        """Replace the manifest, and take the publisher's lease with it if there is something to publish.

        Subscribers are notified of the `changes` once they are published.
        """
        after, more = self.outbox.with_urls(after, changes)
        if self.can_publish(after) and after.pending and self.lease.is_free(after):
            self.before_taking_lease()
            after = self.lease.with_lease(after)
        return self.ledger.commit(version, after, {**files, **more})

    def loader(self, version: LedgerVersion) -> Load:
        """Loads records by a manifest; raises ConflictError where a newer manifest no longer names them."""

        def load(entry: ShardEntry) -> Sequence[Record] | None:
            found = self.ledger.records_or_none(entry)
            if found is None and not self.ledger.is_current(version):
                raise ConflictError(f"{entry.records_file} belongs to a manifest that was replaced")
            return found

        return load

    def repaired(
        self,
        manifest: Manifest,
        seen: Snapshots,
        make: Callable[[Snapshots, Collection[ShardEntry]], ManifestUpdate],
        lost: Collection[ShardEntry] = (),
        retry: Retry = ONE_ATTEMPT,
    ) -> ManifestUpdate:
        """What `make` returns for these objects, and for all of the ranges whose records it needs and are lost.

        `lost` are entries of which that is known. The result has all lost entries, and the objects in their ranges that
        cannot be read. Reads are repeated by `retry`. Raises SourceError if these are too many to be left out.
        """
        new, repaired = [entry for entry in manifest.entries if entry in lost], list[ShardEntry]()
        unreadable: dict[str, str] = {}
        while True:
            if new:
                with self.urls_of(manifest):
                    found, failed = read_ranges(
                        self.source, self.site, manifest, new, self.exclusion_reason, self.group, retry
                    )
                seen, repaired = {**found, **seen}, [*repaired, *new]
                unreadable |= {key: error for key, error in failed.items() if key not in seen}
                require_few(unreadable, max(manifest.page_count, len(seen)), self.site.max_removed)
            update = make(seen, repaired)
            new = list(update.lost_entries)
            if not new:
                return replace(update, lost_entries=tuple(repaired), unreadable=unreadable)

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why a key alone makes its object no page, or None if it may be one, or is that of a URL without an object."""
        reason = self._object_reason(key)
        return None if key in self.source.entries and reason != reasons.OUTPUT else reason

    @contextmanager
    def urls_of(self, manifest: Manifest, urls: UrlList | None = None) -> Iterator[None]:
        """A context in which the source has the URLs without an object that a manifest remembers, or these `urls`."""
        before = self._url_list, self.source.entries
        if urls is not None or manifest.url_list != self._url_list:
            known = self.ledger.url_list(manifest) if urls is None else urls
            self._url_list, self.source.entries = manifest.url_list, entries_by_key(known or UrlList(), self.site)[0]
        try:
            yield
        finally:
            self._url_list, self.source.entries = before

    def require_same_urls(self, manifest: Manifest) -> None:
        """Raise SettingsChangedError if a rebuild works with other URLs without an object than a manifest remembers."""
        if manifest.url_list != self._url_list:
            raise SettingsChangedError("another rebuild has read the lists of URLs since this one did")

    def _object_reason(self, key: str) -> Reason | None:
        return self.selection.exclusion_reason(key) or page_url.url_problem(key, self.site)

    def group(self, key: str) -> str:
        """The group whose sitemaps would list a key."""
        return self.selection.group(key)

    def robots_rules(self) -> str:
        """The rules of robots.txt that apply; raises SourceError."""
        return robots_rules(self.site, self.robots_txt)

    def robots_txt(self) -> bytes | None:
        """The site's own robots.txt; raises SourceError."""
        return read_robots_txt(self.source, self.ledger.site_uri)

    def is_built_with(self, manifest: Manifest, rules: str) -> bool:
        """Whether a manifest was made with the current settings, the current rules and these rules of robots.txt."""
        made_with = (manifest.config_digest, manifest.recorded_facts, manifest.robots_rules)
        return made_with == (self.config_digest, page_facts.recorded_facts(self.site), rules)

    def require_built(self, manifest: Manifest) -> None:
        """Raise SettingsChangedError unless a ledger was built with the current settings."""
        if manifest.state == LedgerState.EMPTY:
            raise SettingsChangedError("there is no ledger yet; `waypost build`, or the action rebuild, makes it")
        if not self.is_built_with(manifest, manifest.robots_rules):
            raise SettingsChangedError("the ledger was built with other settings or another release; start a rebuild")

    def empty_manifest(self, before: Manifest, rules: str, url_form: UrlForm) -> Manifest:
        """A manifest of the current settings, rules of robots.txt and URLs, without entries, to replace another."""
        return Manifest(
            before.ledger_id,
            self.ledger.site_uri,
            self.config_digest,
            before.config_since,
            page_facts.recorded_facts(self.site),
            rules,
            url_form,
            before.generation,
            pending=before.pending,
            unreferenced=before.unreferenced,
            outbox=before.outbox,
            # a run ends by this, but its workers may still write until their lease ends
            publisher=before.publisher and replace(before.publisher, is_run=False),
            url_list=before.url_list,
            children=before.children,
        )

    def previous_ledger(self, manifest: Manifest) -> PreviousLedger | None:
        """The ledger that a build replaces; None if nothing was known before, or no build is in progress."""
        if manifest.is_complete or not manifest.previous:
            return None
        previous = self.ledger.read_archived(manifest.previous)
        if not previous.built_at:
            return None
        records = OrderedRecords(previous, self.ledger.records_or_none)
        return PreviousLedger(
            previous.files,
            records.record,
            records.is_lost,
            records.lost_entries,
            previous.recorded_facts,
            previous.page_count,
            previous.listed_since,
        )

    def site_of(self, url_form: UrlForm) -> Site:
        """The site with this form of URLs."""
        if self._formed_site.url_form != url_form:
            self._formed_site = replace_setting(self.site, url_form=url_form)
        return self._formed_site

    def manifest_updater(self, manifest: Manifest) -> ManifestUpdater:
        """What makes the manifest that follows this one."""
        is_disallowed = (
            robots.is_disallowed_by(manifest.robots_rules.encode()) if manifest.robots_rules else lambda loc: False
        )
        return ManifestUpdater(
            self.site_of(manifest.url_form), self._renderer, self.clock(), is_disallowed, self.ledger.new_id
        )

    def published_files(self, manifest: Manifest) -> PublishedFiles:
        """What compares the published files with this manifest, and renders them."""
        return PublishedFiles(
            self.ledger,
            self._outputs,
            self.site,
            self._renderer,
            self.manifest_updater(manifest).documents,
            self.robots_txt if self._is_elsewhere else None,
        )
