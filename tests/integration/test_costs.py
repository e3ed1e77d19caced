"""The bills of docs/costs.md: they follow from the template, the prices and the measured calls."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import pytest
from stacks import ROOT

from waypost.aws.logs import Metric

sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "docs")]

aws_prices, costs, lines, measurement, months, sites, stack, usage = (
    import_module(name)
    for name in (
        *("aws_prices", "costs", "bill.lines", "bill.measurement", "bill.month", "bill.sites"),
        *("bill.stack", "bill.usage"),
    )
)
ALARM = """
  OneMoreAlarm:
    Type: AWS::CloudWatch::Alarm
    Properties:
"""
SUM = """
      Metrics:
        - { Id: total, Expression: one + other }
        - { Id: one, MetricStat: {} }
        - { Id: other, MetricStat: {} }
"""


def recorded(name: str) -> Any:
    return usage.read_results()[name]


def month(site: Any = None, **usages: Any) -> Any:
    """A month of a small site with these calls; those that are left out use nothing."""
    found = dict.fromkeys((sites.UPLOADS, sites.OWN_EVENTS, sites.REBUILD), usage.Usage()) | usages
    return months.Month(site or sites.SITES[0], usage.MeasuredSite(found, 10**9, 10**8), stack.read_stack())


def line(bill: Any, item: str) -> Any:
    (found,) = (each for each in bill if each.item == item)
    return found


def test_the_pages_have_the_bills_of_the_recorded_measurement_the_template_and_the_prices() -> None:
    for path, text in costs.pages().items():
        assert path.read_text(encoding="utf-8") == text, "run python docs/costs.py"


def test_a_blog_s_calls_send_the_requests_and_write_the_metrics_that_are_recorded() -> None:
    for name, found in measurement.measure(sites.SITES[0]).usages.items():
        before = recorded("blog").usages[name]
        counted = (found.requests, found.events, found.metrics)
        assert counted == (before.requests, before.events, before.metrics), f"{name}: run python benchmarks/month.py"


def test_each_site_is_measured_and_its_metrics_are_those_of_the_function() -> None:
    for site in sites.SITES:
        written = {name for each in recorded(site.name).usages.values() for name in each.metrics}
        assert written <= set(Metric)


@pytest.mark.parametrize(("metrics", "count"), [("      MetricName: A\n", 1), (SUM, 2)])
def test_metrics_of_alarms_are_counted_in_the_template(metrics: str, count: int) -> None:
    text = stack.TEMPLATE.read_text(encoding="utf-8")
    with_one_more = stack.read_stack(text.replace("\nOutputs:", f"{ALARM}{metrics}\nOutputs:"))
    assert with_one_more.alarms == stack.read_stack().alarms + count
    amount = line(lines.bill(month()), "metrics of alarms").amount
    assert amount == pytest.approx(stack.read_stack().alarms * aws_prices.ALARM_MONTH)


def test_a_call_for_uploads_is_paid_as_often_as_there_are_batches() -> None:
    site = sites.BilledSite("a", "a", 10, batches=4, uploads=3, places=3)
    call = usage.Usage(requests={"PUT site": 2, "GET state": 1}, events=2)
    bill = lines.bill(month(site, **{sites.UPLOADS: call}))
    assert line(bill, "PUT, sitemaps").quantity == 30 * 4 * 2
    assert line(bill, "GET").quantity == 30 * 4
    assert line(bill, "events of S3").quantity == 30 * 4 * (3 + 2)


def test_each_partition_has_a_state_sitemaps_and_a_rebuild() -> None:
    site = sites.BilledSite("a", "a", 10, batches=4, uploads=1, places=1, partitions=5)
    bill = lines.bill(month(site, **{sites.REBUILD: usage.Usage(requests={"LIST site": 3})}))
    assert line(bill, "LIST").quantity == 30 * 5 * 3
    assert line(bill, "RebuildFunction, requests").quantity == 30 * 5
    assert line(bill, "stored: sitemaps").quantity == pytest.approx(5)
    assert line(bill, "stored: state").quantity == pytest.approx(0.5)


def test_replaced_states_are_paid_until_the_lifecycle_rule_deletes_them() -> None:
    bill = lines.bill(month(**{sites.REBUILD: usage.Usage(written={"state": 10**9, "site": 5})}))
    kept = stack.read_stack().version_days + months.LIFECYCLE_DAYS
    assert line(bill, "stored: noncurrent versions").quantity == pytest.approx(kept)


def test_an_idle_queue_is_polled_and_that_is_paid() -> None:
    assert line(lines.bill(month()), "polling").quantity == 30 * 24 * 60 * 15


def test_a_line_of_metrics_names_them() -> None:
    definition = {"Metrics": [{"Name": "Drift", "Unit": "Count"}]}
    assert measurement.metric_names({"_aws": {"CloudWatchMetrics": [definition]}, "Drift": 1}) == ["Drift"]
    assert measurement.metric_names({"level": "INFO"}) == []


def test_a_batch_s_pages_are_next_to_each_other_in_as_many_places_of_a_partition_as_the_site_has() -> None:
    site = sites.BilledSite("a", "a", 2_000, batches=1, uploads=6, places=2, partitions=2)
    assert site.batch(1) == [1, 2, 3, 501, 502, 503]
