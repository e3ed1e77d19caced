"""Computes what a month of the function costs for three sites, from requests that are counted; writes costs.md.

The function's own code runs over buckets in memory, and every request that it sends is counted by its kind. Prices
are S3's, Lambda's, SQS's and EventBridge's in us-east-1, without any free tier; change them here for another region.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from worlds import SimulatedSite  # noqa: E402 (the tests' bucket in memory counts requests)

from waypost.sync import rebuild  # noqa: E402

DAYS = 30
WRITE = 0.005 / 1_000  # PUT and LIST
READ = 0.0004 / 1_000  # GET and HEAD; DELETE is free
MESSAGES = 0.40 / 1_000_000  # SQS, each of a message's send, receive and delete; batches of ten
EVENTS = 1.00 / 1_000_000  # EventBridge; some pages of AWS's call S3's events free of charge
CALLS = 0.20 / 1_000_000
GIGABYTE_SECONDS = 0.0000133334  # arm64
GIGABYTES = 1_769 / 1_024
PAYLOAD = 6_000_000
EVENT = 1_500
"""Bytes of an event in a batch's payload, of which a call takes 6 MB at most."""
LATENCY, WIDTH = 0.03, 16
"""Seconds that a request waits for S3, and how many are under way at once where there are many."""
SHARD, PAGE = 0.6, 0.002
"""Seconds of one processor for a sitemap of 25,000 pages that is made anew, and for a page that is read."""


@dataclass
class Month:
    """What adds up over a month."""

    requests: Counter[str] = field(default_factory=Counter)
    calls: float = 0
    events: float = 0
    seconds: float = 0

    def add(self, requests: Sequence[str], times: float, events: float = 0) -> None:
        """Count a call that happens so many times a month, with so many events each time."""
        kinds = Counter(request.split(" ")[0] for request in requests)
        pages = sum(request.startswith("GET site/") for request in requests)
        shards = sum(request.startswith("PUT state/shards/") for request in requests)
        wait = LATENCY * max(12, len(requests) / WIDTH)
        self.requests.update({kind: count * times for kind, count in kinds.items()})  # type: ignore[arg-type]
        self.seconds += times * (wait + pages * PAGE + shards * SHARD)
        self.calls += times
        self.events += times * events

    def costs(self) -> dict[str, float]:
        """Dollars, by what they are for."""
        writes = self.requests["PUT"] + self.requests["LIST"]
        reads = self.requests["GET"] + self.requests["HEAD"]
        return {
            "S3 writes": writes * WRITE,
            "S3 reads": reads * READ,
            "Lambda": self.seconds * GIGABYTES * GIGABYTE_SECONDS + self.calls * CALLS,
            "SQS": (self.events + 2 * self.events / 10 + DAYS * 86_400 / 20 * 5) * MESSAGES,
            "EventBridge": self.events * EVENTS,
        }


def main() -> int:
    """Count, add up, and write the page; with --check, say whether it is up to date."""
    sites = {
        "**Diary**: 1,000 pages, ten a day are changed": diary(),
        "**Magazine**: 10,000 objects a deployment, all of them changed, ten deployments a day": magazine(),
        "**Catalogue**: 10,000,000 objects, 1,000 uploads an hour": catalogue(),
    }
    kinds = list(diary().costs())
    rows = [f"| a month of | {' | '.join(kinds)} | **all** |", f"|---|{'--:|' * (len(kinds) + 1)}"]
    for name, month in sites.items():
        costs = month.costs()
        rows.append(
            f"| {name} | {' | '.join(_dollars(costs[kind]) for kind in kinds)} | **{_dollars(sum(costs.values()))}** |"
        )
    counts = ["| a month of | calls | seconds of calls | GET and HEAD | PUT and LIST |", "|---|--:|--:|--:|--:|"]
    for name, month in sites.items():
        reads, writes = (sum(month.requests[kind] for kind in pair) for pair in (("GET", "HEAD"), ("PUT", "LIST")))
        counts.append(
            f"| {name.split(':')[0]} | {month.calls:,.0f} | {month.seconds:,.0f} | {reads:,.0f} | {writes:,.0f} |"
        )
    page = TEXT.format(
        costs="\n".join(rows), counts="\n".join(counts), latency=LATENCY * 1_000, shard=SHARD, page=PAGE * 1_000
    )
    (ROOT / "docs" / "costs.md").write_text(page, encoding="utf-8")


TEXT = """# What a month costs

Computed by `python docs/costs.py` from requests that are counted while the function's own code runs. Dollars in
us-east-1, without the free tiers, with the default batching window of 20 seconds and a daily reconciliation. Storage
and CloudWatch are left out: a ledger takes about 150 bytes a page, a log line a kilobyte.

{costs}

{counts}

Assumed, where nothing could be counted: a request waits {latency:.0f} ms for S3; a sitemap of 25,000 pages that is made
anew takes {shard} s of a processor, a page that is read {page:.0f} ms; EventBridge charges for S3's events.

- SQS's share of a quiet site is the polling of its queue, which the free million requests a month cover.
- A catalogue's uploads fall into as many sitemaps, and each is made anew with its records: that is most of its cost.
  Uploads that lie side by side, as a deployment's do, share them.
- A function that lists the bucket again at each upload would send 10,000 LIST requests for each of the catalogue's
  720,000 uploads a month: $36,000.
"""


def diary() -> Month:
    """A small site: ten pages a day, each by itself."""
    month, world = Month(), _world(1_000)
    world.put(_key(7), "<title>changed</title>")
    month.add(_counted(world, lambda: rebuild.update(world.upkeep(), [_key(7)])), 10 * DAYS, 1)
    month.add(_counted(world, lambda: rebuild.rebuild(world.upkeep())), DAYS)
    return month


def magazine() -> Month:
    """Ten deployments a day of 10,000 objects; a call takes as many events as its payload holds."""
    month, world = Month(), _world(10_000)
    batch = PAYLOAD // EVENT
    for start in range(0, 10_000, batch):
        keys = [_key(n) for n in range(start, min(start + batch, 10_000))]
        for key in keys:
            world.put(key, "<title>changed</title>")
        requests = _counted(world, lambda keys=keys: rebuild.update(world.upkeep(), keys))  # type: ignore[misc]
        month.add(requests, 10 * DAYS, len(keys))
    month.add(_counted(world, lambda: rebuild.rebuild(world.upkeep())), DAYS)
    return month


def catalogue() -> Month:
    """Uploads anywhere in 400 sitemaps, of which a window gathers five or six; counted over 100 with the same code."""
    month, world = Month(), _world(20_000, urls=400)
    calls = DAYS * 86_400 / 20
    keys = [_key(n * 3_571 % 20_000) for n in range(6)]
    for key in keys:
        world.put(key, "<title>changed</title>")
    some = _counted(world, lambda: rebuild.update(world.upkeep(), keys))
    month.add(some, calls * (1_000 / 180 / 6), 6)
    listed = ["LIST"] * 10_000 + ["GET state/shards/"] * 400 + ["HEAD"] * 401
    month.add(listed, DAYS)
    return month


def _counted(world: SimulatedSite, run: Callable[[], Any]) -> list[str]:
    return world.counted(run)


def _world(pages: int, urls: int = 50_000) -> SimulatedSite:
    world = SimulatedSite(urls=urls, size=10_485_760, lastmod="content", state="x")
    world.source.some = 1_000
    for n in range(pages):
        world.put(_key(n), "<title>page</title>")
    rebuild.rebuild(world.upkeep())
    return world


def _key(n: int) -> str:
    return f"item-{n:05}.html"


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}"


if __name__ == "__main__":
    sys.exit(main())
