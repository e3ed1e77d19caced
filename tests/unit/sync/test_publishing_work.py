"""What a run knows of published files from its own commits, without asking for them."""

from __future__ import annotations

from typing import Any

from fake_stores import MemoryStore, RequestGate, VirtualClock
from msgspec.structs import replace

from waypost.core.model import Document
from waypost.ledger.ledger_state import BuilderLease, PublisherLease
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry, UnreferencedFile
from waypost.ledger.manifest_update import ManifestUpdate
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.sync.published_files import NO_FILE, PresentFile
from waypost.sync.publisher_lease import PublisherLeaseHolder, Timing
from waypost.sync.publishing_work import PublishingWork

ROLE = PublisherLease("me", 90)
A, B = PublishedFile("a.xml", "a1", etag='"a"'), PublishedFile("b.xml", "b1", etag='"b"')
INDEX = PublishedFile("sitemap.xml", "i1", etag='"i"')
BEFORE = Manifest(
    config_digest="settings",
    entries=(ShardEntry("", "a", "", 2, "shards/a", (A,)), ShardEntry("", "b", "k.html", 2, "shards/b", (B,))),
    indexes=(INDEX,),
)


def work() -> PublishingWork:
    ledger = Ledger(MemoryStore(RequestGate(), "state"), "s3://site/")
    return PublishingWork(PublisherLeaseHolder(ledger, VirtualClock(0), Timing(), ROLE))


def known(run: PublishingWork) -> dict[str, PresentFile]:
    """What a run knows by its last commit."""
    assert run.version
    return run.known_by(run.version.manifest)


def no_update(**documents: Document) -> ManifestUpdate:
    """An update with these documents, of which nothing else is looked at."""
    return ManifestUpdate(Manifest(), documents=documents)


def after(
    *pending: str, before: Manifest = BEFORE, lease: PublisherLease | None = ROLE, **values: Any
) -> LedgerVersion:
    """The version that makes these files pending, in addition to those that were."""
    generation = before.generation + 1
    added = (PendingFile(name, generation) for name in pending)
    kept = (each for each in before.pending if each.name not in pending)
    manifest = replace(before, pending=(*kept, *added), publisher=lease, generation=generation, **values)
    return LedgerVersion(manifest, '"manifest"')


def test_a_file_that_becomes_pending_is_published_as_the_manifest_before_says() -> None:
    run = work()
    run.note_commit(BEFORE, after("a.xml", "sitemap.xml", "new.xml"), no_update())
    assert known(run) == {
        "a.xml": PresentFile('"a"', "a1", "k.html", is_sitemap=True),
        "sitemap.xml": PresentFile('"i"', "i1", ""),
        "new.xml": NO_FILE,
    }


def test_the_last_version_and_the_documents_of_all_commits_are_kept() -> None:
    run = work()
    first, second = (Document("a.xml", "sitemap", body, "https://example.org/a.xml", 1) for body in (b"1", b"2"))
    run.note_commit(BEFORE, after("a.xml"), no_update(**{"a.xml": first, "b.xml": first}))
    version = after("a.xml", before=after("a.xml").manifest)
    run.note_commit(after("a.xml").manifest, version, no_update(**{"a.xml": second}))
    assert (run.version, run.documents) == (version, {"a.xml": second, "b.xml": first})


def test_nothing_is_known_of_a_file_that_was_pending_or_unreferenced_before_or_whose_etag_is_not_known() -> None:
    before = replace(
        BEFORE,
        entries=(replace(BEFORE.entries[0], files=(replace(A, etag=""),)), BEFORE.entries[1]),
        pending=(PendingFile("b.xml", 0),),
        unreferenced=(UnreferencedFile("c.xml", 1),),
    )
    run = work()
    returned = (replace(BEFORE.entries[0], files=(A, PublishedFile("c.xml", "c2"))), BEFORE.entries[1])
    version = after("a.xml", "b.xml", "c.xml", "sitemap.xml", before=before, entries=returned)
    run.note_commit(before, version, no_update())
    assert known(run).keys() == {"sitemap.xml"}


def test_a_file_that_no_index_has_named_is_known_by_its_etag_unless_it_may_be_right_as_it_is() -> None:
    present = PresentFile('"c"', "c0", is_unreferenced=True)
    for unreferenced, expected in [
        (UnreferencedFile("a.xml", 1, "c0", '"c"'), {"a.xml": present}),
        (UnreferencedFile("a.xml", 1, "a2", '"c"'), {}),
        (UnreferencedFile("a.xml", 0, "c0", '"c"'), {}),
    ]:
        before = replace(BEFORE, entries=BEFORE.entries[1:], unreferenced=(unreferenced,))
        shard = replace(BEFORE.entries[0], files=(replace(A, digest="a2"),))
        run = work()
        run.note_commit(before, after("a.xml", before=before, entries=(shard, *before.entries)), no_update())
        assert known(run) == expected


def test_nothing_is_known_after_a_build() -> None:
    before = replace(BEFORE, builder=BuilderLease("me", 90, position=""))
    run = work()
    run.note_commit(before, after("a.xml", before=before, builder=None), no_update())
    assert known(run) == {}


def test_nothing_is_known_while_another_process_may_write() -> None:
    run = work()
    run.note_commit(BEFORE, after("a.xml", lease=PublisherLease("other", 90)), no_update())
    assert known(run) == {}


def test_what_was_known_before_the_lease_was_lost_is_forgotten() -> None:
    run = work()
    first = after("a.xml")
    run.note_commit(BEFORE, first, no_update())
    run.note_commit(
        first.manifest, after("b.xml", before=first.manifest, lease=PublisherLease("other", 90)), no_update()
    )
    assert known(run) == {}
    given_back = replace(after("b.xml", before=first.manifest).manifest, publisher=None)
    run.note_commit(given_back, after("sitemap.xml", before=given_back), no_update())
    assert known(run).keys() == {"sitemap.xml"}


def test_several_commits_in_one_lease_know_what_was_published_before_the_first_of_them() -> None:
    run = work()
    first = after("a.xml", entries=(replace(BEFORE.entries[0], files=(replace(A, digest="a2"),)), BEFORE.entries[1]))
    run.note_commit(BEFORE, first, no_update())
    run.note_commit(first.manifest, after("a.xml", "b.xml", before=first.manifest), no_update())
    assert known(run) == {
        "a.xml": PresentFile('"a"', "a1", "k.html", is_sitemap=True),
        "b.xml": PresentFile('"b"', "b1", "", is_sitemap=True),
    }


def test_the_kind_of_file_that_is_published_is_known_whatever_commits_make_of_it() -> None:
    run = work()
    first = after("a.xml", "sitemap.xml", entries=BEFORE.entries[1:], indexes=(A,))
    run.note_commit(BEFORE, first, no_update())
    run.note_commit(first.manifest, after("a.xml", "sitemap.xml", before=first.manifest), no_update())
    assert {name: each.is_sitemap for name, each in known(run).items()} == {"a.xml": True, "sitemap.xml": False}


def test_a_returning_file_is_asked_for_if_a_later_commit_makes_it_as_it_was() -> None:
    before = replace(BEFORE, entries=BEFORE.entries[1:], unreferenced=(UnreferencedFile("a.xml", 1, "a1", '"c"'),))
    shards = [replace(BEFORE.entries[0], files=(replace(A, digest=digest),)) for digest in ("a2", "a1")]
    run = work()
    first = after("a.xml", before=before, entries=(shards[0], *before.entries))
    run.note_commit(before, first, no_update())
    assert known(run).keys() == {"a.xml"}
    second = after("a.xml", before=first.manifest, entries=(shards[1], *before.entries))
    run.note_commit(first.manifest, second, no_update())
    assert known(run) == {}


def test_nothing_is_known_of_files_between_which_urls_of_duplicates_moved() -> None:
    run = work()
    first = after("b.xml", "sitemap.xml")
    run.note_commit(BEFORE, first, no_update())
    moved = replace(no_update(), files_of_moved_urls=frozenset(["a.xml", "b.xml"]))
    run.note_commit(first.manifest, after("a.xml", "b.xml", before=first.manifest), moved)
    assert known(run).keys() == {"sitemap.xml"}


def test_what_another_process_made_pending_since_the_last_commit_is_not_known() -> None:
    run = work()
    version = after("a.xml", "b.xml")
    run.note_commit(BEFORE, version, no_update())
    repaired = after("a.xml", before=version.manifest).manifest
    assert run.known_by(repaired).keys() == {"b.xml"}
