"""The function with a state machine, over real requests to S3 and Step Functions: which of them rebuilds, each step."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import quick
from buckets import MadeBucket
from fake_stores import SimulatedSite
from integration.test_function import BASE, NO_MESSAGE, NO_QUEUE, Context, as_json, bridged, function_site, queued
from page_content import undated
from proxies import Proxy, Request, proxy_for
from run_harness import NEXT_STEP, Execution, split_at_keys
from servers import answer as http_answer

from waypost.aws import function, state_machine
from waypost.aws.call import Call
from waypost.core.errors import BusyError, ConfigurationError, EventError
from waypost.sync.publisher_lease import Timing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_stepfunctions import SFNClient

PASS = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}
ROLE = "arn:aws:iam::123456789012:role/rebuild"
PAGES = ("index.html", "blog/a.html", "docs/a.html")
SCHEDULED = {"source": "aws.events", "detail-type": "Scheduled Event"}
SLOW_DOWN = http_answer("<Error><Code>SlowDown</Code></Error>", 503)
PUBLISHED = ("url_count", "sitemap_count", "built_at")
"""Fields of the status that are about what is published."""
ONE_CLOCK = Timing(clock_skew=0)
"""All calls of a test have the same clock, so that settings may change at once after another change."""
MOST = 262_144
"""The bytes of what a state is given, or answers, at most (Step Functions, "Service quotas")."""


class FunctionWithStateMachine:
    """A function with a state machine, each call in an environment of its own, whose requests pass a proxy."""

    def __init__(self, site: MadeBucket, client: SFNClient, proxy: Proxy) -> None:
        site.client.create_bucket(Bucket=f"{site.name}-state")
        self.site, self.state, self.client, self.proxy = (
            site,
            MadeBucket(site.client, f"{site.name}-state"),
            client,
            proxy,
        )
        self.invoked: list[Any] = []
        made = client.create_state_machine(name=site.name, definition=json.dumps(PASS), roleArn=ROLE)
        self.arn = made["stateMachineArn"]
        self.environment = {
            "WAYPOST_SOURCE": f"s3://{site.name}/www/",
            "WAYPOST_STATE": f"s3://{self.state.name}/ledger/",
            "WAYPOST_BASE_URL": BASE,
            "WAYPOST_CONFIG": f"s3://{site.name}/config/waypost.toml",
            "WAYPOST_STATE_MACHINE": self.arn,
            "WAYPOST_WORKERS": "3",
            "WAYPOST_DISTRIBUTE_FROM": str(len(PAGES)),
        }
        self.settle("")

    def settle(self, settings: str) -> None:
        self.site.put({"config/waypost.toml": settings})

    def put(self, **objects: str) -> None:
        self.site.put({f"www/{key}": content for key, content in objects.items()})

    def __call__(self, event: Any) -> Any:
        site = function_site(self.environment)
        site.ledger_site.updater.timing = ONE_CLOCK
        machine = state_machine.state_machine(self.environment, site.ledger_site.updater, site.state_location)
        made = function.Function(
            site, lambda name, payload: self.invoked.append(json.loads(payload)), NO_QUEUE, NO_MESSAGE, machine
        )
        return as_json(made.handle(event, Call(Context())))

    def ask(self, action: str, **more: Any) -> Any:
        return self({"action": action, **more})

    def step(self, step: str, **more: Any) -> Any:
        """Take a step of a run, whose answer is within the limit of Step Functions."""
        answered = self({"step": step, "run": "run", **more})
        assert len(json.dumps(answered)) < MOST
        return answered

    def items(self, answered: Any) -> list[dict[str, Any]]:
        """The payloads of the workers of a step, which are within the limit as well."""
        if "tasks" not in answered:
            return []
        assert answered["tasks"]["bucket"] == self.state.name
        items = json.loads(self.state.get(answered["tasks"]["key"]))
        assert len(items) == answered["task_count"]
        assert max(len(json.dumps(item)) for item in items) < MOST
        return list(items)

    def run(self) -> Any:
        """Take all steps of a run; returns the last answer."""
        answered, at_step = self.step("plan"), "plan"
        while answered["next_step"] not in ("done", "superseded"):
            for item in self.items(answered):
                self.step(**item)
            at_step = NEXT_STEP[answered["next_step"]] if "tasks" in answered else answered["next_step"]
            answered = self.step(at_step)
        return answered

    def started(self) -> list[str]:
        return [each["executionArn"] for each in self.client.list_executions(stateMachineArn=self.arn)["executions"]]

    def listings(self) -> list[Request]:
        """The requests that list the site."""
        return [each for each in self.proxy.seen if each.path == f"/{self.site.name}" and "list-type" in each.query]

    def published(self) -> dict[str, bytes]:
        return {key: self.site.get(key) for key in self.site.versions() if key.startswith("www/sitemap")}


@pytest.fixture
def proxy(s3_endpoint: str, bucket: MadeBucket, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    del bucket  # its client goes by no proxy
    with proxy_for(s3_endpoint) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", proxy.url)
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")  # tests wait for no second answer
        yield proxy
        assert proxy.problems == []


@pytest.fixture
def called(bucket: MadeBucket, proxy: Proxy) -> FunctionWithStateMachine:
    """A function over a few pages, without a ledger."""
    import boto3

    function = FunctionWithStateMachine(bucket, boto3.client("stepfunctions"), proxy)
    function.put(**dict.fromkeys(PAGES, "<title>A page</title>"))
    return function


@pytest.fixture
def built(called: FunctionWithStateMachine) -> FunctionWithStateMachine:
    """The same with a ledger and sitemaps, built by one call."""
    called.environment["WAYPOST_DISTRIBUTE_FROM"] = str(len(PAGES) + 10)
    assert called.ask("rebuild")["finished"]
    called.environment["WAYPOST_DISTRIBUTE_FROM"] = str(len(PAGES))
    called.proxy.seen.clear()
    return called


@pytest.mark.parametrize("event", quick.every(2, [{"action": "rebuild"}, SCHEDULED]))
def test_a_large_bucket_with_a_ledger_is_rebuilt_by_the_state_machine(
    built: FunctionWithStateMachine, event: Any
) -> None:
    built.environment["WAYPOST_DISTRIBUTE_FROM"] = str(len(PAGES) + 1)
    assert built(event)["finished"] is True
    assert built.started() == []

    built.environment["WAYPOST_DISTRIBUTE_FROM"] = str(len(PAGES))
    built.proxy.seen.clear()
    answer = built(event)
    assert [answer["execution"]] == built.started()
    assert (answer["finished"], built.listings()) == (False, [])
    assert answer["watch"] == f"aws stepfunctions describe-execution --execution-arn {answer['execution']}"
    again = built(event)
    assert (again["execution"], "in progress already" in again["note"]) == (answer["execution"], True)
    assert len(built.started()) == 1


@pytest.mark.slow
def test_a_bucket_without_a_ledger_is_probed_for_its_size(called: FunctionWithStateMachine) -> None:
    pictures = {f"{n:04}.png": "no page" for n in range(1_000 - len(PAGES))}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: called.put(**{key: "no page"}), pictures))
    called.environment["WAYPOST_DISTRIBUTE_FROM"] = "5000"
    assert called.ask("rebuild")["finished"] is True

    forget(called)
    called.environment["WAYPOST_DISTRIBUTE_FROM"] = "900"
    assert called.ask("rebuild")["finished"] is False
    assert len(called.listings()) == 1


def forget(called: FunctionWithStateMachine) -> None:
    for key in called.state.keys():  # noqa: SIM118, it is a bucket
        called.state.client.delete_object(Bucket=called.state.name, Key=key)
    called.proxy.seen.clear()


@pytest.mark.slow
def test_an_event_after_new_settings_starts_one_rebuild_and_is_applied_by_it(built: FunctionWithStateMachine) -> None:
    before = built.published()
    built.settle("drop_html = true")
    built.put(**{"docs/b.html": "<title>B</title>", "docs/c.html": "<title>C</title>"})
    answer = [queued(bridged(built.site.name, f"www/docs/{page}.html")) for page in "bc"]
    assert len(built(answer[0])["batchItemFailures"]) == 1  # another call rebuilds, and the message comes again
    assert built.invoked == [{"action": "rebuild"}]
    built(built.invoked.pop())
    assert len(built.started()) == 1
    assert built.published() == before
    assert len(built(answer[1])["batchItemFailures"]) == 1  # what is under way may have looked there already
    (part,) = built.items(built.step("plan"))
    assert [built(each) for each in answer] == [{"batchItemFailures": []}] * 2
    assert built.step(**part)["next_step"] == "plan"
    built.run()
    assert f"{BASE}docs/c<".encode() in built.published()["www/sitemap.xml"]


def test_an_unknown_step_fails_the_run(called: FunctionWithStateMachine) -> None:
    with pytest.raises(EventError, match="is unknown or incomplete"):
        called({"step": "gater", "run": "run"})


@pytest.mark.slow
def test_the_status_has_the_progress_of_a_rebuild_and_whether_it_runs(built: FunctionWithStateMachine) -> None:
    assert "rebuild" not in built.ask("status")
    execution = built.ask("rebuild")["execution"]
    run = execution.rpartition(":")[2]
    (part,) = built.items(built.step("plan", run=run))
    about = {"run": run, "stage": "scan", "of": 1, "execution": execution, "status": "RUNNING"}
    assert built.ask("status")["rebuild"] == {**about, "done": 0}
    built.step(**part)
    assert built.ask("status")["rebuild"] == {**about, "done": 1}
    built.client.stop_execution(executionArn=execution)
    answer = built.ask("status")
    assert answer["rebuild"]["status"] == "ABORTED"
    assert answer["state"] == 'the distributed rebuild ended as ABORTED; {"action": "rebuild"} starts a new one'


@pytest.mark.slow
def test_during_a_rebuild_for_new_settings_the_answers_are_about_what_is_published(
    built: FunctionWithStateMachine,
) -> None:
    before = built.ask("status")
    built.settle("drop_html = true")
    built.step("plan")
    answer = built.ask("status")
    assert [answer[name] for name in PUBLISHED] == [before[name] for name in PUBLISHED]
    assert built.ask("check").keys() == {"in_sync", "state", "problems"}
    assert "nothing to compare with" in built.ask("check")["state"]
    answered = built.ask("update", keys=["docs/a.html"])
    assert answered["note"] == "a rebuild is in progress, which reads these keys before it commits"
    assert answered["warnings"] == []


@pytest.mark.slow
def test_the_error_of_a_failed_run_is_in_the_status_until_a_run_succeeds(built: FunctionWithStateMachine) -> None:
    built.step("plan", run="first")
    cause = json.dumps({"errorMessage": "it broke", "errorType": "SourceError", "stackTrace": []})
    built.step("handle-failure", run="first", error={"Error": "SourceError", "Cause": cause})
    assert built.ask("status")["last_error"]["message"] == "it broke"
    built.run()
    assert built.ask("status")["last_error"] is None


@pytest.mark.slow
@pytest.mark.parametrize("is_meant", ["a page", "a listing"])
def test_a_step_that_s3_throttles_is_repeated_and_is_not_saved_as_an_error(
    called: FunctionWithStateMachine, is_meant: str
) -> None:
    (part,) = called.items(called.step("plan"))

    def slow(request: Request) -> bytes | None:
        is_page = request.path == f"/{called.site.name}/www/docs/a.html"
        is_listing = request.path == f"/{called.site.name}" and "list-type" in request.query
        return SLOW_DOWN if {"a page": is_page, "a listing": is_listing}[is_meant] else None

    called.proxy.hook = slow
    with pytest.raises(BusyError, match="SlowDown"):
        called.step(**part)
    called.proxy.hook = lambda request: None
    assert called.ask("status")["last_error"] is None
    assert called.run()["url_count"] == len(PAGES)


@pytest.mark.slow
def test_a_failed_run_leaves_the_ledger_and_its_error_is_saved(built: FunctionWithStateMachine) -> None:
    before = built.published()
    built.step("plan")
    assert built.ask("status")["rebuild"]["run"] == "run"
    error = {"Error": "States.Timeout", "Cause": "the worker came to no end"}
    assert built.step("handle-failure", error=error)["next_step"] == "done"
    status = built.ask("status")
    assert "rebuild" not in status
    assert status["last_error"]["type"] == "Rebuild"
    assert "the worker came to no end" in status["last_error"]["message"]
    assert built.published() == before


@pytest.mark.slow
def test_the_status_has_the_error_of_the_worker_that_failed(built: FunctionWithStateMachine) -> None:
    built.put(**{"docs/new.html": "<title>New</title>"})
    (part,) = built.items(built.step("plan"))
    built.proxy.hook = lambda request: SLOW_DOWN if request.path.endswith("/docs/new.html") else None
    with pytest.raises(BusyError):
        built.step(**part)
    threshold = "States.ExceedToleratedFailureThreshold"  # all that Step Functions says where a map's child has failed
    error = {"Error": threshold, "Cause": "The specified tolerated failure threshold was exceeded"}
    built.step("handle-failure", error=error)
    assert "docs/new.html" in built.ask("status")["last_error"]["message"]


def test_all_issues_about_the_state_machine_are_reported_at_once() -> None:
    wrong = {"WAYPOST_DISTRIBUTE_FROM": "0", "WAYPOST_WORKERS": "many", "WAYPOST_OBJECTS_PER_WORKER": "-1"}
    with pytest.raises(ConfigurationError) as caught:
        state_machine.settings({"WAYPOST_STATE_MACHINE": "arn", **wrong})
    assert [(each.key, each.problem) for each in caught.value.issues] == [
        (name, f"{value!r} is not a number") for name, value in wrong.items()
    ]
    assert state_machine.settings(wrong) is None  # nothing was deployed that they are about


@pytest.mark.slow
def test_a_distributed_rebuild_publishes_the_same_as_one_call_and_its_answers_are_small(
    built: FunctionWithStateMachine,
) -> None:
    groups = [f'g{n} = ["/{n:02}/"]' for n in range(22)]
    built.settle("\n".join(["[groups]", *groups]))
    built.put(**{f"{n:02}/{'é' * 250}.html": f"<title>{n}</title>" for n in range(22)})
    answer = built.run()
    assert (answer["next_step"], answer["finished"], answer["url_count"]) == ("done", True, len(PAGES) + 22)
    assert (answer["written"]["count"], len(answer["written"]["first"])) == (24, 20)
    published = built.published()
    forget(built)
    built.environment["WAYPOST_DISTRIBUTE_FROM"] = "1000"
    assert built.ask("rebuild")["finished"]
    assert undated(built.published()) == undated(published)


@pytest.mark.slow
def test_a_worker_s_payload_is_small_however_many_ranges_share_a_sitemap() -> None:
    world = SimulatedSite(urls=50_000)
    keys = [f"docs/{n:05}.html" for n in range(2_000)]
    for key in keys:
        world.put(key, "a page")
    execution = Execution("run", world.updater, world.state, split=split_at_keys(*keys))
    given = execution.tasks(execution.run("build"))
    assert max(len(json.dumps(item)) for item in given) < MOST
    assert execution.run().next_step == "done"
