"""The scenarios: a first build, a reconciliation and an update, step by step as the state machine runs them."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from measure import say
from msgspec.structs import replace

from scale.cost_model import WORKERS, Phase, SimulatedRun, call_from_usage, interpolated_calls
from scale.simulated_ledger import SimulatedLedger
from scale.worker import CallTask, CallUsage
from waypost.distributed.artifacts import ScanTask, Segment
from waypost.distributed.publish import PublishBatch, PublishedBatch
from waypost.ledger.ledger_state import Run
from waypost.ledger.manifest import PendingFile, ShardEntry
from waypost.sync.result import RunResult

DISTRIBUTED_FROM = 1_000_000
"""Objects from which on the simulation rebuilds with many workers."""
_STEP_AFTER = {"scan": "plan", "build": "commit", "publish": "finalize"}
_FEW = 4
"""How many calls of a step, or fewer, are all run."""
_EXTRA_NUMBER = 9_000_000
"""The first number of publish calls that are made up to be measured."""
_BENCHMARKS = Path(__file__).parents[1]
Payload = Mapping[str, Any]


class Scenarios:
    """One synthetic bucket, whose ledger passes from one scenario to the next; `request_seconds` are boto3's own."""

    def __init__(self, ledger: SimulatedLedger, request_seconds: Mapping[str, float]) -> None:
        self.ledger, self._request_seconds = ledger, request_seconds
        self._run, self._day = Run("", 0), 0

    def first_build(self) -> SimulatedRun:
        """A build without a ledger: every page is read."""
        return self._rebuild("first build", "run-1")

    def reconciliation(self, changed: Sequence[int]) -> SimulatedRun:
        """A rebuild with a complete ledger, after some pages were changed without an event."""
        self.ledger.changed, self._day = tuple(changed), 1
        return self._rebuild("reconciliation", "run-2")

    def update(self, numbers: Sequence[int]) -> SimulatedRun:
        """One batch of events for the pages with these numbers."""
        ledger, manifest = self.ledger, self.ledger.manifest()
        ledger.write_records([entry for n in numbers for entry in ledger.shards_of_segment(manifest, n)])
        ledger.changed = tuple(sorted({*ledger.changed, *numbers}))
        self._day += 1
        usage = self._run_call(None, tuple(ledger.bucket.key(n) for n in numbers))
        run = SimulatedRun("update", ledger.shape, ledger.size)
        run.phases.append(Phase("update", [call_from_usage(usage, self._request_seconds)], usage.peak))
        run.figures = {"processor": usage.processor, "written": usage.answer["written"]}
        return run

    def _rebuild(self, scenario: str, name: str) -> SimulatedRun:
        ledger = self.ledger
        run = SimulatedRun(scenario, ledger.shape, ledger.size)
        if ledger.size < DISTRIBUTED_FROM:
            usage = self._run_call(None)
            run.phases.append(
                Phase("rebuild", [call_from_usage(usage, self._request_seconds)], usage.peak, ledger.size)
            )
        else:
            self._run_steps(run, name)
        manifest = ledger.manifest()
        index_bytes = max((ledger.published_bytes(file.name) for file in manifest.indexes), default=0)
        run.figures = {"shards": len(manifest.entries), "indexes": len(manifest.indexes), "index bytes": index_bytes}
        ledger.assume_published()
        return run

    def _run_steps(self, run: SimulatedRun, name: str) -> None:
        """Run one step after another, to the end."""
        step = "plan"
        while step != "done":
            if step == "finalize":
                self.ledger.assume_published()
            usage = self._run_call({"step": step, "run": name})
            say(f"  {step}: {usage.processor:.1f} s, {usage.peak:.0f} MB; {usage.answer}")
            call = call_from_usage(usage, self._request_seconds)
            run.phases.append(Phase(step, [call], usage.peak, 0, usage.processor))
            step = usage.answer["next_step"]
            if usage.answer["tasks"]:
                self._run = self._current_run()
                run.phases.append(_PARALLEL_STEPS[step](self, usage.answer["tasks"]))
                step = _STEP_AFTER[step]

    def _current_run(self) -> Run:
        run = self.ledger.manifest().run
        assert run
        return run

    def _scan(self, tasks_file: str) -> Phase:
        """The calls of a scan; the records of tasks that are sampled are written first."""
        payloads, tasks = self._scan_tasks(tasks_file)
        spans = [self.ledger.scanned_numbers(task) for task in tasks]
        sizes = [stop - start for start, stop in spans]
        sampled = _sample(sizes)
        names = self.ledger.write_records([entry for n in sampled for entry in tasks[n].base])
        if names:
            self.ledger.rename_records(names, tasks_file)
            payloads, tasks = self._scan_tasks(tasks_file)
        usages = self._run_calls([payloads[n] for n in sampled])
        for n in set(range(len(tasks))) - set(sampled):
            self.ledger.write_scan_result(self._run, tasks[n])
        return self._phase("scan", sizes, dict(zip(sampled, usages, strict=True)))

    def _scan_tasks(self, tasks_file: str) -> tuple[list[dict[str, Any]], list[ScanTask]]:
        payloads = self.ledger.payloads(tasks_file)
        return payloads, [msgspec.convert(payload["scan_task"], ScanTask) for payload in payloads]

    def _build(self, tasks_file: str) -> Phase:
        """The calls of a build; the records of segments that are sampled are written first."""
        payloads = self.ledger.payloads(tasks_file)
        batches = [msgspec.convert(payload["segments"], tuple[Segment, ...]) for payload in payloads]
        sizes = [sum(part.page_count for segment in batch for part in segment.fragments) for batch in batches]
        sampled = _sample(sizes)
        self.ledger.write_records([part for n in sampled for segment in batches[n] for part in segment.fragments])
        usages = self._run_calls([payloads[n] for n in sampled])
        for n in set(range(len(batches))) - set(sampled):
            self.ledger.write_build_result(self._run, payloads[n]["number"], batches[n])
        return self._phase("build", sizes, dict(zip(sampled, usages, strict=True)))

    def _publish(self, tasks_file: str) -> Phase:
        """The calls of a publication.

        Only shards that a sampled call has built can be rendered to the digests that the manifest has, so calls are
        made up of those, and others are sampled that have nothing to write.
        """
        payloads = self.ledger.payloads(tasks_file)
        batches = [msgspec.convert(payload["batch"], PublishBatch) for payload in payloads]
        is_published = self._published_check()
        pending = [[e for e in batch.manifest.entries if not is_published(e)] for batch in batches]
        sizes = [sum(entry.page_count for entry in entries) for entries in pending]
        built = [entry for entries in pending for entry in entries if self._has_records(entry)]
        if len(payloads) <= _FEW and sum(map(len, pending)) == len(built):
            return self._phase("publish", sizes, dict(enumerate(self._run_calls(payloads))))
        extra = [some for some in (built[:4], built[4:24]) if some]
        made_up = [self._publish_payload(payloads[0], _EXTRA_NUMBER + n, some) for n, some in enumerate(extra)]
        unchanged = [payload for payload, size in zip(payloads, sizes, strict=True) if size == 0][:2]
        usages = self._run_calls([*made_up, *unchanged])
        self._write_publish_results(batches, pending)
        sampled_sizes = [float(sum(entry.page_count for entry in some)) for some in extra] + [0.0] * len(unchanged)
        calls = [call_from_usage(usage, self._request_seconds) for usage in usages]
        estimate = interpolated_calls(list(zip(sampled_sizes, calls, strict=True)))
        peak = max(usage.peak for usage in usages)
        return Phase("publish", [estimate(size) for size in sizes], peak, int(max(sizes)))

    def _write_publish_results(self, batches: Sequence[PublishBatch], pending: Sequence[Sequence[ShardEntry]]) -> None:
        for n, (batch, entries) in enumerate(zip(batches, pending, strict=True)):
            etags = {file.name: f'"{file.digest}"' for entry in batch.manifest.entries for file in entry.files}
            written = tuple(file.name for entry in entries for file in entry.files)
            done = PublishedBatch(etags, result=RunResult(written=written))
            self.ledger.put(f"{self._run.prefix}published-{n:07}", done)

    def _publish_payload(self, payload: Payload, number: int, entries: Sequence[ShardEntry]) -> Payload:
        """A payload like another, for these shards."""
        batch = msgspec.convert(payload["batch"], PublishBatch)
        names = sorted(file.name for entry in entries for file in entry.files)
        pending = tuple(PendingFile(name, batch.manifest.generation) for name in names)
        manifest = replace(batch.manifest, entries=tuple(entries), pending=pending)
        changed = replace(batch, manifest=manifest)
        return {**payload, "number": number, "batch": msgspec.to_builtins(changed)}

    def _published_check(self) -> Callable[[ShardEntry], bool]:
        digests = self.ledger.assumed_digests()
        return lambda entry: all(digests.get(file.name) == file.digest for file in entry.files)

    def _has_records(self, entry: ShardEntry) -> bool:
        return (self.ledger.folder / "state" / "ledger" / entry.records_file).exists()

    def _phase(self, step: str, sizes: Sequence[int], usages: Mapping[int, CallUsage]) -> Phase:
        """A step's calls: the measured ones, and estimates of the others by their sizes."""
        measured = {n: call_from_usage(usage, self._request_seconds) for n, usage in usages.items()}
        estimate = interpolated_calls([(sizes[n], call) for n, call in measured.items()])
        calls = [measured.get(n) or estimate(size) for n, size in enumerate(sizes)]
        return Phase(step, calls, max(usage.peak for usage in usages.values()), max(sizes))

    def _run_calls(self, payloads: Sequence[Payload]) -> list[CallUsage]:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(self._run_call, payloads))

    def _run_call(self, payload: Payload | None, keys: tuple[str, ...] = ()) -> CallUsage:
        """Run one call in a process of its own."""
        ledger, step = self.ledger, dict(payload) if payload else None
        task = CallTask(
            ledger.shape, ledger.size, str(ledger.folder), WORKERS, step, keys, ledger.changed, day=self._day
        )
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(msgspec.json.encode(task))
            command = [sys.executable, "-m", "scale.worker", file.name]
            process = subprocess.run(command, cwd=_BENCHMARKS, capture_output=True, check=False)
        if process.returncode:
            sys.stderr.buffer.write(process.stderr)
            process.check_returncode()
        return msgspec.json.decode(process.stdout, type=CallUsage)


_PARALLEL_STEPS: dict[str, Callable[[Scenarios, str], Phase]] = {
    "scan": Scenarios._scan,
    "build": Scenarios._build,
    "publish": Scenarios._publish,
}


def _sample(sizes: Sequence[int]) -> list[int]:
    """Which calls to run: all if they are few, else the smallest, the one in the middle and the largest."""
    if len(sizes) <= _FEW:
        return list(range(len(sizes)))
    order = sorted(range(len(sizes)), key=lambda n: sizes[n])
    return sorted({order[0], order[len(order) // 2], order[-1]})
