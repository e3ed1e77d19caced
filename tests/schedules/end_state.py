"""The end of a schedule: all messages are delivered, then the site must be as after a quiet full build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedules import published
from schedules.invariants import Violation
from schedules.processes import NOON
from schedules.simulation import Simulation
from waypost.build.contested_files import is_contested
from waypost.ledger.outbox import CLAIM_SECONDS, FOLDER
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.store import MANIFEST_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedules.simulated_ledger import SimulatedLedger

_PAST_ALL_LEASES = 30_000
_REDELIVERY, _DELIVERIES = 900, 8
_DAY, _ABOUT = 90_000, 600
_PAGE_SIZE = 1_000
"""A quiet full build lists all objects by one request."""
_DAILY_PASSES, _PASSES_WITH_SUBSCRIBER = 3, 5
"""A pass notes what is not named, the next one deletes it, and a third one what was recorded of a deleted file.

The subscriber is notified of deletions, and the file of that is deleted two passes later.
"""


def check_end(simulation: Simulation) -> None:
    """Let all processes end, deliver all messages, and compare the site with a full build's; perhaps let days pass."""
    simulation.finish_all()
    simulation.processes.advance(simulation.now + _PAST_ALL_LEASES)
    for ledger in simulation.ledgers:
        _deliver_all(simulation, ledger)
        _check_nothing_pending(ledger)
        has_contested_files = any(map(is_contested, ledger.checked_manifest().repaired))
        if ledger.lost > ledger.found or ledger.must_rebuild or ledger.stops or has_contested_files:
            _rebuild(simulation, ledger)
    _let_noon_pass(simulation)
    for ledger in simulation.ledgers:
        if ledger.site.news:  # the other ledger's messages took time, in which articles may have ceased to be news
            _rebuild(simulation, ledger)
    twins = [_twin(simulation, number) for number in range(len(simulation.ledgers))]
    for number, (ledger, twin) in enumerate(zip(simulation.ledgers, twins, strict=True)):
        _check_notified(simulation, ledger, number)
        _check_published(simulation, number, twin)
    if simulation.conditions.has_daily_passes:
        _let_days_pass(simulation, twins)


def _let_days_pass(simulation: Simulation, twins: Sequence[Simulation]) -> None:
    for passed in range(_PASSES_WITH_SUBSCRIBER if simulation.conditions.has_subscriber else _DAILY_PASSES):
        if passed and not any(_files_left(simulation, number) for number in range(len(twins))):
            return
        simulation.processes.advance(simulation.now + _DAY)
        _let_noon_pass(simulation)
        for number, twin in enumerate(twins):
            _check_daily_pass(simulation, number, twin)
    for number, ledger in enumerate(simulation.ledgers):
        _check_notified(simulation, ledger, number)
    left = [name for number in range(len(twins)) for name in _files_left(simulation, number)]
    if left:
        raise Violation(f"{left} are left, though nothing names them")


def _let_noon_pass(simulation: Simulation) -> None:
    """Wait if it is about noon, when articles cease to be news: the twin's clock differs from the rebuild's."""
    left = (NOON + _ABOUT - simulation.now) % 86_400
    if left < 2 * _ABOUT:
        simulation.processes.advance(simulation.now + left)


def _deliver_all(simulation: Simulation, ledger: SimulatedLedger) -> None:
    for _ in range(_DELIVERIES):
        if not ledger.receive() and not ledger.hidden_messages and not ledger.publish_messages:
            return
        if ledger.messages:
            keys, ledger.messages = sorted(set(ledger.messages)), []
            ledger.start_update(keys, 0.0, builds=False)
            simulation.finish(ledger, ledger.jobs[-1])
        while ledger.publish_messages and min(ledger.publish_messages) <= simulation.now:
            ledger.start_publication(0.0)
            simulation.finish(ledger, ledger.jobs[-1])
        if ledger.must_rebuild:
            _rebuild(simulation, ledger)
        simulation.processes.advance(simulation.now + _REDELIVERY)
    if ledger.receive() or ledger.hidden_messages or ledger.publish_messages:
        raise Violation(f"the messages {ledger.messages} {ledger.publish_messages} are never acknowledged")


def _check_nothing_pending(ledger: SimulatedLedger) -> None:
    """If rebuilds ask by messages that somebody publishes, nothing is pending once all messages are acknowledged."""
    manifest = ledger.checked_manifest()
    is_own = ledger.updater().is_built_with(manifest, manifest.robots_rules)
    if ledger.has_publish_messages and manifest.is_publishable and is_own and manifest.pending:
        raise Violation(f"all messages are acknowledged, and {manifest.pending} is pending")


def _check_notified(simulation: Simulation, ledger: SimulatedLedger, number: int) -> None:
    """Once nothing is pending, one more publication is enough to notify the subscriber of all changes."""
    manifest = ledger.checked_manifest()
    is_own = ledger.updater().is_built_with(manifest, manifest.robots_rules)
    if not (ledger.subscribers and manifest.is_publishable and is_own):
        return
    simulation.processes.advance(simulation.now + CLAIM_SECONDS)
    ledger.publish_messages.append(simulation.now)
    ledger.start_publication(0.0)
    simulation.finish(ledger, ledger.jobs[-1])
    found = simulation.checks[number]
    if found.manifest.outbox:
        raise Violation(f"nobody was notified of {[file.name for file in found.manifest.outbox]}")
    # No index names an unreferenced file, and the pass that deletes it sends it.
    files = found.notifications.files.keys() - {each.name for each in found.manifest.unreferenced}
    if left := sorted({*found.notifications.urls, *files}):
        raise Violation(f"the subscriber was not notified of {left}")


def _rebuild(simulation: Simulation, ledger: SimulatedLedger) -> None:
    ledger.must_rebuild = False
    ledger.start_rebuild(0.0)
    job = ledger.jobs[-1]
    lost = ledger.lost
    simulation.finish(ledger, job)
    if job.process.error is not None or ledger.lost != lost:
        raise Violation(f"a rebuild without other processes fails: {job.process.error}") from job.process.error
    ledger.found = lost


def _check_published(simulation: Simulation, number: int, twin: Simulation) -> None:
    manifest = simulation.checks[number].manifest
    is_published = manifest.publisher is None or not manifest.publisher.is_live(simulation.now)
    if not is_published or (manifest.pending and manifest.page_count):
        raise Violation(f"at the end {manifest.publisher} publishes, and {manifest.pending} is pending")
    if not manifest.page_count:
        return
    wanted = twin.ledgers[0].ledger().read().manifest.files
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
        type(conditions)(((),), ((ledger.site,),), (0.0,), conditions.has_content_etags, _PAGE_SIZE), is_checked=False
    )
    twin.processes.advance(simulation.now)
    checks = simulation.checks[number]
    for name, found in simulation.bucket.objects.items():
        if not checks.is_ours(name) or name == ROBOTS:
            twin.bucket.objects[name] = found
            twin.bucket.upload_times[name] = {found.modified}
    twin.foreign |= simulation.foreign
    twin.ledgers[0].start_rebuild(0.0)
    twin.finish(twin.ledgers[0], twin.ledgers[0].jobs[-1])
    return twin


def _check_daily_pass(simulation: Simulation, number: int, twin: Simulation) -> None:
    """A daily pass over a site that is right writes nothing, except where articles are no news any more."""
    ledger = simulation.ledgers[number]
    ledger.start_rebuild(0.0)
    job = ledger.jobs[-1]
    simulation.finish(ledger, job)
    if job.process.error is not None:
        raise Violation(f"a daily pass fails: {job.process.error}") from job.process.error
    if ledger.site.news:
        twin = _twin(simulation, number)  # articles of two days ago are no news any more
    elif job.process.result.written:
        raise Violation(f"a daily pass writes {job.process.result.written}, though all was right")
    _check_published(simulation, number, twin)


def _files_left(simulation: Simulation, number: int) -> list[str]:
    """The files of a ledger that nothing names."""
    checks, ledger = simulation.checks[number], simulation.ledgers[number]
    if not checks.manifest.page_count:
        return []
    ours = (name for name in simulation.bucket.objects if checks.is_ours(name))
    unnamed = sorted(set(ours) - checks.manifest.files.keys() - {ROBOTS})
    known = {MANIFEST_NAME, "unreferenced.json", *checks.named_files()}
    stored = sorted(ledger.state.objects.keys() - known)
    # Articles cease to be news during these days, so there are new files of the outbox at their end.
    return unnamed + [name for name in stored if not (ledger.site.news and name.startswith(FOLDER))]
