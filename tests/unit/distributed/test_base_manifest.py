"""The ledger that a distributed rebuild compares the site with."""

from __future__ import annotations

from distributed_sites import execution, simulated_site

from waypost.distributed.base_manifest import base_manifest


def test_it_is_the_ledger_at_the_run_s_start_whatever_is_committed_meanwhile() -> None:
    site = simulated_site()
    execution(site, "first").run()
    before = site.manifest()
    execution(site, "second").run(until="scan")
    site.put("041.html", "new")
    site.updater().update(["041.html"])
    assert base_manifest(site.ledger(), site.manifest()).entries == before.entries != site.manifest().entries


def test_it_is_the_present_one_if_that_was_damaged() -> None:
    site = simulated_site()
    execution(site, "first").run()
    execution(site, "second").run(until="scan")
    present = site.manifest()
    site.state.write(present.previous, b"{")
    assert base_manifest(site.ledger(), present) == present


def test_a_first_rebuild_compares_with_nothing() -> None:
    site = simulated_site()
    execution(site).run(until="scan")
    present = site.manifest()
    assert not base_manifest(site.ledger(), present).built_at
