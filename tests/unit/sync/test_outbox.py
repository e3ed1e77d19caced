"""The outbox of a ledger; tests/integration/test_notifications.py has what it promises together with publishing."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from fake_stores import MemoryStore, RequestGate, VirtualClock
from subscribers import Recorder

from waypost.announce import result_file
from waypost.core.gzip import decompress_if_gzip
from waypost.core.model import Changes
from waypost.ledger import outbox as outboxes
from waypost.ledger.manifest import Manifest
from waypost.ledger.outbox import MAX_CLAIMED
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.sync.outbox import Outbox

if TYPE_CHECKING:
    from waypost.announce.base import Subscriber

BASE = "https://example.org/"
CHANGES = Changes(added=(f"{BASE}a.html",))


def outbox(*subscribers: Subscriber) -> Outbox:
    ledger = Ledger(MemoryStore(RequestGate(), "state"), "s3://site/", new_id=lambda: "0123")
    return outbox_of(ledger, *subscribers)


def outbox_of(ledger: Ledger, *subscribers: Subscriber, can_publish: bool = True) -> Outbox:
    return Outbox(ledger, BASE, "s3://state/", VirtualClock(0), subscribers, lambda manifest: can_publish)


def test_changes_become_a_file_that_the_manifest_names() -> None:
    after, files = outbox(Recorder()).with_urls(Manifest(), CHANGES)
    assert [(each.name, each.waiting) for each in after.outbox] == [("outbox/0123.json.gz", ("recorder",))]
    ((name, content),) = files.items()
    found = result_file.load(decompress_if_gzip(name, content), name)
    assert (found.id, found.base_url, found.changes) == ("0123", BASE, CHANGES)


def test_published_files_are_sorted_in_their_file() -> None:
    _, files = outbox(Recorder()).with_files(Manifest(), ["b.xml", "a.xml"], ["c.xml"])
    ((name, content),) = files.items()
    found = result_file.load(decompress_if_gzip(name, content), name)
    assert (found.written, found.removed) == (("a.xml", "b.xml"), ("c.xml",))


def test_nothing_is_kept_for_nobody_or_of_no_change() -> None:
    manifest = Manifest()
    for found in (
        outbox().with_urls(manifest, CHANGES),
        outbox().with_files(manifest, ["a.xml"]),
        outbox(Recorder(urls=False)).with_urls(manifest, CHANGES),
        outbox(Recorder(files=False)).with_files(manifest, ["a.xml"]),
        outbox(Recorder()).with_urls(manifest, Changes()),
        outbox(Recorder()).with_files(manifest),
    ):
        assert found == (manifest, {})


def test_without_subscribers_nothing_is_claimed_or_read() -> None:
    waiting, _ = outbox(Recorder()).with_urls(Manifest(), CHANGES)
    none = outbox()
    assert not none.has_work(waiting, "me")
    assert none.claimed(waiting, "me") == waiting
    assert none.announce(LedgerVersion(waiting, None), "me").version.manifest == waiting


def test_nothing_is_claimed_by_a_manifest_that_is_not_to_be_published() -> None:
    recorder, ledger = Recorder(), ledger_with_ids()
    version = with_waiting(outbox_of(ledger, recorder), ledger, 1)
    found = outbox_of(ledger, recorder, can_publish=False)
    assert not found.has_work(version.manifest, "me")
    assert found.claimed(version.manifest, "me") == version.manifest
    assert (found.announce(version, "me").version, recorder.calls) == (version, 0)


def with_waiting(outbox: Outbox, ledger: Ledger, changes: int) -> LedgerVersion:
    """A ledger's manifest of which subscribers wait to be notified of so many changes."""
    version = ledger.read()
    for _ in range(changes):
        after, files = outbox.with_urls(version.manifest, CHANGES)
        version = ledger.commit(version, after, files)
    return version


def ledger_with_ids() -> Ledger:
    ids = (f"{number:04}" for number in count())
    return Ledger(MemoryStore(RequestGate(), "state"), "s3://site/", new_id=lambda: next(ids))


def test_a_run_notifies_of_any_number_of_changes_in_portions_and_nobody_waits_after_it() -> None:
    recorder, ledger = Recorder(), ledger_with_ids()
    found = outbox_of(ledger, recorder)
    version = with_waiting(found, ledger, 2 * MAX_CLAIMED + 1)
    claimed = ledger.commit(version, found.claimed(version.manifest, "me"), {})
    assert sum(bool(each.owner) for each in claimed.manifest.outbox) == MAX_CLAIMED
    found.announce(claimed, "me")
    assert ledger.read().manifest.outbox == ()
    assert (recorder.calls, len(recorder.results)) == (3, 2 * MAX_CLAIMED + 1)


def test_a_run_without_time_leaves_the_other_portions_to_a_later_one() -> None:
    ledger = ledger_with_ids()
    found = outbox_of(ledger, Recorder())
    version = with_waiting(found, ledger, 2 * MAX_CLAIMED)
    claimed = ledger.commit(version, found.claimed(version.manifest, "me"), {})
    found.announce(claimed, "me", lambda: True)
    left = ledger.read().manifest
    assert len(left.outbox) == MAX_CLAIMED
    assert found.has_work(left, "another")


def test_a_subscriber_that_is_down_holds_up_no_other() -> None:
    """The oldest files wait for it alone; the newest also for the others."""
    ledger = ledger_with_ids()
    found = outbox_of(ledger, Recorder(name="up"), Recorder(name="down"))
    version = with_waiting(found, ledger, 3 * MAX_CLAIMED)
    notified = {each.name: {"up"} for each in version.manifest.outbox[: 2 * MAX_CLAIMED]}
    manifest = outboxes.without_notified(version.manifest, notified, "me")
    claimed = [each.waiting for each in found.claimed(manifest, "me").outbox if each.owner]
    assert claimed == [("down",)] * MAX_CLAIMED + [("up", "down")] * MAX_CLAIMED
