"""Simulates the function over buckets from 10,000 to 1,000,000,000 objects; writes docs/scale.md and its plots.

The product's own code plans, gathers, shapes, commits and publishes over synthetic buckets. Calls run in processes of
their own, whose memory and use of the processor are measured; of many calls that are alike some are run.
"""

import argparse
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import scale_page
import scale_requests
import synthetic
from measure import ROOT, say
from scale_ledger import Ledger
from scale_model import Run
from scale_page import Found
from scale_runs import Trial

SIZES = tuple(10**power for power in range(4, 10))
BATCH = 6
"""Pages that a window of 20 seconds gathers of a thousand uploads an hour."""
_CHANGED = 100


def main() -> None:
    """Simulate all sizes, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=lambda text: int(float(text)), default=SIZES[-1], help="the largest bucket")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs", help="where the page goes")
    given = parser.parse_args()
    of_request = scale_requests.measured()
    sizes = [size for size in SIZES if size <= given.most]
    found = [simulated("catalogue", size, of_request) for size in sizes]
    others = [
        simulated(shape, min(10**7, given.most), of_request) for shape in synthetic.SHAPES if shape != "catalogue"
    ]
    scale_page.write(found, others, of_request, given.folder)


def simulated(shape: str, size: int, of_request: Mapping[str, float]) -> Found:
    """All scenarios over one bucket, one after another."""
    folder = Path(tempfile.mkdtemp())
    try:
        trial = Trial(Ledger(shape, size, folder), of_request)
        say(f"{shape}, {size:,} objects: first build")
        full = trial.full()
        say(f"{shape}, {size:,} objects: reconciliation")
        again = trial.reconciled(_spread(size, min(_CHANGED, size // 1_000), 7))
        say(f"{shape}, {size:,} objects: an update")
        update = trial.updated(_spread(size, BATCH, 11))
        one = trial.updated([trial.ledger.typical()])
        manifest = scale_page.measured(trial.ledger.get("manifest.json"))
        return Found(full, again, update, one, manifest, _sections(full))
    finally:
        shutil.rmtree(folder)


def _spread(size: int, count: int, first: int) -> list[int]:
    """So many numbers anywhere in a bucket."""
    return [first + size // count * n for n in range(count)]


def _sections(run: Run) -> int:
    """In how many rounds a first build was gathered."""
    return sum(phase.step == "scan" for phase in run.phases)


if __name__ == "__main__":
    main()
