"""The outbox of a ledger; tests/integration/test_notifications.py has what it promises together with publishing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_stores import MemoryStore, RequestGate, VirtualClock
from subscribers import Recorder

from waypost.announce import result_file
from waypost.core.gzip import decompress_if_gzip
from waypost.core.model import Changes
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.sync.outbox import Outbox

if TYPE_CHECKING:
    from waypost.announce.base import Subscriber

BASE = "https://example.org/"
CHANGES = Changes(added=(f"{BASE}a.html",))


def outbox(*subscribers: Subscriber) -> Outbox:
    ledger = Ledger(MemoryStore(RequestGate(), "state"), "s3://site/", new_id=lambda: "0123")
    return Outbox(ledger, BASE, "s3://state/", VirtualClock(0), subscribers)


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
    assert not none.has_work(waiting)
    assert none.claimed(waiting, "me") == waiting
    assert none.announce(LedgerVersion(waiting, None), "me").version.manifest == waiting
