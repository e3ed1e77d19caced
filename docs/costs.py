"""Computes the bills of three sites for a month; writes docs/costs.md, and benchmarks/results/month.md with all lines.

The quantities are in benchmarks/results/month.json, which `python benchmarks/month.py` measures, and in the template;
the prices are in benchmarks/aws_prices.py.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "benchmarks")]

from bill import month as months  # noqa: E402
from bill.lines import Line, bill, total  # noqa: E402
from bill.month import Month  # noqa: E402
from bill.sites import SITES, UPLOADS  # noqa: E402
from bill.stack import read_stack  # noqa: E402
from bill.usage import read_results  # noqa: E402

PAGE = ROOT / "docs" / "costs.md"
BILLS = ROOT / "benchmarks" / "results" / "month.md"


def main() -> None:
    """Write both pages, and print them."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(text)


def pages() -> dict[Path, str]:
    """The texts of the two pages."""
    results, stack = read_results(), read_stack()
    found = [Month(site, results[site.name], stack) for site in SITES if site.name in results]
    bills = {month.site.name: bill(month) for month in found}
    shop, catalogue = found[1:]
    page = TEXT.format(
        summary=_summary(bills),
        alarms=stack.alarms,
        fixed=_dollars(_fixed(bills["blog"])),
        least=_dollars(total(bills["blog"])),
        sitemaps=_what_decides(found, bills),
        seconds=_upload_seconds(shop),
        megabytes=shop.measured.usages[UPLOADS].written["state"] / 1e6,
        busy=_upload_seconds(catalogue) * catalogue.site.batches / 86_400,
        rebuild=_dollars(_rebuild_cost(catalogue)),
        memory=stack.memory,
        window=stack.window,
        version_days=stack.version_days,
    )
    return {PAGE: page, BILLS: BILLS_TEXT.format(bills=_bills(bills), platform_bytes=months.PLATFORM_BYTES)}


TEXT = """# What a month costs

Dollars in us-east-1, without the free tiers, for the default parameters ({memory:,} MB, a window of {window} seconds)
and a daily rebuild, without [the first build](scale.md). [The bills](../benchmarks/results/month.md) have each item,
and what they assume.

{summary}

- **A stack costs at least about {least} a month**: {fixed} of it are alarms, metrics and the polling of an idle queue.
- AWS's free tiers cover ten metrics, ten metrics of alarms (a stack has {alarms}), 5 GB of logs, a million requests of
  SQS and of Lambda and 400,000 GB-seconds of each account and month: almost all of a small stack.
- The catalogue's figures are those of one measured partition of 100,000 pages, as often as it has them, without an
  index over the partitions' sitemaps.

## What decides the cost

{sitemaps}

The last column leaves out alarms, metrics, polling and rebuilds.

- An upload reads the whole state and replaces it twice, and writes its whole sitemap. A call for the shop's 20 uploads
  takes {seconds:.0f} s and writes {megabytes:.0f} MB of state. Uploads within one window share that.
- The catalogue's calls for uploads take the time of {busy:.1f} functions that never wait; the template allows two.
- {rebuild} of the catalogue's bill is for its daily rebuild. `Schedule=rate(3 days)` and `RebuildMaxAgeHours=80` cost a
  third of that, and find lost events later.
- The state's bucket keeps what is replaced for {version_days} days, and the state keeps a copy of each of seven days.
- EventBridge counts all events of the bucket, also for other prefixes and for files that are no pages.

## What is not included

- Old versions of sitemaps, if the site's own bucket is versioned.
- A KMS key ($1 a month, and its requests), the alarms' messages, and the readers of the sitemaps.
- Invalidations, with the setting `cloudfront`: one path in a quarter of an hour at most, 2,880 a month. CloudFront
  bills $0.005 for each path after the first 1,000 of an account in a month: nothing for the blog, and $9.40 at most for
  any site's sitemaps. Files with other names, such as `robots.txt` and `llms.txt`, are paths of their own.
- Metrics that only a problem or a removal writes: `Drift`, `Problems`, `RemovedPercent` and `RebuildsRefused`, each
  $0.30 at most.
"""

BILLS_TEXT = """# The bills of a month

`python docs/costs.py` computes these bills, and [what a month costs](../../docs/costs.md), from the calls that
`python benchmarks/month.py` measures, and from the deployment template. A site's column has the quantity and the
amount, and *source* where the quantity comes from.

{bills}

## Assumptions

- All uploads are of pages, and each changes the page's date.
- A request waits 30 ms for S3, and a page of a listing 100 ms. 32 pages are read at the same time. Waiting, bytes
  (75 MB a second) and processor time are added. Lambda's processor needs 1.5 times what the measuring machine's needs.
- A call for uploads starts cold, unless batches follow one another without a pause; so does a rebuild.
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


def _what_decides(found: Sequence[Month], bills: Mapping[str, Sequence[Line]]) -> str:
    """What each site writes in a month, and its cost without what is fixed and without rebuilds."""
    rows = ["| a month of | uploads | files published | MB of them | MB of the state | dollars for 1,000 uploads |"]
    rows.append("|---|--:|--:|--:|--:|--:|")
    for month in found:
        sitemaps, state = (month.written(bucket) * months.DAYS / 1e6 for bucket in ("site", "state"))
        lines = bills[month.site.name]
        cost = (total(list(lines)) - _fixed(lines) - _rebuild_cost(month)) / month.uploads * 1_000
        files = f"{month.requests('PUT site'):,.0f}"
        cells = [f"{month.uploads:,}", files, f"{sitemaps:,.0f}", f"{state:,.0f}", _dollars(cost)]
        rows.append(f"| {month.site.name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _upload_seconds(month: Month) -> float:
    """Seconds of a call for uploads."""
    return month.measured.usages[UPLOADS].seconds


def _rebuild_cost(month: Month) -> float:
    """Dollars of a month's daily rebuilds: what the bill would be less without them."""
    return total(bill(month)) - total(bill(replace(month, rebuilds=0)))


def _fixed(lines: Sequence[Line]) -> float:
    return total([line for line in lines if line.item in ("metrics", "metrics of alarms", "polling")])


def _quantity(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.5f}"


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}"


if __name__ == "__main__":
    main()
