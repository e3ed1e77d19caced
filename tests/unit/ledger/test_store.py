"""The ledger in its store: replaced by compare-and-swap, recovered after damage, and cleared of garbage."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fake_stores import MemoryStore, RequestGate, connection_lost

from waypost.core.errors import ConflictError, LedgerError, NewerVersionError, StoreError, WrongSiteError
from waypost.ledger import manifest as manifests
from waypost.ledger import records
from waypost.ledger.ledger_state import BuilderRole, PublisherRole
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.ledger.store import MANIFEST_NAME, MAX_ATTEMPTS, Ledger, LedgerVersion

SITE_URI = "s3://site/"
MANIFEST = Manifest(SITE_URI, "settings", generation=1, built_at="2026-01-01T00:00:00Z")
NEWER_MANIFEST = b'{"format": "waypost-ledger/manifest", "version": 2}'
NEXT_DAY = "1970-01-02T00:00:01Z"
"""More than a day after the time 0."""


class LedgerUnderTest(Ledger):
    """A ledger in memory that keeps what it warned of and how long it was asked to pause."""

    def __init__(self) -> None:
        self.memory = MemoryStore(RequestGate(), "state")
        self.warnings: list[str] = []
        self.pauses: list[int] = []
        super().__init__(self.memory, SITE_URI, self.warnings.append, self.pauses.append)

    def write_manifest(self, manifest: Manifest = MANIFEST) -> LedgerVersion:
        self.memory.write(MANIFEST_NAME, manifests.dump(manifest))
        return self.read()


def stored_shard(ledger: LedgerUnderTest, *keys: str) -> ShardEntry:
    data = records.dump([Record(key, "etag") for key in keys])
    name = records.records_name(None, data)
    ledger.memory.write(name, data)
    return ShardEntry("", None, "", len(keys), name)


def test_a_ledger_that_does_not_exist_is_empty_and_has_no_etag() -> None:
    assert LedgerUnderTest().read() == LedgerVersion(Manifest(), None)


def test_a_commit_can_be_read_and_names_only_files_that_exist() -> None:
    known = LedgerUnderTest()
    data = records.dump([Record("a.html", "etag")])
    entry = ShardEntry("", None, "", 1, records.records_name(None, data))
    after = Manifest(SITE_URI, "settings", generation=1, entries=(entry,))
    version = known.commit(known.read(), after, {entry.records_file: data})
    assert known.read() == version == LedgerVersion(after, version.etag)
    assert known.records(entry) == [Record("a.html", "etag")]
    changes = [request for request in known.memory.gate.requests if request.startswith("PUT")]
    assert changes[-1] == "PUT state/manifest.json done"


def test_a_commit_over_another_writer_s_manifest_is_a_conflict_and_changes_nothing() -> None:
    known = LedgerUnderTest()
    first = known.write_manifest()
    known.commit(first, Manifest(SITE_URI, generation=2), {})
    with pytest.raises(ConflictError):
        known.commit(first, Manifest(SITE_URI, generation=3), {})
    assert known.read().manifest.generation == 2


def test_two_first_commits_conflict() -> None:
    known = LedgerUnderTest()
    nothing = known.read()
    known.commit(nothing, MANIFEST, {})
    with pytest.raises(ConflictError):
        known.commit(nothing, MANIFEST, {})


def test_a_version_is_current_until_the_manifest_is_replaced() -> None:
    known = LedgerUnderTest()
    assert known.is_current(known.read())
    version = known.write_manifest()
    assert known.is_current(version)
    known.commit(version, Manifest(SITE_URI, generation=2), {})
    assert not known.is_current(version)


def test_files_of_records_that_the_manifest_names_already_are_not_written_again() -> None:
    known = LedgerUnderTest()
    entry = stored_shard(known, "a.html")
    version = known.write_manifest(Manifest(SITE_URI, generation=1, entries=(entry,)))
    known.memory.gate.requests.clear()
    known.commit(version, Manifest(SITE_URI, generation=2, entries=(entry,)), {entry.records_file: b"the same"})
    assert not any("shards/" in request for request in known.memory.gate.requests)


def test_a_damaged_file_of_records_is_written_again_although_the_manifest_names_it() -> None:
    known = LedgerUnderTest()
    entry = stored_shard(known, "a.html")
    data = known.memory.bodies()[entry.records_file]
    known.memory.write(entry.records_file, b"?")
    assert known.records_or_none(entry) == ()
    assert len(known.warnings) == 1
    known.write_records({entry.records_file: data}, [entry])
    assert known.records(entry) == [Record("a.html", "etag")]


def test_damaged_and_missing_records_are_errors_unless_the_caller_accepts_none() -> None:
    known = LedgerUnderTest()
    entry = ShardEntry("", None, "", 1, "shards/x")
    with pytest.raises(LedgerError, match="shards/x is missing"):
        known.records(entry)
    assert known.records_or_none(entry) == ()
    known.memory.write("shards/x", records.dump([])[:-1])
    with pytest.raises(LedgerError, match="shards/x is damaged"):
        known.records(entry)


def test_the_ledger_of_another_site_is_refused_and_left_unchanged() -> None:
    known = LedgerUnderTest()
    known.memory.write(MANIFEST_NAME, manifests.dump(Manifest("s3://other/")))
    before = known.memory.bodies()
    for read in (known.read, known.read_or_recover):
        with pytest.raises(WrongSiteError, match="ledger of s3://other/; s3://site/ needs one of its own"):
            read()
    assert known.memory.bodies() == before


def test_a_damaged_manifest_is_kept_under_another_name_and_can_then_be_replaced() -> None:
    known = LedgerUnderTest()
    known.memory.write(MANIFEST_NAME, b"?")
    with pytest.raises(LedgerError, match=r"manifest\.json is damaged"):
        known.read()
    version = known.read_or_recover()
    assert version.manifest == Manifest()
    (copy,) = (name for name in known.memory.files if name.startswith("damaged/"))
    assert known.memory.bodies()[copy] == b"?"
    assert copy in known.warnings[0]
    known.commit(version, MANIFEST, {})
    assert known.read().manifest == MANIFEST


def test_a_manifest_of_a_newer_version_is_never_replaced() -> None:
    known = LedgerUnderTest()
    known.memory.write(MANIFEST_NAME, NEWER_MANIFEST)
    with pytest.raises(NewerVersionError):
        known.read_or_recover()
    assert known.memory.bodies() == {MANIFEST_NAME: NEWER_MANIFEST}


def conflicts(times: int) -> Callable[[], str]:
    """An attempt at which so many other writers are first."""
    left = iter(range(times))

    def attempt() -> str:
        if next(left, None) is not None:
            raise ConflictError("another writer was first")
        return "committed"

    return attempt


def test_a_writer_starts_again_after_each_conflict_and_pauses_before() -> None:
    known = LedgerUnderTest()
    assert known.commit_with_retry(conflicts(3)) == "committed"
    assert known.pauses == [1, 2, 3]


def test_a_writer_gives_up_after_many_conflicts() -> None:
    known = LedgerUnderTest()
    assert known.commit_with_retry(conflicts(MAX_ATTEMPTS - 1)) == "committed"
    with pytest.raises(ConflictError, match=f"{MAX_ATTEMPTS} times while this run tried; run it again"):
        known.commit_with_retry(conflicts(MAX_ATTEMPTS))
    assert known.pauses[-1] == MAX_ATTEMPTS


def test_another_error_ends_a_writer_at_once() -> None:
    known = LedgerUnderTest()

    def attempt() -> None:
        raise connection_lost()

    with pytest.raises(StoreError, match="connection was lost"):
        known.commit_with_retry(attempt)
    assert known.pauses == []


def test_an_archived_manifest_is_read_under_its_name() -> None:
    known = LedgerUnderTest()
    name = known.archive(MANIFEST)
    assert name.startswith("manifests/")
    assert known.read_archived(name) == MANIFEST
    assert known.archive(MANIFEST) == name


def test_a_damaged_archived_manifest_counts_as_empty_with_a_warning_and_a_newer_one_is_an_error() -> None:
    known = LedgerUnderTest()
    name = known.archive(MANIFEST)
    known.memory.write(name, b"?")
    assert known.read_archived(name) == Manifest()
    assert name in known.warnings[0]
    known.memory.write(name, NEWER_MANIFEST)
    with pytest.raises(NewerVersionError):
        known.read_archived(name)


def old_files(known: LedgerUnderTest, *names: str) -> None:
    for name in names:
        known.memory.write(name, b"x")
    known.memory.modified = 0.0


def test_garbage_is_what_no_manifest_has_named_for_a_day() -> None:
    known = LedgerUnderTest()
    entry, archived_entry = stored_shard(known, "a.html"), stored_shard(known, "b.html")
    previous = known.archive(Manifest(SITE_URI, entries=(archived_entry,)))
    builder = BuilderRole("second", 2, "", previous, ("runs/second-2-deferred-0", "runs/other-deferred"))
    known.write_manifest(Manifest(SITE_URI, "settings", entries=(entry,), builder=builder))
    named = set(known.memory.files)
    kept = {"runs/second-2-scanned-0", "runs/other-deferred", "damaged/manifest-x.json", "else/x"}
    garbage = {"shards/old", "manifests/old.json", "runs/second-1-scanned-0", "runs/first-1-context.json"}
    old_files(known, *kept, *garbage)
    assert set(known.collect_garbage(NEXT_DAY)) == garbage
    assert known.memory.files.keys() == named | kept


def test_younger_files_are_no_garbage_since_a_writer_may_be_about_to_name_them() -> None:
    known = LedgerUnderTest()
    known.write_manifest()
    old_files(known, "shards/new")
    assert known.collect_garbage("1970-01-02T00:00:00Z") == []
    assert known.collect_garbage(NEXT_DAY) == ["shards/new"]


def test_files_of_a_run_that_still_publishes_are_no_garbage() -> None:
    known = LedgerUnderTest()
    known.write_manifest(Manifest(SITE_URI, "settings", publisher=PublisherRole("nightly", 4)))
    old_files(known, "runs/nightly-4-committed.json", "runs/nightly-3-committed.json")
    assert known.collect_garbage(NEXT_DAY) == ["runs/nightly-3-committed.json"]


def test_files_that_are_named_while_garbage_is_collected_are_kept() -> None:
    known = LedgerUnderTest()
    entry = stored_shard(known, "a.html")
    version = known.write_manifest()

    class CommitsWhileListing(MemoryStore):
        def names(self, stem: str = "") -> list[str]:
            found = list(super().names(stem))
            if stem == "runs/":
                known.commit(version, Manifest(SITE_URI, "settings", generation=2, entries=(entry,)), {})
            return found

    store = CommitsWhileListing(known.memory.gate, "state", known.memory.files, modified=0.0)
    assert Ledger(store, SITE_URI).collect_garbage(NEXT_DAY) == []
    assert known.records(entry)


def test_a_failure_to_delete_garbage_is_only_a_warning() -> None:
    class DeniesDeletion(MemoryStore):
        def remove(self, name: str) -> None:
            raise StoreError(f"{name}: AccessDenied")

    warnings: list[str] = []
    store = DeniesDeletion(RequestGate(), "state", modified=0.0)
    store.write("shards/old", b"x")
    assert Ledger(store, SITE_URI, warnings.append).collect_garbage(NEXT_DAY) == []
    assert "the next rebuild tries again: shards/old: AccessDenied" in warnings[0]
