"""Cases: workers that are killed, throttling, and messages that fail after all retries."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from proxies import forward_all, proxy_for
from stacks import until

from operate import pages
from operate.cases import Case, Outcome, of_status, seen
from operate.faults import Hold, MoveTasks, deny_reading, kill_workers, slow_down
from operate.trial import BUCKET, PREFIX

if TYPE_CHECKING:
    from operate.trial import Trial

_SITEMAPS = f"/{BUCKET}/{PREFIX}sitemap"
_DENIED = "blog/denied.html"
_RECEIVE = 'aws sqs receive-message --queue-url "$(output DeadLetterQueueUrl)" --visibility-timeout 0'
_REDRIVE = 'aws sqs start-message-move-task --source-arn "$(output DeadLetterQueueArn)"'
_PURGE = 'aws sqs purge-queue --queue-url "$(output DeadLetterQueueUrl)"'


def event_worker_killed(trial: Trial) -> Outcome:
    """It is killed when it writes its first sitemap, after it has replaced the state."""
    for n in range(71):
        trial.put(f"killed/page-{n:02}.html", pages.page(f"Killed {n}"))
    started = _kill(trial, "EventFunctionName")
    found = of_status(trial)
    seconds = trial.seconds_until_right(started)
    trial.wait_until_handled()
    return Outcome(seen(trial, found), seconds, trial.times.after_kill)


def rebuild_worker_killed(trial: Trial) -> Outcome:
    """The same with a rebuild: the next event has another run publish what this one has left."""
    trial.put("waypost.toml", pages.SETTINGS + 'docs = ["/docs/"]\n')  # all pages of docs/ move to a new sitemap
    with ThreadPoolExecutor(1) as pool:
        rebuild = pool.submit(_rebuild_that_fails, trial)
        _kill(trial, "RebuildFunctionName")
        rebuild.result()
    found = of_status(trial)
    assert "some sitemaps are not published yet" in found, found
    trial.put("docs/after-kill.html", pages.page("After a worker was killed"))
    return Outcome(seen(trial, found), trial.seconds_until_right())


def throttled(trial: Trial) -> Outcome:
    """S3 answers 503 SlowDown to every request of the functions, while pages are uploaded and deleted."""
    trial.proxy.hook = slow_down
    end = time.monotonic() + trial.times.throttling
    for n in range(10):
        trial.put(f"throttled/page-{n}.html", pages.page(f"Throttled {n}"))
    trial.remove("throttled/page-9.html")
    until(lambda: time.monotonic() > end and (trial.log().raised() or trial.log().messages("ERROR")), "an error")
    found = of_status(trial)
    trial.proxy.hook = forward_all
    seconds = trial.seconds_until_right()
    trial.wait_until_handled()
    return Outcome(seen(trial, found), seconds)


def dead_letters(trial: Trial) -> Outcome:
    """A message that is no event, and the event of an object that may not be read, become dead letters.

    When the object may be read again, the documented command delivers both again. The first one fails as before, and
    is removed.
    """
    trial.allow_receives(1)
    trial.proxy.hook = deny_reading(f"/{BUCKET}/{PREFIX}{_DENIED}")
    queue = ("--queue-url", trial.outputs["EventQueueUrl"])
    trial.aws.aws("sqs", "send-message", *queue, "--message-body", "not an event")
    trial.put(_DENIED, pages.page("Denied"))
    until(lambda: trial.dead_letters() == 2, "two dead letters")
    (message, *_) = json.loads(trial.console.run(_RECEIVE))["Messages"]
    found = f"`receive-message` on the dead-letter queue shows “{message['Body'][:40]}”; `DeadLetterAlarm`"
    status = of_status(trial)
    assert _DENIED in trial.log().failed()
    trial.proxy.hook = forward_all
    started = time.monotonic()
    with proxy_for(trial.aws.endpoint) as sqs:
        sqs.hook = MoveTasks(trial.aws, trial.outputs["DeadLetterQueueUrl"], trial.outputs["EventQueueUrl"])
        trial.console.run(_REDRIVE, AWS_ENDPOINT_URL=sqs.url)
        assert not sqs.problems
    seconds = trial.seconds_until_right(started)
    until(lambda: trial.dead_letters() == 1, "the message that is no event")
    trial.console.run(_PURGE)
    until(lambda: trial.dead_letters() == 0, "an empty dead-letter queue")
    trial.allow_receives(20)
    return Outcome(seen(trial, found, status), seconds)


def _kill(trial: Trial, output: str) -> float:
    """Kill the worker of a function when it writes a sitemap; returns when."""
    hold = trial.proxy.hook = Hold(_SITEMAPS)
    hold.wait_until_reached()
    port = int(trial.aws.endpoint.rpartition(":")[2])
    assert kill_workers(trial.outputs[output], port), "there is no worker"
    started = time.monotonic()
    trial.proxy.hook = forward_all
    hold.drop()
    return started


def _rebuild_that_fails(trial: Trial) -> None:
    with suppress(KeyError):  # the answer is an error
        trial.rebuild()["finished"]


CASES = (
    Case("a worker of EventFunction killed before it published", event_worker_killed),
    Case("a worker of RebuildFunction killed before it published, and an upload after that", rebuild_worker_killed),
    Case("S3 throttles", throttled),
    Case("dead letters, moved back by the documented command", dead_letters),
)
