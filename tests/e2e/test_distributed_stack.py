"""A distributed rebuild in a deployed stack, while the bucket changes, S3 returns errors, or a run is stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from distributed_stack import BASE, SETTINGS, DistributedStack, deploy, site
from page_content import undated
from proxies import Proxy, Request, forward_all, proxy_for
from proxy_hooks import DelayedFirst, ErrorResponses, Gate, gets, lists, puts
from servers import answer
from stacks import Cloud, cloud, package, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sites import Command


ALTERNATES = f'alternates = true\nformats = ["xml", "html"]\ngzip = true\n{SETTINGS}'
SLOW_DOWN = answer("<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>", 503)
BROKEN = answer("<Error><Code>InternalError</Code><Message>We encountered an error.</Message></Error>", 500)
ATTEMPTS = 3
"""Attempts of the AWS SDK for one request."""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with cloud(tmp_path_factory.mktemp("cloud"), SFN_WAIT_SCALE="0") as aws:
        yield aws


@pytest.fixture(scope="module")
def proxy(aws: Cloud) -> Iterator[Proxy]:
    with proxy_for(aws.endpoint) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def deployed(aws: Cloud, proxy: Proxy, code: Path) -> DistributedStack:
    return deploy(aws, proxy, code)


@pytest.fixture
def stack(deployed: DistributedStack) -> Iterator[DistributedStack]:
    deployed.reset()
    yield deployed
    assert deployed.proxy.problems == []


@pytest.fixture
def connected(stack: DistributedStack, waypost: Command) -> Iterator[None]:
    """The bucket sends its events to EventBridge during the test."""
    assert waypost("aws", "connect", stack.name, **stack.aws.environment).returncode == 0
    yield
    assert waypost("aws", "disconnect", stack.name, **stack.aws.environment).returncode == 0


Reference = Callable[[DistributedStack], dict[str, bytes]]


@pytest.fixture
def reference(waypost: Command, tmp_path: Path) -> Reference:
    """The sitemaps that one build of the bucket's present objects writes, by name."""

    def reference(stack: DistributedStack) -> dict[str, bytes]:
        (tmp_path / "waypost.toml").write_text(stack.settings)
        flags = ("--base-url", BASE, "--config", "waypost.toml", "--state", "state", "--output", "published")
        done = waypost("build", f"s3://{stack.name}", *flags, **stack.aws.environment)
        assert done.returncode == 0, done.stderr
        return {path.name: path.read_bytes() for path in (tmp_path / "published").glob("sitemap*")}

    return reference


def test_a_distributed_rebuild_writes_the_same_bytes_as_one_build(
    stack: DistributedStack, reference: Reference
) -> None:
    result = stack.rebuild()
    results = {kind: len(stack.run_files(kind)) for kind in ("scanned", "built", "published")}
    assert results["scanned"] > 10
    assert min(results.values()) > 1
    published = stack.published()
    assert published == reference(stack)
    assert len(published) == result["written"]["count"] > 20
    assert result["objects_listed"] == len(site()) + 1
    assert b"lastmod" not in b"".join(published.values())
    assert published["sitemap-pages.xml"].count(b"<loc>https://example.org/a</loc>") == 1
    assert stack.in_sync()


def test_alternates_in_different_ranges_are_linked(stack: DistributedStack, reference: Reference) -> None:
    stack.reset(ALTERNATES)
    stack.rebuild()
    published = stack.published()
    assert published == reference(stack)
    assert {"sitemap.xml.gz", "sitemap-g10.xml.gz", "sitemap-g10.html"} <= published.keys()


def test_a_rebuild_can_be_watched_and_a_second_request_starts_no_second_run(stack: DistributedStack) -> None:
    gate = Gate(puts("-scanned-"))
    stack.reset(hook=gate)
    asked = stack.ask(action="rebuild")
    assert asked["watch"] == f"aws stepfunctions describe-execution --execution-arn {asked['execution']}"
    assert stack.aws.ask(*asked["watch"].split()[1:])["status"] == "RUNNING"
    assert asked["finished"] is False
    gate.wait_until_reached()
    progress = stack.ask(action="status")["rebuild"]
    assert (progress["execution"], progress["status"], progress["stage"]) == (asked["execution"], "RUNNING", "scan")
    assert progress["done"] < progress["of"] > 10
    again = stack.ask(action="rebuild")
    assert (again["execution"], "in progress already" in again["note"]) == (asked["execution"], True)
    gate.open()
    assert stack.output(asked["execution"])["finished"]
    status = stack.ask(action="status")
    assert ("rebuild" in status, status["state"]) == (False, "up to date with all events received")


@pytest.mark.release
@pytest.mark.parametrize("matches", [lists, gets("/site/news/red flower.html")], ids=["a listing", "a page"])
def test_a_range_is_retried_when_s3_throttles_its_requests(
    stack: DistributedStack, reference: Reference, matches: Callable[[Request], bool]
) -> None:
    errors = ErrorResponses(SLOW_DOWN, 2 * ATTEMPTS + 1, matches)
    stack.reset(hook=errors)
    stack.rebuild()
    assert errors.left == []
    assert stack.published() == reference(stack)
    assert stack.ask(action="status")["last_error"] is None


@pytest.fixture
def short_timeout(stack: DistributedStack) -> Iterator[DistributedStack]:
    """The stack with a timeout of 20 seconds for each call of the function."""
    stack.aws.configure(stack.function, "--timeout", "20")
    yield stack
    stack.aws.configure(stack.function, "--timeout", "900")


@pytest.mark.release
def test_a_worker_that_times_out_is_retried(short_timeout: DistributedStack, reference: Reference) -> None:
    delayed = DelayedFirst(gets("/site/docs/red flower.html"))
    short_timeout.reset(hook=delayed)
    short_timeout.rebuild()
    assert delayed.is_repeated.is_set()
    assert short_timeout.published() == reference(short_timeout)


@pytest.mark.release
def test_a_range_that_fails_permanently_fails_the_run_and_leaves_the_published_files_unchanged(
    stack: DistributedStack, reference: Reference
) -> None:
    stack.rebuild()
    before = stack.published_versions()
    stack.put({"guides/new.html": "<title>New</title>"})
    stack.aws.configure(stack.function, AWS_MAX_ATTEMPTS="1")
    stack.proxy.hook = ErrorResponses(BROKEN, 1_000, gets("/site/guides/new.html"))
    run = stack.ask(action="rebuild")["execution"]
    ended = stack.aws.ended(run)
    assert ended["status"] == "FAILED"
    assert "The published files are unchanged." in ended["cause"]
    assert 'send the function {"action":"rebuild"}' in ended["cause"]
    assert stack.published_versions() == before
    status = stack.ask(action="status")
    assert "rebuild" not in status
    assert status["last_error"]["type"] == "Rebuild"
    assert "InternalError" in status["last_error"]["message"]

    stack.proxy.hook = forward_all
    stack.aws.configure(stack.function, AWS_MAX_ATTEMPTS=str(ATTEMPTS))
    assert stack.rebuild()["written"]["count"] > 0
    assert undated(stack.published()) == undated(reference(stack))


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize(
    "is_first", [pytest.param(True, marks=pytest.mark.release), False], ids=["first build", "later build"]
)
def test_changes_of_the_bucket_during_a_rebuild_are_in_the_sitemaps(
    stack: DistributedStack, reference: Reference, is_first: bool
) -> None:
    stack.put({"news/changed.html": "<title>Before</title>", "news/gone.html": "<title>Gone</title>"})
    if not is_first:
        stack.rebuild()
    gate = stack.proxy.hook = Gate(puts("-merged.json"))
    run = stack.ask(action="rebuild")["execution"]
    gate.wait_until_reached()
    stack.put({"news/new.html": "<title>New</title>", "news/changed.html": "<meta name=robots content=noindex>"})
    stack.remove("news/gone.html")
    until(lambda: {"news/new.html", "news/changed.html", "news/gone.html"} <= stack.deferred_keys(), "the events")
    until(lambda: (b"news/new" in stack.news()) is not is_first, "the new page, which a first build publishes later")
    gate.open()
    stack.output(run)
    assert undated(stack.published()) == undated(reference(stack))
    listed = [f"news/{name}".encode() in stack.news() for name in ("new", "changed", "gone")]
    assert listed == [True, False, False]
    assert stack.in_sync()


def test_two_concurrent_rebuilds_publish_the_same_files_as_one(stack: DistributedStack, reference: Reference) -> None:
    runs = [stack.aws.start(stack.machine, name) for name in ("first", "second")]
    last_steps = {stack.output(run)["next_step"] for run in runs}
    assert "done" in last_steps <= {"done", "superseded"}
    assert stack.published() == reference(stack)
    assert stack.in_sync()


def test_a_rebuild_after_a_stopped_one_publishes_the_same_files(stack: DistributedStack, reference: Reference) -> None:
    gate = Gate(puts("-scanned-"))
    stack.reset(hook=gate)
    stopped = stack.ask(action="rebuild")["execution"]
    gate.wait_until_reached()
    stack.aws.aws("stepfunctions", "stop-execution", "--execution-arn", stopped)
    gate.open()
    run = stack.ask(action="rebuild")["execution"]
    assert run != stopped
    stack.output(run)
    assert stack.published() == reference(stack)
