"""Keeps what a ledger changes until subscribers are notified of it, each at least once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from waypost.announce import Notification, PublishResult, Subscriber, notify, result_file
from waypost.core.clock import Clock
from waypost.core.errors import AnnounceError
from waypost.core.gzip import compress, decompress_if_gzip
from waypost.core.model import Changes, SiteWarning
from waypost.ledger import outbox as outboxes
from waypost.ledger.manifest import Manifest, OutboxFile
from waypost.ledger.store import Ledger, LedgerVersion

Files = dict[str, bytes]
_LONGEST_PAUSE = 900.0
"""Seconds between two attempts that fail: at first as many as the subscriber asks for, then half of its waiting."""
_NO_FILES: Mapping[str, bytes] = {}


class Announced(NamedTuple):
    """The manifest after subscribers were notified, what failed, and in how many seconds that may be tried again."""

    version: LedgerVersion
    warnings: tuple[SiteWarning, ...] = ()
    retry_after: float | None = None


class Outbox:
    """The outbox of one ledger, which is stored at `state_uri`; without subscribers it does nothing.

    `base_url` is the site's root. `can_publish` says whether a manifest is to be published, and was made with the
    settings of this process; by another one it notifies nobody.
    """

    def __init__(
        self,
        ledger: Ledger,
        base_url: str,
        state_uri: str,
        clock: Clock,
        subscribers: Sequence[Subscriber],
        can_publish: Callable[[Manifest], bool],
    ) -> None:
        self._ledger, self._base_url, self._state_uri = ledger, base_url, state_uri
        self._clock, self._subscribers, self._can_publish = clock, subscribers, can_publish

    @property
    def wants_urls(self) -> bool:
        """Whether a subscriber is to be notified of URLs."""
        return any(each.wants_urls for each in self._subscribers)

    def with_urls(self, manifest: Manifest, changes: Changes) -> tuple[Manifest, Mapping[str, bytes]]:
        """The manifest with changes of URLs that it lists, and their file; nothing is published under it before."""
        waiting = tuple(each.name for each in self._subscribers if each.wants_urls)
        if not waiting or changes == Changes():
            return manifest, _NO_FILES
        return self._with(manifest, waiting, PublishResult(self._ledger.new_id(), self._base_url, changes=changes))

    def with_files(
        self, manifest: Manifest, written: Iterable[str] = (), removed: Iterable[str] = ()
    ) -> tuple[Manifest, Mapping[str, bytes]]:
        """The manifest after files were published or removed, and the file that names these."""
        waiting = tuple(each.name for each in self._subscribers if each.wants_files)
        files = tuple(sorted(written)), tuple(sorted(removed))
        if not waiting or not any(files):
            return manifest, _NO_FILES
        return self._with(manifest, waiting, PublishResult(self._ledger.new_id(), self._base_url, *files))

    def _with(self, manifest: Manifest, waiting: tuple[str, ...], result: PublishResult) -> tuple[Manifest, Files]:
        name = f"{outboxes.FOLDER}{result.id}.json.gz"
        after = outboxes.with_outbox_file(manifest, name, waiting, self._clock.time())
        return after, {name: compress(result_file.dump(result))}

    def has_work(self, manifest: Manifest, owner: str) -> bool:
        """Whether subscribers wait to be notified, no other run does that, and this owner has nothing claimed yet."""
        now = self._clock.time()
        is_claimable = self._may_claim(manifest) and outboxes.is_claimable(manifest, now)
        return is_claimable and not outboxes.claimed_by(manifest, owner, now)

    def _may_claim(self, manifest: Manifest) -> bool:
        return bool(self._subscribers) and self._can_publish(manifest)

    def claimed(self, manifest: Manifest, owner: str) -> Manifest:
        """The manifest with what subscribers must be notified of claimed by this owner, if all is published."""
        return outboxes.claimed(manifest, owner, self._clock.time()) if self._may_claim(manifest) else manifest

    def waiting(self, manifest: Manifest) -> Iterable[PublishResult]:
        """What subscribers wait to be notified of."""
        return _Results(self._ledger, self._state_uri, [each.name for each in manifest.outbox])

    def announce(
        self, version: LedgerVersion, owner: str, deadline_reached: Callable[[], bool] = lambda: False
    ) -> Announced:
        """Notify subscribers of what this owner has claimed, and record that; raises StoreError and LedgerError.

        What fails for good is not tried again. What may succeed later is tried again with the next publication, for a
        week. While there is time and nothing fails, the owner claims what else waits, without the publisher's lease.
        """
        done = self._announce_claimed(version, owner)
        while done.retry_after is None and self.has_work(done.version.manifest, owner) and not deadline_reached():
            version = self._claim(owner)
            if not outboxes.claimed_by(version.manifest, owner, self._clock.time()):
                return Announced(version, done.warnings)
            more = self._announce_claimed(version, owner)
            done = more._replace(warnings=tuple(dict.fromkeys((*done.warnings, *more.warnings))))
        return done

    def _claim(self, owner: str) -> LedgerVersion:
        def attempt() -> LedgerVersion:
            present = self._ledger.read()
            after = self.claimed(present.manifest, owner)
            return present if after is present.manifest else self._ledger.commit(present, after, {})

        return self._ledger.commit_with_retry(attempt)

    def _announce_claimed(self, version: LedgerVersion, owner: str) -> Announced:
        files = outboxes.claimed_by(version.manifest, owner, self._clock.time())
        if not files:
            return Announced(version)
        results = {each.name: self._results(files, each) for each in self._subscribers}
        notifications = [self._notify(each, results[each.name]) for each in self._subscribers]
        failed = {each.subscriber for each in notifications if each.retry_after is not None}
        notified = {each.name: self._notified(each, failed) for each in files}

        def attempt() -> LedgerVersion:
            present = self._ledger.read()
            after = outboxes.without_notified(present.manifest, notified, owner)
            return present if after == present.manifest else self._ledger.commit(present, after, {})

        retries = [each.retry_after for each in notifications if each.retry_after is not None]
        waited = self._clock.time() - min(each.since for each in files)
        lost = dict.fromkeys(chain.from_iterable(each.warnings for each in results.values()))
        warnings = (*lost, *(each.warning for each in notifications if each.warning))
        retry_after = max(*retries, min(waited / 2, _LONGEST_PAUSE)) if retries else None
        return Announced(self._ledger.commit_with_retry(attempt), warnings, retry_after)

    def _results(self, files: Sequence[OutboxFile], subscriber: Subscriber) -> "_Results":
        names = [each.name for each in files if subscriber.name in each.waiting]
        return _Results(self._ledger, self._state_uri, names)

    def _notify(self, subscriber: Subscriber, results: "_Results") -> Notification:
        return notify(subscriber, results) if results.names else Notification(subscriber.name)

    def _notified(self, file: OutboxFile, failed: set[str]) -> set[str]:
        """The subscribers that wait for a file no longer: all but those that failed, or all of them after a week."""
        is_old = self._clock.time() - file.since > outboxes.LONGEST_WAIT
        return {name for name in file.waiting if is_old or name not in failed}


class _Results:
    """The results in files of the outbox, each of which is read when it is wanted; `warnings` has those that are lost.

    `state_uri` is where the files are.
    """

    def __init__(self, ledger: Ledger, state_uri: str, names: Sequence[str]) -> None:
        self._ledger, self._state_uri, self.names = ledger, state_uri, names
        self.warnings: dict[SiteWarning, None] = {}

    def __iter__(self) -> Iterator[PublishResult]:
        for name in self.names:
            data = self._ledger.store.read(name)
            try:
                if data is None:
                    raise AnnounceError(f"{name} is lost")
                result = result_file.load(decompress_if_gzip(name, data), name)
            except AnnounceError as error:
                message = f"subscribers were not notified of some changes: {error}"
                self.warnings[SiteWarning("not-announced", message)] = None
            else:
                yield replace(result, address=self._state_uri + name)
