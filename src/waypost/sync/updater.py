"""Keeps a bucket's sitemaps right by the keys at which something happened.

A key is only a hint that an object is worth looking at. What is remembered follows from what was seen of
objects after the manifest was read that it replaces, so that of two writers the later has the later view.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from waypost.config.load import Site
from waypost.core import concurrency, reasons
from waypost.core.diff import count_changes
from waypost.core.errors import BusyError, ConflictError, LedgerError, SettingsChangedError, SourceError
from waypost.core.hashing import content_digest
from waypost.core.model import Example, Item, SiteWarning, printable
from waypost.core.reasons import Reason
from waypost.core.urls import origin_of
from waypost.core.warnings import MESSAGES
from waypost.ledger.manifest import Manifest, PendingFile
from waypost.ledger.manifest_update import ROBOTS, ManifestUpdate, ManifestUpdater, PreviousLedger
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.store import NEVER, TRIES, Ledger, LedgerVersion
from waypost.rules import page_facts, page_url, robots
from waypost.rules.decision import decide
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer
from waypost.sources.base import ObjectSource
from waypost.stores.base import ConditionalStore
from waypost.sync.publisher import Publisher
from waypost.sync.result import RunResult

_KEYS, _SHARDS = 25_000, 16
"""The most keys, and shards that they lie in, that are looked at and committed together."""
_EXAMPLES = 3
Clock = Callable[[], str]
"""The present as a W3C datetime in UTC."""
Snapshots = Mapping[str, ObjectSnapshot | None]
"""What objects are now; None for one that is gone."""


class Updater:
    """One site's bucket, ledger and published files.

    `is_elsewhere` says that the outputs stand in another place than the site, whose robots.txt they then follow.
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
        is_elsewhere: bool = False,
    ) -> None:
        self.source, self.site, self.ledger, self.clock = source, site, ledger, clock
        self._outputs, self._renderer, self._is_elsewhere = outputs, renderer, is_elsewhere
        self._selection = Selection(site)
        self.config_digest = f"{site.digest}-{renderer.digest}"

    def update(
        self,
        keys: Collection[str],
        deadline_reached: Callable[[], bool] = lambda: False,
        *,
        refresh_etags: bool = False,
    ) -> RunResult:
        """Bring the ledger and the sitemaps up to what has become of these keys; an output's own key has it put right.

        What the time does not suffice for is among the failed. Raises StaleError where the settings, or what
        robots.txt rules, are not those of the ledger; LedgerError, SourceError, StoreError and RenderError;
        ConflictError where other writers never cease.
        """
        if ROBOTS in keys and self.robots_rules() != self.ledger.read().manifest.robots_rules:
            raise SettingsChangedError(
                "robots.txt rules otherwise than when the ledger was built; a rebuild brings it up to it"
            )
        reason_of = {key: self.exclusion_reason(key) for key in keys}
        outputs = {key for key, reason in reason_of.items() if reason == reasons.OUTPUT}
        done = self._restore_outputs(outputs) if outputs else RunResult()
        done += RunResult(ignored=Counter(str(reason) for reason in reason_of.values() if reason))
        ours = sorted(key for key, reason in reason_of.items() if reason is None)
        while ours:
            if deadline_reached():
                return done + RunResult(failed=dict.fromkeys(ours, "the time was over before it was looked at"))
            some = first_portion(ours, self.ledger.read().manifest if len(ours) > _SHARDS else Manifest())
            done, ours = done + self._update_keys(some, is_thorough=refresh_etags), ours[len(some) :]
        return done

    def _restore_outputs(self, names: Collection[str]) -> RunResult:
        """Put outputs right that somebody else may have replaced or removed."""
        version = self._touch_manifest(names)
        published = self.publisher(version.manifest).publish(version, names, {})
        return RunResult(0, 0, 0, published.written, published.removed, published.conflicts, manifest=version.manifest)

    def _touch_manifest(self, names: Collection[str]) -> LedgerVersion:
        """The manifest, replaced where another still publishes it, and what stands over the sitemaps is concerned.

        Whoever does that looks at it again.
        """
        for _ in range(TRIES):
            version = self.ledger.read()
            self._require_built(version.manifest)
            manifest = version.manifest
            if not (manifest.is_unpublished and {ROBOTS, *manifest.index_and_auxiliary_names}.intersection(names)):
                return version
            with suppress(ConflictError):
                after = replace(version.manifest, generation=version.manifest.generation + 1)
                return self.ledger.commit(version, after, {})
        raise ConflictError(NEVER)

    def _update_keys(self, keys: Collection[str], *, is_thorough: bool) -> RunResult:
        done = RunResult()
        for _ in range(TRIES):
            version = self.ledger.read()
            self._require_built(version.manifest)
            if version.manifest.run and version.manifest.position is not None:
                if self._defer_once(version, keys):
                    return replace(done, manifest=version.manifest)
                continue
            seen, failed = self.read_objects(Item(key, key) for key in keys)
            done += RunResult(objects_read=len(keys), failed=failed, warnings=self.page_warnings(seen))
            try:
                update, version = self._commit(version, seen, is_thorough=is_thorough)
            except ConflictError:
                done += RunResult(conflicts=1)
                continue
            done += RunResult(warnings=hreflang_warnings(update.hreflang_issues), changes=count_changes(update.changes))
            published = self.publisher(version.manifest).publish(version, update.affected_files, update.documents)
            done += RunResult(
                0, 0, len(update.changed_etags), published.written, published.removed, published.conflicts
            )
            unknown = tuple(
                key for key, snapshot in seen.items() if snapshot is None and key not in update.changed_etags
            )
            done = replace(done, manifest=version.manifest, not_found=(*done.not_found, *unknown))
            keys = self._changed_again(update.changed_etags)
            if not keys:
                return done
        raise ConflictError(NEVER)

    def _require_built(self, manifest: Manifest) -> None:
        if not manifest.config_digest:
            raise SettingsChangedError("there is no ledger yet; `waypost build`, or the action rebuild, makes it")
        if not self.is_built_with(manifest, manifest.robots_rules):
            raise SettingsChangedError("the ledger was built with other settings; a rebuild brings it up to these")

    def _commit(
        self, version: LedgerVersion, seen: Snapshots, *, is_thorough: bool
    ) -> tuple[ManifestUpdate, LedgerVersion]:
        """Revise the manifest and replace it, where anything changed.

        During a build it is replaced all the same: that tells the build of what may have been seen after its own
        view of the same keys.
        """
        before = version.manifest
        load = self.ledger.records_or_none if is_thorough else self.ledger.records
        update = self.manifest_updater(before).update(
            before, seen, load, self.previous_ledger(before), before.position, refresh_etags=is_thorough
        )
        after, touched = _with_deferred_keys(update.manifest, seen)
        if after is before and before.position is None:
            return update, version
        after = after if after is not before else replace(before, generation=before.generation + 1)
        after = replace(after, pending=self._pending(before, after))
        return update, self.ledger.commit(version, after, {**update.records, **touched})

    def _pending(self, before: Manifest, after: Manifest) -> tuple[PendingFile, ...]:
        """What is still to be seen to: but for files that an earlier writer changed, and that are right by now."""
        left = {each.name for each in before.pending if not each.until}
        if not left:
            return after.pending
        wrong = self.publisher(before).wrong_files(before, left)
        old, new = before.files, after.files
        right = {name for name in left - wrong.keys() if old.get(name) == new.get(name)}
        return tuple(each for each in after.pending if each.until or each.name not in right)

    def defer(self, keys: Collection[str]) -> bool:
        """Leave keys to the distributed build under way, whatever its settings are; False where none would look."""
        for _ in range(TRIES):
            version = self.ledger.read()
            run = version.manifest.run
            if run is None or run.is_publishing:
                return False
            if self._defer_once(version, keys):
                return True
        raise ConflictError(NEVER)

    def _defer_once(self, version: LedgerVersion, keys: Collection[str]) -> bool:
        """Leave keys to a distributed build that makes the ledger anew, unless another writer was first."""
        after, touched = _with_deferred_keys(version.manifest, keys)
        try:
            self.ledger.commit(version, replace(after, generation=version.manifest.generation + 1), touched)
        except ConflictError:
            return False
        return True

    def _changed_again(self, edited: Mapping[str, str | None]) -> list[str]:
        """The keys whose objects are others again than those that were just committed.

        Without this a slow writer could commit what a quicker one has meanwhile seen replaced by what was there
        before, and found to be nothing new.
        """
        now = self.source.etags(edited)
        return [key for key, etag in edited.items() if now[key] != etag]

    def read_objects(
        self, items: Iterable[Item], *, raise_when_busy: bool = False
    ) -> tuple[dict[str, ObjectSnapshot | None], dict[str, str]]:
        """What these objects are now, and why others cannot be looked at.

        Where it `insists`, a source that is too busy to answer raises BusyError: that says nothing of its objects.
        """

        def read(item: Item) -> ObjectSnapshot | OSError | None:
            try:
                return page_facts.read_item(self.source, self.site, item)
            except FileNotFoundError:
                return None
            except TimeoutError as error:
                if raise_when_busy:
                    raise BusyError(f"{item.key} cannot be read now: {error.strerror}") from error
                return error
            except OSError as error:
                return error

        wanted = list(items)
        answers = concurrency.map_concurrently(read, wanted, self.source.width)
        found = {item.key: each for item, each in zip(wanted, answers, strict=True)}
        seen = {key: each for key, each in found.items() if not isinstance(each, OSError)}
        return seen, {k: each.strerror or str(each) for k, each in found.items() if isinstance(each, OSError)}

    def deferred_keys(self, name: str) -> list[str]:
        """The keys in a file of those that were touched; raises LedgerError where it is missing or damaged."""
        try:
            return msgspec.json.decode(self.ledger.store.read(name) or b"", type=list[str])
        except msgspec.MsgspecError as error:
            raise LedgerError(f"{name} is missing or damaged ({error}); a rebuild makes do without it") from None

    def page_warnings(self, seen: Snapshots) -> tuple[SiteWarning, ...]:
        """What there is to say of objects that were read."""
        found: dict[str, list[Example]] = {}
        now = self.clock()
        for key, snapshot in seen.items():
            loc = page_url.page_url(key, self.site)
            if snapshot is not None and isinstance(loc, str):
                for code, example in decide(key, loc, snapshot.facts, self.site, now).warnings:
                    found.setdefault(code, []).append(example)
        return tuple(
            SiteWarning(code, MESSAGES[code], len(each), tuple(each[:_EXAMPLES])) for code, each in found.items()
        )

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why a key alone makes its object no page, or None where it may be one."""
        reason = self._selection.exclusion_reason(key)
        if reason:
            return reason
        loc = page_url.page_url(key, self.site)
        return loc if isinstance(loc, Reason) else None

    def group(self, key: str) -> str:
        """The group whose sitemaps would list a key."""
        return self._selection.group(key)

    def robots_rules(self) -> str:
        """The rules of robots.txt that hold: crawlers read it at the host's root alone (RFC 9309, 2.3)."""
        if not self.site.respect_robots or self.site.base_url != origin_of(self.site.base_url) + "/":
            return ""
        return robots.rules_for_all(self.robots_txt() or b"")

    def robots_txt(self) -> bytes | None:
        """The site's own robots.txt; raises SourceError."""
        try:
            return self.source.find(ROBOTS)
        except OSError as error:
            kind = BusyError if isinstance(error, TimeoutError) else SourceError
            raise kind(f"{self.ledger.site_uri}{ROBOTS} cannot be read: {error.strerror}") from error

    def is_built_with(self, manifest: Manifest, rules: str) -> bool:
        """Whether a manifest was made with the present settings and these rules."""
        made_with = (manifest.config_digest, manifest.recorded_facts, manifest.robots_rules)
        return made_with == (self.config_digest, page_facts.recorded_facts(self.site), rules)

    def empty_manifest(self, before: Manifest, rules: str) -> Manifest:
        """A manifest of the present settings and these rules, in which nothing is yet, to follow another."""
        return Manifest(
            self.ledger.site_uri,
            self.config_digest,
            page_facts.recorded_facts(self.site),
            rules,
            before.generation + 1,
            position="",
            pending=before.pending,
            is_unpublished=before.is_unpublished,
        )

    def previous_ledger(self, manifest: Manifest) -> PreviousLedger | None:
        """What a build remembers; None where nothing was known before, or no build is under way."""
        if manifest.position is None or not manifest.previous:
            return None
        previous = self.ledger.read_archived(manifest.previous)
        if not previous.built_at:
            return None
        return PreviousLedger(
            previous.files, OrderedRecords(previous, self.ledger.records_or_none).record, previous.recorded_facts
        )

    def manifest_updater(self, manifest: Manifest) -> ManifestUpdater:
        """The rules for a manifest's next revision."""
        is_disallowed = (
            robots.is_disallowed_by(manifest.robots_rules.encode()) if manifest.robots_rules else lambda loc: False
        )
        return ManifestUpdater(self.site, self._renderer, self.clock(), is_disallowed)

    def publisher(self, manifest: Manifest, *, is_final_step: bool = False) -> Publisher:
        """What makes the published files right; the last step of a distributed build says that it is that."""
        robots_txt = self.robots_txt if self._is_elsewhere else None
        documents_of_ledger = self.manifest_updater(manifest).documents
        return Publisher(
            self.ledger,
            self._outputs,
            self.site,
            self._renderer,
            documents_of_ledger,
            robots_txt,
            is_final_step=is_final_step,
        )


def _with_deferred_keys(manifest: Manifest, keys: Iterable[str]) -> tuple[Manifest, dict[str, bytes]]:
    """A manifest that tells a distributed build of keys to look at again, and the file that names them."""
    run = manifest.run
    if run is None or run.is_publishing:
        return manifest, {}
    data = msgspec.json.encode(sorted(keys))
    name = f"{run.prefix}deferred-{len(run.deferred_keys):07}-{content_digest(data)}"
    return replace(manifest, run=replace(run, deferred_keys=(*run.deferred_keys, name))), {name: data}


def first_portion(keys: Sequence[str], manifest: Manifest) -> Sequence[str]:
    """The first of some sorted keys: so many that what is remembered beside them fits in memory."""
    begins = sorted({entry.first_key for entry in manifest.entries})
    places: set[int] = set()
    for n, key in enumerate(keys[:_KEYS]):
        places.add(bisect_right(begins, key))
        if len(places) > _SHARDS:
            return keys[:n]
    return keys[:_KEYS]


def hreflang_warnings(issues: Iterable[HreflangIssue]) -> tuple[SiteWarning, ...]:
    """The warnings of pages whose word on their versions in other languages was not taken as it is."""
    found: dict[str, list[Example]] = {}
    for doubt in issues:
        found.setdefault(doubt.code, []).append(Example(printable(doubt.loc), printable(doubt.detail)))
    return tuple(SiteWarning(code, MESSAGES[code], len(each), tuple(each[:_EXAMPLES])) for code, each in found.items())


def unreadable_warning(failed: Mapping[str, str]) -> tuple[SiteWarning, ...]:
    """The warning of objects that could not be read."""
    if not failed:
        return ()
    examples = tuple(Example(printable(key), why) for key, why in list(failed.items())[:_EXAMPLES])
    return (SiteWarning("unreadable", MESSAGES["unreadable"], len(failed), examples),)
