"""Computes what a month of the AWS function costs for three sites, from counted requests; writes costs.md.

The function's own code runs over buckets in memory, and every request is counted by its kind. The prices are in
benchmarks/aws_prices.py.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import aws_prices  # noqa: E402
from fake_stores import SimulatedSite  # noqa: E402 (the tests' bucket in memory counts requests)

from waypost.sync import rebuild  # noqa: E402

DAYS = 30
PAYLOAD_BYTES = 6_000_000
"""The most bytes of events that one call takes."""
EVENT_BYTES = 1_500
LATENCY, CONCURRENT_REQUESTS = 0.03, 16
"""Seconds that a request waits for S3, and how many requests of a large call run at the same time."""
SEQUENTIAL_REQUESTS = 12
"""Requests of any call that wait for each other."""
SHARD_SECONDS, PAGE_SECONDS = 0.6, 0.002
"""Processor seconds to write a sitemap of 25,000 pages again, and to read a page."""
POLLS_A_MONTH = DAYS * 86_400 / 20 * 5
"""Lambda polls a queue with five connections, each for 20 seconds."""


@dataclass
class Month:
    """The requests, calls, events and seconds of a month."""

    requests: Counter[str] = field(default_factory=Counter)
    calls: float = 0
    events: float = 0
    seconds: float = 0

    def add(self, requests: Sequence[str], times: float, events: float = 0) -> None:
        """Add a call that happens so many times a month, each with so many events."""
        kinds = Counter(request.split(" ")[0] for request in requests)
        pages = sum(request.startswith("GET site/") for request in requests)
        shards = sum(request.startswith("PUT state/shards/") for request in requests)
        waiting = LATENCY * max(SEQUENTIAL_REQUESTS, len(requests) / CONCURRENT_REQUESTS)
        self.requests.update({kind: count * times for kind, count in kinds.items()})  # type: ignore[arg-type]
        self.seconds += times * (waiting + pages * PAGE_SECONDS + shards * SHARD_SECONDS)
        self.calls += times
        self.events += times * events

    def count(self, *kinds: str) -> int:
        """The number of requests of these kinds."""
        return sum(self.requests[kind] for kind in kinds)

    def costs(self) -> dict[str, float]:
        """Dollars by what they are paid for."""
        gigabyte_seconds = self.seconds * aws_prices.LAMBDA_GIGABYTES
        sends_receives_and_deletes = self.events + 2 * self.events / 10
        return {
            "S3 writes": self.count("PUT", "LIST") * aws_prices.S3_WRITE,
            "S3 reads": self.count("GET", "HEAD") * aws_prices.S3_READ,
            "Lambda": gigabyte_seconds * aws_prices.LAMBDA_GIGABYTE_SECOND + self.calls * aws_prices.LAMBDA_CALL,
            "SQS": (sends_receives_and_deletes + POLLS_A_MONTH) * aws_prices.SQS_REQUEST,
            "EventBridge": self.events * aws_prices.EVENTBRIDGE_EVENT,
        }


def main() -> None:
    """Count, add up, and write the page."""
    months = {
        "**Diary**: 1,000 pages, ten a day are changed": diary(),
        "**Magazine**: 10,000 objects a deployment, all of them changed, ten deployments a day": magazine(),
        "**Catalogue**: 10,000,000 objects, 1,000 uploads an hour": catalogue(),
    }
    page = TEXT.format(
        costs=_cost_table(months),
        counts=_count_table(months),
        latency=LATENCY * 1_000,
        shard=SHARD_SECONDS,
        page=PAGE_SECONDS * 1_000,
    )
    (ROOT / "docs" / "costs.md").write_text(page, encoding="utf-8")


TEXT = """# What a month costs

`python docs/costs.py` computed these figures and wrote this page. It counts the requests of the function's own code.
Dollars in us-east-1, without the free tiers, with the default batching window of 20 seconds and a daily reconciliation.
Storage and CloudWatch are not included: a ledger has about 50 bytes a page, and a log line a kilobyte.

{costs}

{counts}

Assumptions, where nothing can be counted: a request waits {latency:.0f} ms for S3; the function needs {shard} s of
processor time to write a sitemap of 25,000 pages again, and {page:.0f} ms to read a page; EventBridge charges for S3's
events.

- On a quiet site, SQS charges for polling its queue. The free million requests a month cover that.
- A catalogue's uploads change many different sitemaps, and each of those is written again with its records: that is
  most of its cost. Uploads of pages that are next to each other, as in a deployment, share sitemaps.
- A function that lists the bucket at each upload would send 10,000 LIST requests for each of the catalogue's 720,000
  uploads a month: $36,000.
"""


def diary() -> Month:
    """A small site: ten pages a day, each uploaded alone."""
    month, site = Month(), _site(1_000)
    site.put(_key(7), "<title>changed</title>")
    month.add(_counted(site, lambda: rebuild.update(site.updater(), [_key(7)])), 10 * DAYS, 1)
    month.add(_counted(site, lambda: rebuild.rebuild(site.updater())), DAYS)
    return month


def magazine() -> Month:
    """Ten deployments a day of 10,000 objects; a call takes as many events as its payload can hold."""
    month, site = Month(), _site(10_000)
    batch = PAYLOAD_BYTES // EVENT_BYTES
    for start in range(0, 10_000, batch):
        keys = [_key(n) for n in range(start, min(start + batch, 10_000))]
        for key in keys:
            site.put(key, "<title>changed</title>")
        requests = _counted(site, lambda keys=keys: rebuild.update(site.updater(), keys))  # type: ignore[misc]
        month.add(requests, 10 * DAYS, len(keys))
    month.add(_counted(site, lambda: rebuild.rebuild(site.updater())), DAYS)
    return month


def catalogue() -> Month:
    """Uploads anywhere in 400 sitemaps, five or six in a window; the same code is counted over 20,000 objects."""
    month, site = Month(), _site(20_000, max_urls=400)
    windows = DAYS * 86_400 / 20
    keys = [_key(n * 3_571 % 20_000) for n in range(6)]
    for key in keys:
        site.put(key, "<title>changed</title>")
    requests = _counted(site, lambda: rebuild.update(site.updater(), keys))
    month.add(requests, windows * (1_000 / 180 / 6), 6)
    reconciliation = ["LIST"] * 10_000 + ["GET state/shards/"] * 400 + ["HEAD"] * 401
    month.add(reconciliation, DAYS)
    return month


def _counted(site: SimulatedSite, run: Callable[[], Any]) -> list[str]:
    return site.counted(run)


def _site(pages: int, max_urls: int = 50_000) -> SimulatedSite:
    site = SimulatedSite(urls=max_urls, size=10_485_760, lastmod="content", state="x")
    site.source.page_size = 1_000
    for n in range(pages):
        site.put(_key(n), "<title>page</title>")
    rebuild.rebuild(site.updater())
    return site


def _key(n: int) -> str:
    return f"item-{n:05}.html"


def _cost_table(months: Mapping[str, Month]) -> str:
    kinds = list(next(iter(months.values())).costs())
    rows = [f"| a month of | {' | '.join(kinds)} | **all** |", f"|---|{'--:|' * (len(kinds) + 1)}"]
    for name, month in months.items():
        costs = month.costs()
        cells = " | ".join(_dollars(costs[kind]) for kind in kinds)
        rows.append(f"| {name} | {cells} | **{_dollars(sum(costs.values()))}** |")
    return "\n".join(rows)


def _count_table(months: Mapping[str, Month]) -> str:
    rows = ["| a month of | calls | seconds of calls | GET and HEAD | PUT and LIST |", "|---|--:|--:|--:|--:|"]
    for name, month in months.items():
        reads, writes = month.count("GET", "HEAD"), month.count("PUT", "LIST")
        name = name.split(":")[0]
        rows.append(f"| {name} | {month.calls:,.0f} | {month.seconds:,.0f} | {reads:,.0f} | {writes:,.0f} |")
    return "\n".join(rows)


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}"


if __name__ == "__main__":
    main()
