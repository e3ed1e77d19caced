"""Writes docs/scale.md and its charts from the simulated runs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scale import charts, cost_model, tables
from scale.page_text import MANIFEST_LIMIT, TEXT
from scale.tables import FIVE_MINUTES, TWO_HOURS, UPLOADS_PER_DAY, WORKER_STEPS, BucketResult

_HALF_WINDOW = 10
"""Seconds: half of the window in which events are collected."""


def write(
    results: Sequence[BucketResult], others: Sequence[BucketResult], request_seconds: Mapping[str, float], folder: Path
) -> None:
    """Write the page and its charts; `others` are buckets with keys of other shapes."""
    (folder / "scale").mkdir(parents=True, exist_ok=True)
    for name, svg in _charts(results).items():
        (folder / "scale" / f"{name}.svg").write_text(svg, encoding="utf-8")
    text = TEXT.format(
        targets=tables.targets(results),
        summary=tables.summary(results),
        shapes=tables.shapes([results[min(3, len(results) - 1)], *others]),
        manifests=tables.manifest_sizes(results),
        manifest_limit=_manifest_limit(results),
        assumptions=tables.assumptions(request_seconds),
        long_calls=tables.long_calls(results),
    )
    (folder / "scale.md").write_text(text, encoding="utf-8")


def _manifest_limit(results: Sequence[BucketResult]) -> str:
    """At what size the manifest takes too long: on the line of an update's time over the number of shards."""
    large = [result for result in results if result.first_build.figures["shards"] > 1] or results
    shards = [result.first_build.figures["shards"] for result in large]
    seconds_at = cost_model.fitted_line(shards, [result.one_page.seconds() for result in large])
    last = results[-1]
    manifest_seconds = seconds_at(shards[-1]) - seconds_at(0)
    objects = last.size * _HALF_WINDOW / max(manifest_seconds, 1e-9)
    return MANIFEST_LIMIT.format(
        entry_bytes=last.manifest.size / shards[-1],
        size=f"{last.size:,}",
        manifest_seconds=manifest_seconds,
        update_seconds=last.one_page.seconds(),
        window=_HALF_WINDOW,
        objects=f"{float(f'{objects:.1g}'):,.0f}",
    )


def _charts(results: Sequence[BucketResult]) -> Mapping[str, str]:
    def points(value: Callable[[BucketResult], float]) -> list[tuple[float, float]]:
        return [(result.size, value(result)) for result in results]

    times = {
        "first build, 1 partition": points(lambda result: result.first_build.seconds(1)),
        "first build, 16 partitions": points(lambda result: result.first_build.seconds(16)),
        "reconciliation": points(lambda result: result.reconciliation.seconds(1)),
        "6 uploads": points(lambda result: result.batch.seconds()),
    }
    memory = {
        "a worker": points(lambda result: result.peak(*WORKER_STEPS, "rebuild")),
        "plan and commit": points(lambda result: result.peak("plan", "commit")),
        "an update": points(lambda result: result.batch.peak()),
    }
    money = {
        "first build": points(lambda result: result.first_build.dollars()),
        "reconciliation": points(lambda result: result.reconciliation.dollars(1)),
        "a day's uploads": points(lambda result: UPLOADS_PER_DAY / 6 * result.batch.dollars()),
        "a day's relisting": points(tables.relisting_dollars),
    }
    targets = {"5 minutes": FIVE_MINUTES, "2 hours": TWO_HOURS}
    return {
        "time": charts.chart("Time", "objects", "seconds", times, targets),
        "memory": charts.chart("Memory of the largest call", "objects", "MB", memory, {"a call has 1,769": 1_769}),
        "cost": charts.chart("Cost", "objects", "dollars", money),
    }
