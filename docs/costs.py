"""Computes the bill of three sites for a month, prints it, and writes costs.md.

The quantities are in benchmarks/results/month.json, which `python benchmarks/month.py` measures, and in the template;
the prices are in benchmarks/aws_prices.py.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "benchmarks")]

from bill import month as months  # noqa: E402
from bill.lines import Line, bill, total  # noqa: E402
from bill.month import Month  # noqa: E402
from bill.results import read_results  # noqa: E402
from bill.sites import REBUILD, SCATTERED, SCATTERED_UPLOADS, SITES  # noqa: E402
from bill.stack import read_stack  # noqa: E402

PAGE = ROOT / "docs" / "costs.md"


def main() -> None:
    """Print the bills, and write the page."""
    text = page()
    PAGE.write_text(text, encoding="utf-8")
    print(text)


def page() -> str:
    """The text of the page."""
    results, stack = read_results(), read_stack()
    found = [Month(site, results.sites[site.name], stack) for site in SITES if site.name in results.sites]
    bills = {month.site.name: bill(month) for month in found}
    return TEXT.format(
        summary=_summary(bills),
        bills=_bills(bills),
        alarms=stack.alarms,
        run_alarms=stack.run_alarms,
        fixed=_dollars(_fixed(bills["blog"])),
        least=_dollars(total(bills["blog"])),
        sitemaps=_sitemap_costs(found, bills),
        scattered=_scattered(found[-1]),
        rebuild=_dollars(_rebuild_cost(found[-1])),
        memory=stack.memory,
        window=stack.window,
        version_days=stack.version_days,
        platform_bytes=months.PLATFORM_BYTES,
    )


TEXT = """# What a month costs

Dollars in us-east-1, without the free tiers, for the default parameters ({memory:,} MB, a window of {window} seconds)
and a daily rebuild, without [the first build](scale.md). `python docs/costs.py` computes the bills from the calls that
`python benchmarks/month.py` measures, and from the deployment template.

{summary}

- **The least that a stack costs is about {least} a month**: {fixed} of it are alarms, metrics and the polling of an
  idle queue.
- AWS's free tiers cover ten metrics, ten alarms, 5 GB of logs, a million SQS requests, a million Lambda requests and
  400,000 GB-seconds of each account and month. A small stack has {alarms} alarms, so little is left to pay.
- A stack with a state machine has {run_alarms} more alarms.

## The bills

A site's column has the quantity and the amount, and *source* where the quantity comes from (the catalogue's after a
semicolon).

{bills}

## What decides the cost

{sitemaps}

The last column leaves out alarms, metrics, polling and rebuilds.

- An upload writes its whole sitemap and the records of its pages again. Uploads within one window share that if their
  keys are next to each other, as in a deployment.
{scattered}
- {rebuild} of the catalogue's bill is for its daily rebuild. `Schedule=rate(3 days)` and `RebuildMaxAgeHours=80` cost a
  third of that, and find lost events later.
- The ledger's bucket keeps what is replaced or deleted for {version_days} days: the only backup of the pages' dates.
- EventBridge counts all events of the bucket, also for other prefixes and for files that are no pages.

## What is not included

- Old versions of sitemaps, if the site's own bucket is versioned.
- A KMS key ($1 a month, and its requests), messages of the alarms' SNS topic, and the readers of the sitemaps.
- Invalidations, with the setting `cloudfront`: one path in a quarter of an hour at most, 2,880 a month. CloudFront
  bills $0.005 for each path after the first 1,000 of an account in a month: nothing for the blog, and $9.40 at most for
  any site's sitemaps. Files with other names, such as `robots.txt` and `llms.txt`, are paths of their own.
- Metrics that only a problem writes: `Drift`, `Contested`, `RecordsLost`, `SitemapsKept`, `Unreadable`,
  `RemovedPercent` and `RebuildsRefused`, each $0.30 at most.

## Assumptions

- All uploads are of pages, and each changes the page's date.
- A request waits 30 ms for S3, and a listing 100 ms. Waiting, bytes and processor time are added. Lambda's
  processor needs 1.5 times what the measuring machine's needs.
- A call starts cold if it is the first of a batch or a rebuild, unless batches follow one another without a pause.
- Lambda's own lines of a call have {platform_bytes} bytes.
- A metric costs the whole month, although AWS charges only the hours in which it is written.
- EventBridge charges for S3's events. Some pages of AWS say that these are free.
"""


def _bills(bills: Mapping[str, Sequence[Line]]) -> str:
    """A row for each item, and a column for each site: the quantity in a month, and the dollars for that."""
    rows = [
        f"| service | item | unit price | {' | '.join(bills)} | source |",
        f"|---|---|--:|{'--:|' * len(bills)}---|",
    ]
    by_item: dict[tuple[str, str], dict[str, Line]] = {}
    for name, lines in bills.items():
        for line in lines:
            by_item.setdefault((line.service, line.item), {})[name] = line
    for (service, item), found in by_item.items():
        one = next(iter(found.values()))
        price = f"${one.price:.10f}".rstrip("0") + f"/{one.unit.removesuffix('s')}"
        cells = [
            f"{_quantity(found[name].quantity)}: ${found[name].amount:,.3f}" if name in found else "" for name in bills
        ]
        source = "; ".join(dict.fromkeys(line.source for line in found.values()))
        rows.append(f"| {service} | {item} | {price} | {' | '.join(cells)} | {source} |")
    sums = [f"**{_dollars(total(list(lines)))}**" for lines in bills.values()]
    return "\n".join([*rows, f"| **all** |  |  | {' | '.join(sums)} |  |"])


def _summary(bills: Mapping[str, Sequence[Line]]) -> str:
    services = list(dict.fromkeys(line.service for lines in bills.values() for line in lines))
    rows = [f"| a month of | {' | '.join(services)} | **all** |", f"|---|{'--:|' * (len(services) + 1)}"]
    for site in SITES:
        if lines := bills.get(site.name):
            sums = [total([line for line in lines if line.service == service]) for service in services]
            cells = " | ".join(map(_dollars, sums))
            rows.append(f"| **{site.name}**: {site.description} | {cells} | **{_dollars(sum(sums))}** |")
    return "\n".join(rows)


def _sitemap_costs(found: Sequence[Month], bills: Mapping[str, Sequence[Line]]) -> str:
    """What each site writes in a month, and its cost without what is fixed and without rebuilds."""
    rows = ["| a month of | uploads | files published | MB of them | MB of the ledger | dollars for 1,000 files |"]
    rows.append("|---|--:|--:|--:|--:|--:|")
    for month in found:
        files = month.requests("PUT site")
        sitemaps, ledger = (month.written(*kinds) * months.DAYS / 1e6 for kinds in (("sitemaps",), _LEDGER_KINDS))
        lines = bills[month.site.name]
        cost = (total(list(lines)) - _fixed(lines) - _rebuild_cost(month)) / files * 1_000
        cells = [f"{month.uploads:,}", f"{files:,.0f}", f"{sitemaps:,.0f}", f"{ledger:,.0f}", _dollars(cost)]
        rows.append(f"| {month.site.name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _scattered(month: Month) -> str:
    """How many uploads anywhere in a bucket the function for events can handle in a day."""
    seconds = month.measured.usages[SCATTERED].seconds
    most = float(f"{86_400 / seconds * SCATTERED_UPLOADS:.2g}")
    return (
        f"- Uploads of pages in different sitemaps share nothing. A call for {SCATTERED_UPLOADS} such uploads takes\n"
        f"  {seconds:.0f} s in the catalogue, so its function handles at most about {most:,.0f} of them a day."
    )


def _rebuild_cost(month: Month) -> float:
    """Dollars of a month's daily rebuilds: what the bill would be less without them."""
    usages = month.measured.usages
    without = replace(usages[REBUILD], seconds=0, requests={}, written={}, events=0, calls=0, transitions=0)
    rest = Month(month.site, replace(month.measured, usages={**usages, REBUILD: without}), month.stack)
    return total(bill(month)) - total(bill(rest))


_LEDGER_KINDS = ("records", "manifest", "other")


def _fixed(lines: Sequence[Line]) -> float:
    return total([line for line in lines if line.item in ("metrics", "alarms", "polling")])


def _quantity(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.5f}"


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}"


if __name__ == "__main__":
    main()
