"""What comes next while a distributed run publishes: its phases, its lease, and what others commit meanwhile."""

from __future__ import annotations

from typing import Any

from distributed_sites import KEYS, LIMITS, execution, simulated_site
from fake_stores import SimulatedSite
from unit.published_sites import BASE, listed_urls

from waypost.distributed.artifacts import RunArtifacts
from waypost.distributed.publish import MAP_LEASE, PublishBatch
from waypost.distributed.run_publisher import RunPublisher
from waypost.ledger.ledger_state import Run
from waypost.ledger.manifest import Manifest
from waypost.sync import rebuild

NOINDEX = "<meta name=robots content=noindex>"
MARGIN = 30


def committed(site: SimulatedSite, name: str = "run") -> RunPublisher:
    """What publishes a run that has just committed."""
    execution(site, name).run(until="publish")
    publisher = site.manifest().publisher
    assert publisher is not None
    artifacts = RunArtifacts(site.state, Run(publisher.owner, publisher.start_generation))
    return RunPublisher(site.updater(), artifacts, LIMITS.files_per_batch)


def names(batches: list[PublishBatch]) -> set[str]:
    return {each.name for batch in batches for each in batch.manifest.pending}


def test_the_first_wave_has_all_pending_sitemaps_in_batches_of_a_few_shards() -> None:
    site = simulated_site()
    batches = committed(site).begin(site.ledger().read())
    assert names(batches) == site.manifest().sitemap_names
    assert max(len(batch.manifest.entries) for batch in batches) == LIMITS.files_per_batch
    assert not any(batch.is_last_phase for batch in batches)


def test_workers_get_the_lease_that_the_run_took_with_its_commit() -> None:
    site = simulated_site()
    started = site.clock.time()
    batches = committed(site).begin(site.ledger().read())
    publisher = site.manifest().publisher
    assert publisher is not None
    assert {batch.expires for batch in batches} == {publisher.expires}
    assert started + MAP_LEASE + MARGIN <= publisher.expires <= site.clock.time() + MAP_LEASE + MARGIN


def test_what_no_worker_has_finished_is_handed_out_again_with_a_renewed_lease() -> None:
    site = simulated_site()
    workers = execution(site)
    first, *others = workers.tasks(workers.run(until="publish"))
    for task in others:
        workers.take(task)
    site.clock.sleep(1_000)
    again = workers.take_step("finalize")
    (task,) = workers.tasks(again)
    assert task["batch"]["manifest"]["pending"] == first["batch"]["manifest"]["pending"]
    assert task["batch"]["expires"] >= first["batch"]["expires"] + 1_000
    assert "sitemap.xml" not in site.outputs.files


def test_a_worker_whose_lease_has_ended_writes_nothing_and_its_files_are_handed_out_again() -> None:
    site = simulated_site()
    workers = execution(site)
    tasks = workers.tasks(workers.run(until="publish"))
    site.clock.sleep(MAP_LEASE)
    for task in tasks:
        workers.take(task)
    assert site.outputs.files == {}
    assert workers.take_step("finalize").next_step == "publish"
    assert workers.run().next_step == "done"
    assert site.is_in_sync()


def merging_site() -> SimulatedSite:
    """A published site of which many pages are gone, and many are new: sitemaps are merged and split."""
    site = simulated_site(max_removed=100)
    rebuild.rebuild(site.updater())
    for key in KEYS[:20:2]:
        site.delete(key)
    for n in range(20, 40, 4):
        site.put(f"{n:03}a.html", "x")
    return site


def test_no_page_is_missing_between_the_waves_of_a_run() -> None:
    site = merging_site()
    kept = {BASE + key for key in KEYS if key in site.source.objects}
    workers = execution(site)
    step: dict[str, Any] = {"step": "plan", "run": "run"}
    phases = 0
    while True:
        answer = workers.take(step)
        assert kept <= listed_urls(site)
        phases += answer.next_step == "publish"
        for task in workers.tasks(answer):
            workers.take(task)
            assert kept <= listed_urls(site)
        if answer.next_step == "done":
            break
        following = {"scan": "plan", "build": "commit", "publish": "finalize"}
        next_step = following[answer.next_step] if answer.tasks else answer.next_step
        step = {"step": next_step, "run": "run"}
    assert phases == 2, "sitemaps of which pages go are written in a phase of their own"
    assert listed_urls(site) == {BASE + key for key in site.source.objects}
    assert site.is_in_sync()


def test_after_the_last_wave_nothing_of_the_run_is_pending_and_its_etags_are_known() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run()
    manifest = site.manifest()
    assert (manifest.pending, manifest.publisher, manifest.builder) == ((), None, None)
    etags = {name: info.etag for name in site.outputs.files if (info := site.outputs.head(name))}
    assert {name: file.etag for name, file in manifest.files.items()} == etags


def test_the_run_publishes_by_the_manifest_of_its_commit_and_then_what_others_have_committed() -> None:
    site = simulated_site()
    workers = execution(site)
    tasks = workers.tasks(workers.run(until="publish"))
    site.put("007.html", NOINDEX)
    site.updater().update(["007.html"])
    for task in tasks:
        workers.take(task)
    assert any(b"/007.html<" in body for body in site.outputs.bodies().values())
    assert workers.run().next_step == "done"
    assert BASE + "007.html" not in listed_urls(site)
    assert site.manifest().pending == ()
    assert site.is_in_sync()


def test_a_run_of_an_unchanged_site_has_nothing_to_publish() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    before: Manifest = site.manifest()
    result = execution(site).run().result
    assert result is not None
    assert result.written == ()
    assert site.manifest().files == before.files


def test_the_results_of_a_run_are_those_of_its_workers_and_of_its_last_step() -> None:
    site = simulated_site()
    result = execution(site).run().result
    assert result is not None
    assert set(result.written) == site.outputs.files.keys()
    assert len(result.written) == len(set(result.written))
