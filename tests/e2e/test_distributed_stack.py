"""A rebuild by many workers, with the real function: the template deployed, a bucket that changes, an S3 that fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from buckets import MadeBucket
from concurrency_harness import undated
from proxies import Hook, Proxy, Request, before, passes
from servers import answer
from stacks import PATIENCE, Cloud, cloud, package, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sites import Command

pytestmark = pytest.mark.xdist_group("distributed")

BASE = "https://example.org/"
FOLDERS = (
    *("%25", "100%", "4 colours", "<m>", "=equal", "B+C", "Zebra", 'blog "notes"', "cafe\u0301", "café", "docs", "e's"),
    *("faq", "guides", "je suis", "k&l", "news", "ö", "~home", "日本", "\ufffd", "\U0001f600"),
)
INDEX = {"index.html": "<title>First</title>", "index.htm": "<title>The same loc again</title>"}
PAGES = {
    "red flower.html": "<title>Red</title>",
    "100%25.html": "<title>Percent</title>",
    "a+b.html": "<title>Plus</title>",
    "é \U0001f600.html": "<title>Odd</title>",
    "hidden.html": "<meta name=robots content=noindex>",
}
FULL = ('blog "notes"', "docs", "guides", "news")
"""Folders with all of the pages; the others have one of them each, in turn."""
RIVALS = {"a.html": "<title>A</title>", "a/index.html": "<title>A as well</title>", "a b.html": "x", "a+b.html": "y"}
"""The first two give one loc, and lie in different ranges."""
VERSIONS = {"de/tee.html": "de", "en/tea.html": "en", "fr/thé.html": "fr"}
PICTURES = 1_010
"""More than one page of a listing tells of: what is smaller is not cut."""
GROUPS = [f"g{n} = [{json.dumps(f'/{name}/', ensure_ascii=False)}]" for n, name in enumerate(FOLDERS)]
SETTINGS = "\n".join(["drop_html = true", 'trailing_slash = "never"', "[groups]", *GROUPS])
RELATED = f'alternates = true\nformats = ["xml", "html"]\ngzip = true\n{SETTINGS}'
SLOW_DOWN = answer("<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>", 503)
BROKEN = answer("<Error><Code>InternalError</Code><Message>We encountered an error.</Message></Error>", 500)
RETRIES = 3
"""How often the AWS SDK asks before it gives up."""


def site(pictures: int = PICTURES) -> dict[str, str]:
    links = "".join(f'<link rel=alternate hreflang={to} href="{BASE}{key}">' for key, to in VERSIONS.items())
    return {
        **{f"{folder}/{name}": content for folder in FOLDERS for name, content in INDEX.items()},
        **{f"{folder}/{name}": PAGES[name] for folder, name in zip(FOLDERS, cycle(PAGES))},
        **{f"{folder}/{name}": content for folder in FULL for name, content in PAGES.items()},
        **{f"a/{n:04}.png": "no page" for n in range(pictures)},
        **{key.replace(".html", ""): "no page" for key in VERSIONS},
        **{key: f"<title>{to}</title>{links.replace('.html', '')}" for key, to in VERSIONS.items()},
        **RIVALS,
        "index.html": "<title>Home</title>",
        "robots.txt": "User-agent: *\nDisallow: /faq/a\n",
    }


class Huge:
    """A deployed function and its state machine, over a bucket that it reaches through a proxy."""

    def __init__(self, aws: Cloud, proxy: Proxy, name: str, outputs: Mapping[str, str]) -> None:
        self.aws, self.proxy, self.name, self.function = aws, proxy, name, outputs["FunctionName"]
        self.machine, self.state = outputs["StateMachineArn"], MadeBucket(aws.s3(), outputs["StateBucketName"])
        self.site, self.settings = MadeBucket(aws.s3(), name), SETTINGS

    def begin(self, settings: str = SETTINGS, hook: Hook = passes) -> None:
        """Forget what was built before, and have requests go through a hook."""
        self.proxy.hook, self.settings = hook, settings
        self.put({"config/waypost.toml": settings})
        for bucket, stem in ((self.site, "sitemap"), (self.state, "ledger/")):
            if some := beginning(bucket, stem):
                bucket.client.delete_objects(Bucket=bucket.name, Delete={"Objects": [{"Key": key} for key in some]})

    def put(self, objects: Mapping[str, str]) -> None:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda each: self.site.put(dict([each])), objects.items()))

    def remove(self, key: str) -> None:
        self.site.client.delete_object(Bucket=self.name, Key=key)

    def ask(self, **payload: Any) -> Any:
        return self.aws.invoke(self.function, payload)

    def ended(self, run: str) -> Any:
        """What a run told in the end, that must have come to it."""
        client = self.aws.step_functions()
        until(lambda: client.describe_execution(executionArn=run)["status"] != "RUNNING", run)
        told = self.aws.ended(run)
        assert told["status"] == "SUCCEEDED", told
        return json.loads(told["output"])

    def rebuilt(self) -> Any:
        return self.ended(self.ask(action="rebuild")["execution"])

    def published(self) -> dict[str, bytes]:
        return {key: self.site.get(key) for key in beginning(self.site, "sitemap")}

    def stands(self) -> dict[str, Any]:
        """When each of the published files was written."""
        return {key: told for key, told in self.site.versions().items() if key.startswith("sitemap")}

    def steps(self, stem: str) -> list[str]:
        """The files of a step's workers."""
        return [key for key in beginning(self.state, "ledger/runs/") if f"-{stem}-" in key]

    def noted(self) -> set[str]:
        """The keys that events have told of while a rebuild is under way."""
        return {key for name in self.steps("touched") for key in json.loads(self.state.get(name))}

    def news(self) -> bytes:
        """The sitemap of the pages in news/."""
        return self.published().get(f"sitemap-g{FOLDERS.index('news')}.xml", b"")

    def is_whole(self) -> bool:
        return bool(self.ask(action="check")["in_sync"])


def beginning(bucket: MadeBucket, stem: str) -> list[str]:
    """The keys of a bucket that begin so."""
    pages = bucket.client.get_paginator("list_objects_v2").paginate(Bucket=bucket.name, Prefix=stem)
    return [entry["Key"] for page in pages for entry in page.get("Contents", ())]


class Gate:
    """Holds requests of a kind, from the first on, until the test opens it."""

    def __init__(self, is_meant: Callable[[Request], bool]) -> None:
        self._is_meant, self._is_reached, self._is_open = is_meant, Event(), Event()

    def __call__(self, request: Request) -> None:
        if self._is_meant(request):
            self._is_reached.set()
            assert self._is_open.wait(PATIENCE), "nobody has opened the gate"

    def reached(self) -> None:
        assert self._is_reached.wait(PATIENCE), "nobody has come to the gate"

    def open(self) -> None:
        self._is_open.set()


class Refusals:
    """So many answers in the place of S3's to one request of a kind, made when the ranges are handed out."""

    def __init__(self, refusal: bytes, times: int, is_meant: Callable[[Request], bool]) -> None:
        self._is_meant, self._is_planned = is_meant, False
        self._first: Request | None = None
        self.left = [refusal] * times

    def __call__(self, request: Request) -> bytes | None:
        self._is_planned |= puts("-gather-")(request)
        if self._is_planned and self._first is None and self._is_meant(request):
            self._first = request
        return self.left.pop() if self.left and request == self._first else None


class Stall:
    """Holds the first request of a kind until another asks the same."""

    def __init__(self, is_meant: Callable[[Request], bool]) -> None:
        self._is_meant, self._first, self.is_asked_again = is_meant, iter([True]), Event()

    def __call__(self, request: Request) -> None:
        if not self._is_meant(request):
            return
        if next(self._first, False):
            assert self.is_asked_again.wait(PATIENCE), "nobody has asked again"
        self.is_asked_again.set()


def puts(part: str) -> Callable[[Request], bool]:
    return lambda request: request.method == "PUT" and part in request.path


def gets(path: str) -> Callable[[Request], bool]:
    return lambda request: request.method == "GET" and request.path == path


def lists(request: Request) -> bool:
    """Whether a range is listed that has a beginning."""
    return "list-type" in request.query and "start-after" in request.query


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with cloud(tmp_path_factory.mktemp("cloud"), SFN_WAIT_SCALE="0") as aws:
        yield aws


@pytest.fixture(scope="module")
def proxy(aws: Cloud) -> Iterator[Proxy]:
    with before(aws.endpoint) as proxy:
        yield proxy


def deployed(aws: Cloud, proxy: Proxy, code: Path, name: str, objects: Mapping[str, str], **parameters: str) -> Huge:
    """The stack over a bucket of its own, which the function's variables have reach S3 through the proxy."""
    aws.aws("s3", "mb", f"s3://{name}")
    given = {"BaseUrl": BASE, "BatchingWindow": "1", "Config": f"s3://{name}/config/waypost.toml"}
    given |= {"Distributed": "true", "DistributeFrom": "50", "Workers": "3", "ObjectsPerWorker": "10"}
    outputs = aws.deploy(f"{name}-stack", code, name, **given, **parameters)
    aws.hold(outputs["StateMachineArn"], 3, tries=3)
    huge = Huge(aws, proxy, name, outputs)
    huge.put(objects)
    aws.configure(huge.function, AWS_ENDPOINT_URL_S3=proxy.url)
    return huge


@pytest.fixture(scope="module")
def built(aws: Cloud, proxy: Proxy, code: Path) -> Huge:
    return deployed(aws, proxy, code, "site", site())


@pytest.fixture
def huge(built: Huge) -> Iterator[Huge]:
    built.begin()
    yield built
    assert built.proxy.problems == []


@pytest.fixture
def connected(huge: Huge, waypost: Command) -> Iterator[None]:
    """The bucket tells of what happens in it, for as long as the test runs."""
    assert waypost("aws", "connect", huge.name, **huge.aws.environment).returncode == 0
    yield
    assert waypost("aws", "disconnect", huge.name, **huge.aws.environment).returncode == 0


Single = Callable[[Huge], dict[str, bytes]]


@pytest.fixture
def single(waypost: Command, tmp_path: Path) -> Single:
    """What one build makes of a bucket as it is now."""

    def single(huge: Huge) -> dict[str, bytes]:
        (tmp_path / "waypost.toml").write_text(huge.settings)
        flags = ("--base-url", BASE, "--config", "waypost.toml", "--state", "state", "--output", "published")
        done = waypost("build", f"s3://{huge.name}", *flags, **huge.aws.environment)
        assert done.returncode == 0, done.stderr
        return {path.name: path.read_bytes() for path in (tmp_path / "published").glob("sitemap*")}

    return single


def test_a_rebuild_by_many_workers_gives_the_bytes_that_one_build_gives(huge: Huge, single: Single) -> None:
    told = huge.rebuilt()
    parts = {step: len(huge.steps(step)) for step in ("scanned", "built", "published")}
    assert parts["scanned"] > 10
    assert min(parts.values()) > 1
    published = huge.published()
    assert published == single(huge)
    assert len(published) == told["written"]["count"] > 20
    assert told["objects_listed"] == len(site()) + 1
    assert b"lastmod" not in b"".join(published.values())
    assert published["sitemap-pages.xml"].count(b"<loc>https://example.org/a</loc>") == 1
    assert huge.is_whole()


def test_versions_of_a_page_find_one_another_across_ranges(huge: Huge, single: Single) -> None:
    huge.begin(RELATED)
    huge.rebuilt()
    published = huge.published()
    assert published == single(huge)
    assert {"sitemap.xml.gz", "sitemap-g10.xml.gz", "sitemap-g10.html"} <= published.keys()


def test_who_asks_for_a_rebuild_is_told_how_to_watch_it_and_gets_no_second_one(huge: Huge) -> None:
    gate = Gate(puts("-scanned-"))
    huge.begin(hook=gate)
    asked = huge.ask(action="rebuild")
    assert asked["watch"] == f"aws stepfunctions describe-execution --execution-arn {asked['execution']}"
    assert huge.aws.ask(*asked["watch"].split()[1:])["status"] == "RUNNING"
    assert asked["finished"] is False
    gate.reached()
    found = huge.ask(action="status")["rebuild"]
    assert (found["execution"], found["status"], found["stage"]) == (asked["execution"], "RUNNING", "scan")
    assert found["done"] < found["of"] > 10
    again = huge.ask(action="rebuild")
    assert (again["execution"], "under way already" in again["note"]) == (asked["execution"], True)
    gate.open()
    assert huge.ended(asked["execution"])["finished"]
    status = huge.ask(action="status")
    assert ("rebuild" in status, status["state"]) == (False, "right, as far as events have told")


@pytest.mark.parametrize("is_meant", [lists, gets("/site/news/red flower.html")], ids=["a listing", "a page"])
def test_a_range_at_which_s3_asks_for_patience_is_tried_again(
    huge: Huge, single: Single, is_meant: Callable[[Request], bool]
) -> None:
    refusals = Refusals(SLOW_DOWN, 2 * RETRIES + 1, is_meant)
    huge.begin(hook=refusals)
    huge.rebuilt()
    assert refusals.left == []
    assert huge.published() == single(huge)
    assert huge.ask(action="status")["last_error"] is None


@pytest.fixture
def hasty(huge: Huge) -> Iterator[Huge]:
    """The function with six seconds for a call."""
    huge.aws.configure(huge.function, "--timeout", "6")
    yield huge
    huge.aws.configure(huge.function, "--timeout", "900")


def test_a_worker_whose_time_is_over_is_tried_again(hasty: Huge, single: Single) -> None:
    stall = Stall(gets("/site/docs/red flower.html"))
    hasty.begin(hook=stall)
    hasty.rebuilt()
    assert stall.is_asked_again.is_set()
    assert hasty.published() == single(hasty)


def test_a_range_that_fails_for_good_fails_the_run_and_changes_nothing_that_is_published(
    huge: Huge, single: Single
) -> None:
    huge.rebuilt()
    before = huge.stands()
    huge.put({"guides/new.html": "<title>New</title>"})
    huge.aws.configure(huge.function, AWS_MAX_ATTEMPTS="1")
    huge.proxy.hook = Refusals(BROKEN, 1_000, gets("/site/guides/new.html"))
    run = huge.ask(action="rebuild")["execution"]
    told = huge.aws.ended(run)
    assert told["status"] == "FAILED"
    assert "Nothing that is published has changed." in told["cause"]
    assert 'send the function {"action":"rebuild"}' in told["cause"]
    assert huge.stands() == before
    status = huge.ask(action="status")
    assert "rebuild" not in status
    assert status["last_error"]["type"] == "Rebuild"
    assert "InternalError" in status["last_error"]["error"]

    huge.proxy.hook = passes
    huge.aws.configure(huge.function, AWS_MAX_ATTEMPTS=str(RETRIES))
    assert huge.rebuilt()["written"]["task_count"] > 0
    assert undated(huge.published()) == undated(single(huge))


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("is_first", [True, False], ids=["a first build", "a later one"])
def test_what_happens_to_the_bucket_meanwhile_is_in_the_sitemaps(huge: Huge, single: Single, is_first: bool) -> None:
    huge.put({"news/changed.html": "<title>Before</title>", "news/gone.html": "<title>Gone</title>"})
    if not is_first:
        huge.rebuilt()
    gate = huge.proxy.hook = Gate(puts("-merged.json"))
    run = huge.ask(action="rebuild")["execution"]
    gate.reached()
    huge.put({"news/new.html": "<title>New</title>", "news/changed.html": "<meta name=robots content=noindex>"})
    huge.remove("news/gone.html")
    until(lambda: {"news/new.html", "news/changed.html", "news/gone.html"} <= huge.noted(), "the events")
    until(lambda: (b"news/new" in huge.news()) is not is_first, "the new page, unless nothing is published yet")
    gate.open()
    huge.ended(run)
    assert undated(huge.published()) == undated(single(huge))
    listed = [f"news/{name}".encode() in huge.news() for name in ("new", "changed", "gone")]
    assert listed == [True, False, False]
    assert huge.is_whole()


def test_two_rebuilds_at_once_lead_to_what_one_leads_to(huge: Huge, single: Single) -> None:
    runs = [huge.aws.start(huge.machine, name) for name in ("first", "second")]
    ends = {huge.ended(run)["next_step"] for run in runs}
    assert "done" in ends <= {"done", "superseded"}
    assert huge.published() == single(huge)
    assert huge.is_whole()


def test_a_rebuild_after_one_that_was_stopped_half_way_leads_to_the_same(huge: Huge, single: Single) -> None:
    gate = Gate(puts("-scanned-"))
    huge.begin(hook=gate)
    stopped = huge.ask(action="rebuild")["execution"]
    gate.reached()
    huge.aws.aws("stepfunctions", "stop-execution", "--execution-arn", stopped)
    gate.open()
    run = huge.ask(action="rebuild")["execution"]
    assert run != stopped
    huge.ended(run)
    assert huge.published() == single(huge)
