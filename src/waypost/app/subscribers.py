"""Notifies subscribers after a publication: one row for each kind of subscriber.

To add one, write a module in `announce/`, declare its setting in `config.schema.Site`, and add a row to SUBSCRIBERS: a
function that makes the subscriber from the settings, or returns None if they do not ask for it.
"""

from collections.abc import Callable

from msgspec.structs import replace

from waypost.announce.base import PublishResult, Subscriber, notify_all
from waypost.config.schema import Site
from waypost.core.diff import count_changes
from waypost.core.model import Plan
from waypost.sync.result import RunResult

SUBSCRIBERS: list[Callable[[Site], Subscriber | None]] = []


def notify_of_plan(site: Site, plan: Plan) -> Plan:
    """Notify subscribers of a plan that was applied; returns it with the warnings of subscribers that failed."""
    result = PublishResult(site.base_url, tuple(plan.written), tuple(plan.removed), count_changes(plan.changes))
    return replace(plan, warnings=[*plan.warnings, *notify_all(_subscribers(site), result)])


def notify_of_run(site: Site, run: RunResult) -> RunResult:
    """Notify subscribers of a run over a bucket; returns it with the warnings of subscribers that failed."""
    result = PublishResult(site.base_url, run.written, run.removed, run.changes)
    return replace(run, warnings=(*run.warnings, *notify_all(_subscribers(site), result)))


def _subscribers(site: Site) -> list[Subscriber]:
    return [subscriber for make in SUBSCRIBERS if (subscriber := make(site))]
