"""Counts the requests of an upload to a large bucket, and the bytes of records and manifests: means over 100 uploads.

The bucket is synthetic, and S3 is simulated (`scale/`); the code that runs is Waypost's own. Nobody is notified. A
tenth of the uploads is a new version of the page that was uploaded before.
"""

import argparse
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from statistics import mean

from measure import Report, decision, say
from scale import request_costs
from scale.clock import SimulatedClock
from scale.s3_client import SimulatedS3Client
from scale.scenarios import Scenarios
from scale.simulated_ledger import SimulatedLedger
from scale.synthetic_bucket import make_bucket
from scale.worker import NOW, CallTask, make_updater

from waypost.core.dates import unix_time
from waypost.sync import rebuild

_SHAPE, _MIB = "catalogue", 1 << 20
_MOST_REQUESTS, _MOST_BYTES = 9, _MIB


class _CountingClient(SimulatedS3Client):
    """The simulated client; `read` has the bytes that were read, by bucket and key."""

    read: Counter[str]

    def get_object(self, Bucket: str, Key: str, Range: str = "") -> object:  # noqa: N803
        answer = super().get_object(Bucket, Key, Range)
        self.read[f"{Bucket}/{Key}"] += answer["ContentLength"]
        return answer


def upload(ledger: SimulatedLedger, number: int, day: int) -> _CountingClient:
    """Let the function handle the event of one upload; returns the client that it used."""
    ledger.write_records(ledger.shards_of_segment(ledger.manifest(), number))
    clock = SimulatedClock(unix_time(NOW) + day * 600 + 86_400)
    changed = tuple(sorted({*ledger.changed} ^ {number}))
    ledger.changed = changed
    client = _CountingClient(clock, make_bucket(ledger.shape, ledger.size), ledger.folder, changed)
    client.read = Counter()
    task = CallTask(ledger.shape, ledger.size, str(ledger.folder), 1)
    with clock.installed():
        rebuild.update(make_updater(task, client, clock), [ledger.bucket.key(number)])
    return client


def of_ledger(sizes: Counter[str]) -> int:
    """The bytes of records and manifests."""
    return sum(size for name, size in sizes.items() if name.startswith("state/"))


def main() -> None:
    """Build the ledger, and upload pages one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=1_000_000)
    parser.add_argument("--uploads", type=int, default=100)
    given = parser.parse_args()
    folder, chance = Path(tempfile.mkdtemp()), random.Random(7)
    try:
        ledger = SimulatedLedger(_SHAPE, given.objects, folder)
        say("first build")
        Scenarios(ledger, request_costs.measure_requests()).first_build()
        number, clients = 0, list[_CountingClient]()
        for count in range(given.uploads):
            number = number if count % 10 == 9 else chance.randrange(given.objects)
            clients.append(upload(ledger, number, count))
    finally:
        shutil.rmtree(folder)
    _report(given.objects, clients)


def _report(objects: int, clients: list[_CountingClient]) -> None:
    kinds = sorted({kind for each in clients for kind in each.requests})
    requests = [each.requests.total() for each in clients]
    read, written = ([of_ledger(getattr(each, name)) for each in clients] for name in ("read", "written"))
    report = Report("uploads", f"{len(clients)} uploads to a bucket of {objects:,} objects")
    report.text("Means of one upload; the published sitemap is not counted among the bytes.")
    rows = [(kind, f"{mean(each.requests[kind] for each in clients):.2f}", "", "") for kind in kinds]
    met = [decision(mean(requests), _MOST_REQUESTS), *(decision(mean(each), _MOST_BYTES) for each in (read, written))]
    rows.append(("all requests", f"{mean(requests):.2f}", str(max(requests)), met[0]))
    rows.append(("MiB of records and manifests read", f"{mean(read) / _MIB:.2f}", f"{max(read) / _MIB:.2f}", met[1]))
    rows.append(("MiB written", f"{mean(written) / _MIB:.2f}", f"{max(written) / _MIB:.2f}", met[2]))
    report.table(("", "mean", "most", "to reach: 9 requests, 1 MiB"), rows)
    report.write()


if __name__ == "__main__":
    main()
