"""The scenarios: a first build, a reconciliation, and an update, step by step as the state machine takes them."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from measure import say
from scale_ledger import Ledger
from scale_model import WORKERS, Call, Phase, Run, call, fitted
from scale_worker import Taken, Task

from waypost.distributed.artifacts import ScanTask, Segment
from waypost.distributed.publish import PublishBatch
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest import Run as Begun
from waypost.sync.publisher import PublishResult

FROM = 1_000_000
"""Objects from which on many workers rebuild."""
_AFTER = {"scan": "plan", "build": "commit", "publish": "finalize"}
_FEW = 4
_WORKER = Path(__file__).with_name("scale_worker.py")
_SAMPLE = 9_000_000
Payload = Mapping[str, Any]


class Trial:
    """One synthetic bucket, whose ledger goes from one scenario to the next; `of_request` is boto3's own time."""

    def __init__(self, ledger: Ledger, of_request: Mapping[str, float]) -> None:
        self.ledger, self._of_request = ledger, of_request
        self._run = Begun("", 0)

    def full(self) -> Run:
        """A first build: every page is read."""
        return self._rebuilt("first build", "run-1")

    def reconciled(self, changed: Sequence[int]) -> Run:
        """A rebuild of what is known, but for some pages that were changed without an event."""
        self.ledger.changed = tuple(changed)
        return self._rebuilt("reconciliation", "run-2")

    def updated(self, numbers: Sequence[int]) -> Run:
        """One batch of events: pages anywhere, each in a shard of its own where there are as many."""
        ledger = self.ledger
        ledger.changed = tuple(sorted({*ledger.changed, *numbers}))
        manifest = ledger.manifest()
        ledger.write([entry for n in numbers for entry in ledger.segment_of(manifest, n)])
        found = self._taken(None, tuple(ledger.bucket.key(n) for n in numbers))
        run = self._begun("update")
        run.phases.append(Phase("update", [call(found, self._of_request)], found.peak))
        run.about = {"processor": found.processor, "written": found.answer["written"]}
        return run

    def _begun(self, scenario: str) -> Run:
        return Run(scenario, self.ledger.shape, self.ledger.size)

    def _rebuilt(self, scenario: str, name: str) -> Run:
        run = self._begun(scenario)
        if self.ledger.size < FROM:
            found = self._taken(None)
            run.phases.append(Phase("rebuild", [call(found, self._of_request)], found.peak, self.ledger.size))
        else:
            self._stepped(run, name)
        data = self.ledger.get("manifest.json")
        manifest = self.ledger.manifest()
        run.about = {"shards": len(manifest.entries), "indexes": len(manifest.indexes), "manifest": len(data)}
        run.about["index"] = max((self.ledger.published(file.name) for file in manifest.indexes), default=0)
        self.ledger.stand()
        return run

    def _stepped(self, run: Run, name: str) -> None:
        """Take one step after another, up to the end."""
        step = "plan"
        while step != "done":
            if step == "finalize":
                self.ledger.stand()
            found = self._taken({"step": step, "run": name})
            say(f"  {step}: {found.processor:.1f} s, {found.peak:.0f} MB; next {found.answer}")
            run.phases.append(Phase(step, [call(found, self._of_request)], found.peak, 0, found.processor))
            step = found.answer["next_step"]
            if found.answer["tasks"]:
                begun = self.ledger.manifest().run
                assert begun
                self._run = begun
                run.phases.append(_STEPS[step](self, found.answer["tasks"]))
                step = _AFTER[step]

    def _gathered(self, name: str) -> Phase:
        items = self.ledger.items(name)
        parts = [msgspec.convert(item["part"], ScanTask) for item in items]
        spans = [self.ledger.range(part) for part in parts]
        sizes = [stop - start for start, stop in spans]
        chosen = _chosen(sizes)
        names = self.ledger.write([entry for n in chosen for entry in parts[n].base])
        if names:
            manifest = self.ledger.manifest()
            self.ledger.rename(names, [name, "manifest.json", *([manifest.previous] if manifest.previous else [])])
            items = self.ledger.items(name)
            parts = [msgspec.convert(item["part"], ScanTask) for item in items]
        found = self._sampled([items[n] for n in chosen])
        for n in set(range(len(parts))) - set(chosen):
            self.ledger.gathered(self._run, parts[n])
        return _phase("scan", sizes, dict(zip(chosen, found, strict=True)), self._of_request)

    def _shaped(self, name: str) -> Phase:
        items = self.ledger.items(name)
        batches = [msgspec.convert(item["segments"], tuple[Segment, ...]) for item in items]
        sizes = [sum(part.page_count for segment in batch for part in segment.fragments) for batch in batches]
        chosen = _chosen(sizes)
        self.ledger.write([part for n in chosen for segment in batches[n] for part in segment.fragments])
        found = self._sampled([items[n] for n in chosen])
        for n in set(range(len(batches))) - set(chosen):
            self.ledger.shaped(self._run, items[n]["n"], batches[n])
        return _phase("build", sizes, dict(zip(chosen, found, strict=True)), self._of_request)

    def _published(self, name: str) -> Phase:
        """Those are sampled whose shards a sampled call has shaped: others cannot be rendered to their digest."""
        items = self.ledger.items(name)
        batches = [msgspec.convert(item["batch"], PublishBatch) for item in items]
        info = self._info()
        sizes = [sum(e.page_count for e in b.manifest.entries if not info(e)) for b in batches]
        real = [e for b in batches for e in b.manifest.entries if not info(e) and self._is_real(e)]
        if len(items) <= _FEW and sum(sizes) == sum(e.page_count for e in real):
            chosen = dict(enumerate(self._sampled(items)))
            return _phase("publish", sizes, chosen, self._of_request)
        extra = [real[: 20 if half else 4] for half in (0, 1)] if real else []
        made = [self._item(items[0], batches[0], _SAMPLE + n, some) for n, some in enumerate(extra)]
        still = [n for n, size in enumerate(sizes) if size == 0][:2]
        found = self._sampled([*made, *(items[n] for n in still)])
        known = [(float(sum(e.page_count for e in some)), each) for some, each in zip(extra, found, strict=False)]
        known += [(0.0, each) for each in found[len(made) :]]
        for n in range(len(items)):
            self.ledger.put(
                f"{self._run.prefix}published-{n:07}",
                PublishResult(tuple(f.name for e in batches[n].manifest.entries for f in e.files if sizes[n])),
            )
        at = fitted([(size, call(each, self._of_request)) for size, each in known])
        return Phase("publish", [at(size) for size in sizes], max(each.peak for _, each in known), int(max(sizes)))

    def _item(self, item: Payload, batch: PublishBatch, n: int, some: Sequence[ShardEntry]) -> Payload:
        manifest: Manifest = msgspec.structs.replace(batch.manifest, entries=tuple(some))
        made = msgspec.to_builtins(PublishBatch(manifest, batch.etag))
        return {**item, "n": n, "batch": made}

    def _info(self) -> Callable[[ShardEntry], bool]:
        file = self.ledger.folder / "standing.json"
        known = msgspec.json.decode(file.read_bytes()) if file.exists() else {}
        return lambda entry: all(known.get(each.name) == each.digest for each in entry.files)

    def _is_real(self, entry: ShardEntry) -> bool:
        return (self.ledger.folder / "state" / "ledger" / entry.records_file).exists()

    def _sampled(self, payloads: Sequence[Payload]) -> list[Taken]:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(self._taken, payloads))

    def _taken(self, payload: Payload | None, keys: tuple[str, ...] = ()) -> Taken:
        """One call, in a process of its own."""
        ledger = self.ledger
        task = Task(
            ledger.shape,
            ledger.size,
            str(ledger.folder),
            WORKERS,
            dict(payload) if payload else None,
            keys,
            ledger.changed,
        )
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(msgspec.json.encode(task))
            done = subprocess.run([sys.executable, str(_WORKER), file.name], capture_output=True, check=False)
        if done.returncode:
            sys.stderr.buffer.write(done.stderr)
            done.check_returncode()
        return msgspec.json.decode(done.stdout, type=Taken)


_STEPS: dict[str, Callable[[Trial, str], Phase]] = {
    "scan": Trial._gathered,
    "build": Trial._shaped,
    "publish": Trial._published,
}


def _chosen(sizes: Sequence[int]) -> list[int]:
    """Which items to run: all of a few, else the smallest, one in the middle and the largest."""
    if len(sizes) <= _FEW:
        return list(range(len(sizes)))
    order = sorted(range(len(sizes)), key=lambda n: sizes[n])
    return sorted({order[0], order[len(order) // 2], order[-1]})


def _phase(step: str, sizes: Sequence[int], found: Mapping[int, Taken], of_request: Mapping[str, float]) -> Phase:
    """A step's calls: those that ran, and the others on the lines through them."""
    known: dict[int, Call] = {n: call(taken, of_request) for n, taken in found.items()}
    at = fitted([(sizes[n], each) for n, each in known.items()])
    calls = [known.get(n) or at(size) for n, size in enumerate(sizes)]
    return Phase(step, calls, max(taken.peak for taken in found.values()), max(sizes))
