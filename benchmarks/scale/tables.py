"""The tables of docs/scale.md."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import aws_prices

from scale import cost_model, s3_client
from scale.cost_model import SimulatedRun
from waypost.ledger import manifest as manifests

UPLOADS_PER_DAY = 24_000
FIVE_MINUTES, TWO_HOURS = 5 * 60.0, 2 * 3600.0
WORKER_STEPS = ("scan", "build", "publish")
_UPLOADS_PER_BATCH = 6
_MAX_CALL_SECONDS = 900
_FIRST_BUILD_TARGETS = (1, 16, 64)
_SQS_REQUESTS_PER_MESSAGE = 1.2


@dataclass
class ManifestCost:
    """The bytes of a manifest, and the processor seconds to read and to write it."""

    size: int
    read_seconds: float
    write_seconds: float


@dataclass
class BucketResult:
    """The simulated runs over one bucket: `batch` is an update by six uploads, `one_page` an update by one."""

    first_build: SimulatedRun
    reconciliation: SimulatedRun
    batch: SimulatedRun
    one_page: SimulatedRun
    manifest: ManifestCost

    @property
    def size(self) -> int:
        """The number of objects."""
        return self.first_build.size

    def peak(self, *steps: str) -> float:
        """The most megabytes that a call of these steps used in both rebuilds."""
        return max(self.first_build.peak(*steps), self.reconciliation.peak(*steps))


def measure_manifest(data: bytes) -> ManifestCost:
    """What it costs to read and to write a manifest."""
    start = time.process_time()
    manifest = manifests.load(data, "manifest.json")
    loaded = time.process_time()
    manifests.dump(manifest)
    return ManifestCost(len(data), loaded - start, time.process_time() - loaded)


def targets(results: Sequence[BucketResult]) -> str:
    """The targets, and what was simulated for the buckets that they are for."""
    by_size = {result.size: result for result in results}
    rows = []
    for size, target in ((10**7, FIVE_MINUTES), (10**9, TWO_HOURS)):
        if size not in by_size:
            continue
        result = by_size[size]
        seconds_by_name = {"reconciled": result.reconciliation.seconds(1)} | {
            f"first build, {_partitions(count)}": result.first_build.seconds(count) for count in _FIRST_BUILD_TARGETS
        }
        for name, seconds in seconds_by_name.items():
            verdict = "met" if seconds <= target else "**missed**"
            rows.append([f"{size:,} objects, {name}", duration(target), duration(seconds), verdict])
    return _table(["", "target", "simulated", ""], rows)


def summary(results: Sequence[BucketResult]) -> str:
    """Times, costs and memory of each bucket."""
    head = ["objects", "first build", "cost", "reconciliation", "cost", "six uploads", "a day's uploads cost", "MB"]
    rows = []
    for result in results:
        first, daily = result.first_build, result.reconciliation
        rows.append(
            [
                *(f"{result.size:,}", duration(first.seconds()), dollars(first.dollars())),
                *(duration(daily.seconds(1)), dollars(daily.dollars(1))),
                *(f"{result.batch.seconds():.1f} s", dollars(uploads_dollars(result))),
                f"{max(result.peak(), result.batch.peak()):.0f}",
            ]
        )
    return _table(head, rows)


def uploads_dollars(result: BucketResult) -> float:
    """The cost of a day of uploads, with the events and messages that bring them."""
    message = aws_prices.EVENTBRIDGE_EVENT + _SQS_REQUESTS_PER_MESSAGE * aws_prices.SQS_REQUEST
    return UPLOADS_PER_DAY / _UPLOADS_PER_BATCH * result.batch.dollars() + UPLOADS_PER_DAY * message


def relisting_dollars(result: BucketResult) -> float:
    """The cost of a day's LIST requests if the bucket is listed at each upload."""
    return UPLOADS_PER_DAY * listing_requests(result) * aws_prices.S3_WRITE


def listing_requests(result: BucketResult) -> int:
    """The requests of one listing of the bucket."""
    return -(-result.size // 1_000)


def shapes(results: Sequence[BucketResult]) -> str:
    """Buckets whose keys have different shapes."""
    rows = []
    for result in results:
        run = result.first_build
        times = [duration(run.seconds()), duration(result.reconciliation.seconds(1))]
        rows.append([run.shape, f"{run.size:,}", *times, dollars(run.dollars())])
    return _table(["keys", "objects", "first build", "reconciliation", "cost of the first build"], rows)


def manifest_sizes(results: Sequence[BucketResult]) -> str:
    """The size of the manifest, and what it costs."""
    rows = []
    for result in results:
        run, manifest = result.first_build, result.manifest
        rows.append(
            [
                *(f"{run.size:,}", f"{run.figures['shards']:,.0f}", _bytes(manifest.size)),
                *(f"{manifest.read_seconds * 1_000:.0f} ms", f"{manifest.write_seconds * 1_000:.0f} ms"),
                f"{result.one_page.seconds():.1f} s",
            ]
        )
    return _table(["objects", "shards", "manifest", "decode", "encode", "one page"], rows)


def long_calls(results: Sequence[BucketResult]) -> str:
    """Which calls would take longer than Lambda allows."""
    longest: dict[str, float] = {}
    for run in (run for result in results for run in (result.first_build, result.reconciliation)):
        for phase in run.phases:
            name = f"{phase.step} of a {run.scenario} of {run.size:,} objects"
            longest[name] = max([longest.get(name, 0), *(call.seconds for call in phase.calls)])
    too_long = [f"{name} ({duration(seconds)})" for name, seconds in longest.items() if seconds > _MAX_CALL_SECONDS]
    if not too_long:
        return "No call takes longer than Lambda's limit of 15 minutes."
    return f"**These calls exceed Lambda's limit of 15 minutes: {'; '.join(too_long)}.** The figures ignore the limit."


def assumptions(request_seconds: Mapping[str, float]) -> str:
    """The numbers of the model."""
    waits = ", ".join(f"{kind} {seconds * 1_000:.0f} ms" for kind, seconds in s3_client.LATENCY.items())
    in_boto3 = ", ".join(f"{kind} {seconds * 1_000:.1f} ms" for kind, seconds in request_seconds.items())
    return "\n".join(
        [
            f"- Latency of a request: {waits} (PROBE is a listing of one key, SAMPLE of 250; DELETES deletes 1,000 "
            f"objects). Bandwidth: "
            f"{cost_model.BANDWIDTH / 1e6:.0f} MB/s.",
            f"- Lambda's processor at 1,769 MB needs {cost_model.PROCESSOR_FACTOR} times what this machine's needs. "
            f"boto3's own processor time, measured here: {in_boto3}.",
            f"- A new environment is ready after {cost_model.cold_start():.2f} s; Lambda adds "
            f"{cost_model.RAMP_CALLS:,} of them in {cost_model.RAMP_SECONDS} s. Step Functions starts "
            f"{cost_model.STARTS_PER_SECOND} child executions a second and charges {cost_model.TRANSITIONS} transitions"
            f" for each. At most {cost_model.WORKERS:,} workers.",
        ]
    )


def _partitions(count: int) -> str:
    return f"{count} partition{'s' if count > 1 else ''}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def duration(seconds: float) -> str:
    """A duration in the unit that suits it."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"


def dollars(amount: float) -> str:
    """An amount of money."""
    return f"${amount:,.2f}" if amount < 1_000 else f"${amount:,.0f}"


def _bytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} KB"
