"""The invariants of publishing, checked at every change of a ledger's files and of the published files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedules import published
from schedules.notifications import Notifications
from waypost.config import output_names
from waypost.ledger import manifest as manifests
from waypost.ledger import shard_entries
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.store import MANIFEST_NAME, UNREFERENCED_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedules.buckets import Bucket, Change, StoredObject
    from schedules.processes import Processes
    from waypost.config.schema import Site

LEDGER_ID = "waypost-ledger"
_CLOCK_SKEW = 2.0


class Violation(AssertionError):
    """An invariant does not hold."""


def _is_xml_name(name: str) -> bool:
    return name.removesuffix(".gz").endswith(".xml")


def unlisted_with(name: str, content: bytes) -> frozenset[str] | None:
    """The locs that cease to be listed if somebody replaces or deletes a file of ours.

    None for an index: all may cease, also the locs of files that it names later.
    """
    if not _is_xml_name(name):
        return frozenset()
    found = published.read_xml(name, content)
    return None if found.kind == "index" else found.locs


class Invariants:
    """Checks one ledger; `foreign` has the published names, but for robots.txt, that the site's owner changed last.

    With each are the locs that the owner has unlisted by that, or None if these may be all. `processes` has the clock.
    """

    def __init__(
        self,
        site_bucket: Bucket,
        state: Bucket,
        sites: Mapping[str, Site],
        foreign: Mapping[str, frozenset[str] | None],
        processes: Processes,
    ) -> None:
        self._processes = processes
        self._found: frozenset[str] = frozenset()
        self._last_found: dict[str, float] = {}
        self._objects, self._state, self._sites, self.foreign = site_bucket.objects, state.objects, sites, foreign
        self._upload_times = site_bucket.upload_times
        self.manifest = Manifest()
        self.damaged: set[str] = set()
        self._named: frozenset[str] = frozenset()
        self._settings: tuple[object, ...] = ()
        self._wanted: frozenset[str] = frozenset()
        self._listed: frozenset[str] = frozenset()
        self._roots: set[str] = set()
        self._has_own_robots = True
        self.notifications = Notifications()

    def after_state_change(self, change: Change) -> None:
        """Check a change of the ledger's own files."""
        if change.name == MANIFEST_NAME:
            self._check_manifest(change)
        elif change.after is None and change.name in self._named and change.process:
            raise Violation(f"{change.process} deleted {change.name}, which the manifest names")

    def after_site_change(self, change: Change, *, is_own: bool, was_foreign: bool) -> None:
        """Check a change of a published file; `is_own` if a process of this ledger made it.

        `was_foreign` if the site's owner had changed it last.
        """
        if change.name == ROBOTS and (is_own or change.process is None):
            self._has_own_robots = is_own
        if is_own:
            self._check_writer(change)
            self._check_overwritten(change, was_foreign=was_foreign)
            self.notifications.note_file(change.name, self.manifest.generation)
        else:
            self.notifications.files.pop(change.name, None)
        self._check_deleted(change)
        if change.process and change.after and _is_xml_name(change.name):
            self._check_well_formed(change.name, change.after)
        self._check_indexes(change)
        self._check_listed(change)

    def _check_manifest(self, change: Change) -> None:
        if change.after is None:
            raise Violation(f"{change.process} deleted the manifest")
        before, self.manifest = self.manifest, manifests.load(change.after.content, MANIFEST_NAME)
        manifest = self.manifest
        if manifest.generation != before.generation + 1:
            raise Violation(f"generation {manifest.generation} follows {before.generation}")
        archived = self._archived(manifest)
        files = [entry.records_file for each in (manifest, archived) for entry in each.entries]
        deferred = manifest.builder.deferred_keys if manifest.builder else ()
        outbox = [file.name for file in manifest.outbox]
        self._named = frozenset([*files, *deferred, *outbox, *([manifest.previous] if manifest.previous else [])])
        missing = self._named - self._state.keys() - self.damaged
        if missing:
            raise Violation(f"the manifest of {change.process} names {sorted(missing)}, which do not exist")
        pages = self._check_keys(manifest, change)
        self._note_wanted(manifest, frozenset(pages))
        self.notifications.note_manifest(manifest, pages, is_known=not self.damaged)

    def _archived(self, manifest: Manifest) -> Manifest:
        found = self._state.get(manifest.previous) if manifest.previous else None
        return manifests.load(found.content if found else None, manifest.previous)

    def _check_keys(self, manifest: Manifest, change: Change) -> Mapping[str, object]:
        """Each key must lie in one shard, in the range of its entry; returns each listed loc with what is seen."""
        site = self._sites[manifest.config_digest]
        pages: dict[str, object] = {}
        seen: set[str] = set()
        for members in shard_entries.by_group(manifest.entries).values():
            for n, entry in enumerate(members):
                if entry.records_file in self.damaged:
                    continue
                content = self._state[entry.records_file].content
                found = published.listing(
                    content, manifest.config_digest, site, manifest.robots_rules, manifest.url_form
                )
                end = members[n + 1].first_key if n + 1 < len(members) else None
                for key, date in found.dates.items():
                    if key in seen or key < entry.first_key or (end is not None and key >= end):
                        raise Violation(f"{key} is twice in the manifest of {change.process}, or in a wrong shard")
                    if date and date not in self._upload_times.get(key, ()):
                        raise Violation(f"{key} has the date {date}, at which nobody uploaded it")
                seen.update(found.dates)
                pages |= found.pages
        return pages

    def _note_wanted(self, manifest: Manifest, locs: frozenset[str]) -> None:
        """Keep the locs that every manifest has listed since all was published, under the same settings."""
        settings = (manifest.config_digest, manifest.robots_rules, manifest.url_form, manifest.is_complete)
        is_published = not manifest.pending and manifest.publisher is None and manifest.is_complete
        if is_published:
            self._wanted = locs
        elif settings != self._settings:
            self._wanted = frozenset()
        else:
            self._wanted &= locs
        self._settings = settings
        roots = {file.name for file in manifest.indexes}
        self._roots = roots if is_published else self._roots | roots
        self._listed = self._listed_now()
        has_robots = self._has_own_robots or not self._sites[manifest.config_digest].robots_sitemaps
        unlisted = self._without_owners(locs - self._listed)
        if is_published and manifest.page_count and has_robots and unlisted:
            raise Violation(f"nothing is pending, and {sorted(unlisted)} are not listed")

    def _check_writer(self, change: Change) -> None:
        lease = self.manifest.publisher
        assert change.process
        if lease is None or lease.owner not in change.process.owners:
            raise Violation(f"{change.process} changed {change.name} while {lease} was the publisher")

    def _check_overwritten(self, change: Change, *, was_foreign: bool) -> None:
        """Nothing that the site's owner wrote may be lost, but a sitemap for crawlers that is replaced."""
        before, after = change.before, change.after
        if before is None:
            return
        if change.name == ROBOTS:
            if after is None or published.own_lines(before.content) != published.own_lines(after.content):
                raise Violation(f"{change.process} changed the owner's lines of robots.txt")
        elif was_foreign and (after is None or not output_names.is_for_crawlers(change.name)):
            verb = "deleted" if after is None else "overwrote"
            raise Violation(f"{change.process} {verb} {change.name}, which another writer wrote")

    def _check_well_formed(self, name: str, after: StoredObject) -> None:
        if not published.read_xml(name, after.content).kind:
            raise Violation(f"{name} is not well-formed")

    def wrote(self, found: StoredObject) -> bool:
        """Whether this ledger's runs wrote an object."""
        return found.metadata.get(LEDGER_ID) == self.manifest.ledger_id

    def is_ours(self, name: str) -> bool:
        """Whether there is a published file of this name that this ledger's runs wrote."""
        found = self._objects.get(name)
        return found is not None and self.wrote(found)

    def _is_xml(self, name: str) -> bool:
        return _is_xml_name(name) and self.is_ours(name)

    def _check_indexes(self, change: Change) -> None:
        """Every file that a published index names exists."""
        for name, found in self._objects.items():
            if self._is_xml(name):
                children = published.read_xml(name, found.content).children
                missing = children - self._objects.keys() - self.foreign.keys()
                if missing:
                    raise Violation(f"after {change.name}: {name} names {sorted(missing)}, which do not exist")

    def _check_deleted(self, change: Change) -> None:
        """No process deletes a sitemap that crawlers could find in the last 20 hours: they may come now."""
        now = self._processes.now
        self._last_found |= dict.fromkeys(self._found, now)
        if change.process and change.after is None:
            last = self._last_found.get(change.name)
            if last is not None and now - last < UNREFERENCED_SECONDS - _CLOCK_SKEW:
                raise Violation(f"{change.process} deleted {change.name}, which could be found {now - last:.0f} s ago")

    def _check_listed(self, change: Change) -> None:
        """No page stops being listed that was wanted all the time."""
        before, self._listed = self._listed, self._listed_now()
        lost = self._without_owners((before - self._listed) & self._wanted)
        if lost and change.process:
            raise Violation(f"{sorted(lost)} are not listed after {change.process} changed {change.name}")

    def _without_owners(self, locs: frozenset[str]) -> frozenset[str]:
        """The locs without those that the site's owner has unlisted."""
        for unlisted in self.foreign.values():
            locs = frozenset() if unlisted is None else locs - unlisted
        return locs

    def _listed_now(self) -> frozenset[str]:
        """The locs that a crawler finds; while robots.txt is as its owner uploaded it, it may lack any lines."""
        site = self._sites.get(self.manifest.config_digest)
        if site is None:
            return frozenset()
        listed: set[str] = set()
        children: set[str] = set()
        found = self._objects.get(ROBOTS)
        is_own = site.robots_sitemaps and self._has_own_robots
        named = published.robots_sitemaps(found.content) if found and is_own else self._roots
        main = output_names.output_names(site).index()
        for name in {*named, main}:
            if not self._is_xml(name):
                continue
            content = published.read_xml(name, self._objects[name].content)
            if content.kind == "index":
                children |= content.children
                for child in content.children & self._objects.keys():
                    if self._is_xml(child):
                        listed |= published.read_xml(child, self._objects[child].content).locs
            else:
                listed |= content.locs
        self._found = frozenset(children)
        return frozenset(listed)

    def named_files(self) -> frozenset[str]:
        """The ledger's files that the manifest names."""
        return self._named
