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
from waypost.core import concurrency
from waypost.core.diff import tally
from waypost.core.errors import BusyError, ConflictError, LedgerError, SourceError, StaleError
from waypost.core.hashing import digest_of
from waypost.core.model import Example, Item, Reason, Warned, printable
from waypost.core.urls import origin_of
from waypost.core.warnings import MESSAGES
from waypost.ledger.manifest import Manifest, Unsettled
from waypost.ledger.manifest_update import ROBOTS, Past, Revising, Revision
from waypost.ledger.record_cache import Recollection
from waypost.ledger.store import NEVER, TRIES, Ledger, Version
from waypost.rules import page_facts, page_url, robots
from waypost.rules.decision import verdict
from waypost.rules.hreflang import Doubt
from waypost.rules.page_facts import Observed
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer
from waypost.sources.base import ObjectSource
from waypost.stores.base import SwapStore
from waypost.sync.publisher import Publication
from waypost.sync.result import Outcome

_KEYS, _SHARDS = 25_000, 16
"""The most keys, and shards that they lie in, that are looked at and committed together."""
_EXAMPLES = 3
Clock = Callable[[], str]
"""The present as a W3C datetime in UTC."""
Seen = Mapping[str, Observed | None]
"""What objects are now; None for one that is gone."""


class Upkeep:
    """One site's bucket, ledger and published files.

    `is_elsewhere` says that the outputs stand in another place than the site, whose robots.txt they then follow.
    """

    def __init__(
        self,
        source: ObjectSource,
        site: Site,
        ledger: Ledger,
        outputs: SwapStore,
        renderer: Renderer,
        clock: Clock,
        *,
        is_elsewhere: bool = False,
    ) -> None:
        self.source, self.site, self.ledger, self.clock = source, site, ledger, clock
        self._outputs, self._renderer, self._is_elsewhere = outputs, renderer, is_elsewhere
        self._selection = Selection(site)
        self.configuration = f"{site.digest}-{renderer.digest}"

    def update(
        self, keys: Collection[str], is_over: Callable[[], bool] = lambda: False, *, is_thorough: bool = False
    ) -> Outcome:
        """Bring the ledger and the sitemaps up to what has become of these keys; an output's own key has it put right.

        What the time does not suffice for is among the failed. Raises StaleError where the settings, or what
        robots.txt rules, are not those of the ledger; LedgerError, SourceError, StoreError and RenderError;
        ConflictError where other writers never cease.
        """
        if ROBOTS in keys and self.robots() != self.ledger.current().manifest.robots:
            raise StaleError("robots.txt rules otherwise than when the ledger was built; a rebuild brings it up to it")
        reasons = {key: self.reason(key) for key in keys}
        outputs = {key for key, reason in reasons.items() if reason == Reason.OUTPUT}
        done = self._restored(outputs) if outputs else Outcome()
        done += Outcome(passed_over=Counter(str(reason) for reason in reasons.values() if reason))
        ours = sorted(key for key, reason in reasons.items() if reason is None)
        while ours:
            if is_over():
                return done + Outcome(failed=dict.fromkeys(ours, "the time was over before it was looked at"))
            some = portion(ours, self.ledger.current().manifest if len(ours) > _SHARDS else Manifest())
            done, ours = done + self._updated(some, is_thorough=is_thorough), ours[len(some) :]
        return done

    def _restored(self, names: Collection[str]) -> Outcome:
        """Put outputs right that somebody else may have replaced or removed."""
        version = self._announced(names)
        settled = self.publication(version.manifest).settle(version, names, {})
        return Outcome(0, 0, 0, settled.written, settled.removed, settled.conflicts, manifest=version.manifest)

    def _announced(self, names: Collection[str]) -> Version:
        """The manifest, replaced where another still publishes it, and what stands over the sitemaps is concerned.

        Whoever does that looks at it again.
        """
        for _ in range(TRIES):
            version = self.ledger.current()
            self._check(version.manifest)
            manifest = version.manifest
            if not (manifest.is_unpublished and {ROBOTS, *manifest.over}.intersection(names)):
                return version
            with suppress(ConflictError):
                after = replace(version.manifest, generation=version.manifest.generation + 1)
                return self.ledger.commit(version, after, {})
        raise ConflictError(NEVER)

    def _updated(self, keys: Collection[str], *, is_thorough: bool) -> Outcome:
        done = Outcome()
        for _ in range(TRIES):
            version = self.ledger.current()
            self._check(version.manifest)
            if version.manifest.run and version.manifest.position is not None:
                if self._is_noted(version, keys):
                    return replace(done, manifest=version.manifest)
                continue
            seen, failed = self.look(Item(key, key) for key in keys)
            done += Outcome(looked=len(keys), failed=failed, warned=self.warned(seen))
            try:
                revision, version = self._committed(version, seen, is_thorough=is_thorough)
            except ConflictError:
                done += Outcome(conflicts=1)
                continue
            done += Outcome(warned=doubted(revision.doubts), changes=tally(revision.changes))
            settled = self.publication(version.manifest).settle(version, revision.concerned, revision.documents)
            done += Outcome(0, 0, len(revision.edited), settled.written, settled.removed, settled.conflicts)
            unknown = tuple(key for key, observed in seen.items() if observed is None and key not in revision.edited)
            done = replace(done, manifest=version.manifest, unknown=(*done.unknown, *unknown))
            keys = self._moved(revision.edited)
            if not keys:
                return done
        raise ConflictError(NEVER)

    def _check(self, manifest: Manifest) -> None:
        if not manifest.configuration:
            raise StaleError("there is no ledger yet; `waypost build`, or the action rebuild, makes it")
        if not self.is_ready(manifest, manifest.robots):
            raise StaleError("the ledger was built with other settings; a rebuild brings it up to these")

    def _committed(self, version: Version, seen: Seen, *, is_thorough: bool) -> tuple[Revision, Version]:
        """Revise the manifest and replace it, where anything changed.

        During a build it is replaced all the same: that tells the build of what may have been seen after its own
        view of the same keys.
        """
        before = version.manifest
        load = self.ledger.salvaged_records if is_thorough else self.ledger.records
        revision = self.revising(before).revision(
            before, seen, load, self.past(before), before.position, is_thorough=is_thorough
        )
        after, touched = _noting(revision.manifest, seen)
        if after is before and before.position is None:
            return revision, version
        after = after if after is not before else replace(before, generation=before.generation + 1)
        after = replace(after, unsettled=self._unsettled(before, after))
        return revision, self.ledger.commit(version, after, {**revision.records, **touched})

    def _unsettled(self, before: Manifest, after: Manifest) -> tuple[Unsettled, ...]:
        """What is still to be seen to: but for files that an earlier writer changed, and that are right by now."""
        left = {each.name for each in before.unsettled if not each.until}
        if not left:
            return after.unsettled
        wrong = self.publication(before).drifted(before, left)
        old, new = before.files, after.files
        right = {name for name in left - wrong.keys() if old.get(name) == new.get(name)}
        return tuple(each for each in after.unsettled if each.until or each.name not in right)

    def leave(self, keys: Collection[str]) -> bool:
        """Leave keys to the distributed build under way, whatever its settings are; False where none would look."""
        for _ in range(TRIES):
            version = self.ledger.current()
            run = version.manifest.run
            if run is None or run.is_publishing:
                return False
            if self._is_noted(version, keys):
                return True
        raise ConflictError(NEVER)

    def _is_noted(self, version: Version, keys: Collection[str]) -> bool:
        """Leave keys to a distributed build that makes the ledger anew, unless another writer was first."""
        after, touched = _noting(version.manifest, keys)
        try:
            self.ledger.commit(version, replace(after, generation=version.manifest.generation + 1), touched)
        except ConflictError:
            return False
        return True

    def _moved(self, edited: Mapping[str, str | None]) -> list[str]:
        """The keys whose objects are others again than those that were just committed.

        Without this a slow writer could commit what a quicker one has meanwhile seen replaced by what was there
        before, and found to be nothing new.
        """
        now = self.source.etags(edited)
        return [key for key, etag in edited.items() if now[key] != etag]

    def look(
        self, items: Iterable[Item], *, insists: bool = False
    ) -> tuple[dict[str, Observed | None], dict[str, str]]:
        """What these objects are now, and why others cannot be looked at.

        Where it `insists`, a source that is too busy to answer raises BusyError: that says nothing of its objects.
        """

        def read(item: Item) -> Observed | OSError | None:
            try:
                return page_facts.read(self.source, self.site, item)
            except FileNotFoundError:
                return None
            except TimeoutError as error:
                if insists:
                    raise BusyError(f"{item.key} cannot be read now: {error.strerror}") from error
                return error
            except OSError as error:
                return error

        wanted = list(items)
        answers = concurrency.each(read, wanted, self.source.width)
        found = {item.key: each for item, each in zip(wanted, answers, strict=True)}
        seen = {key: each for key, each in found.items() if not isinstance(each, OSError)}
        return seen, {k: each.strerror or str(each) for k, each in found.items() if isinstance(each, OSError)}

    def noted(self, name: str) -> list[str]:
        """The keys in a file of those that were touched; raises LedgerError where it is missing or damaged."""
        try:
            return msgspec.json.decode(self.ledger.store.read(name) or b"", type=list[str])
        except msgspec.MsgspecError as error:
            raise LedgerError(f"{name} is missing or damaged ({error}); a rebuild makes do without it") from None

    def warned(self, seen: Seen) -> tuple[Warned, ...]:
        """What there is to say of objects that were read."""
        found: dict[str, list[Example]] = {}
        now = self.clock()
        for key, observed in seen.items():
            loc = page_url.loc(key, self.site)
            if observed is not None and isinstance(loc, str):
                for code, example in verdict(key, loc, observed.said, self.site, now).warned:
                    found.setdefault(code, []).append(example)
        return tuple(Warned(code, MESSAGES[code], len(each), tuple(each[:_EXAMPLES])) for code, each in found.items())

    def reason(self, key: str) -> Reason | None:
        """Why a key alone makes its object no page, or None where it may be one."""
        reason = self._selection.reason(key)
        if reason:
            return reason
        loc = page_url.loc(key, self.site)
        return loc if isinstance(loc, Reason) else None

    def group(self, key: str) -> str:
        """The group whose sitemaps would list a key."""
        return self._selection.group(key)

    def robots(self) -> str:
        """The rules of robots.txt that hold: crawlers read it at the host's root alone (RFC 9309, 2.3)."""
        if not self.site.respect_robots or self.site.base_url != origin_of(self.site.base_url) + "/":
            return ""
        return robots.rules(self.robots_txt() or b"")

    def robots_txt(self) -> bytes | None:
        """The site's own robots.txt; raises SourceError."""
        try:
            return self.source.find(ROBOTS)
        except OSError as error:
            kind = BusyError if isinstance(error, TimeoutError) else SourceError
            raise kind(f"{self.ledger.place}{ROBOTS} cannot be read: {error.strerror}") from error

    def is_ready(self, manifest: Manifest, rules: str) -> bool:
        """Whether a manifest was made with the present settings and these rules."""
        made_with = (manifest.configuration, manifest.reading, manifest.robots)
        return made_with == (self.configuration, page_facts.facts(self.site), rules)

    def empty(self, before: Manifest, rules: str) -> Manifest:
        """A manifest of the present settings and these rules, in which nothing is yet, to follow another."""
        return Manifest(
            self.ledger.place,
            self.configuration,
            page_facts.facts(self.site),
            rules,
            before.generation + 1,
            position="",
            unsettled=before.unsettled,
            is_unpublished=before.is_unpublished,
        )

    def past(self, manifest: Manifest) -> Past | None:
        """What a build remembers; None where nothing was known before, or no build is under way."""
        if manifest.position is None or not manifest.previous:
            return None
        previous = self.ledger.previous(manifest.previous)
        if not previous.built:
            return None
        return Past(previous.files, Recollection(previous, self.ledger.salvaged_records).record, previous.reading)

    def revising(self, manifest: Manifest) -> Revising:
        """The rules for a manifest's next revision."""
        is_disallowed = robots.disallows(manifest.robots.encode()) if manifest.robots else lambda loc: False
        return Revising(self.site, self._renderer, self.clock(), is_disallowed)

    def publication(self, manifest: Manifest, *, is_last: bool = False) -> Publication:
        """What makes the published files right; the last step of a distributed build says that it is that."""
        robots_txt = self.robots_txt if self._is_elsewhere else None
        rendition = self.revising(manifest).rendition
        return Publication(
            self.ledger, self._outputs, self.site, self._renderer, rendition, robots_txt, is_last=is_last
        )


def _noting(manifest: Manifest, keys: Iterable[str]) -> tuple[Manifest, dict[str, bytes]]:
    """A manifest that tells a distributed build of keys to look at again, and the file that names them."""
    run = manifest.run
    if run is None or run.is_publishing:
        return manifest, {}
    data = msgspec.json.encode(sorted(keys))
    name = f"{run.stem}touched-{len(run.touched):07}-{digest_of(data)}"
    return replace(manifest, run=replace(run, touched=(*run.touched, name))), {name: data}


def portion(keys: Sequence[str], manifest: Manifest) -> Sequence[str]:
    """The first of some sorted keys: so many that what is remembered beside them fits in memory."""
    begins = sorted({entry.begins for entry in manifest.entries})
    places: set[int] = set()
    for n, key in enumerate(keys[:_KEYS]):
        places.add(bisect_right(begins, key))
        if len(places) > _SHARDS:
            return keys[:n]
    return keys[:_KEYS]


def doubted(doubts: Iterable[Doubt]) -> tuple[Warned, ...]:
    """The warnings of pages whose word on their versions in other languages was not taken as it is."""
    found: dict[str, list[Example]] = {}
    for doubt in doubts:
        found.setdefault(doubt.code, []).append(Example(printable(doubt.loc), printable(doubt.detail)))
    return tuple(Warned(code, MESSAGES[code], len(each), tuple(each[:_EXAMPLES])) for code, each in found.items())


def unreadable(failed: Mapping[str, str]) -> tuple[Warned, ...]:
    """The warning of objects that could not be read."""
    if not failed:
        return ()
    examples = tuple(Example(printable(key), why) for key, why in list(failed.items())[:_EXAMPLES])
    return (Warned("unreadable", MESSAGES["unreadable"], len(failed), examples),)
