"""The one state of a ledger, from what its manifest says of a build and a publication in progress."""

from __future__ import annotations

from itertools import product

import pytest

from waypost.ledger.ledger_state import BuilderLease, LedgerState, PublisherLease, Run, ledger_state
from waypost.ledger.manifest import Manifest

RUN_BUILD = BuilderLease("run", 1_000, is_run=True, start_generation=3, position="")
RUN_RESCAN = BuilderLease("run", 1_000, is_run=True, start_generation=3)
BUILD, FREE_BUILD = BuilderLease("process", 1_000, position="m.html"), BuilderLease(position="m.html")
RUN_PUBLICATION = PublisherLease("run", 1_000, is_run=True, start_generation=3)
PUBLICATION = PublisherLease("process", 1_000)


@pytest.mark.parametrize(
    ("builder", "publisher", "state"),
    [
        (None, None, LedgerState.COMPLETE),
        (None, PUBLICATION, LedgerState.COMPLETE),
        (BUILD, None, LedgerState.BUILDING),
        (FREE_BUILD, None, LedgerState.BUILDING),
        (BUILD, PUBLICATION, LedgerState.BUILDING),
        (RUN_BUILD, None, LedgerState.SCANNING),
        (RUN_BUILD, PUBLICATION, LedgerState.SCANNING),
        (RUN_RESCAN, None, LedgerState.RESCANNING),
        (RUN_RESCAN, PUBLICATION, LedgerState.RESCANNING),
        (None, RUN_PUBLICATION, LedgerState.PUBLISHING),
        (BUILD, RUN_PUBLICATION, LedgerState.BUILDING),
        (RUN_RESCAN, RUN_PUBLICATION, LedgerState.RESCANNING),
    ],
)
def test_the_state_follows_from_the_build_and_the_publication_in_progress(
    builder: BuilderLease | None, publisher: PublisherLease | None, state: LedgerState
) -> None:
    assert ledger_state("digest", builder, publisher) == state


def test_a_manifest_without_settings_is_empty_whatever_else_it_says() -> None:
    for builder, publisher in product([None, BUILD, RUN_BUILD], [None, RUN_PUBLICATION]):
        assert ledger_state("", builder, publisher) == LedgerState.EMPTY


@pytest.mark.parametrize("builder", [None, BUILD, FREE_BUILD, RUN_BUILD, RUN_RESCAN])
@pytest.mark.parametrize("publisher", [None, PUBLICATION, RUN_PUBLICATION])
def test_a_manifest_is_complete_in_all_states_but_those_of_new_entries(
    builder: BuilderLease | None, publisher: PublisherLease | None
) -> None:
    manifest = Manifest(config_digest="digest", builder=builder, publisher=publisher)
    assert manifest.is_complete is (manifest.state not in (LedgerState.BUILDING, LedgerState.SCANNING))


def test_the_files_of_a_run_are_named_after_its_owner_and_generation() -> None:
    assert Run("nightly", 7).prefix == "runs/nightly-7-"
    assert Manifest(builder=RUN_BUILD).run == Manifest(publisher=RUN_PUBLICATION).run == Run("run", 3)


def test_a_process_that_builds_or_publishes_is_no_distributed_rebuild() -> None:
    assert Manifest(builder=BUILD, publisher=PUBLICATION).run is None


def test_a_run_that_rebuilds_goes_before_one_that_publishes() -> None:
    second = BuilderLease("second", 1_000, is_run=True, start_generation=9)
    assert Manifest(builder=second, publisher=RUN_PUBLICATION).run == Run("second", 9)


@pytest.mark.parametrize("kind", [BuilderLease, PublisherLease])
def test_a_lease_is_taken_until_it_ends_and_without_an_owner_by_nobody(
    kind: type[BuilderLease] | type[PublisherLease],
) -> None:
    assert kind("process", 1_000).is_live(999.9)
    assert not kind("process", 1_000).is_live(1_000)
    assert not kind("", 1_000).is_live(0)
