"""A deployed stack from end to end: uploads, EventBridge, the queue, the function, the published sitemaps."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from stacks import PYTHON, ROOT, TOOLS, Cloud, cloud, package, template, until
from usp.fetch_parse import SitemapFetcher

from waypost.build import bucket_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SITE = ROOT / "examples" / "garden" / "public"


class Stack:
    """A deployed stack and the bucket of its site."""

    def __init__(self, aws: Cloud, outputs: dict[str, str]) -> None:
        self.aws, self.outputs, self.function = aws, outputs, outputs["RebuildFunctionName"]
        self.base = f"{aws.endpoint}/site/"

    def ask(self, **payload: Any) -> Any:
        return self.aws.invoke(self.function, payload)

    def sitemap(self, name: str = "sitemap.xml") -> str:
        return (self.aws.get("site", name) or b"").decode()

    def put(self, key: str, content: str) -> None:
        content_type = ("--content-type", "text/html") if key.endswith(".html") else ()
        self.aws.aws("s3", "cp", "-", f"s3://site/{key}", *content_type, stdin=content.encode())

    def written(self) -> dict[str, str]:
        """ETag and time of each published sitemap."""
        listed = json.loads(self.aws.aws("s3api", "list-objects-v2", "--bucket", "site", "--output", "json"))
        return {e["Key"]: e["ETag"] + e["LastModified"] for e in listed["Contents"] if "sitemap" in e["Key"]}

    def state_number(self) -> int:
        """How often the state has been replaced."""
        bucket, key = self.outputs["StateBucketName"], self.state_key
        head = bucket_state.load_head(self.aws.get(bucket, key) or b"", key)
        assert head is not None
        return head.number

    @property
    def state_key(self) -> str:
        return f"{self.outputs['StatePrefix']}state"

    def wait_until_handled(self) -> None:
        """Wait until no message waits for a call, and none is being handled: then all is published and recorded."""
        until(lambda: not any(self.ask(action="status")["queue"].values()), "an empty queue")

    def batch_count(self) -> int:
        """How many batches of events the function has received."""
        return (self.aws.folder / "ministack.log").read_text().count("SQS messages from")

    def configure(self, **variables: str) -> None:
        """Change variables of the functions' environments."""
        for name in ("EventFunctionName", "RebuildFunctionName"):
            self.aws.configure(self.outputs[name], **variables)

    def allow_receives(self, count: int) -> None:
        """Change after how many receives the queue of events moves a message to the dead-letter queue."""
        url = self.outputs["EventQueueUrl"]
        asked = ("sqs", "get-queue-attributes", "--queue-url", url, "--attribute-names", "RedrivePolicy")
        policy = json.loads(self.aws.ask(*asked)["Attributes"]["RedrivePolicy"]) | {"maxReceiveCount": count}
        changed = json.dumps({"RedrivePolicy": json.dumps(policy)})
        self.aws.aws("sqs", "set-queue-attributes", "--queue-url", url, "--attributes", changed)

    def message_count(self, url: str) -> int:
        """How many messages are in a queue."""
        name = "ApproximateNumberOfMessages"
        asked = ("sqs", "get-queue-attributes", "--queue-url", url, "--attribute-names", name, "--output", "json")
        return int(json.loads(self.aws.aws(*asked))["Attributes"][name])


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, code: Path) -> Iterator[Stack]:
    with cloud(tmp_path_factory.mktemp("cloud")) as aws:
        aws.aws("s3", "mb", "s3://site")
        yield Stack(aws, aws.deploy("sitemaps", code, "site", BaseUrl=f"{aws.endpoint}/site/", BatchingWindow="1"))


def test_uploads_and_deletions_update_the_sitemap(stack: Stack, waypost: Callable[..., Any]) -> None:
    aws = stack.aws
    aws.aws("s3", "sync", str(SITE), "s3://site", "--no-follow-symlinks", "--quiet")
    built = stack.ask(action="rebuild")
    assert (built["finished"], built["written"]) == (True, ["sitemap.xml"])
    assert f"<loc>{stack.base}guides/</loc>" in stack.sitemap()
    read = SitemapFetcher(f"{stack.base}sitemap.xml", 0).sitemap()
    assert len(list(read.all_pages())) == built["url_count"] > 10
    assert all(page.url.startswith(stack.base) for page in read.all_pages())

    done = waypost("aws", "connect", "site", **aws.environment)
    assert done.returncode == 0, done.stderr
    stack.put("blog/new post+1 100%.html", "<title>New</title>")
    until(lambda: "blog/new%20post%2B1%20100%25.html</loc><lastmod>" in stack.sitemap(), "the new page")

    aws.aws("s3", "rm", "s3://site/blog/new post+1 100%.html")
    until(lambda: "new%20post" not in stack.sitemap(), "the deletion of its URL")

    stack.wait_until_handled()
    before, number = stack.written(), stack.state_number()
    stack.put("about.html", (SITE / "about.html").read_text() + "<!-- built again -->")
    stack.put("style.css", "body {}")
    until(lambda: stack.message_count(stack.outputs["EventQueueUrl"]) == 0, "an empty queue")
    stack.put("zz.html", "<title>Last</title>")
    until(lambda: "zz.html" in stack.sitemap(), "the last page")
    stack.wait_until_handled()
    assert stack.state_number() == number + 3  # for the upload of the same page, for the last page, and its publication
    assert stack.written().keys() == before.keys()


@pytest.mark.release
def test_five_hundred_uploads_replace_the_state_and_publish_at_most_once_for_each_batch(
    stack: Stack, tmp_path: Path
) -> None:
    stack.ask(action="rebuild")
    stack.aws.aws(
        *("s3api", "put-bucket-notification-configuration", "--bucket", "site"),
        *("--notification-configuration", '{"EventBridgeConfiguration": {}}'),
    )
    number, batches = stack.state_number(), stack.batch_count()
    for n in range(500):
        path = tmp_path / "many" / f"page-{n:03}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<title>{n}</title>")
    stack.aws.aws("s3", "sync", str(tmp_path / "many"), "s3://site/many", "--quiet")
    until(lambda: stack.sitemap().count("/many/page-") == 500, "all 500 URLs")
    until(lambda: stack.message_count(stack.outputs["EventQueueUrl"]) == 0, "an empty queue")
    assert 0 < stack.state_number() - number <= 2 * (stack.batch_count() - batches)
    assert list(stack.written()) == ["sitemap.xml"]
    assert stack.ask(action="check")["in_sync"]


def test_each_action_returns_an_answer(stack: Stack) -> None:
    stack.ask(action="rebuild")
    stack.put("answers.html", "<title>Answers</title>")
    assert stack.ask(action="update", keys=["answers.html"])["finished"]
    assert stack.ask(action="status")["state"] == "up to date with all events received"
    (explained,) = stack.ask(action="explain", key="answers.html")["explained"]
    assert (explained["listed"], explained["sitemap"]) == (True, "sitemap.xml")
    assert stack.ask(action="check")["drift"]["changed"] == {"count": 0, "first": []}
    mistake = stack.ask(action="rebild")
    assert "'rebild' is not an action" in mistake["error"]
    assert mistake["actions"] == ["rebuild", "update", "status", "explain", "check"]


@pytest.mark.release
def test_only_an_invalid_message_goes_to_the_dead_letter_queue(stack: Stack) -> None:
    queue, dead = stack.outputs["EventQueueUrl"], stack.outputs["DeadLetterQueueUrl"]
    stack.ask(action="rebuild")
    stack.allow_receives(1)  # it is moved at the next delivery, in 30 seconds
    before = stack.message_count(dead)
    stack.aws.aws("sqs", "send-message", "--queue-url", queue, "--message-body", "not an event")
    until(lambda: stack.message_count(dead) == before + 1, "the dead letter")
    asked = ("sqs", "receive-message", "--queue-url", dead, "--output", "json")
    assert json.loads(stack.aws.aws(*asked))["Messages"][0]["Body"] == "not an event"


@pytest.mark.release
def test_a_batch_of_a_function_that_raised_is_delivered_again_long_before_the_visibility_timeout(
    tmp_path: Path, code: Path
) -> None:
    with cloud(tmp_path) as aws:
        aws.aws("s3", "mb", "s3://site")
        stack = Stack(aws, aws.deploy("failing", code, "site", BaseUrl=f"{aws.endpoint}/site/", BatchingWindow="1"))
        stack.put("a.html", "<title>A</title>")
        stack.ask(action="rebuild")
        aws.aws(
            *("s3api", "put-bucket-notification-configuration", "--bucket", "site"),
            *("--notification-configuration", '{"EventBridgeConfiguration": {}}'),
        )
        stack.configure(WAYPOST_CONFIG="missing.toml")
        stack.put("new.html", "<title>New</title>")
        until(lambda: "there is no file missing.toml" in (tmp_path / "ministack.log").read_text(), "a failed batch")
        stack.configure(WAYPOST_CONFIG="")
        until(lambda: "new.html" in stack.sitemap(), "the second delivery")


@pytest.mark.release
def test_the_schedule_repairs_changes_without_an_event(tmp_path: Path, code: Path) -> None:
    with cloud(tmp_path) as aws:
        aws.aws("s3", "mb", "s3://site")
        aws.aws("s3", "cp", "-", "s3://site/a.html", stdin=b"<title>A</title>")
        aws.deploy("scheduled", code, "site", BaseUrl="https://example.org/", Schedule="rate(1 minute)")
        until(lambda: aws.get("site", "sitemap.xml"), "the schedule")


def test_the_role_allows_only_the_configured_names(tmp_path: Path, code: Path) -> None:
    with cloud(tmp_path, AUTH="true") as aws:
        aws.aws("s3", "mb", "s3://site")
        stack = Stack(aws, aws.deploy("guarded", code, "site", BaseUrl="https://example.org/", WritesRobots="true"))
        # The policy denies requests without TLS, and the emulator has no TLS.
        aws.aws("s3api", "delete-bucket-policy", "--bucket", stack.outputs["StateBucketName"])
        stack.put("www.html", "<title>A</title>")
        assert stack.ask(action="rebuild")["written"] == ["sitemap.xml"]
        aws.aws(
            *("s3api", "put-bucket-notification-configuration", "--bucket", "site"),
            *("--notification-configuration", '{"EventBridgeConfiguration": {}}'),
        )
        stack.put("new.html", "<title>B</title>")
        until(lambda: "new.html" in stack.sitemap(), "the new page")
        assert stack.ask(action="check")["in_sync"]
        assert stack.ask(action="status")["url_count"] == 2

        stack.configure(WAYPOST_BASE_URL="https://www.example.org/")
        stack.put("newer.html", "<title>C</title>")  # its event has another call make the state again
        until(lambda: "https://www.example.org/newer.html" in stack.sitemap(), "the rebuild")
        assert stack.ask(action="check")["in_sync"]
        log = (tmp_path / "ministack.log").read_text()
        # In AWS, sqs:ChangeMessageVisibility allows the batch operation, too; in the emulator it does not.
        assert set(re.findall(r"when calling the (\w+) operation", log)) <= {"ChangeMessageVisibilityBatch"}

        stack.configure(WAYPOST_NAME="map")
        denied = stack.ask(action="rebuild")
        assert "AccessDenied" in denied["errorMessage"]
        assert "s3://site/map.xml" in denied["errorMessage"]
        assert stack.sitemap("map.xml") == ""
        assert "newer.html" in stack.sitemap()
        stack.configure(WAYPOST_NAME="sitemap")
        assert "AccessDenied" in stack.ask(action="status")["last_error"]["message"]


def test_a_stack_with_every_option_encrypts_its_queues_with_the_customer_s_key(tmp_path: Path, code: Path) -> None:
    with cloud(tmp_path) as aws:
        aws.aws("s3", "mb", "s3://site")
        # A new bucket allows no ACLs.
        ownership = "Rules=[{ObjectOwnership=BucketOwnerPreferred}]"
        aws.aws("s3api", "put-bucket-ownership-controls", "--bucket", "site", "--ownership-controls", ownership)
        key = aws.ask("kms", "create-key")["KeyMetadata"]["Arn"]
        given = {
            "PermissionsBoundary": "arn:aws:iam::aws:policy/PowerUserAccess",
            "BaseUrl": "https://example.org/",
            "KeyArn": key,
            "WritesRobots": "true",
            "SiteKeyArn": key,
            "FormerSitemapName": "map",
            "Acl": "public-read",
            "DistributionId": "E1ABCDEFGHIJKL",
        }
        stack = Stack(aws, aws.deploy("encrypted", code, "site", **given))
        stack.put("a.html", "<title>A</title>")
        assert stack.ask(action="rebuild")["written"] == ["sitemap.xml"]
        grants = aws.ask("s3api", "get-object-acl", "--bucket", "site", "--key", "sitemap.xml")["Grants"]
        assert "READ" in [each["Permission"] for each in grants if each["Grantee"]["Type"] == "Group"]
        for output in ("EventQueueUrl", "DeadLetterQueueUrl", "FailedInvocationQueueUrl"):
            asked = ("sqs", "get-queue-attributes", "--queue-url", stack.outputs[output], "--attribute-names", "All")
            assert aws.ask(*asked)["Attributes"]["KmsMasterKeyId"] == key


def test_deleting_the_stack_keeps_the_state_and_the_sitemaps(tmp_path: Path, code: Path) -> None:
    with cloud(tmp_path) as aws:
        aws.aws("s3", "mb", "s3://site")
        stack = Stack(aws, aws.deploy("deleted", code, "site", BaseUrl="https://example.org/"))
        stack.put("a.html", "<title>A</title>")
        stack.ask(action="rebuild")
        aws.aws("cloudformation", "delete-stack", "--stack-name", "deleted")
        aws.aws("cloudformation", "wait", "stack-delete-complete", "--stack-name", "deleted")
        assert stack.state_key in aws.keys(stack.outputs["StateBucketName"])
        assert "a.html" in stack.sitemap()
        assert aws.run("lambda", "get-function", "--function-name", stack.function).returncode != 0


@pytest.mark.release
def test_a_new_stack_over_a_state_bucket_that_was_left_adopts_the_state_of_the_earlier_prefix(
    tmp_path: Path, code: Path
) -> None:
    with cloud(tmp_path) as aws:
        aws.aws("s3", "mb", "s3://site")
        old = Stack(aws, aws.deploy("old", code, "site", BaseUrl="https://example.org/"))
        for text in ("one", "two"):
            old.put("a.html", f"<title>{text}</title>")
            old.ask(action="rebuild")
        assert "<lastmod>" in old.sitemap()
        aws.aws("cloudformation", "delete-stack", "--stack-name", "old")
        aws.aws("cloudformation", "wait", "stack-delete-complete", "--stack-name", "old")
        state, earlier = old.outputs["StateBucketName"], old.outputs["StatePrefix"]
        given = {"BaseUrl": "https://example.org/", "SitePrefix": "www/", "StateBucketName": state}
        new = Stack(aws, aws.deploy("new", code, "site", **given))
        assert (new.outputs["StateBucketName"], new.outputs["StatePrefix"]) == (state, "states/site/www/state/")
        aws.aws("s3", "cp", "s3://site/a.html", "s3://site/www/a.html")
        copy = f"s3://{state}/{new.outputs['StatePrefix']}adopted/"
        aws.aws("s3", "cp", f"s3://{state}/{earlier}", copy, "--recursive")
        answer = new.ask(action="rebuild", adopt=copy)
        assert (answer["finished"], "s3://site/sitemap.xml" in answer["warnings"][0]) == (True, True)
        assert new.sitemap("www/sitemap.xml") == old.sitemap()
        assert new.ask(action="check")["in_sync"]


@pytest.mark.release
def test_sam_deploys_the_template(tmp_path: Path, code: Path) -> None:
    (tmp_path / "template.yaml").write_text(template().replace("../build/lambda/", str(code)))
    given = f"SiteBucket=site BaseUrl=https://example.org/ Runtime=python{PYTHON} Architecture=x86_64"
    with cloud(tmp_path) as aws:
        for bucket in ("site", "packages"):
            aws.aws("s3", "mb", f"s3://{bucket}")
        deploy = ["deploy", "--template-file", "template.yaml", "--stack-name", "by-sam", "--s3-bucket", "packages"]
        deploy += ["--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset", "--parameter-overrides", given]
        environment = {**aws.environment, "SAM_CLI_TELEMETRY": "0", "PATH": f"{TOOLS}:{os.environ['PATH']}"}
        done = subprocess.run(
            [str(TOOLS / "sam"), *deploy], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        stack = Stack(aws, aws.outputs("by-sam"))
        stack.put("a.html", "<title>A</title>")
        assert stack.ask(action="rebuild")["written"] == ["sitemap.xml"]
