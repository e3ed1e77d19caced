"""Who may write below the site, until when, and how long others wait for that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from fake_stores import MemoryStore, RequestGate, VirtualClock
from msgspec.structs import replace

from waypost.core.errors import ConflictError, OtherRunError
from waypost.ledger.ledger_state import PublisherLease
from waypost.ledger.manifest import Manifest, PendingFile
from waypost.ledger.store import Ledger
from waypost.sync.publisher_lease import LeaseExpiredError, PublisherLeaseHolder, Timing, has_pending

TIMING = Timing(lease=90, margin=30, patience=10)
PENDING = (PendingFile("sitemap.xml", 1),)


@dataclass
class ScheduledClock(VirtualClock):
    """A clock at whose times something happens while a process sleeps; `pauses` has how long each sleep was."""

    events: list[tuple[float, Callable[[], object]]] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        super().sleep(seconds)
        while self.events and self.events[0][0] <= self.time():
            self.events.pop(0)[1]()


class Processes:
    """A ledger with pending files, and the leases of processes over it."""

    def __init__(self) -> None:
        self.clock = ScheduledClock(0)
        self.gate = RequestGate()
        self.store = MemoryStore(self.gate, "state", clock=self.clock)
        self.ledger = Ledger(self.store, "s3://site/")
        manifest = Manifest("ledger", "s3://site/", "settings", pending=PENDING)
        self.ledger.commit(self.ledger.read(), manifest, {})

    def lease(self, owner: str, **values: Any) -> PublisherLeaseHolder:
        return PublisherLeaseHolder(self.ledger, self.clock, TIMING._replace(**values), PublisherLease(owner))

    def replace_manifest(self, **values: Any) -> None:
        version = self.ledger.read()
        self.ledger.commit(version, replace(version.manifest, **values), {})


def held_by(owner: str, expires: float) -> Manifest:
    return Manifest(publisher=PublisherLease(owner, expires))


@pytest.mark.parametrize(
    ("publisher", "is_held", "is_free"),
    [
        (None, False, True),
        (PublisherLease("me", 50), True, True),
        (PublisherLease("me", 5), True, True),
        (PublisherLease("other", 50), False, False),
        (PublisherLease("other", 10), False, True),
    ],
    ids=["nobody", "this process", "this process, too long ago", "another process", "another process, too long ago"],
)
def test_a_lease_is_free_if_nobody_else_has_it_or_it_has_ended(
    publisher: PublisherLease | None, *, is_held: bool, is_free: bool
) -> None:
    processes = Processes()
    processes.clock.seconds = 10
    lease = processes.lease("me")
    manifest = Manifest(publisher=publisher)
    assert (lease.is_held(manifest), lease.is_free(manifest)) == (is_held, is_free)
    assert (lease.with_lease(manifest).publisher == PublisherLease("me", 100)) is is_free


def test_a_lease_is_taken_by_a_replacement_of_the_manifest_for_its_whole_time() -> None:
    processes = Processes()
    processes.clock.seconds = 7
    lease = processes.lease("me")
    version = lease.take(processes.ledger.read())
    assert version == processes.ledger.read()
    assert version.manifest.publisher == PublisherLease("me", 97)
    assert (lease.expires, version.manifest.pending) == (97, PENDING)


def test_of_two_processes_that_take_the_lease_at_once_only_one_has_it() -> None:
    processes = Processes()
    version = processes.ledger.read()
    processes.lease("other").take(version)
    mine = processes.lease("me")
    with pytest.raises(ConflictError):
        mine.take(version)
    assert not mine.is_held(processes.ledger.read().manifest)
    with pytest.raises(LeaseExpiredError):
        mine.require()


def test_no_write_begins_within_the_margin_before_the_end_of_the_lease() -> None:
    processes = Processes()
    lease = processes.lease("me")
    lease.take(processes.ledger.read())
    processes.clock.seconds = 59.9
    lease.require()
    assert lease.has_time()
    processes.clock.seconds = 60
    assert not lease.has_time()
    with pytest.raises(LeaseExpiredError):
        lease.require()


def test_a_process_that_was_never_publisher_may_write_nothing() -> None:
    with pytest.raises(LeaseExpiredError):
        Processes().lease("me").require()


def test_a_process_goes_by_the_lease_that_the_manifest_gives_it() -> None:
    lease = Processes().lease("me")
    lease.note_expiry(held_by("me", 70))
    assert lease.expires == 70
    lease.note_expiry(held_by("other", 70))
    assert lease.expires == 0


def test_a_lease_is_renewed_once_half_of_it_is_over() -> None:
    processes = Processes()
    lease = processes.lease("me")
    lease.take(processes.ledger.read())
    processes.clock.seconds = 44.9
    assert not lease.is_renewal_due()
    processes.clock.seconds = 45
    assert lease.is_renewal_due()
    lease.take(processes.ledger.read())
    assert (lease.expires, lease.is_renewal_due()) == (135, False)


def test_the_margin_is_waited_out_after_a_write_without_an_answer() -> None:
    processes = Processes()
    processes.lease("me").wait_out_margin()
    assert processes.clock.time() == 30


def wait(processes: Processes, generation: int = 1) -> Manifest:
    return processes.lease("me").wait(processes.ledger.read(), generation).manifest


def test_a_process_does_not_wait_if_the_lease_is_free_or_nothing_of_its_own_is_pending() -> None:
    processes = Processes()
    wait(processes)
    processes.lease("other").take(processes.ledger.read())
    wait(processes, 0)
    assert processes.clock.pauses == []


def test_a_process_does_not_wait_for_a_distributed_rebuild() -> None:
    processes = Processes()
    processes.lease("other").take(processes.ledger.read())

    def become_a_run() -> None:
        lease = processes.ledger.read().manifest.publisher
        assert lease
        processes.replace_manifest(publisher=replace(lease, is_run=True))

    processes.clock.events = [(3, become_a_run)]
    found = wait(processes)
    assert found.publisher is not None
    assert found.publisher.is_run
    assert processes.clock.time() < 5


def test_a_process_waits_until_the_lease_was_given_back() -> None:
    processes = Processes()
    processes.lease("other").take(processes.ledger.read())
    processes.clock.events = [(3, lambda: processes.replace_manifest(publisher=None))]
    assert wait(processes).publisher is None
    assert 3 <= processes.clock.time() < 5


def test_a_process_waits_until_its_files_are_published_whatever_else_became_pending_since() -> None:
    processes = Processes()
    processes.lease("other").take(processes.ledger.read())
    later = (PendingFile("sitemap.xml", 2),)
    processes.clock.events = [(1, lambda: processes.replace_manifest(pending=later))]
    found = wait(processes)
    assert found.publisher is not None
    assert found.publisher.owner == "other"
    assert processes.clock.time() < 3


def test_a_process_waits_until_the_lease_of_one_that_died_has_ended() -> None:
    processes = Processes()
    processes.lease("other", lease=4).take(processes.ledger.read())
    found = wait(processes)
    assert processes.lease("me").is_free(found)
    assert 4 <= processes.clock.time() < 8


def test_a_process_gives_up_after_its_patience_and_says_when_the_lease_ends() -> None:
    processes = Processes()
    processes.lease("other").take(processes.ledger.read())
    with pytest.raises(OtherRunError, match=r"another run publishes now; run this again in \d+ seconds") as raised:
        wait(processes)
    waited = processes.clock.time()
    assert 10 <= waited < 15
    assert raised.value.retry_after is not None
    assert raised.value.retry_after - 1 < 90 - waited <= raised.value.retry_after


def test_a_process_that_waits_only_asks_for_headers_in_growing_pauses() -> None:
    processes = Processes()
    processes.lease("other").take(processes.ledger.read())
    version = processes.ledger.read()
    processes.gate.requests.clear()
    with pytest.raises(OtherRunError):
        processes.lease("me", patience=20).wait(version, 1)
    assert set(processes.gate.requests) == {"HEAD state/manifest.json"}
    assert processes.clock.pauses[:6] == [0.25, 0.5, 1, 2, 4, 4]


@pytest.mark.parametrize(("generation", "expected"), [(0, False), (1, True), (2, True)])
def test_files_are_pending_for_a_process_if_they_became_so_in_its_generation_or_before(
    generation: int, *, expected: bool
) -> None:
    assert has_pending(Manifest(pending=(*PENDING, PendingFile("a.xml", 9))), generation) is expected
    assert not has_pending(Manifest(), generation)
