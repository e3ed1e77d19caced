"""Keys that updates defer to a distributed rebuild."""

from __future__ import annotations

import pytest
from fake_stores import MemoryStore, RequestGate
from msgspec.structs import replace

from waypost.core.errors import LedgerError
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import Ledger
from waypost.sync.deferred_keys import read_deferred_keys, with_deferred_keys

RUN = BuilderLease("nightly", 9_000, is_run=True, start_generation=3, position="")
RUNNING = Manifest("ledger", "s3://site/", "settings", builder=RUN)


def ledger(files: dict[str, bytes]) -> Ledger:
    store = MemoryStore(RequestGate(), "state")
    for name, content in files.items():
        store.write(name, content)
    return Ledger(store, "s3://site/")


@pytest.mark.parametrize(
    "manifest",
    [
        Manifest(),
        Manifest(builder=BuilderLease(position="m.html")),
        Manifest(builder=BuilderLease("process", 9_000, position="")),
    ],
)
def test_no_keys_are_deferred_unless_many_workers_are_building(manifest: Manifest) -> None:
    assert with_deferred_keys(manifest, ["a.html"]) == (manifest, {})


def test_deferred_keys_are_in_a_file_of_the_run_that_the_manifest_names() -> None:
    after, files = with_deferred_keys(RUNNING, ["b.html", "é.html", "a.html"])
    (name,) = files
    assert name.startswith("runs/nightly-3-deferred-0000000-")
    assert after.builder == replace(RUN, deferred_keys=(name,))
    assert read_deferred_keys(ledger(files), name) == ["a.html", "b.html", "é.html"]


def test_each_update_adds_a_file_and_keeps_the_earlier_ones() -> None:
    first, files = with_deferred_keys(RUNNING, ["a.html"])
    second, more = with_deferred_keys(first, ["a.html"])
    assert second.builder is not None
    assert second.builder.deferred_keys == (*files, *more)
    assert len(files | more) == 2


@pytest.mark.parametrize("files", [{}, {"runs/x": b"?"}, {"runs/x": b"[1]"}, {"runs/x": b"{}"}])
def test_a_missing_or_damaged_file_is_an_error_that_asks_for_a_rebuild(files: dict[str, bytes]) -> None:
    with pytest.raises(LedgerError, match=r"runs/x is missing or damaged .*; start a rebuild"):
        read_deferred_keys(ledger(files), "runs/x")
