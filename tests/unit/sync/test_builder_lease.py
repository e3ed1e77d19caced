"""Which process builds a ledger under new settings, and until when."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import SimulatedSite, VirtualClock
from msgspec.structs import replace

from waypost.core.errors import ConflictError, OtherRunError, OutdatedSettingsError
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.sync.builder_lease import BuilderLeaseHolder

BUILD = BuilderLease("other", position="m.html", previous="manifests/1-x.json", deferred_keys=("runs/x-1-deferred-0",))


class EventClock(VirtualClock):
    """A clock at which something happens after some seconds, while a process sleeps."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.events: dict[float, Any] = {}

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        for at in [at for at in self.events if at <= self.time()]:
            self.events.pop(at)()


class Build:
    """A site with a build in progress, and the lease of a second process; the time begins at 1,000."""

    def __init__(self, builder: BuilderLease | None = None, started: float = 1_000, **values: Any) -> None:
        self.site = SimulatedSite()
        self.site.clock = self.clock = EventClock(1_000)
        self.updater = self.site.updater()
        self.owner = self.updater.lease.owner
        self.lease = BuilderLeaseHolder(self.updater, started)
        self.version = self.commit(Manifest("ledger", "s3://site/", "settings", builder=builder, **values))

    def commit(self, manifest: Manifest) -> LedgerVersion:
        return self.site.ledger().commit(self.site.ledger().read(), manifest, {})

    def builder(self) -> BuilderLease | None:
        return self.site.manifest().builder


def test_the_lease_has_this_process_as_its_owner_and_keeps_how_far_the_build_is() -> None:
    build = Build()
    run = replace(BUILD, is_run=True, start_generation=3)
    assert build.lease.lease(run) == BuilderLease(build.owner, 1_300, position="m.html", previous="manifests/1-x.json")


@pytest.mark.parametrize(
    ("config_since", "is_outdated"), [(0, False), (990, False), (998.1, True), (1_000, True), (1_010, True)]
)
def test_only_settings_that_were_read_after_the_present_ones_hold_may_replace_them(
    config_since: float, *, is_outdated: bool
) -> None:
    build = Build()
    before = Manifest(config_digest="other settings", config_since=config_since)
    if not is_outdated:
        build.lease.require_newer_settings(before)
        return
    with pytest.raises(OutdatedSettingsError, match="after this run had read its own"):
        build.lease.require_newer_settings(before)


def test_the_first_settings_of_a_ledger_are_never_outdated() -> None:
    Build(started=0).lease.require_newer_settings(Manifest())


@pytest.mark.parametrize(
    "builder",
    [None, replace(BUILD, expires=1_000), replace(BUILD, owner="", expires=2_000)],
    ids=["nobody builds", "its lease has ended", "it was given back"],
)
def test_a_process_does_not_wait_if_nobody_builds(builder: BuilderLease | None) -> None:
    build = Build(builder)
    assert build.lease.wait(build.version) == build.version
    assert build.clock.time() == 1_000


def test_a_process_does_not_wait_for_its_own_build() -> None:
    build = Build()
    version = build.commit(replace(build.version.manifest, builder=build.lease.lease(BUILD)))
    assert build.lease.wait(version) == version


def test_a_process_waits_until_a_build_has_ended_or_was_given_back() -> None:
    build = Build(replace(BUILD, expires=1_300))
    given_back = replace(BUILD, owner="", expires=1_003)
    build.clock.events[1_003] = lambda: build.commit(replace(build.version.manifest, builder=given_back))
    assert build.lease.wait(build.version).manifest.builder == given_back
    assert build.clock.time() == 1_003


def test_a_process_gives_up_after_its_patience_and_says_how_long_the_build_may_take() -> None:
    build = Build(replace(BUILD, expires=1_300))
    with pytest.raises(OtherRunError, match="another rebuild is under way; it has at least 180 seconds") as raised:
        build.lease.wait(build.version)
    assert (build.clock.time(), raised.value.retry_after) == (1_120, 180)


@pytest.mark.parametrize("is_complete", [True, False])
def test_a_distributed_rebuild_waits_for_a_process_and_not_for_another_distributed_one(*, is_complete: bool) -> None:
    position = None if is_complete else "m.html"
    run = Build(replace(BUILD, is_run=True, position=position, expires=1_300))
    assert run.lease.wait_for_process(run.version) == run.version
    process = Build(replace(BUILD, position=position, expires=1_300))
    with pytest.raises(OtherRunError):
        process.lease.wait_for_process(process.version)


def test_a_build_is_continued_at_its_position_by_a_replacement_of_the_manifest() -> None:
    build = Build(replace(BUILD, expires=900))
    version = build.lease.take(build.version)
    assert (
        version.manifest.builder
        == build.builder()
        == BuilderLease(build.owner, 1_300, position="m.html", previous="manifests/1-x.json")
    )


def test_a_build_of_this_process_is_not_replaced() -> None:
    build = Build()
    version = build.commit(replace(build.version.manifest, builder=build.lease.lease(BUILD)))
    assert build.lease.take(version) == version


def test_a_complete_ledger_without_a_build_is_not_replaced() -> None:
    build = Build()
    assert build.lease.take(build.version) == build.version


def test_of_two_processes_that_continue_a_build_one_has_a_conflict() -> None:
    build = Build(replace(BUILD, expires=900))
    build.commit(build.version.manifest)
    with pytest.raises(ConflictError):
        build.lease.take(build.version)


@pytest.mark.parametrize(("stopped_at", "position"), [(-2_600, "m.html"), (-2_601, "")])
def test_a_build_that_is_continued_more_than_an_hour_later_lists_the_bucket_from_its_beginning(
    stopped_at: float, position: str
) -> None:
    build = Build(replace(BUILD, owner="", expires=stopped_at))
    builder = build.lease.take(build.version).manifest.builder
    assert builder is not None
    assert (builder.position, builder.previous) == (position, "manifests/1-x.json")


def test_the_build_of_a_distributed_rebuild_that_has_ended_lists_the_bucket_from_its_beginning() -> None:
    build = Build(replace(BUILD, is_run=True, start_generation=3, expires=900))
    builder = build.lease.take(build.version).manifest.builder
    assert builder is not None
    assert (builder.position, builder.is_run, builder.deferred_keys) == ("", False, ())


def test_a_distributed_rebuild_over_a_complete_ledger_ends_once_its_lease_has_ended() -> None:
    run = BuilderLease("run", 1_500, is_run=True)
    build = Build(run)
    assert build.lease.without_ended_run(build.version.manifest).builder == run
    build.clock.seconds = 1_500
    assert build.lease.without_ended_run(build.version.manifest).builder is None


def test_a_build_that_is_given_back_keeps_its_position_for_the_next_process() -> None:
    build = Build(replace(BUILD, expires=900))
    version = build.lease.take(build.version)
    build.clock.seconds = 1_100
    build.lease.give_back(version)
    assert build.builder() == BuilderLease("", 1_100, position="m.html", previous="manifests/1-x.json")


def test_the_build_of_another_process_is_not_given_back() -> None:
    build = Build(replace(BUILD, expires=1_300))
    build.lease.give_back(build.version)
    assert build.builder() == replace(BUILD, expires=1_300)
