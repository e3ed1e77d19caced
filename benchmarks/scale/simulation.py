"""Simulates all scenarios over all buckets, and writes the page of results."""

import argparse
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from measure import ROOT, say

from scale import page, request_costs, synthetic_bucket
from scale.scenarios import Scenarios
from scale.simulated_ledger import SimulatedLedger
from scale.tables import BucketResult, measure_manifest

SIZES = tuple(10**power for power in range(4, 10))
BATCH = 6
"""The uploads of a batch: 1,000 an hour, in windows of 20 seconds."""
_CHANGED_OBJECTS = 100
_OTHER_SHAPES_SIZE = 10**7


def main() -> None:
    """Simulate all sizes, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=lambda text: int(float(text)), default=SIZES[-1], help="the largest bucket")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs", help="the folder of the page")
    arguments = parser.parse_args()
    request_seconds = request_costs.measure_requests()
    sizes = [size for size in SIZES if size <= arguments.most]
    catalogues = [simulate("catalogue", size, request_seconds) for size in sizes]
    others = [
        simulate(shape, min(_OTHER_SHAPES_SIZE, arguments.most), request_seconds)
        for shape in synthetic_bucket.SHAPES
        if shape != "catalogue"
    ]
    page.write(catalogues, others, request_seconds, arguments.folder)


def simulate(shape: str, size: int, request_seconds: Mapping[str, float]) -> BucketResult:
    """Run all scenarios over one bucket, one after another."""
    folder = Path(tempfile.mkdtemp())
    try:
        scenarios = Scenarios(SimulatedLedger(shape, size, folder), request_seconds)
        say(f"{shape}, {size:,} objects: first build")
        first_build = scenarios.first_build()
        say(f"{shape}, {size:,} objects: reconciliation")
        reconciliation = scenarios.reconciliation(_evenly_spread(size, min(_CHANGED_OBJECTS, size // 1_000), 7))
        say(f"{shape}, {size:,} objects: updates")
        batch = scenarios.update(_evenly_spread(size, BATCH, 11))
        one_page = scenarios.update([scenarios.ledger.average_object()])
        manifest = measure_manifest(scenarios.ledger.get("manifest.json"))
        return BucketResult(first_build, reconciliation, batch, one_page, manifest)
    finally:
        shutil.rmtree(folder)


def _evenly_spread(size: int, count: int, first: int) -> list[int]:
    """`count` numbers of objects at equal distances over the whole bucket."""
    return [first + size // count * n for n in range(count)]
