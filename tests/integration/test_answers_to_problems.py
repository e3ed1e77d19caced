"""Status, check and explain always answer: whatever is wrong, the answer is valid and says so, and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import boto3
import msgspec
import pytest
import quick
from buckets import MadeBucket
from click.testing import CliRunner
from integration.test_answers import check
from integration.test_function import BASE, Context, function_site
from proxies import Proxy, Request, proxy_for
from servers import answer as http_answer

from waypost.aws.process import Process
from waypost.build import bucket_run
from waypost.cli.main import main
from waypost.core.clock import ONE_ATTEMPT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "index.html"
SCHEMAS = {"status": "status", "check": "check", "explain": "explain"}
CONNECTED = b"<NotificationConfiguration><EventBridgeConfiguration/></NotificationConfiguration>"
"""moto does not keep this setting of a bucket."""


def connected(request: Request) -> bytes | None:
    """The hook of a bucket that sends its events to EventBridge."""
    return http_answer(CONNECTED.decode()) if "notification" in request.query else None


class Site:
    """A site with a state in moto's S3, which the function and the commands reach through a proxy."""

    def __init__(self, bucket: MadeBucket, proxy: Proxy, folder: Path) -> None:
        bucket.client.create_bucket(Bucket=f"{bucket.name}-state")
        self.bucket, self.state = bucket, MadeBucket(bucket.client, f"{bucket.name}-state")
        self.proxy, self.folder, self.prefix = proxy, folder, "www/"
        queue = boto3.client("sqs").create_queue(QueueName=f"events-{uuid4().hex}")["QueueUrl"]
        self.proxy.hook = connected
        self.process: tuple[dict[str, str], Process] | None = None
        self.variables = {
            "WAYPOST_STATE": f"s3://{self.state.name}/kept/",
            "WAYPOST_BASE_URL": BASE,
            "WAYPOST_CONFIG": f"s3://{self.state.name}/config/waypost.toml",
            "WAYPOST_EVENTS_QUEUE": queue,
            "LAMBDA_TASK_ROOT": str(folder),
        }
        bucket.put({"www/index.html": "<title>Home</title>", "www/a.html": "<title>A</title>"})
        self.configure("")
        self.function({"action": "rebuild"})

    def configure(self, settings: str | bytes) -> None:
        """Write the settings files of the function and the commands."""
        self.state.put({"config/waypost.toml": settings})
        text = settings if isinstance(settings, bytes) else settings.encode()
        own = f'base_url = "{BASE}"\n'.encode()
        (self.folder / "waypost.toml").write_bytes(own + text)

    @property
    def all_variables(self) -> dict[str, str]:
        """The function's variables of the environment."""
        return {"WAYPOST_SOURCE": f"s3://{self.bucket.name}/{self.prefix}", **self.variables}

    def function(self, event: Any) -> Any:
        """What the function answers, in a process of its own for other variables."""
        variables = self.all_variables
        if self.process is None or self.process[0] != variables:
            self.process = variables, Process(variables)
        answer = self.process[1].handle(event, Context())
        return json.loads(msgspec.json.encode(answer))

    def ask_function(self, action: str) -> Any:
        """The answer of the function, which is of its schema; of an explanation, its only item."""
        found = self.function({"action": action, "keys": [KEY]})
        check(found, "check" if action == "check" else f"function-{action}")
        return found["explained"][0] if action == "explain" else found

    def ask_command(self, action: str) -> tuple[Any, int]:
        """The answer of the command, which is of its schema, and the exit code."""
        arguments = {"check": ["status", "--check"], "status": ["status"], "explain": ["explain"]}[action]
        source = f"s3://{self.bucket.name}/{self.prefix}"
        keys = [KEY] if action == "explain" else []
        done = CliRunner().invoke(
            main, [*arguments, source, *keys, "--state", f"s3://{self.state.name}/kept/", "--json"]
        )
        assert done.stdout, done.stderr
        found = json.loads(done.stdout)
        check(found, action)
        return found[0] if action == "explain" else found, done.exit_code

    def respond(self, status: int, code: str, matches: Callable[[Request], bool]) -> None:
        """Answer requests that match with an error of S3."""
        body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>"
        response, empty = http_answer(body, status), http_answer(status=status)

        def hook(request: Request) -> bytes | None:
            error = empty if request.method == "HEAD" else response
            return error if matches(request) else connected(request)

        self.proxy.hook = hook

    def of_site(self, request: Request) -> bool:
        return request.path.split("/")[1] == self.bucket.name

    def of_state(self, request: Request) -> bool:
        return request.path.split("/")[1] == self.state.name and "/config/" not in request.path

    def build_on(self) -> None:
        """Read so many new objects that one call has no time for all of them."""
        self.bucket.put({f"www/new/{n}.html": "<p>x" for n in range(1_002)})
        site = function_site(self.all_variables).bucket
        assert bucket_run.rebuild(site, ONE_ATTEMPT).is_unfinished


@pytest.fixture
def site(s3_endpoint: str, bucket: MadeBucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with proxy_for(s3_endpoint) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", proxy.url)
        monkeypatch.setenv("AWS_ENDPOINT_URL_SFN", proxy.url)
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        monkeypatch.chdir(tmp_path)
        yield Site(bucket, proxy, tmp_path)
        assert proxy.problems == []


class Case(NamedTuple):
    """What is wrong, the kind of the problem and a part of its text for each action, and the exit codes of commands.

    An action for which `texts` has none needs nothing of what is wrong, and answers as ever.
    """

    damage: Callable[[Site], None]
    kind: str
    texts: Mapping[str, str]
    exits: Mapping[str, int]


def every(text: str) -> dict[str, str]:
    return dict.fromkeys(SCHEMAS, text)


def exits(code: int) -> dict[str, int]:
    return dict.fromkeys(SCHEMAS, code)


def damage_state(site: Site) -> None:
    site.state.put({"kept/state": "{"})


def delete_state(site: Site) -> None:
    site.state.client.delete_object(Bucket=site.state.name, Key="kept/state")


def damage_body(site: Site) -> None:
    """The head can be read."""
    site.state.put({"kept/state": site.state.get("kept/state")[:-1] + b"?"})


def raise_version(site: Site) -> None:
    site.state.put({"kept/state": site.state.get("kept/state").replace(b'"version":1', b'"version":99')})


def move_site(site: Site) -> None:
    site.bucket.put({"other/index.html": "<title>Home</title>"})
    site.prefix = "other/"


def begin_build(site: Site) -> None:
    site.configure("drop_html = true")
    site.build_on()


def break_template(site: Site) -> None:
    (site.folder / "mine").mkdir()
    (site.folder / "mine" / "sitemap.xml.j2").write_text("{{ 1 / 0 }}")
    site.configure('templates = "mine"')


def break_template_encoding(site: Site) -> None:
    (site.folder / "mine").mkdir()
    (site.folder / "mine" / "sitemap.xml.j2").write_bytes(b"\xff")
    site.configure('templates = "mine"')


def deny_listing(site: Site) -> None:
    site.respond(403, "AccessDenied", lambda request: site.of_site(request) and "list-type" in request.query)


def deny_object(site: Site) -> None:
    site.respond(403, "AccessDenied", lambda request: request.path.endswith(f"/www/{KEY}") and request.method == "GET")


def deny_robots(site: Site) -> None:
    site.respond(403, "AccessDenied", lambda request: request.path.endswith("/robots.txt"))


def deny_published_file(site: Site) -> None:
    site.respond(403, "AccessDenied", lambda request: request.path.endswith("/sitemap.xml"))


def break_site(status: int, code: str) -> Callable[[Site], None]:
    return lambda site: site.respond(status, code, site.of_site)


def break_state(status: int, code: str) -> Callable[[Site], None]:
    return lambda site: site.respond(status, code, site.of_state)


WRONG_REGION = "IllegalLocationConstraintException"
CASES = {
    "the state is damaged": Case(damage_state, "state", every("damaged"), exits(6)),
    "the end of the state is damaged": Case(damage_body, "state", every("damaged"), exits(6)),
    "the state is missing": Case(
        delete_state, "state", {"status": "is missing", "check": "is missing"}, {"status": 6, "check": 6}
    ),
    "the state is of a newer version": Case(raise_version, "state", every("has version 99"), exits(6)),
    "the state is of another site": Case(move_site, "state", every("is the state of s3://"), exits(6)),
    "the settings have several mistakes": Case(
        lambda site: site.configure("drop_htm = true\nprecision = 1\n"), "settings", every("precision"), exits(2)
    ),
    "the settings are not TOML": Case(lambda site: site.configure("a b"), "settings", every("TOML"), exits(2)),
    "the settings are not UTF-8": Case(lambda site: site.configure(b"\xff"), "settings", every("not UTF-8"), exits(2)),
    "the folder of templates is missing": Case(
        lambda site: site.configure('templates = "none"'), "settings", every("is not a folder"), exits(2)
    ),
    "a template does not render": Case(
        break_template,
        "templates",
        every("sitemap.xml.j2:1"),
        exits(4),
    ),
    "a template cannot be read": Case(break_template_encoding, "templates", every("cannot be read"), exits(4)),
    "the site's bucket is missing": Case(break_site(404, "NoSuchBucket"), "site", every("NoSuchBucket"), exits(3)),
    "access to the site is denied": Case(break_site(403, "AccessDenied"), "site", every("AccessDenied"), exits(3)),
    "the site is in another region": Case(break_site(400, WRONG_REGION), "site", every(WRONG_REGION), exits(3)),
    "listing the site is denied": Case(
        deny_listing, "site", {"status": "cannot list", "check": "cannot list"}, {"status": 3, "check": 3}
    ),
    "an object cannot be read": Case(deny_object, "site", {"explain": "AccessDenied"}, {"explain": 3}),
    "robots.txt cannot be read": Case(
        deny_robots,
        "site",
        {"status": "robots.txt cannot be read", "check": "robots.txt cannot be read"},
        {"status": 3, "check": 3},
    ),
    "a published file cannot be read": Case(deny_published_file, "store", {"check": "sitemap.xml"}, {"check": 5}),
    "the state bucket is missing": Case(break_state(404, "NoSuchBucket"), "store", every("NoSuchBucket"), exits(5)),
    "access to the state is denied": Case(break_state(403, "AccessDenied"), "store", every("AccessDenied"), exits(5)),
    "the settings have changed": Case(lambda site: site.configure("drop_html = true"), "", {}, {"check": 1}),
    "a build is in progress": Case(begin_build, "", {}, {"check": 1}),
    "nothing is wrong": Case(lambda site: None, "", {}, {}),
}
"""What may be wrong for the function and for the commands."""


def assert_names(found: Any, case: Case, action: str) -> None:
    problems = found.get("problems", [])
    if action not in case.texts:
        assert problems == []
        return
    (named,) = [each for each in problems if case.texts[action] in each["problem"]][:1]
    assert (named["kind"], bool(named["where"]), bool(named["what_to_do"])) == (case.kind, True, True)


@pytest.mark.parametrize("name", quick.every(10, CASES))
def test_the_function_and_the_commands_answer_each_question_and_name_what_is_wrong(site: Site, name: str) -> None:
    """The commands also exit as documented; questions change nothing, so both are asked about the same damage."""
    case = CASES[name]
    case.damage(site)
    for action in SCHEMAS:
        found = site.ask_function(action)
        assert_names(found, case, action)
        if action == "check":
            assert found["in_sync"] == (not case.exits.get("check"))
    for action in SCHEMAS:
        found, code = site.ask_command(action)
        assert_names(found, case, action)
        assert code == case.exits.get(action, 0)


def test_what_is_not_damaged_is_still_known(site: Site) -> None:
    deny_listing(site)
    status, comparison, explained = (site.ask_function(action) for action in SCHEMAS)
    assert (status["url_count"], status["state"]) == (2, "up to date with all events received")
    assert (comparison["files"], "drift" in comparison) == ({}, False)
    assert (explained["listed"], explained["sitemap"]) == (True, "sitemap.xml")
    damage_body(site)
    site.proxy.hook = connected
    assert site.ask_function("explain")["loc"] == BASE


def test_a_status_under_unusable_settings_has_the_counts_of_the_state_that_the_variables_name(site: Site) -> None:
    site.configure("a b")
    found = site.ask_function("status")
    assert (found["state"], found["url_count"], found["queue"]["waiting"]) == ("the settings cannot be used", 2, 0)
    assert found["last_error"] is None
    assert site.ask_function("explain")["listed"] is None


def test_a_settings_file_in_a_bucket_that_may_not_be_read_is_named(site: Site) -> None:
    site.respond(403, "AccessDenied", lambda request: "/config/" in request.path)
    for action in SCHEMAS:
        (problem,) = site.ask_function(action)["problems"]
        assert "waypost.toml cannot be read: AccessDenied" in problem["problem"]
        assert "allow this access" in problem["what_to_do"]


def test_the_status_says_whether_the_bucket_sends_its_events(site: Site) -> None:
    assert site.ask_function("status")["bucket_events"] == {"eventbridge": True, "bucket": site.bucket.name}
    site.proxy.hook = lambda request: None
    found = site.ask_function("status")
    assert found["bucket_events"] == {"eventbridge": False, "bucket": site.bucket.name}
    assert "waypost aws connect" in found["problems"][0]["what_to_do"]
    site.respond(403, "AccessDenied", lambda request: "notification" in request.query)
    found = site.ask_function("status")
    assert "cannot be read" in found["bucket_events"]["problem"]
    assert [each["kind"] for each in found["problems"]] == ["events"]
