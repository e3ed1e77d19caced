"""The actions of a schedule: values that can be printed, left out, and applied to a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from schedules.processes import Fault
from waypost.ledger.store import MANIFEST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from schedules.simulation import Simulation

_MAX_UNTIL = 80


class Action(NamedTuple):
    """What happens next; one that is not possible now does nothing."""

    verb: str
    values: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.verb} {' '.join(map(repr, self.values))}"

    def apply(self, simulation: Simulation) -> None:
        _ACTIONS[self.verb](simulation, *self.values)


def _upload(simulation: Simulation, key: str, content: str | None, times: int) -> None:
    simulation.change(key, content, times)


def _update(simulation: Simulation, ledger: int, most: int, first: int, builds: bool) -> None:
    """Start an update for at most so many keys of messages, from the `first` on."""
    found = simulation.ledgers[ledger % len(simulation.ledgers)]
    if not found.receive() or not simulation.can_start():
        return
    known = list(dict.fromkeys(found.messages))
    start = first % len(known)
    keys = sorted((known[start:] + known[:start])[:most])
    for key in keys:
        found.messages.remove(key)
    found.start_update(keys, simulation.offset(), builds=builds)


def _rebuild(simulation: Simulation, ledger: int, steps: int | None) -> None:
    if simulation.can_start():
        found = simulation.ledgers[ledger % len(simulation.ledgers)]
        found.must_rebuild = False
        found.start_rebuild(simulation.offset(), steps)


def _continue(simulation: Simulation, ledger: int, steps: int | None) -> None:
    found = simulation.ledgers[ledger % len(simulation.ledgers)]
    if found.stops and simulation.can_start():
        found.start_rebuild(simulation.offset(), steps, found.stops.pop(0))


def _publish(simulation: Simulation, ledger: int) -> None:
    """Deliver a message that asks for publishing, once it is due."""
    found = simulation.ledgers[ledger % len(simulation.ledgers)]
    if found.publish_messages and min(found.publish_messages) <= simulation.now and simulation.can_start():
        found.start_publication(simulation.offset())


def _execute(simulation: Simulation, ledger: int, seed: int) -> None:
    if simulation.can_start():
        simulation.ledgers[ledger % len(simulation.ledgers)].start_execution(simulation.offset(), seed)


def _handle_failure(simulation: Simulation, ledger: int) -> None:
    found = simulation.ledgers[ledger % len(simulation.ledgers)]
    if found.failed_runs and simulation.can_start():
        found.start_failure_handler(simulation.offset())


def _step(simulation: Simulation, process: int, count: int) -> None:
    jobs = simulation.jobs()
    if jobs:
        ledger, job = jobs[process % len(jobs)]
        for _ in range(count):
            if not job.process.is_done:
                simulation.step(ledger, job)


def _step_until(simulation: Simulation, process: int, verb: str, stem: str) -> None:
    """Step a process until it waits before such a request."""
    jobs = simulation.jobs()
    if jobs:
        ledger, job = jobs[process % len(jobs)]
        for n in range(_MAX_UNTIL):
            request = job.process.at
            if job.process.is_done or (n and request.verb == verb and request.name.startswith(stem)):
                return
            simulation.step(ledger, job)


def _fail(simulation: Simulation, process: int, fault: Fault, late_by: float) -> None:
    jobs = simulation.jobs()
    if jobs:
        simulation.step(*jobs[process % len(jobs)], fault, late_by)


def _pass_time(simulation: Simulation, seconds: float) -> None:
    simulation.processes.advance(simulation.now + seconds)


def _use_settings(simulation: Simulation, ledger: int, version: int) -> None:
    found = simulation.ledgers[ledger % len(simulation.ledgers)]
    version %= len(found.versions)
    if found.version != version:
        found.version = version
        found.lost += 1


def _published_name(simulation: Simulation, number: int) -> str | None:
    names = sorted({name for checks in simulation.checks for name in simulation.bucket.objects if checks.is_ours(name)})
    return names[number % len(names)] if names else None


def _delete_output(simulation: Simulation, number: int) -> None:
    name = _published_name(simulation, number)
    if name and name != "robots.txt":
        simulation.change(name, None, 1)


def _overwrite_output(simulation: Simulation, number: int, content: str, times: int) -> None:
    name = _published_name(simulation, number)
    if name and name != "robots.txt":
        simulation.change(name, content, times)


def _damage_records(simulation: Simulation, ledger: int, number: int, content: bytes | None) -> None:
    """Lose a file of records (None), or damage it."""
    number_of_ledger = ledger % len(simulation.ledgers)
    found, checks = simulation.ledgers[number_of_ledger], simulation.checks[number_of_ledger]
    names = sorted(entry.records_file for entry in checks.manifest.entries)
    names = [name for name in names if name in found.state.objects]
    if names and MANIFEST_NAME in found.state.objects:
        name = names[number % len(names)]
        checks.damaged.add(name)
        found.lost += 1
        if content is None:
            found.state.delete(name)
        else:
            found.state.put(name, content)


def _empty(simulation: Simulation) -> None:
    """Delete all pages, with events."""
    for key in [key for key in simulation.bucket.objects if key.endswith((".html", ".htm"))]:
        if not any(checks.is_ours(key) for checks in simulation.checks):
            simulation.change(key, None, 1)


_ACTIONS: Mapping[str, Callable[..., None]] = {
    "upload": _upload,
    "update": _update,
    "rebuild": _rebuild,
    "continue": _continue,
    "execute": _execute,
    "publish": _publish,
    "handle-failure": _handle_failure,
    "step": _step,
    "step-until": _step_until,
    "fail": _fail,
    "pass-time": _pass_time,
    "use-settings": _use_settings,
    "delete-output": _delete_output,
    "overwrite-output": _overwrite_output,
    "damage-records": _damage_records,
    "empty": _empty,
}
