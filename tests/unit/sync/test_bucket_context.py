"""One site's bucket, ledger and published files: what may be published, lost records, and rules of robots.txt."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import MemoryBucket, SimulatedSite, Writer
from msgspec.structs import replace
from unit.published_sites import published_site

from waypost.core import reasons
from waypost.core.errors import BusyError, ConflictError, SourceError
from waypost.core.reasons import Reason
from waypost.ledger.ledger_state import BuilderLease, PublisherLease
from waypost.ledger.manifest import Manifest, PendingFile
from waypost.sync import rebuild


def test_the_rules_of_robots_txt_apply_only_at_the_root_of_a_host() -> None:
    site = SimulatedSite()
    site.put("robots.txt", "User-agent: *\nDisallow: /private/")
    assert "/private/" in site.updater().robots_rules()
    site.settings = SimulatedSite(base_url="https://example.org/docs/").settings
    assert site.updater().robots_rules() == ""
    site.settings = SimulatedSite(respect_robots=False).settings
    assert site.updater().robots_rules() == ""


@pytest.mark.parametrize(
    ("error", "kind"), [(PermissionError(13, "AccessDenied"), SourceError), (TimeoutError(110, "SlowDown"), BusyError)]
)
def test_a_robots_txt_that_cannot_be_read_is_an_error_of_the_source(error: OSError, kind: type[SourceError]) -> None:
    class Denied(MemoryBucket):
        def find(self, key: str) -> bytes | None:
            raise error if key == "robots.txt" else AssertionError(key)

    site = SimulatedSite()
    site.source = Denied(site.gate)
    with pytest.raises(SourceError, match=r"s3://site/robots\.txt cannot be read") as raised:
        site.updater().robots_rules()
    assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("a.html", None),
        ("style.css", reasons.NOT_A_PAGE),
        ("sitemap.xml", reasons.OUTPUT),
        ("x/a.html", reasons.EXCLUDED),
        ("a\x01.html", reasons.NAME_CONTROL),
    ],
)
def test_a_key_alone_may_say_that_its_object_is_no_page(key: str, reason: Reason | None) -> None:
    assert SimulatedSite(exclude=["/x/"]).updater().exclusion_reason(key) == reason


def test_a_manifest_is_published_if_it_is_complete_lists_a_page_and_has_the_present_settings() -> None:
    site = published_site()
    updater, manifest = site.updater(), site.manifest()
    assert updater.can_publish(manifest)
    assert not updater.can_publish(replace(manifest, entries=()))
    assert not updater.can_publish(replace(manifest, builder=BuilderLease("process", 9e9, position="")))
    assert not updater.can_publish(replace(manifest, config_digest="other"))
    assert not updater.can_publish(replace(manifest, recorded_facts="other"))
    assert updater.can_publish(replace(manifest, robots_rules="other")), "a rebuild finds other rules"


@pytest.mark.parametrize(
    ("values", "is_taken"),
    [
        ({"pending": (PendingFile("sitemap.xml", 1),)}, True),
        ({}, False),
        ({"pending": (PendingFile("sitemap.xml", 1),), "entries": ()}, False),
        ({"pending": (PendingFile("sitemap.xml", 1),), "publisher": PublisherLease("other", 9e9)}, False),
    ],
    ids=["something is pending", "nothing is pending", "nothing is listed", "another process has it"],
)
def test_a_commit_takes_the_lease_of_publisher_if_it_is_free_and_needed(
    values: dict[str, Any], *, is_taken: bool
) -> None:
    site = published_site()
    updater, calls = site.updater(), list[str]()
    updater.before_taking_lease = lambda: calls.append("before")
    version = site.ledger().read()
    after = updater.commit(version, replace(version.manifest, **values), {}).manifest
    assert updater.lease.is_held(after) is is_taken
    assert calls == (["before"] if is_taken else [])


def test_each_process_has_an_owner_id_of_its_own() -> None:
    site = SimulatedSite()
    assert site.updater().lease.owner != site.updater().lease.owner


@pytest.mark.parametrize(("seconds", "expected"), [(0, False), (100, True), (200, False)])
def test_a_build_is_in_progress_until_its_lease_ends(seconds: float, *, expected: bool) -> None:
    site = SimulatedSite()
    start = site.clock.time()
    builder = BuilderLease("process", start + 150, position="") if seconds else None
    site.ledger().commit(site.ledger().read(), Manifest("ledger", "s3://site/", "settings", builder=builder), {})
    site.clock.sleep(seconds)
    assert site.updater().has_builder() is expected


def test_records_that_a_newer_manifest_no_longer_names_are_a_conflict_and_others_are_lost() -> None:
    site = published_site()
    version = site.ledger().read()
    load, entry = site.updater().loader(version), version.manifest.entries[1]
    assert load(entry)
    site.state.remove(entry.records_file)
    assert load(entry) is None
    site.ledger().commit(version, version.manifest, {})
    with pytest.raises(ConflictError, match="belongs to a manifest that was replaced"):
        load(entry)


def test_a_process_whose_records_are_deleted_meanwhile_starts_again_and_loses_nothing() -> None:
    site = published_site()
    old = next(entry for entry in reversed(site.manifest().entries) if entry.first_key <= "005.html").records_file
    site.put("005.html", "<meta name=robots content=noindex>")
    slow = Writer(site.gate, lambda: site.updater().update(["005.html"]))
    slow.until(f"GET state/{old}")
    site.updater().update(["005.html"])
    site.state.remove(old)
    slow.finish()
    assert slow.error is None
    assert [warning.code for warning in slow.result.warnings] == []
    assert site.is_in_sync()


def test_an_empty_manifest_keeps_what_is_published_and_who_publishes() -> None:
    site = published_site()
    lease = PublisherLease("other", 9e9)
    before = replace(site.manifest(), publisher=lease, pending=(PendingFile("sitemap.xml", 1),))
    updater = site.updater()
    after = updater.empty_manifest(before, "rules", before.url_form)
    assert (after.ledger_id, after.generation, after.publisher, after.pending) == (
        *(before.ledger_id, before.generation, lease, before.pending),
    )
    assert (after.entries, after.indexes, after.built_at, after.robots_rules) == ((), (), "", "rules")
    assert updater.is_built_with(after, "rules")


def test_an_empty_manifest_ends_a_run_that_publishes_but_not_its_lease() -> None:
    site = published_site()
    before = replace(site.manifest(), publisher=PublisherLease("run", 9e9, is_run=True))
    after = site.updater().empty_manifest(before, "", before.url_form)
    assert (after.publisher, after.run) == (PublisherLease("run", 9e9), None)


def test_the_ledger_before_is_known_only_during_a_build() -> None:
    site = published_site()
    assert site.updater().previous_ledger(site.manifest()) is None
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["/never/"]).settings
    rebuild.rebuild(site.updater(), lambda: True)
    previous = site.updater().previous_ledger(site.manifest())
    assert previous is not None
    assert previous.page_count == 12
    assert previous.record("005.html") is not None
    assert previous.files.keys() == site.outputs.files.keys()
