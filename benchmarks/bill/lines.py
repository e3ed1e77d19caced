"""The lines of a bill: a quantity, its source, the price of a unit, and the amount."""

from typing import NamedTuple

import aws_prices

from bill.month import DAYS, POLL_SECONDS, POLLERS, Month

_GIGABYTE = 1_000_000_000
_TRANSITIONS = 4
"""The start of an execution, and three states, if one call of the function is enough (infra/rebuild.asl.json)."""


class Line(NamedTuple):
    """A line of a bill; `source` says where the quantity comes from."""

    service: str
    item: str
    quantity: float
    unit: str
    price: float
    source: str

    @property
    def amount(self) -> float:
        """Dollars."""
        return self.quantity * self.price


def bill(month: Month) -> list[Line]:
    """All lines of a month's bill."""
    return [
        *_requests(month),
        *_storage(month),
        *_functions(month),
        *_executions(month),
        *_messages(month),
        *_monitoring(month),
    ]


def total(lines: list[Line]) -> float:
    """Dollars of a whole bill."""
    return sum(line.amount for line in lines)


def _requests(month: Month) -> list[Line]:
    def line(item: str, price: float, *names: str) -> Line:
        return Line("S3", item, month.requests(*names), "requests", price, "measured")

    listings = [f"{kind} {bucket}" for kind in ("LIST", "PROBE") for bucket in ("site", "state")]
    return [
        line("PUT, sitemaps", aws_prices.S3_WRITE, "PUT site"),
        line("PUT, state", aws_prices.S3_WRITE, "PUT state"),
        line("LIST", aws_prices.S3_WRITE, *listings),
        line("GET", aws_prices.S3_READ, "GET site", "GET state"),
        line("HEAD", aws_prices.S3_READ, "HEAD site", "HEAD state"),
    ]


def _storage(month: Month) -> list[Line]:
    def line(item: str, size: float, source: str) -> Line:
        return Line("S3", item, size / _GIGABYTE, "GB-months", aws_prices.S3_GIGABYTE_MONTH, source)

    partitions, versions = month.site.partitions, month.written("state") * month.version_days
    kept = f"measured bytes a day for {month.version_days:g} days, by the template's lifecycle rule"
    return [
        line("stored: sitemaps", month.measured.sitemap_bytes * partitions, "measured"),
        line("stored: state", month.measured.state_bytes * partitions, "measured, with a copy of each of seven days"),
        line("stored: noncurrent versions", versions, kept),
    ]


def _functions(month: Month) -> list[Line]:
    lines = []
    for name, is_rebuild in (("EventFunction", False), ("RebuildFunction", True)):
        calls = month.invocations(is_rebuild=is_rebuild)
        seconds = month.gigabyte_seconds(is_rebuild=is_rebuild)
        source = "one a day and partition" if is_rebuild else "one a batch, and one for the events of what it published"
        lines += [
            Line("Lambda", f"{name}, requests", calls, "requests", aws_prices.LAMBDA_CALL, source),
            Line("Lambda", f"{name}, time", seconds, "GB-seconds", aws_prices.LAMBDA_GIGABYTE_SECOND, "measured"),
        ]
    return lines


def _executions(month: Month) -> list[Line]:
    """What the state machine costs, which only a divided bucket needs."""
    partitions = month.site.partitions if month.site.partitions > 1 else 0
    transitions = _TRANSITIONS * partitions * month.rebuilds * DAYS
    source = f"{_TRANSITIONS} for each rebuild of a partition"
    return [Line("Step Functions", "state transitions", transitions, "transitions", aws_prices.TRANSITION, source)]


def _messages(month: Month) -> list[Line]:
    events, price = month.events, aws_prices.SQS_REQUEST
    polls = f"{POLLERS} pollers, {POLL_SECONDS} s each"
    return [
        Line("EventBridge", "events of S3", events, "events", aws_prices.EVENTBRIDGE_EVENT, "uploads, PUT of sitemaps"),
        Line("SQS", "messages sent", events, "requests", price, "one an event"),
        Line("SQS", "received and deleted", 2 * events / 10, "requests", price, "ten messages a request"),
        Line("SQS", "polling", month.polls, "requests", price, polls),
    ]


def _monitoring(month: Month) -> list[Line]:
    gigabytes, days = month.log_bytes / _GIGABYTE, month.stack.log_days
    counted = "counted in the template"
    kept = f"kept for {days} days, uncompressed"
    return [
        Line("CloudWatch", "metrics", len(month.metrics), "metrics", aws_prices.METRIC_MONTH, "measured"),
        Line("CloudWatch", "metrics of alarms", month.stack.alarms, "metrics", aws_prices.ALARM_MONTH, counted),
        Line("CloudWatch", "log, written", gigabytes, "GB", aws_prices.LOG_GIGABYTE, "measured, and Lambda's own"),
        Line("CloudWatch", "log, stored", gigabytes * days / 30, "GB-months", aws_prices.LOG_GIGABYTE_MONTH, kept),
    ]
