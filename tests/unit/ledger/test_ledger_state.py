"""The one state of a ledger, from what its manifest says of a build and a publication in progress."""

from __future__ import annotations

from itertools import product

import pytest

from waypost.ledger.ledger_state import BuilderRole, LedgerState, PublisherRole, Run, ledger_state
from waypost.ledger.manifest import Manifest

OWNED_BUILD, BUILD, OWNED_RESCAN = BuilderRole("run", 3, ""), BuilderRole(position="m.html"), BuilderRole("run", 3)
OWNED_PUBLICATION, ABANDONED_PUBLICATION = PublisherRole("run", 3), PublisherRole()


@pytest.mark.parametrize(
    ("builder", "publisher", "state"),
    [
        (None, None, LedgerState.COMPLETE),
        (BUILD, None, LedgerState.BUILDING),
        (OWNED_BUILD, None, LedgerState.SCANNING),
        (OWNED_RESCAN, None, LedgerState.RESCANNING),
        (None, OWNED_PUBLICATION, LedgerState.PUBLISHING),
        (None, ABANDONED_PUBLICATION, LedgerState.UNPUBLISHED),
        (BUILD, ABANDONED_PUBLICATION, LedgerState.BUILDING),
        (OWNED_BUILD, ABANDONED_PUBLICATION, LedgerState.SCANNING),
        (OWNED_RESCAN, ABANDONED_PUBLICATION, LedgerState.RESCANNING),
        (BuilderRole(), OWNED_PUBLICATION, LedgerState.PUBLISHING),
    ],
)
def test_the_state_follows_from_the_build_and_the_publication_in_progress(
    builder: BuilderRole | None, publisher: PublisherRole | None, state: LedgerState
) -> None:
    assert ledger_state("digest", builder, publisher) == state


def test_a_manifest_without_settings_is_empty_whatever_else_it_says() -> None:
    for builder, publisher in product([None, BUILD, OWNED_BUILD], [None, OWNED_PUBLICATION]):
        assert ledger_state("", builder, publisher) == LedgerState.EMPTY


@pytest.mark.parametrize("builder", [None, BuilderRole(), BUILD, OWNED_BUILD, OWNED_RESCAN])
@pytest.mark.parametrize("publisher", [None, OWNED_PUBLICATION, ABANDONED_PUBLICATION])
def test_a_manifest_is_complete_in_all_states_but_those_of_new_entries(
    builder: BuilderRole | None, publisher: PublisherRole | None
) -> None:
    manifest = Manifest(config_digest="digest", builder=builder, publisher=publisher)
    assert manifest.is_complete is (manifest.state not in (LedgerState.BUILDING, LedgerState.SCANNING))


def test_the_files_of_a_run_are_named_after_its_owner_and_generation() -> None:
    assert Run("nightly", 7).prefix == "runs/nightly-7-"
    assert Manifest(builder=OWNED_BUILD).run == Manifest(publisher=OWNED_PUBLICATION).run == Run("run", 3)
    assert Manifest(builder=BUILD, publisher=ABANDONED_PUBLICATION).run is None
