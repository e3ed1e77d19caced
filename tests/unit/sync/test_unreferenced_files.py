"""Published files that nothing has named for 20 hours are deleted; files of others are not."""

from __future__ import annotations

import pytest
from fake_stores import START, MemoryStore, SimulatedSite, Writer
from msgspec.structs import replace

from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.ledger.manifest import Manifest, UnreferencedFile
from waypost.ledger.store import UNREFERENCED_SECONDS
from waypost.sync import rebuild
from waypost.sync.published_files import file_metadata
from waypost.sync.publisher_lease import PublisherLeaseHolder
from waypost.sync.unreferenced_files import delete_unreferenced

OLD = "sitemap-0123456789abcdef.xml"


def site_with(*names: str, ledger_id: str = "ledger") -> tuple[SimulatedSite, PublisherLeaseHolder]:
    """A site with these published files of a ledger, and a lease of its publisher."""
    site = SimulatedSite()
    for name in names:
        site.outputs.files[name] = b"<urlset/>", file_metadata(Manifest(ledger_id), "digest")
    lease = site.updater().lease
    version = site.ledger().commit(site.ledger().read(), replace(site.manifest(), ledger_id="ledger"), {})
    lease.take(version)
    return site, lease


def delete(site: SimulatedSite, lease: PublisherLeaseHolder, *unreferenced: UnreferencedFile) -> list[str]:
    manifest = replace(site.manifest(), unreferenced=unreferenced)
    return [each.name for each in delete_unreferenced(manifest, site.updater().published_files(manifest), lease).gone]


def test_a_file_that_has_been_unreferenced_for_twenty_hours_is_deleted_and_others_are_not() -> None:
    site, lease = site_with("a.xml", "b.xml", "c.xml")
    names = [
        UnreferencedFile("a.xml", START - UNREFERENCED_SECONDS),
        UnreferencedFile("b.xml", START - UNREFERENCED_SECONDS + 60),
        UnreferencedFile("c.xml", 0),
    ]
    assert delete(site, lease, *names) == ["a.xml"]
    assert site.outputs.files.keys() == {"b.xml", "c.xml"}


def test_a_file_that_is_gone_already_is_no_longer_remembered() -> None:
    site, lease = site_with()
    assert delete(site, lease, UnreferencedFile(OLD, START - UNREFERENCED_SECONDS)) == [OLD]


@pytest.mark.parametrize("ledger_id", ["another ledger", ""])
def test_a_file_that_somebody_else_wrote_is_left_and_no_longer_remembered(ledger_id: str) -> None:
    site, lease = site_with(OLD, ledger_id=ledger_id)
    assert delete(site, lease, UnreferencedFile(OLD, START - UNREFERENCED_SECONDS)) == [OLD]
    assert OLD in site.outputs.files


def test_a_file_that_is_replaced_just_before_it_would_be_deleted_is_left() -> None:
    site, lease = site_with(OLD)
    writer = Writer(site.gate, lambda: delete(site, lease, UnreferencedFile(OLD, START - UNREFERENCED_SECONDS)))
    writer.until(f"DELETE outputs/{OLD}")
    site.outputs.write(OLD, b"uploaded by hand")
    writer.finish()
    assert writer.error is None
    assert site.outputs.bodies()[OLD] == b"uploaded by hand"


def test_what_the_lease_has_no_time_for_is_left_to_the_next_pass() -> None:
    site, lease = site_with("a.xml", "b.xml")
    due = [
        UnreferencedFile("a.xml", START - UNREFERENCED_SECONDS),
        UnreferencedFile("b.xml", START - UNREFERENCED_SECONDS),
    ]
    writer = Writer(site.gate, lambda: delete(site, lease, *due))
    writer.until("DELETE outputs/a.xml done")
    site.clock.sleep(61)
    writer.finish()
    assert (writer.error, writer.result) == (None, ["a.xml"])
    assert site.outputs.files.keys() == {"b.xml"}


class RefusingStore(MemoryStore):
    """A store that lets nobody delete one file."""

    def delete_if_match(self, name: str, etag: str) -> None:
        if name == OLD:
            raise StoreError("AccessDenied")
        super().delete_if_match(name, etag)


def test_a_file_that_may_not_be_deleted_is_left_with_its_error_and_the_others_are_deleted() -> None:
    site, lease = site_with(OLD, "b.xml")
    site.outputs = RefusingStore(site.gate, "outputs", site.outputs.files, clock=site.clock)
    due = [UnreferencedFile(OLD, START - UNREFERENCED_SECONDS), UnreferencedFile("b.xml", START - UNREFERENCED_SECONDS)]
    manifest = replace(site.manifest(), unreferenced=(due[1], due[0]))
    done = delete_unreferenced(manifest, site.updater().published_files(manifest), lease)
    assert done.refused == {OLD: "AccessDenied"}
    assert site.outputs.files.keys() == {OLD}


def test_a_deletion_without_an_answer_is_waited_for_once_and_left_to_the_next_pass() -> None:
    class SilentStore(MemoryStore):
        def delete_if_match(self, name: str, etag: str) -> None:
            raise UncertainError(f"DELETE {name} {etag}: timed out")

    names = [OLD, OLD.replace("0", "1")]
    site, lease = site_with(*names)
    site.outputs = SilentStore(site.gate, "outputs", site.outputs.files, clock=site.clock, width=2)
    before = site.clock.time()
    assert delete(site, lease, *(UnreferencedFile(name, START - UNREFERENCED_SECONDS) for name in names)) == []
    assert 30 <= site.clock.time() - before < 60


def test_a_file_whose_deletion_another_request_was_in_the_way_of_is_not_taken_for_deleted() -> None:
    """S3 answers 409 also if the conflicting request changes nothing."""

    class ConflictingStore(MemoryStore):
        def delete_if_match(self, name: str, etag: str) -> None:
            raise ConflictError(f"{name} {etag}: ConditionalRequestConflict")

    site, lease = site_with("a.xml")
    site.outputs = ConflictingStore(site.gate, "outputs", site.outputs.files, clock=site.clock)
    assert delete(site, lease, UnreferencedFile("a.xml", START - UNREFERENCED_SECONDS)) == []
    assert "a.xml" in site.outputs.files


def test_a_file_that_another_process_deletes_at_the_same_time_is_gone() -> None:
    site, lease = site_with(OLD)
    writer = Writer(site.gate, lambda: delete(site, lease, UnreferencedFile(OLD, START - UNREFERENCED_SECONDS)))
    writer.until(f"DELETE outputs/{OLD}")
    del site.outputs.files[OLD]
    writer.finish()
    assert (writer.error, writer.result) == (None, [OLD])


def test_a_daily_pass_warns_of_a_file_that_may_not_be_deleted_and_ends_well() -> None:
    site = SimulatedSite(lastmod="none")
    site.put("a.html", "x")
    rebuild.rebuild(site.updater())
    version = site.ledger().read()
    site.outputs.files[OLD] = b"<urlset/>", file_metadata(version.manifest, "digest")
    due = (UnreferencedFile(OLD, site.clock.time() - UNREFERENCED_SECONDS - 1),)
    site.ledger().commit(version, replace(version.manifest, unreferenced=due), {})
    site.outputs = RefusingStore(site.gate, "outputs", site.outputs.files, clock=site.clock)
    result = rebuild.rebuild(site.updater())
    assert [(each.code, each.examples[0].key) for each in result.warnings] == [("output-left", OLD)]
    assert site.manifest().unreferenced == due
