"""The roles' policies: they allow each request of the functions, and nothing that no function requests."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import boto3
import msgspec
import pytest
import quick
from buckets import MadeBucket
from cloudformation import role_statements
from integration.test_function import BASE, SLOW_DOWN, Context, bridged, delivered
from moto.s3.models import s3_backends
from policy_simulator import ACCOUNT, REGION, Access, Sent, accesses, allows, applies, as_list, key_accesses, matches
from proxies import Proxy, Request, forward_all, proxy_for
from servers import answer as http_answer

from waypost.aws.process import Process
from waypost.build import bucket_state
from waypost.files.s3_client import aws_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

EVENTS, REBUILD = "EventFunctionRole", "RebuildFunctionRole"
SITE, STATE, NAME = "name", "state", "name"
"""Names with which `cloudformation.resolve` fills in the template."""
ARN = f"arn:aws:{{}}:{REGION}:{ACCOUNT}:{{}}"
REBUILD_FUNCTION = ARN.format("lambda", "function:rebuild")
KEYS = {
    f"arn:aws:s3:::{SITE}/*": ARN.format("kms", "key/00000000-0000-0000-0000-000000000000"),
    f"arn:aws:s3:::{STATE}/*": ARN.format("kms", "key/11111111-1111-1111-1111-111111111111"),
    "arn:aws:sqs:*": ARN.format("kms", "key/11111111-1111-1111-1111-111111111111"),
}
PREFIX = f"states/{SITE}/www/state/"
UNUSED = ("WriteIndexNowKey", "StartExecutions")
"""Statements of which no request is made here: the key's file is written only if the site answers that it has none, and
the bucket is not divided."""
OUT_OF_TIME = [900_000, 1_000]


class Account:
    """An account of moto's behind a proxy, which refuses what the role of the caller does not allow.

    The access key of a client is the name of its role. `asked` has all accesses of each role, `denied` those refused.
    """

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self.statements = {role: role_statements(role) for role in (EVENTS, REBUILD)}
        self.asked: dict[str, set[Access]] = {EVENTS: set(), REBUILD: set()}
        self.denied: list[tuple[str, Access]] = []
        self.invoked: list[Any] = []
        proxy.gate = self._admit

    def _admit(self, request: Request, headers: Mapping[str, str], body: bytes) -> bytes | None:
        names = {name.lower(): value for name, value in headers.items()}
        sent = Sent(request.method, request.path, request.query, names, body)
        role, service = sent.credential
        if role not in self.asked:
            return None
        wanted = accesses(sent)
        wanted += [more for each in wanted for more in (*key_accesses(each, KEYS), *self._missing(each))]
        self.asked[role].update(wanted)
        refused = [each for each in wanted if not allows(self.statements[role], each)]
        self.denied += [(role, each) for each in refused]
        if refused:
            return _denial(service)
        if service == "lambda":
            self.invoked.append(json.loads(body))
            return http_answer(status=202)
        return None

    def _missing(self, access: Access) -> list[Access]:
        """What else S3 requires for the answer that an object does not exist (API reference, "GetObject")."""
        if access.action != "s3:GetObject":
            return []
        bucket, _, key = access.resource.removeprefix("arn:aws:s3:::").partition("/")
        exists = key in s3_backends[ACCOUNT]["aws"].buckets[bucket].keys
        return [] if exists else [Access("s3:ListBucket", f"arn:aws:s3:::{bucket}", (("s3:prefix", key),))]

    def needed(self, role: str) -> set[tuple[str, str]]:
        """The Sid of each statement with each of its actions, and of its resources, that alone allowed an access."""
        found = set()
        for access in self.asked[role]:
            (statement,) = [each for each in self.statements[role] if applies(each, access)]
            found.add((statement["Sid"], access.action))
            resources = [each for each in as_list(statement["Resource"]) if matches(each, access.resource)]
            found |= {(statement["Sid"], each) for each in resources[:1]}
        return found

    def take(self, sid: str, action: str) -> None:
        """Take a permission from both roles."""
        for role, statements in self.statements.items():
            self.statements[role] = [
                {**each, "Action": [name for name in as_list(each["Action"]) if name != action]}
                if each["Sid"] == sid
                else each
                for each in statements
            ]

    def restore(self) -> None:
        """Give both roles what the template gives them."""
        self.statements = {role: role_statements(role) for role in self.statements}


def _denial(service: str) -> bytes:
    if service in ("s3", "cloudfront"):
        return http_answer("<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", 403)
    return http_answer('{"__type": "AccessDeniedException", "message": "Access Denied"}', 400)


def granted(statements: list[Any]) -> set[tuple[str, str]]:
    """The Sid of each statement that allows something, with each of its actions and of its resources."""
    return {
        (each["Sid"], value)
        for each in statements
        if each["Effect"] == "Allow"
        for field in ("Action", "Resource")
        for value in as_list(each[field])
    }


class Deployment:
    """Both functions, whose calls have the credentials of their roles, and what Lambda does in their names.

    Each call comes a minute after the one before it.
    """

    def __init__(self, account: Account, site: MadeBucket, monkeypatch: pytest.MonkeyPatch) -> None:
        self.account, self.site, self._monkeypatch = account, site, monkeypatch
        self._now = int(time.time())
        self.admin = boto3.client("sqs")
        self.queue = self.admin.create_queue(QueueName="queue", Attributes={"VisibilityTimeout": "0"})["QueueUrl"]
        self.failed = self.admin.create_queue(QueueName="failed-invocations")["QueueUrl"]
        boto3.client("logs").create_log_group(logGroupName="x")
        self.variables = {
            "WAYPOST_SOURCE": f"s3://{SITE}/www/",
            "WAYPOST_STATE": f"s3://{STATE}/{PREFIX}",
            "WAYPOST_BASE_URL": BASE,
            "WAYPOST_NAME": NAME,
            "WAYPOST_ACL": "public-read",
            "WAYPOST_CLOUDFRONT": "E1ABCDEFGHIJKL",
            "WAYPOST_EVENT_BUS": ARN.format("events", "event-bus/default"),
            "WAYPOST_EVENTS_QUEUE": self.queue,
            "WAYPOST_CONFIG": f"s3://{STATE}/config/waypost.toml",
        }

    def delete(self) -> None:
        """Delete what has a name that another test's deployment needs."""
        self.act_as("admin")
        for queue in (self.queue, self.failed):
            self.admin.delete_queue(QueueUrl=queue)
        boto3.client("logs").delete_log_group(logGroupName="x")
        for name in (SITE, STATE):
            bucket = boto3.resource("s3").Bucket(name)
            bucket.objects.all().delete()
            bucket.delete()

    def configure(self, settings: str) -> None:
        self.site.client.put_object(Bucket=STATE, Key="config/waypost.toml", Body=settings.encode())

    def act_as(self, role: str) -> None:
        """Have all clients that are made from now on send requests in the name of a role."""
        self._monkeypatch.setenv("AWS_ACCESS_KEY_ID", role)
        boto3.DEFAULT_SESSION = aws_session()

    def let_pass(self, seconds: int) -> None:
        """Set the functions' clock forward."""
        self._now += seconds
        self._monkeypatch.setenv("SOURCE_DATE_EPOCH", str(self._now))

    def rebuild_function(self, event: Any, *left: int) -> Any:
        self.act_as(REBUILD)
        self.let_pass(60)
        context = Context(list(left) or [900_000], invoked_function_arn=REBUILD_FUNCTION)
        return json.loads(msgspec.json.encode(Process(self.variables).handle(event, context)))

    def rebuild(self) -> Any:
        return self.rebuild_function({"action": "rebuild"})

    def build_as_former(self) -> None:
        """Build with the name of a former stack, whose role is not tested."""
        self.act_as("former")
        self.let_pass(60)
        former = {**self.variables, "WAYPOST_NAME": "former", "WAYPOST_EVENTS_QUEUE": ""}
        Process(former).handle({"action": "rebuild"}, Context())

    def send_events(self, *keys: str) -> None:
        """Put the events of uploads into the queue."""
        for key in keys:
            self.admin.send_message(QueueUrl=self.queue, MessageBody=json.dumps(bridged(SITE, f"www/{key}")))

    def event_function(self, *keys: str) -> Any:
        """Deliver events, and what else the queue holds, as Lambda does in the name of the role."""
        self.send_events(*keys)
        self.act_as(EVENTS)
        self.let_pass(60)
        client = boto3.client("sqs")
        client.get_queue_attributes(QueueUrl=self.queue, AttributeNames=["All"])
        received = client.receive_message(
            QueueUrl=self.queue, MaxNumberOfMessages=10, AttributeNames=["ApproximateReceiveCount"]
        ).get("Messages", [])
        process = Process({**self.variables, "WAYPOST_REBUILD_FUNCTION": REBUILD_FUNCTION})
        answer = json.loads(msgspec.json.encode(process.handle(delivered(received), Context())))
        failed = {each["itemIdentifier"] for each in answer["batchItemFailures"]}
        for each in received:
            if each["MessageId"] not in failed:
                client.delete_message(QueueUrl=self.queue, ReceiptHandle=each["ReceiptHandle"])
        return answer

    def restore_outputs(self) -> None:
        """Delete all published files, whose events then have the function restore them."""
        state = MadeBucket(self.site.client, STATE).get(f"{PREFIX}state")
        head = bucket_state.load(state, "state").head
        outputs = [each.name for each in head.files]
        for key in outputs:
            self.site.client.delete_object(Bucket=SITE, Key=f"www/{key}")
        for n in range(0, len(outputs), 10):
            self.event_function(*outputs[n : n + 10])

    def damage_state(self) -> None:
        body = MadeBucket(self.site.client, STATE).get(f"{PREFIX}state")
        self.site.client.put_object(Bucket=STATE, Key=f"{PREFIX}state", Body=body[:-1])

    def delete_state(self) -> None:
        self.site.client.delete_object(Bucket=STATE, Key=f"{PREFIX}state")

    def write_logs(self, role: str) -> None:
        """What Lambda does with the output of a function."""
        self.act_as(role)
        logs, stream = boto3.client("logs"), {"logGroupName": "x", "logStreamName": role}
        logs.create_log_stream(**stream)
        logs.put_log_events(**stream, logEvents=[{"timestamp": 1_795_219_200_000, "message": "x"}])

    def listed(self) -> set[str]:
        """The pages that crawlers find; raises if an index names a file that is missing."""
        top = self.site.get(f"www/{NAME}.xml").decode()
        found = re.findall(f"<loc>{BASE}(.*?)</loc>", top)
        if "<sitemapindex" in top:
            found = [page for name in found for page in _locs(self.site.get(f"www/{name}"))]
        return set(found)


def _locs(sitemap: bytes) -> list[str]:
    return re.findall(f"<loc>{BASE}(.*?)</loc>", sitemap.decode())


FORMATS = (
    'formats = ["xml", "text", "html", "llms"]\nstylesheet = true\nrobots_sitemaps = true\n'
    '[groups]\nblog = ["/blog/"]\n'
)
ALL_NAMES = [
    f"{gzip}{formats}" for formats in (FORMATS, 'formats = ["xml", "text"]\n') for gzip in ("", "gzip = true\n")
]
"""Settings that have files of every name, with and without groups."""


def use_everything(made: Deployment) -> None:
    """Each action of the functions, each kind of message, and each kind of file that they write and delete."""
    made.site.put({f"www/{key}.html": f"<title>{key}</title>" for key in ("index", "a", "blog/b")})
    for names in (ALL_NAMES[:2], ALL_NAMES[2:]):
        for settings in names:
            made.configure(settings)
            made.build_as_former()
        made.configure("")
        made.rebuild()
        made.rebuild()
    for n in range(7):
        made.site.client.put_object(Bucket=STATE, Key=f"{PREFIX}state-2020-01-0{n}")
    made.delete_state()
    made.event_function("a.html")  # has the other function build the state
    made.rebuild_function(made.account.invoked.pop())
    made.event_function()
    made.damage_state()
    made.event_function("a.html")  # reads the last copy
    made.rebuild_function(made.account.invoked.pop())
    made.account.proxy.hook = are_busy
    made.site.put({"www/a.html": "<title>Other</title>"})
    made.event_function("a.html")
    made.site.put({"www/a.html": "<title>Another one</title>"})
    made.rebuild()
    made.account.proxy.hook = forward_all
    made.admin.send_message(QueueUrl=made.queue, MessageBody='{"action": "publish"}')
    made.event_function()
    made.site.client.delete_object(Bucket=SITE, Key="www/a.html")
    made.event_function("a.html")
    for settings in (*ALL_NAMES, ""):
        made.configure(settings)
        made.rebuild()
        made.rebuild()
        made.restore_outputs()
    made.send_events("index.html")  # the status says how old the oldest message is, if there is one
    for action in ("status", "check", "explain", "update"):
        made.rebuild_function({"action": action, "keys": ["index.html"]})
    made.site.put({"www/broken.html": b"no gzip"}, ContentEncoding="gzip")
    made.event_function("broken.html")
    for n in range(1_001):
        s3_backends[ACCOUNT]["aws"].put_object(SITE, f"www/many/{n}.html", b"<p>x")
    made.account.proxy.hook = are_gone
    assert made.rebuild_function({"action": "rebuild"}, *OUT_OF_TIME)["finished"] is False
    made.rebuild_function(made.account.invoked.pop())
    for role in (EVENTS, REBUILD):
        made.write_logs(role)
    boto3.client("sqs").send_message(QueueUrl=made.failed, MessageBody="a call that failed")


def are_busy(request: Request) -> bytes | None:
    """CloudFront's answers while it has too much to do."""
    return SLOW_DOWN if "/distribution/" in request.path else None


def are_gone(request: Request) -> bytes | None:
    """The answers to requests for many pages that were deleted after the listing."""
    missing = "<Error><Code>NoSuchKey</Code></Error>"
    return http_answer(missing, 404) if request.path.startswith(f"/{SITE}/www/many/") else None


@pytest.fixture
def deployment(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    with proxy_for(s3_endpoint) as proxy:
        for name, value in {"URL": proxy.url, "URL_S3": proxy.url}.items():
            monkeypatch.setenv(f"AWS_ENDPOINT_{name}", value)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "admin")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        boto3.DEFAULT_SESSION = aws_session()
        client = boto3.client("s3")
        for name in (SITE, STATE):
            client.create_bucket(Bucket=name)
        made = Deployment(Account(proxy), MadeBucket(client, SITE), monkeypatch)
        yield made
        made.delete()
        assert proxy.problems == []
    boto3.DEFAULT_SESSION = None


@pytest.mark.slow
def test_the_roles_allow_each_request_of_the_functions_and_nothing_else(deployment: Deployment) -> None:
    use_everything(deployment)
    account = deployment.account
    assert account.denied == []
    unused = {role: granted(account.statements[role]) - account.needed(role) for role in (EVENTS, REBUILD)}
    assert {role: [each for each in found if each[0] not in UNUSED] for role, found in unused.items()} == {
        EVENTS: [],
        REBUILD: [],
    }


def of_rebuild(made: Deployment) -> None:
    made.rebuild()


def of_events(made: Deployment) -> None:
    made.event_function("new.html", "a.html", f"{NAME}.xml")


def of_first_build(made: Deployment) -> None:
    made.delete_state()
    made.rebuild()


def of_events_without_state(made: Deployment) -> None:
    made.delete_state()
    made.event_function("new.html")


def of_other_settings(made: Deployment) -> None:
    """Two rebuilds, of which the second one deletes files that no index names any more."""
    made.configure("gzip = true")
    made.rebuild()
    made.rebuild()


SITE_URI, STATE_URI = f"s3://{SITE}/www/", f"s3://{STATE}/{PREFIX}"
DENIALS: dict[str, tuple[Callable[[Deployment], None], str, str, str]] = {
    "listing the site": (of_rebuild, "ListSite", "s3:ListBucket", f"cannot list {SITE_URI}"),
    "reading the site": (of_rebuild, "ReadSite", "s3:GetObject", "robots.txt cannot be read: AccessDenied"),
    "reading the site, for events": (
        of_events,
        "ReadSite",
        "s3:GetObject",
        f"cannot read the headers of {SITE_URI}{NAME}.xml: An error occurred (403)",
    ),
    "writing sitemaps": (of_rebuild, "WriteSitemaps", "s3:PutObject", f"cannot write {SITE_URI}{NAME}.xml"),
    "writing sitemaps, for events": (of_events, "WriteSitemaps", "s3:PutObject", f"cannot write {SITE_URI}"),
    "setting an ACL": (of_events, "WriteSitemaps", "s3:PutObjectAcl", f"cannot write {SITE_URI}{NAME}.xml"),
    "deleting sitemaps": (of_other_settings, "DeleteSitemaps", "s3:DeleteObject", "output-left"),
    "listing the state": (of_first_build, "ListState", "s3:ListBucket", f"cannot read {STATE_URI}partitions"),
    "reading the state": (of_events, "ReadAndWriteState", "s3:GetObject", f"cannot read {STATE_URI}partitions"),
    "writing the state": (of_events, "ReadAndWriteState", "s3:PutObject", f"cannot write {STATE_URI}state"),
    "deleting in the state": (of_rebuild, "DeleteOldCopies", "s3:DeleteObject", "last-error.json"),
    "using the site's key": (of_events, "UseSiteKey", "kms:GenerateDataKey", f"cannot write {SITE_URI}"),
    "using the state's key": (of_rebuild, "UseKey", "kms:Decrypt", "AccessDenied"),
    "reading the settings": (of_rebuild, "ReadConfig", "s3:GetObject", "waypost.toml cannot be read"),
    "starting a rebuild": (
        of_events_without_state,
        "StartRebuild",
        "lambda:InvokeFunction",
        "calling the Invoke operation: Access Denied",
    ),
    "invalidating caches": (
        of_rebuild,
        "InvalidatePaths",
        "cloudfront:CreateInvalidation",
        "allow cloudfront:CreateInvalidation",
    ),
    "sending events": (of_events, "PutEvents", "events:PutEvents", "whether events:PutEvents on it is allowed"),
    "having messages delivered again soon": (
        of_events_without_state,
        "ReceiveEvents",
        "sqs:ChangeMessageVisibility",
        "cannot be delivered again soon",
    ),
}
"""Permissions that both roles lack: the run that needs one, its statement and action, and what the run says of it."""


@pytest.mark.parametrize(("run", "sid", "action", "says"), quick.every(6, DENIALS.values()), ids=DENIALS)
def test_a_run_that_is_denied_a_permission_says_so_and_leaves_the_published_files_right(
    deployment: Deployment,
    capsys: pytest.CaptureFixture[str],
    run: Callable[[Deployment], None],
    sid: str,
    action: str,
    says: str,
) -> None:
    kept = {"a.html", "b.html", "blog/c.html"}
    deployment.site.put({f"www/{key}": f"<title>{key}</title>" for key in kept})
    deployment.configure("")
    deployment.rebuild()
    deployment.site.put({"www/new.html": "<title>New</title>", "www/a.html": "<title>Other</title>"})
    deployment.account.take(sid, action)
    capsys.readouterr()
    try:
        run(deployment)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    else:
        said = ""
    said += capsys.readouterr().out
    assert action in {access.action for _, access in deployment.account.denied}
    assert says in said
    assert kept <= deployment.listed() <= kept | {"new.html"}
    deployment.account.restore()
    deployment.configure("")
    deployment.let_pass(3_600)  # a part of a build that was killed counts as ended
    deployment.rebuild()
    assert deployment.listed() == kept | {"new.html"}


def test_a_condition_on_the_prefix_is_evaluated() -> None:
    bucket = f"arn:aws:s3:::{SITE}"
    prefixes = {"www/": True, "www/a.html": True, "": False, "other/": False}
    found = {each: Access("s3:ListBucket", bucket, (("s3:prefix", each),)) for each in prefixes}
    assert {each: allows(role_statements(EVENTS), access) for each, access in found.items()} == prefixes
    assert not allows(role_statements(EVENTS), Access("s3:ListBucket", bucket))


def test_the_names_of_another_site_s_state_may_not_be_listed() -> None:
    state = f"arn:aws:s3:::{STATE}"
    prefixes = {f"{PREFIX}state-": True, f"states/{SITE}/blog/state/": False, "": False}
    found = {each: Access("s3:ListBucket", state, (("s3:prefix", each),)) for each in prefixes}
    assert {each: allows(role_statements(EVENTS), access) for each, access in found.items()} == prefixes


@pytest.mark.parametrize("action", ["s3:PutObject", "s3:DeleteObject"])
def test_files_of_subfolders_are_left_alone_whatever_their_names_begin_with(action: str) -> None:
    keys = {"name-0123.xml": True, "name-x/page.html": False, "name-x/a/b.xml": False, "names/y.txt": False}
    found = {key: Access(action, f"arn:aws:s3:::{SITE}/www/{key}") for key in keys}
    assert {key: allows(role_statements(REBUILD), access) for key, access in found.items()} == keys
