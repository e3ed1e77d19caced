"""The roles' policies: they allow each request of the functions, and nothing that no function requests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import boto3
import msgspec
import pytest
from buckets import MadeBucket
from cloudformation import role_statements
from integration.test_function import BASE, Context, bridged
from msgspec.structs import replace
from policy_simulator import ACCOUNT, REGION, Access, Sent, accesses, allows, applies, as_list, key_accesses, matches
from proxies import Proxy, Request, proxy_for
from run_harness import NEXT_STEP
from servers import answer as http_answer
from waypost.ledger import manifest as manifests
from waypost.ledger.store import UNREFERENCED_SECONDS

from waypost.aws.process import Process
from waypost.core.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

EVENTS, REBUILD = "EventFunctionRole", "RebuildFunctionRole"
SITE, STATE, NAME = "name", "state", "name"
"""Names with which `cloudformation.resolve` fills in the template."""
ARN = f"arn:aws:{{}}:{REGION}:{ACCOUNT}:{{}}"
REBUILD_FUNCTION, MACHINE = ARN.format("lambda", "function:rebuild"), ARN.format("states", "stateMachine:machine")
KEYS = {
    f"arn:aws:s3:::{SITE}/*": ARN.format("kms", "key/00000000-0000-0000-0000-000000000000"),
    f"arn:aws:s3:::{STATE}/*": ARN.format("kms", "key/11111111-1111-1111-1111-111111111111"),
    "arn:aws:sqs:*": ARN.format("kms", "key/11111111-1111-1111-1111-111111111111"),
}
MANIFEST = f"ledgers/{SITE}/www/ledger/manifest.json"
UNUSED = ("WriteIndexNowKey",)
"""Statements of which no request is made here: the key's file is written only if the site answers that it has none."""
PASS = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}
OUT_OF_TIME = [900_000, 1_000]


class Account:
    """An account of moto's behind a proxy, which refuses what the role of the caller does not allow.

    The access key of a client is the name of its role. `asked` has all accesses of each role, `denied` those refused.
    """

    def __init__(self, proxy: Proxy) -> None:
        self.proxy, self._admin = proxy, boto3.client("s3")
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
        listed = self._admin.list_objects_v2(Bucket=bucket, Prefix=key, MaxKeys=1).get("Contents", [])
        exists = any(each["Key"] == key for each in listed)
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


def _denial(service: str) -> bytes:
    if service == "s3":
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
    """Both functions, whose calls have the credentials of their roles, and what Lambda does in their names."""

    def __init__(self, account: Account, site: MadeBucket, monkeypatch: pytest.MonkeyPatch) -> None:
        self.account, self.site, self._monkeypatch = account, site, monkeypatch
        self.admin = boto3.client("sqs")
        self.queue = self.admin.create_queue(QueueName="queue", Attributes={"VisibilityTimeout": "0"})["QueueUrl"]
        self.failed = self.admin.create_queue(QueueName="failed-invocations")["QueueUrl"]
        boto3.client("logs").create_log_group(logGroupName="x")
        role = f"arn:aws:iam::{ACCOUNT}:role/x"
        boto3.client("stepfunctions").create_state_machine(name="machine", definition=json.dumps(PASS), roleArn=role)
        self.variables = {
            "WAYPOST_SOURCE": f"s3://{SITE}/www/",
            "WAYPOST_STATE": f"s3://{STATE}/ledgers/{SITE}/www/ledger/",
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
        boto3.client("stepfunctions").delete_state_machine(stateMachineArn=MACHINE)
        for name in (SITE, STATE):
            bucket = boto3.resource("s3").Bucket(name)
            bucket.objects.all().delete()
            bucket.delete()

    def configure(self, settings: str) -> None:
        """Change the settings, a day after they were changed before."""
        self.site.client.put_object(Bucket=STATE, Key="config/waypost.toml", Body=settings.encode())
        if MANIFEST in MadeBucket(self.site.client, STATE).versions():
            self.let_a_day_pass()

    def act_as(self, role: str) -> None:
        self._monkeypatch.setenv("AWS_ACCESS_KEY_ID", role)
        boto3.setup_default_session()

    def rebuild_function(self, event: Any, *left: int, **more: str) -> Any:
        self.act_as(REBUILD)
        answer = Process({**self.variables, **more}).handle(
            event, Context(list(left) or [900_000], invoked_function_arn=REBUILD_FUNCTION)
        )
        return json.loads(msgspec.json.encode(answer))

    def build_as_former(self) -> None:
        """Build with the name of a former stack, whose role is not tested."""
        self.act_as("former")
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
        client = boto3.client("sqs")
        client.get_queue_attributes(QueueUrl=self.queue, AttributeNames=["All"])
        received = client.receive_message(
            QueueUrl=self.queue, MaxNumberOfMessages=10, AttributeNames=["ApproximateReceiveCount"]
        ).get("Messages", [])
        records = [
            {
                "eventSource": "aws:sqs",
                "messageId": each["MessageId"],
                "receiptHandle": each["ReceiptHandle"],
                "attributes": each["Attributes"],
                "body": each["Body"],
            }
            for each in received
        ]
        process = Process({**self.variables, "WAYPOST_REBUILD_FUNCTION": REBUILD_FUNCTION})
        answer = json.loads(msgspec.json.encode(process.handle({"Records": records}, Context())))
        failed = {each["itemIdentifier"] for each in answer["batchItemFailures"]}
        for each in received:
            if each["MessageId"] not in failed:
                client.delete_message(QueueUrl=self.queue, ReceiptHandle=each["ReceiptHandle"])
        return answer

    def restore_outputs(self) -> None:
        """Delete all published files, whose events then have the function restore them."""
        manifest = self.manifest()
        outputs = [*manifest.files, *(["robots.txt"] if "www/robots.txt" in self.site.versions() else [])]
        for key in outputs:
            self.site.client.delete_object(Bucket=SITE, Key=f"www/{key}")
        for n in range(0, len(outputs), 10):
            self.event_function(*outputs[n : n + 10])

    def manifest(self) -> manifests.Manifest:
        return manifests.load(MadeBucket(self.site.client, STATE).get(MANIFEST), MANIFEST)

    def let_a_day_pass(self) -> None:
        """Have the ledger's settings hold, and its unreferenced files wait, since the day before yesterday."""
        manifest, past = self.manifest(), 2 * UNREFERENCED_SECONDS
        waiting = [replace(each, since=max(each.since - past, 0)) for each in manifest.unreferenced]
        earlier = replace(manifest, unreferenced=tuple(waiting), config_since=manifest.config_since - past)
        body = manifests.dump(earlier)
        self.site.client.put_object(Bucket=STATE, Key=MANIFEST, Body=body)

    def write_logs(self, role: str) -> None:
        """What Lambda does with the output of a function."""
        self.act_as(role)
        logs, stream = boto3.client("logs"), {"logGroupName": "x", "logStreamName": role}
        logs.create_log_stream(**stream)
        logs.put_log_events(**stream, logEvents=[{"timestamp": 1_795_219_200_000, "message": "x"}])

    def run_state_machine(self) -> None:
        """Take all steps of a distributed rebuild, and ask for the status while it runs."""
        machine = {"WAYPOST_STATE_MACHINE": MACHINE, "WAYPOST_DISTRIBUTE_FROM": "1"}
        started = self.rebuild_function({"action": "rebuild"}, **machine)
        run, step = started["execution"].rpartition(":")[2], "plan"
        while step not in ("done", "superseded"):
            answer = self.rebuild_function({"step": step, "run": run}, **machine)
            self.rebuild_function({"action": "status"}, **machine)
            step = answer["next_step"]
            if "tasks" in answer:
                body = self.site.client.get_object(Bucket=STATE, Key=answer["tasks"]["key"])["Body"].read()
                for task in json.loads(body):
                    self.rebuild_function(task, **machine)
                step = NEXT_STEP[step]


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
        made.rebuild_function({"action": "rebuild"})
        made.let_a_day_pass()
        made.rebuild_function({"action": "rebuild"})
    made.site.client.delete_object(Bucket=STATE, Key=MANIFEST)
    made.event_function("a.html")  # has the other function build the ledger
    made.rebuild_function(made.account.invoked.pop())
    made.event_function()
    made.site.client.delete_object(Bucket=SITE, Key="www/a.html")
    made.rebuild_function({"action": "rebuild", "lag": 0})  # sends messages
    made.event_function()
    made.site.client.delete_object(Bucket=SITE, Key=f"www/{NAME}.xml")
    made.event_function(f"{NAME}.xml")
    for settings in (*ALL_NAMES, ""):
        made.configure(settings)
        made.rebuild_function({"action": "rebuild"}, *OUT_OF_TIME)
        made.rebuild_function(made.account.invoked.pop())
        made.let_a_day_pass()
        made.rebuild_function({"action": "rebuild"})
        made.restore_outputs()
    made.send_events("index.html")  # the status says how old the oldest message is, if there is one
    for action in ("status", "check", "explain", "update"):
        made.rebuild_function({"action": action, "keys": ["index.html"]})
    made.run_state_machine()
    for role in (EVENTS, REBUILD):
        made.write_logs(role)
    boto3.client("sqs").send_message(QueueUrl=made.failed, MessageBody="a call that failed")


@pytest.fixture
def deployment(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    with proxy_for(s3_endpoint) as proxy:
        for name, value in {"URL": proxy.url, "URL_S3": proxy.url}.items():
            monkeypatch.setenv(f"AWS_ENDPOINT_{name}", value)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "admin")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        boto3.setup_default_session()
        client = boto3.client("s3")
        for name in (SITE, STATE):
            client.create_bucket(Bucket=name)
        made = Deployment(Account(proxy), MadeBucket(client, SITE), monkeypatch)
        yield made
        made.delete()
        assert proxy.problems == []
    boto3.setup_default_session()


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


def test_a_rebuild_without_the_permission_to_list_the_site_is_denied(deployment: Deployment) -> None:
    statements = deployment.account.statements
    statements[REBUILD] = [each for each in statements[REBUILD] if each["Sid"] != "ListSite"]
    deployment.site.put({"www/index.html": "x"})
    deployment.configure("")
    with pytest.raises(SourceError, match="AccessDenied"):
        deployment.rebuild_function({"action": "rebuild"})
    assert {access.action for _, access in deployment.account.denied} == {"s3:ListBucket"}


def test_a_condition_on_the_prefix_is_evaluated() -> None:
    bucket = f"arn:aws:s3:::{SITE}"
    prefixes = {"www/": True, "www/a.html": True, "": False, "other/": False}
    found = {each: Access("s3:ListBucket", bucket, (("s3:prefix", each),)) for each in prefixes}
    assert {each: allows(role_statements(EVENTS), access) for each, access in found.items()} == prefixes
    assert not allows(role_statements(EVENTS), Access("s3:ListBucket", bucket))


def test_the_names_of_another_site_s_ledger_may_not_be_listed() -> None:
    state = f"arn:aws:s3:::{STATE}"
    prefixes = {f"ledgers/{SITE}/www/ledger/shards/": True, f"ledgers/{SITE}/blog/ledger/": False, "": False}
    found = {each: Access("s3:ListBucket", state, (("s3:prefix", each),)) for each in prefixes}
    assert {each: allows(role_statements(EVENTS), access) for each, access in found.items()} == prefixes


@pytest.mark.parametrize("action", ["s3:PutObject", "s3:DeleteObject"])
def test_files_of_subfolders_are_left_alone_whatever_their_names_begin_with(action: str) -> None:
    keys = {"name-0123.xml": True, "name-x/page.html": False, "name-x/a/b.xml": False, "names/y.txt": False}
    found = {key: Access(action, f"arn:aws:s3:::{SITE}/www/{key}") for key in keys}
    assert {key: allows(role_statements(REBUILD), access) for key, access in found.items()} == keys
