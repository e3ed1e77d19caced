"""The end of a schedule: all messages are delivered, then the site must be that of a quiet full build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedules import published
from schedules.invariants import Violation
from schedules.simulation import Simulation

from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.store import MANIFEST_NAME

if TYPE_CHECKING:
    from schedules.simulated_ledger import SimulatedLedger

_PAST_ALL_LEASES = 30_000
_REDELIVERY, _DELIVERIES = 900, 8
_DAY = 90_000
_DAILY_PASSES = 3
"""A pass notes what is not named, the next one deletes it, and a third one what was recorded of a deleted file."""


def check_end(simulation: Simulation) -> None:
    """Let all processes end, deliver all messages, and compare the site with a full build's; then let days pass."""
    simulation.finish_all()
    simulation.processes.advance(simulation.now + _PAST_ALL_LEASES)
    for ledger in simulation.ledgers:
        _deliver_all(simulation, ledger)
        if ledger.lost > ledger.found or ledger.must_rebuild or ledger.stops:
            _rebuild(simulation, ledger)
    for number in range(len(simulation.ledgers)):
        _check_published(simulation, number)
    for _ in range(_DAILY_PASSES):
        simulation.processes.advance(simulation.now + _DAY)
        for number, ledger in enumerate(simulation.ledgers):
            _check_daily_pass(simulation, number, ledger)
    for number in range(len(simulation.ledgers)):
        _check_no_files_left(simulation, number)


def _deliver_all(simulation: Simulation, ledger: SimulatedLedger) -> None:
    for _ in range(_DELIVERIES):
        if not ledger.messages:
            return
        keys, ledger.messages = sorted(set(ledger.messages)), []
        ledger.start_update(keys, 0.0, builds=False)
        simulation.finish(ledger, ledger.jobs[-1])
        if ledger.must_rebuild:
            _rebuild(simulation, ledger)
        simulation.processes.advance(simulation.now + _REDELIVERY)
    if ledger.messages:
        raise Violation(f"the messages {ledger.messages} are never acknowledged")


def _rebuild(simulation: Simulation, ledger: SimulatedLedger) -> None:
    ledger.must_rebuild = False
    ledger.start_rebuild(0.0)
    job = ledger.jobs[-1]
    lost = ledger.lost
    simulation.finish(ledger, job)
    if job.process.error is not None or ledger.lost != lost:
        raise Violation(f"a rebuild without other processes fails: {job.process.error}") from job.process.error
    ledger.found = lost


def _check_published(simulation: Simulation, number: int) -> None:
    manifest = simulation.checks[number].manifest
    is_published = manifest.publisher is None or not manifest.publisher.is_live(simulation.now)
    if not is_published or (manifest.pending and manifest.page_count):
        raise Violation(f"at the end {manifest.publisher} publishes, and {manifest.pending} is pending")
    if not manifest.page_count:
        return
    twin = _twin(simulation, number)
    wanted = twin.checks[0].manifest.files
    if wanted.keys() != manifest.files.keys():
        raise Violation(f"the files {sorted(wanted.keys() ^ manifest.files.keys())} are not those of a full build")
    names = set(wanted) | ({ROBOTS} if simulation.ledgers[number].site.robots_sitemaps else set())
    wrong = [name for name in sorted(names) if _differs(simulation, twin, name)]
    if wrong:
        raise Violation(f"{wrong} are not as in a full build")


def _differs(simulation: Simulation, twin: Simulation, name: str) -> bool:
    here, there = simulation.bucket.objects.get(name), twin.bucket.objects.get(name)
    if here is None or there is None:
        return here is not there
    return published.undated(name, here.content) != published.undated(name, there.content)


def _twin(simulation: Simulation, number: int) -> Simulation:
    """The same objects without this ledger's files, after a full build."""
    ledger = simulation.ledgers[number]
    conditions = simulation.conditions
    twin = Simulation(
        type(conditions)(((),), ((ledger.site,),), (0.0,), conditions.has_content_etags, conditions.page_size)
    )
    twin.processes.advance(simulation.now)
    checks = simulation.checks[number]
    for name, found in simulation.bucket.objects.items():
        if not checks.is_ours(name) or name == ROBOTS:
            twin.bucket.objects[name] = found
    twin.foreign |= simulation.foreign
    twin.ledgers[0].start_rebuild(0.0)
    twin.finish(twin.ledgers[0], twin.ledgers[0].jobs[-1])
    return twin


def _check_daily_pass(simulation: Simulation, number: int, ledger: SimulatedLedger) -> None:
    """A daily pass over a site that is right writes nothing."""
    ledger.start_rebuild(0.0)
    job = ledger.jobs[-1]
    simulation.finish(ledger, job)
    if job.process.error is not None:
        raise Violation(f"a daily pass fails: {job.process.error}") from job.process.error
    if job.process.result.written:
        raise Violation(f"a daily pass writes {job.process.result.written}, though all was right")
    _check_published(simulation, number)


def _check_no_files_left(simulation: Simulation, number: int) -> None:
    checks = simulation.checks[number]
    if not checks.manifest.page_count:
        return
    left = [name for name in simulation.bucket.objects if checks.is_ours(name)]
    unnamed = set(left) - checks.manifest.files.keys() - {ROBOTS}
    if unnamed:
        raise Violation(f"{sorted(unnamed)} are left, though the manifest does not name them")
    known = {MANIFEST_NAME, "unreferenced.json", *checks.named_files()}
    kept = simulation.ledgers[number].state.objects.keys() - known
    if kept:
        raise Violation(f"the ledger's files {sorted(kept)} are left, though nothing names them")
