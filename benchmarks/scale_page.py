"""The page of what was simulated: tables, plots, and what was assumed."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import scale_client
import scale_model
import scale_plots
from scale_model import COSTS, Run
from scale_text import ENDS as _ENDS
from scale_text import TEXT

from waypost.ledger import manifest as manifests

UPLOADS = 24_000
_ROUND = 1_000_000
_CALL, _WINDOW = 900, 10
_FIRST, _DAILY = 5 * 60.0, 2 * 3600.0
_STEPS = ("scan", "build", "publish")


@dataclass
class Manifest:
    """A manifest's bytes, and the processor's seconds to read and to write it."""

    size: int
    load: float
    dump: float


@dataclass
class Found:
    """What was simulated of one bucket."""

    full: Run
    again: Run
    update: Run
    one: Run
    manifest: Manifest
    rounds: int


def measured(data: bytes) -> Manifest:
    """What reading and writing a manifest takes."""
    began = time.process_time()
    stored = manifests.load(data, "manifest.json")
    loaded = time.process_time()
    manifests.dump(stored)
    return Manifest(len(data), loaded - began, time.process_time() - loaded)


def write(found: Sequence[Found], others: Sequence[Found], of_request: Mapping[str, float], folder: Path) -> None:
    """Write the page and its plots."""
    (folder / "scale").mkdir(exist_ok=True)
    for name, drawn in _plots(found).items():
        (folder / "scale" / f"{name}.svg").write_text(drawn, encoding="utf-8")
    tables = {
        "targets": _targets(found),
        "first": _table(_BUILD, [_build(each.full, each.rounds) for each in found]),
        "daily": _table(_REBUILD, [_rebuild(each.again) for each in found]),
        "ends": _ends(found),
        "uploads": _table(_UPLOADS, [_uploads(each) for each in found]),
        "throttling": _throttling(found),
        "shapes": _table(_SHAPES, [_shape(each) for each in (found[min(3, len(found) - 1)], *others)]),
        "memory": _table(_MEMORY, [_memory(each) for each in found]),
        "manifest": _table(_MANIFEST, [_manifest(each) for each in found]),
        "steps": _table(_STEP, _step(found[-1].full)),
        "assumed": _assumed(of_request),
        "limits": _limits(found),
    }
    (folder / "scale.md").write_text(TEXT.format(**tables), encoding="utf-8")


def _limits(found: Sequence[Found]) -> str:
    """Which calls would take longer than a call may."""
    longest: dict[str, float] = {}
    for run in (run for each in found for run in (each.full, each.again)):
        for phase in run.phases:
            name = f"{phase.step} of a {run.scenario} of {run.size:,} objects"
            seconds = max((call.seconds for call in phase.calls), default=0)
            longest[name] = max(longest.get(name, 0), seconds)
    long = [f"{name} ({_time(seconds)})" for name, seconds in longest.items() if seconds > _CALL]
    if not long:
        return "No call takes longer than the 15 minutes that Lambda gives it."
    return f"**Beyond the 15 minutes that Lambda gives a call: {'; '.join(long)}.** Figures are as though it went on."


def _ends(found: Sequence[Found]) -> str:
    """From where on the manifest is too much: on the line of an update's time over the number of shards."""
    large = [each for each in found if each.full.about["shards"] > 1] or found
    shards = [each.full.about["shards"] for each in large]
    at = scale_model.line(shards, [each.one.seconds() for each in large])
    last = found[-1]
    over = at(shards[-1]) - at(0)
    objects = last.full.size * _WINDOW / max(over, 1e-9)
    return _ENDS.format(
        each=last.manifest.size / shards[-1],
        size=f"{last.full.size:,}",
        over=over,
        all=last.one.seconds(),
        window=_WINDOW,
        objects=f"{float(f'{objects:.1g}'):,.0f}",
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _targets(found: Sequence[Found]) -> str:
    """The targets, each with its figure where that bucket was simulated."""
    by_size = {each.full.size: each for each in found}
    rows = []
    for size, most in ((10**7, _FIRST), (10**9, _DAILY)):
        if size in by_size:
            each = by_size[size]
            goal = _time(most)
            for name, run, parts in (
                ("rebuilt", each.again, 1),
                ("built for the first time, 1 partition", each.full, 1),
                ("built for the first time, 16 partitions", each.full, 16),
                ("built for the first time, 64 partitions", each.full, 64),
            ):
                seconds = run.seconds(parts)
                rows.append([f"{size:,} objects {name}", goal, _time(seconds), _decision(seconds <= most)])
    return _table(["", "to reach", "simulated", ""], rows)


_BUILD = ["objects", "calls", "at once", "rounds", "GET, HEAD", "LIST", "PUT", "16 partitions", "1 partition", "cost"]


def _build(run: Run, rounds: int) -> list[str]:
    return [*_common(run, rounds), _time(run.seconds(16)), _time(run.seconds(1)), _dollars(run.dollars())]


def _common(run: Run, rounds: int) -> list[str]:
    kinds = [_count(run, "GET", "HEAD"), _count(run, "LIST", "SAMPLE", "PROBE"), _count(run, "PUT")]
    return [f"{run.size:,}", f"{run.calls():,}", f"{run.workers():,}", str(rounds), *(f"{kind:,.0f}" for kind in kinds)]


_REBUILD = ["objects", "calls", "at once", "GET, HEAD", "LIST", "PUT", "time", "cost"]


def _rebuild(run: Run) -> list[str]:
    common = _common(run, 0)
    return [*common[:3], *common[4:], _time(run.seconds(1)), _dollars(run.dollars(1))]


_UPLOADS = ["objects", "a batch takes", "requests", "manifest", "cost a day", "relisting", "takes", "cost a day"]


def _uploads(each: Found) -> list[str]:
    run, pages = each.update, -(-each.update.size // 1_000)
    batches = UPLOADS / 6
    day = batches * run.dollars() + UPLOADS * (COSTS.EVENTS + 1.2 * COSTS.MESSAGES)
    relisting = UPLOADS * pages * COSTS.WRITE
    asked = sum(run.requests().values())
    listed = f"{pages:,} LIST"
    took = _time(pages * scale_client.LATENCY["LIST"])
    return [
        f"{run.size:,}",
        f"{run.seconds():.1f} s",
        f"{asked:.0f}",
        _bytes(each.manifest.size),
        _dollars(day),
        listed,
        took,
        _dollars(relisting),
    ]


def _throttling(found: Sequence[Found]) -> str:
    large = [each for each in found if each.full.size >= _ROUND]
    partitions = (1, 4, 16, 64)
    rows = [
        [
            f"{each.full.size:,}",
            *(_time(each.full.seconds(parts)) for parts in partitions),
            _time(each.again.seconds(1)),
        ]
        for each in large
    ]
    head = ["objects", *(f"first build, {parts}" for parts in partitions), "daily, 1"]
    return _table(head, rows)


_SHAPES = ["build", "objects", "first build, 16 partitions", "rounds", "planning", "daily", "cost of the first"]


def _shape(each: Found) -> list[str]:
    planner = sum(phase.seconds() for phase in each.full.phases if phase.step == "plan")
    times = [_time(each.full.seconds()), str(each.rounds), _time(planner), _time(each.again.seconds(1))]
    return [each.full.shape, f"{each.full.size:,}", *times, _dollars(each.full.dollars())]


_MEMORY = ["objects", "scan", "of objects", "build", "of pages", "publish", "plan", "commit", "finalize", "an update"]


def _memory(each: Found) -> list[str]:
    run = each.full
    peaks = {
        step: f"{max(run.peak(step), each.again.peak(step)):.0f}" for step in (*_STEPS, "plan", "commit", "finalize")
    }
    if run.peak("rebuild"):
        peaks = {"scan": f"{max(run.peak(), each.again.peak()):.0f}"}
    phases = sorted(each.full.phases + each.again.phases, key=lambda phase: phase.largest)
    largest = {phase.step: f"{phase.largest:,}" for phase in phases}
    cells = [
        peaks.get("scan", ""),
        largest.get("scan", largest.get("rebuild", "")),
        peaks.get("build", ""),
        largest.get("build", ""),
        *(peaks.get(step, "") for step in ("publish", "plan", "commit", "finalize")),
    ]
    return [f"{run.size:,}", *cells, f"{each.update.peak():.0f}"]


_MANIFEST = ["objects", "shards", "manifest", "read", "written", "indexes", "the largest"]
_MANIFEST += ["commit", "processor", "one page", "MB"]


def _manifest(each: Found) -> list[str]:
    run, stored = each.full, each.manifest
    commit = [phase for phase in run.phases if phase.step == "commit"]
    sums = sum(phase.seconds() for phase in commit), sum(phase.processor for phase in commit)
    commits = [f"{seconds:.1f} s" for seconds in sums] if commit else ["", ""]
    one = [f"{each.one.seconds():.1f} s", f"{each.one.peak():.0f}"]
    indexes = [f"{run.about['indexes']:.0f}", _bytes(run.about["index"]) if run.about["index"] else ""]
    times = [f"{stored.load * 1_000:.0f} ms", f"{stored.dump * 1_000:.0f} ms"]
    return [f"{run.size:,}", f"{run.about['shards']:,.0f}", _bytes(stored.size), *times, *indexes, *commits, *one]


_STEP = ["step", "calls", "time", "the longest call", "peak MB"]


def _step(run: Run) -> list[list[str]]:
    return [
        [
            phase.step,
            f"{len(phase.calls):,}",
            _time(phase.seconds()),
            _time(max((call.seconds for call in phase.calls), default=0)),
            f"{phase.peak:.0f}",
        ]
        for phase in run.phases
    ]


def _assumed(of_request: Mapping[str, float]) -> str:
    waits = ", ".join(f"{kind} {seconds * 1_000:.0f} ms" for kind, seconds in scale_client.LATENCY.items())
    client = ", ".join(f"{kind} {seconds * 1_000:.1f} ms" for kind, seconds in of_request.items())
    return "\n".join(
        [
            f"- A request waits: {waits} (a PROBE is a listing of one key, a SAMPLE of 250). Bytes come at "
            f"{scale_model.BANDWIDTH / 1e6:.0f} MB/s.",
            f"- The processor of Lambda at 1,769 MB takes {scale_model.FACTOR} times what this machine's takes; boto3 "
            f"takes, measured here: {client}.",
            f"- A new environment is ready after {scale_model.cold():.2f} s, and Lambda adds {scale_model.RAMP:,} of "
            f"them in {scale_model.RAMP_SECONDS} s. Step Functions starts {scale_model.STARTS} children a second and "
            f"charges {scale_model.TRANSITIONS} transitions for each. At most {scale_model.WORKERS:,} workers.",
        ]
    )


def _plots(found: Sequence[Found]) -> Mapping[str, str]:
    def over(value: Callable[[Found], float]) -> list[tuple[float, float]]:
        return [(each.full.size, value(each)) for each in found]

    times = {
        "first, 1 partition": over(lambda each: each.full.seconds(1)),
        "first, 16 partitions": over(lambda each: each.full.seconds(16)),
        "daily": over(lambda each: each.again.seconds(1)),
        "6 uploads": over(lambda each: each.update.seconds()),
    }
    memory = {
        "a worker": over(lambda each: max(each.full.peak(*_STEPS, "rebuild"), each.again.peak(*_STEPS, "rebuild"))),
        "plan and commit": over(lambda each: max(each.full.peak("plan", "commit"), each.again.peak("plan", "commit"))),
        "an update": over(lambda each: each.update.peak()),
    }
    money = {
        "first build": over(lambda each: each.full.dollars()),
        "daily": over(lambda each: each.again.dollars(1)),
        "uploads of a day": over(lambda each: UPLOADS / 6 * each.update.dollars()),
        "relisting at each": over(lambda each: UPLOADS * -(-each.full.size // 1_000) * COSTS.WRITE),
    }
    return {
        "time": scale_plots.chart("Time", "objects", "seconds", times, {"5 minutes": _FIRST, "2 hours": _DAILY}),
        "memory": scale_plots.chart("Memory of the largest call", "objects", "MB", memory, {"a call has 1,769": 1_769}),
        "cost": scale_plots.chart("Cost", "objects", "dollars", money),
    }


def _count(run: Run, *kinds: str) -> float:
    return sum(count for name, count in run.requests().items() if name.split()[0] in kinds)


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"


def _bytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} KB"


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}" if amount < 1_000 else f"${amount:,.0f}"


def _decision(is_met: bool) -> str:
    return "met" if is_met else "**missed**"
