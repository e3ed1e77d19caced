"""The bills of docs/costs.md: they follow from the template, the prices and the measured calls."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import pytest
from stacks import ROOT

from waypost.aws.logs import Metric

sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "docs")]

aws_prices, costs, function_calls, lines, measurement, months, results, sites, stack, usage = (
    import_module(name)
    for name in (
        *("aws_prices", "costs", "bill.function_calls", "bill.lines", "bill.measurement", "bill.month"),
        *("bill.results", "bill.sites", "bill.stack", "bill.usage"),
    )
)
ALARM = """
  OneMoreAlarm:
    Type: AWS::CloudWatch::Alarm
"""


def recorded(name: str) -> Any:
    return results.read_results().sites[name]


def month(site: Any = None, **usages: Any) -> Any:
    """A month of a small site with these calls; those that are left out use nothing."""
    nothing = usage.Usage(seconds=0, requests={}, written={})
    found = dict.fromkeys((sites.UPLOADS, sites.OWN_EVENTS, sites.REBUILD), nothing) | usages
    return months.Month(site or sites.SITES[0], usage.MeasuredSite(found, 0, 0), stack.read_stack())


def line(bill: Any, item: str) -> Any:
    (found,) = (each for each in bill if each.item == item)
    return found


def test_the_page_has_the_bills_of_the_recorded_measurement_the_template_and_the_prices() -> None:
    assert costs.PAGE.read_text(encoding="utf-8") == costs.page(), "run python docs/costs.py"


def test_a_blog_s_calls_send_the_requests_and_write_the_metrics_that_are_recorded() -> None:
    measured = measurement.measure(sites.SITES[0], stack.read_stack(), results.read_results().request_seconds)
    for name, found in measured.usages.items():
        before = recorded("blog").usages[name]
        counted = (found.requests, found.events, found.messages, found.queue_requests, found.metrics)
        expected = (before.requests, before.events, before.messages, before.queue_requests, before.metrics)
        assert counted == expected, f"{name}: run python benchmarks/month.py blog"


def test_each_site_is_measured_and_its_metrics_are_those_of_the_function() -> None:
    for site in sites.SITES:
        written = {name for each in recorded(site.name).usages.values() for name in each.metrics}
        assert written <= set(Metric)


def test_alarms_are_counted_in_the_template() -> None:
    text = stack.TEMPLATE.read_text(encoding="utf-8")
    with_one_more = stack.read_stack(text.replace("\nOutputs:", f"{ALARM}\nOutputs:"))
    assert with_one_more.alarms == stack.read_stack().alarms + 1
    bill = lines.bill(month())
    assert line(bill, "alarms").amount == pytest.approx(stack.read_stack().alarms * aws_prices.ALARM_MONTH)


def test_a_stack_with_a_state_machine_has_its_alarms_too() -> None:
    large = sites.SITES[-1]
    assert month(large).alarms == stack.read_stack().alarms + stack.read_stack().run_alarms


def test_a_call_for_uploads_is_paid_as_often_as_there_are_batches() -> None:
    site = sites.BilledSite("a", "a", 10, batches=4, uploads=3, places=3)
    call = usage.Usage(seconds=0, requests={"PUT site": 2, "GET state": 1}, written={}, events=2)
    bill = lines.bill(month(site, **{sites.UPLOADS: call}))
    assert line(bill, "PUT, sitemaps").quantity == 30 * 4 * 2
    assert line(bill, "GET").quantity == 30 * 4
    assert line(bill, "events of S3").quantity == 30 * 4 * (3 + 2)


def test_replaced_files_of_the_ledger_are_paid_until_the_lifecycle_rule_deletes_them() -> None:
    call = usage.Usage(seconds=0, requests={}, written={"records": 10**9, "manifest": 10**8, "sitemaps": 5})
    bill = lines.bill(month(**{sites.REBUILD: call}))
    kept = stack.read_stack().version_days + months.LIFECYCLE_DAYS
    assert line(bill, "stored: noncurrent versions").quantity == pytest.approx(1.1 * kept)
    assert line(bill, "stored: replaced records").quantity == pytest.approx(months.DAYS_UNTIL_DELETED)


def test_an_idle_queue_is_polled_and_that_is_paid() -> None:
    assert line(lines.bill(month()), "polling").quantity == 30 * 24 * 60 * 15


def test_a_line_of_metrics_names_them() -> None:
    definition = {"Metrics": [{"Name": "Drift", "Unit": "Count"}]}
    assert function_calls.metric_names({"_aws": {"CloudWatchMetrics": [definition]}, "Drift": 1}) == ["Drift"]
    assert function_calls.metric_names({"level": "INFO"}) == []


def test_a_batch_s_pages_are_next_to_each_other_in_as_many_places_as_the_site_has() -> None:
    site = sites.BilledSite("a", "a", 1_000, batches=1, uploads=6, places=2)
    assert site.batch(1) == [1, 2, 3, 501, 502, 503]
