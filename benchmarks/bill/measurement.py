"""Measures the calls of one site in a steady state: after a build, a day with uploads, and a rebuild."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from scale.cost_model import TRANSITIONS, SimulatedRun
from scale.scenarios import Scenarios
from scale.simulated_ledger import SimulatedLedger

from bill.function_calls import SiteFunction, site_writes
from bill.sites import OWN_EVENTS, REBUILD, SCATTERED, SCATTERED_UPLOADS, UPLOADS, BilledSite
from bill.stack import Stack
from bill.usage import MeasuredSite, Usage

SHAPE = "catalogue"
_TRANSITIONS_OF_STEP = 3
"""A step of the state machine itself: a task or a map, a choice, and its share of the start and the end."""
_LOST_EVENTS = 100
"""Objects that changed without an event before the measured distributed rebuild, as in docs/scale.md."""


def measure(site: BilledSite, stack: Stack, request_seconds: Mapping[str, float]) -> MeasuredSite:
    """Measure all calls of a site."""
    folder = Path(tempfile.mkdtemp())
    try:
        function = SiteFunction(SHAPE, site.size, folder, stack.timeouts, request_seconds)
        measured = _measure_distributed if site.is_distributed else _measure_single
        return measured(site, function, request_seconds)
    finally:
        shutil.rmtree(folder)


def _measure_single(site: BilledSite, function: SiteFunction, _: Mapping[str, float]) -> MeasuredSite:
    """A site that one call rebuilds."""
    function.rebuild()
    function.handle_events(function.upload(site.batch(1)))
    function.day = 1
    function.rebuild()
    uploads, names = function.handle_events(function.upload(site.batch(2)))
    events, _names = function.handle_events(names)
    function.day = 2
    usages = {UPLOADS: uploads, OWN_EVENTS: events, REBUILD: function.rebuild()}
    return _with_sizes(usages, SimulatedLedger(SHAPE, site.size, function.folder))


def _measure_distributed(
    site: BilledSite, function: SiteFunction, request_seconds: Mapping[str, float]
) -> MeasuredSite:
    """A site that a state machine rebuilds."""
    ledger = SimulatedLedger(SHAPE, site.size, function.folder)
    scenarios = Scenarios(ledger, request_seconds)
    scenarios.first_build()
    distance = site.size // _LOST_EVENTS
    run = scenarios.reconciliation([7 + distance * n for n in range(_LOST_EVENTS)])
    rebuild = _rebuild_usage(run, _run_bytes(function.folder))
    function.day = 2
    function.changed.update(ledger.changed)
    usages = {UPLOADS: _busy_window(site, function, ledger), REBUILD: rebuild}
    return _with_sizes(usages | {SCATTERED: _scattered_window(site, function, ledger)}, ledger)


def _busy_window(site: BilledSite, function: SiteFunction, ledger: SimulatedLedger) -> Usage:
    """What a call uses that handles the uploads of a window, and the events of what the call before published."""
    names: list[str] = []
    for start in (1, 1 + site.uploads // site.places):
        usage, names = _handle(site.batch(start), names, function, ledger)
    return usage


def _scattered_window(site: BilledSite, function: SiteFunction, ledger: SimulatedLedger) -> Usage:
    """What a call uses that handles uploads of pages that are in different sitemaps."""
    distance = site.size // SCATTERED_UPLOADS
    return _handle([9 + distance * n for n in range(SCATTERED_UPLOADS)], [], function, ledger)[0]


def _handle(
    numbers: Sequence[int], names: Sequence[str], function: SiteFunction, ledger: SimulatedLedger
) -> tuple[Usage, list[str]]:
    """Have the events handled of these objects and of published files, after the records of the objects are written."""
    manifest = ledger.manifest()
    ledger.write_records([entry for number in numbers for entry in ledger.shards_of_segment(manifest, number)])
    return function.handle_events([*function.upload(numbers), *names])


def _rebuild_usage(run: SimulatedRun, run_bytes: int) -> Usage:
    requests = dict(sorted(run.requests().items()))
    return Usage(
        seconds=sum(phase.billed_seconds(1) for phase in run.phases),
        requests=requests,
        written={"other": run_bytes},
        events=round(site_writes(requests)),
        calls=run.calls(),
        transitions=TRANSITIONS * run.calls() + _TRANSITIONS_OF_STEP * len(run.phases),
    )


def _run_bytes(folder: Path) -> int:
    """The bytes of the files that the second distributed rebuild has left for its own steps."""
    return sum(file.stat().st_size for file in (folder / "state" / "ledger" / "runs").glob("run-2-*"))


def _with_sizes(usages: Mapping[str, Usage], ledger: SimulatedLedger) -> MeasuredSite:
    """The measured calls, with the size of all sitemaps and of the ledger by those files that were really written."""
    manifest, state = ledger.manifest(), ledger.folder / "state" / "ledger"
    pages = sum(entry.page_count for entry in manifest.entries)
    sitemaps = [
        (ledger.folder / "site" / file.name, each.page_count) for each in manifest.entries for file in each.files
    ]
    records = [(state / entry.records_file, entry.page_count) for entry in manifest.entries]
    others = [state / "manifest.json", state / "report.html"]
    other_bytes = sum(file.stat().st_size for file in others if file.exists())
    return MeasuredSite(usages, _estimated_bytes(sitemaps, pages), _estimated_bytes(records, pages) + other_bytes)


def _estimated_bytes(files: list[tuple[Path, int]], pages: int) -> int:
    """The bytes of files for so many pages, by those of them that exist."""
    found = [(file.stat().st_size, count) for file, count in files if file.exists()]
    return round(sum(size for size, _ in found) / sum(count for _, count in found) * pages)
