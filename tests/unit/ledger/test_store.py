"""The ledger in its store: replaced by compare-and-swap, recovered after damage, and cleared of garbage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from fake_stores import MemoryStore, RequestGate, connection_lost
from msgspec.structs import replace

from waypost.core.errors import (
    ConflictError,
    LedgerError,
    NewerVersionError,
    StoreError,
    UncertainError,
    WrongSiteError,
)
from waypost.ledger import manifest as manifests
from waypost.ledger import records, stored_files
from waypost.ledger.ledger_state import BuilderLease, PublisherLease
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.ledger.store import MANIFEST_NAME, MAX_ATTEMPTS, UNREFERENCED_SECONDS, Ledger, LedgerVersion
from waypost.stores.base import NO_METADATA

SITE_URI = "s3://site/"
MANIFEST = Manifest("ledger", SITE_URI, "settings", generation=1, built_at="2026-01-01T00:00:00Z")
NEWER_MANIFEST = b'{"format": "waypost-ledger/manifest", "version": 2}'
DAY = 86_400.0


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


def manifest_of(*entries: ShardEntry, **values: Any) -> Manifest:
    return Manifest("ledger", SITE_URI, "settings", entries=entries, **values)


def stored_shard(ledger: LedgerUnderTest, *keys: str) -> ShardEntry:
    data = records.dump([Record(key, "etag") for key in keys])
    name = records.records_name(None, data, (), ledger.new_id)
    ledger.memory.write(name, data)
    return ShardEntry("", None, "", len(keys), name)


def test_a_ledger_that_does_not_exist_is_empty_and_has_no_etag() -> None:
    assert LedgerUnderTest().read() == LedgerVersion(Manifest(), None)


def test_a_commit_can_be_read_and_names_only_files_that_exist() -> None:
    known = LedgerUnderTest()
    data = records.dump([Record("a.html", "etag")])
    entry = ShardEntry("", None, "", 1, "shards/whole-x")
    version = known.commit(known.read(), manifest_of(entry), {entry.records_file: data})
    assert known.read() == version
    assert version.manifest.entries == (entry,)
    assert known.records(entry) == [Record("a.html", "etag")]
    changes = [request for request in known.memory.gate.requests if request.startswith("PUT")]
    assert changes[-1] == "PUT state/manifest.json done"


def test_every_commit_has_the_next_generation_and_a_revision_of_its_own() -> None:
    known = LedgerUnderTest()
    first = known.commit(known.read(), MANIFEST, {})
    second = known.commit(first, first.manifest, {})
    third = known.commit(second, replace(second.manifest, generation=99), {})
    assert [each.manifest.generation for each in (first, second, third)] == [1, 2, 3]
    assert len({each.manifest.revision for each in (first, second, third)}) == 3


def test_the_first_commit_gives_the_ledger_an_id_that_all_others_keep() -> None:
    known = LedgerUnderTest()
    first = known.commit(known.read(), Manifest("", SITE_URI), {})
    second = known.commit(first, first.manifest, {})
    assert first.manifest.ledger_id == second.manifest.ledger_id != ""
    assert first.manifest.ledger_id != LedgerUnderTest().new_id()


def test_the_name_of_the_publisher_and_the_end_of_its_lease_are_read_without_the_manifest() -> None:
    known = LedgerUnderTest()
    lease = PublisherLease("process", 1_000.5)
    version = known.commit(known.read(), replace(MANIFEST, publisher=lease), {})
    known.memory.gate.requests.clear()
    assert known.publisher() == (version.etag, lease)
    assert known.memory.gate.requests == ["HEAD state/manifest.json"]
    version = known.commit(version, MANIFEST, {})
    assert known.publisher() == (version.etag, None)


def test_where_the_manifest_has_no_metadata_it_is_read_for_its_publisher() -> None:
    known = LedgerUnderTest()
    assert known.publisher() == (None, None)
    lease = PublisherLease("process", 1_000)
    version = known.write_manifest(replace(MANIFEST, publisher=lease))
    assert known.publisher() == (version.etag, lease)


class LostAnswers(MemoryStore):
    """A store whose replacements of the manifest have no answer; `has_effect` if they take effect nonetheless."""

    has_effect = True

    def put_if_match(self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = {}) -> str:
        if self.has_effect:
            super().put_if_match(name, content, etag, metadata)
        raise UncertainError("the connection was lost")


def test_a_commit_whose_answer_was_lost_is_recognised_by_its_revision() -> None:
    known = LedgerUnderTest()
    nothing = known.read()
    ledger = Ledger(LostAnswers(RequestGate(), "state", known.memory.files), SITE_URI)
    version = ledger.commit(nothing, MANIFEST, {})
    assert version == known.read()
    assert not ledger.has_uncertain_commit


def test_a_commit_that_has_not_taken_effect_is_a_conflict_and_uncertain_until_the_next_one() -> None:
    known = LedgerUnderTest()
    nothing = known.read()
    store = LostAnswers(RequestGate(), "state", known.memory.files)
    store.has_effect = False
    ledger = Ledger(store, SITE_URI)
    with pytest.raises(ConflictError, match="not known whether the manifest was replaced: the connection was lost"):
        ledger.commit(nothing, MANIFEST, {})
    assert ledger.has_uncertain_commit
    store.has_effect = True
    ledger.commit(nothing, MANIFEST, {})
    assert not ledger.has_uncertain_commit


def test_a_commit_over_another_writer_s_manifest_is_a_conflict_and_changes_nothing() -> None:
    known = LedgerUnderTest()
    first = known.write_manifest()
    second = known.commit(first, replace(MANIFEST, recorded_facts="a"), {})
    with pytest.raises(ConflictError):
        known.commit(first, replace(MANIFEST, recorded_facts="b"), {})
    assert known.read() == second


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
    known.commit(version, version.manifest, {})
    assert not known.is_current(version)


def test_damaged_and_missing_records_are_errors_unless_the_caller_accepts_none() -> None:
    known = LedgerUnderTest()
    entry = ShardEntry("", None, "", 1, "shards/x")
    with pytest.raises(LedgerError, match="shards/x is missing"):
        known.records(entry)
    assert known.records_or_none(entry) is None
    known.memory.write("shards/x", records.dump([])[:-1])
    with pytest.raises(LedgerError, match="shards/x is damaged"):
        known.records(entry)
    assert known.records_or_none(entry) is None
    assert ["missing" in known.warnings[0], "damaged" in known.warnings[1]] == [True, True]


def test_records_of_a_newer_version_never_count_as_lost() -> None:
    known = LedgerUnderTest()
    known.memory.write("shards/x", msgspec.msgpack.encode([stored_files.RECORDS_FORMAT, 2, []]))
    with pytest.raises(NewerVersionError):
        known.records_or_none(ShardEntry("", None, "", 1, "shards/x"))


def test_the_ledger_of_another_site_is_refused_and_left_unchanged() -> None:
    known = LedgerUnderTest()
    known.memory.write(MANIFEST_NAME, manifests.dump(Manifest("ledger", "s3://other/")))
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
    assert known.read().manifest.config_digest == "settings"


def test_a_ledger_whose_manifest_is_damaged_keeps_its_id_by_which_it_knows_its_published_files() -> None:
    known = LedgerUnderTest()
    ledger_id = known.commit(known.read(), Manifest("", SITE_URI), {}).manifest.ledger_id
    known.memory.files[MANIFEST_NAME] = b"?", known.memory.files[MANIFEST_NAME][1]
    assert known.read_or_recover().manifest == Manifest(ledger_id)


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


def test_an_archived_manifest_is_read_under_its_name_which_no_other_has() -> None:
    known = LedgerUnderTest()
    name = known.archive(MANIFEST)
    assert name.startswith("manifests/1-")
    assert known.read_archived(name) == MANIFEST
    assert known.archive(MANIFEST) != name


def test_a_damaged_archived_manifest_counts_as_empty_with_a_warning_and_a_newer_one_is_an_error() -> None:
    known = LedgerUnderTest()
    name = known.archive(MANIFEST)
    known.memory.write(name, b"?")
    assert known.read_archived(name) == Manifest()
    assert name in known.warnings[0]
    known.memory.write(name, NEWER_MANIFEST)
    with pytest.raises(NewerVersionError):
        known.read_archived(name)


def names_below(known: LedgerUnderTest, *folders: str) -> set[str]:
    return {name for name in known.memory.files if name.startswith(folders)}


def test_garbage_is_what_two_passes_a_day_apart_have_found_unnamed() -> None:
    known = LedgerUnderTest()
    entry = stored_shard(known, "a.html")
    kept = {entry.records_file, "damaged/manifest-x.json", "else/x"}
    garbage = {"shards/old", "manifests/old.json", "runs/first-1-context.json"}
    for name in (*kept - {entry.records_file}, *garbage):
        known.memory.write(name, b"x")
    known.collect_garbage(manifest_of(entry), DAY)
    assert known.memory.files.keys() >= garbage
    known.collect_garbage(manifest_of(entry), 2 * DAY)
    assert known.memory.files.keys() == kept | {"unreferenced.json"}


def test_a_file_that_was_unnamed_for_less_than_twenty_hours_is_kept_however_many_passes_there_are() -> None:
    known = LedgerUnderTest()
    known.memory.write("shards/old", b"x")
    for now in (DAY, DAY + 1, DAY + UNREFERENCED_SECONDS - 1):
        known.collect_garbage(manifest_of(), now)
        known.memory.write("shards/new", b"x")
    known.collect_garbage(manifest_of(), DAY + UNREFERENCED_SECONDS)
    assert names_below(known, "shards/") == {"shards/new"}
    known.collect_garbage(manifest_of(), 2 * DAY + UNREFERENCED_SECONDS - 60)
    assert names_below(known, "shards/") == set()


def test_a_file_that_is_named_by_the_second_pass_is_kept() -> None:
    known = LedgerUnderTest()
    entry = stored_shard(known, "a.html")
    known.collect_garbage(manifest_of(), DAY)
    known.collect_garbage(manifest_of(entry), 2 * DAY)
    assert known.records(entry) == [Record("a.html", "etag")]
    known.collect_garbage(manifest_of(), 3 * DAY)
    assert known.records(entry), "it is unnamed for less than a day again"


def test_nothing_is_collected_while_a_build_is_in_progress() -> None:
    known = LedgerUnderTest()
    known.memory.write("shards/old", b"x")
    known.collect_garbage(manifest_of(), DAY)
    known.collect_garbage(manifest_of(builder=BuilderLease("process", 2 * DAY, position="")), 3 * DAY)
    assert names_below(known, "shards/") == {"shards/old"}


def test_a_damaged_note_of_unnamed_files_is_written_again() -> None:
    known = LedgerUnderTest()
    known.memory.write("unreferenced.json", b"?")
    known.memory.write("shards/old", b"x")
    known.collect_garbage(manifest_of(), DAY)
    assert names_below(known, "shards/") == {"shards/old"}
    known.collect_garbage(manifest_of(), 2 * DAY)
    assert names_below(known, "shards/") == set()


def test_a_failure_to_delete_garbage_is_a_warning_and_nothing_is_forgotten() -> None:
    class DeniesDeletion(MemoryStore):
        def remove(self, name: str) -> None:
            raise StoreError(f"{name}: AccessDenied")

    store = DeniesDeletion(RequestGate(), "state")
    store.write("shards/old", b"x")
    warnings: list[str] = []
    denied = Ledger(store, SITE_URI, warnings.append)
    denied.collect_garbage(manifest_of(), DAY)
    assert warnings == []
    denied.collect_garbage(manifest_of(), 2 * DAY)
    assert "shards/old: AccessDenied" in warnings[0]
    Ledger(MemoryStore(RequestGate(), "state", store.files), SITE_URI).collect_garbage(manifest_of(), 2 * DAY)
    assert "shards/old" not in store.files


class UnconditionalStore(MemoryStore):
    """A store that ignores some conditions: that there is no file (`If-None-Match`), or which (`If-Match`)."""

    ignored: Collection[str] = ()

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        if ("If-None-Match" if etag is None else "If-Match") in self.ignored:
            present = self.head(name)
            etag = present.etag if present else None
        return super().put_if_match(name, content, etag, metadata)


@pytest.mark.parametrize("ignored", [["If-None-Match"], ["If-Match"], ["If-None-Match", "If-Match"]])
def test_a_store_that_ignores_conditions_is_refused_before_anything_is_in_it(ignored: list[str]) -> None:
    store = UnconditionalStore(RequestGate(), "state")
    store.ignored = ignored
    with pytest.raises(StoreError, match=rf"ignores conditional writes \({' and '.join(ignored)}\)"):
        Ledger(store, SITE_URI).commit(LedgerVersion(Manifest(), None), MANIFEST, {"shards/a": b"x"})
    assert store.bodies() == {}


def test_a_pass_deletes_the_file_by_which_a_process_that_died_tried_out_the_store() -> None:
    class LosesConnection(MemoryStore):
        def delete_many(self, names: Sequence[str]) -> None:
            raise StoreError(f"{names}: connection lost")

    dead = LosesConnection(RequestGate(), "state")
    with pytest.raises(StoreError, match="connection lost"):
        Ledger(dead, SITE_URI).commit(LedgerVersion(Manifest(), None), MANIFEST, {})
    assert len(dead.bodies()) == 1
    known = LedgerUnderTest()
    known.memory.files.update(dead.files)
    known.collect_garbage(manifest_of(), DAY)
    known.collect_garbage(manifest_of(), 2 * DAY)
    assert names_below(known, "shards/") == set()


def test_conditional_writes_are_tried_out_once_and_leave_no_file() -> None:
    ledger = LedgerUnderTest()
    version = ledger.commit(LedgerVersion(Manifest(), None), MANIFEST, {})
    ledger.memory.gate.requests.clear()
    ledger.commit(version, MANIFEST, {})
    assert ledger.memory.bodies().keys() == {MANIFEST_NAME}
    assert not [request for request in ledger.memory.gate.requests if "conditional" in request]
