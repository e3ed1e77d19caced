"""A bucket that is divided into partitions, on a deployed stack: the state machine rebuilds them side by side."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from stacks import Cloud, cloud, package, until

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS = ("docs", "shop")


class Divided:
    """A stack whose bucket is divided by hand, with 30 pages in each of two folders and one in its root."""

    def __init__(self, aws: Cloud, outputs: dict[str, str]) -> None:
        self.aws, self.outputs, self.s3 = aws, outputs, aws.s3()
        for folder in FOLDERS:
            for n in range(30):
                self.put(f"{folder}/{n:02}.html", f"<title>{folder} {n}</title>")
        self.put("index.html", "<title>Home</title>")
        division = {"partitions": [{"prefix": f"{folder}/"} for folder in FOLDERS]}
        self.s3.put_object(
            Bucket=outputs["StateBucketName"],
            Key=f"{outputs['StatePrefix']}partitions",
            Body=json.dumps(division).encode(),
        )

    def put(self, key: str, content: str) -> None:
        self.s3.put_object(Bucket="site", Key=key, Body=content.encode(), ContentType="text/html")

    def ask(self, **payload: Any) -> Any:
        return self.aws.invoke(self.outputs["RebuildFunctionName"], payload)

    def rebuild(self) -> dict[str, Any]:
        """Rebuild the bucket; returns how the execution of the state machine ended."""
        started = self.ask(action="rebuild")
        assert (started["finished"], started["partitions"]) == (False, 3)

        def ended() -> dict[str, Any] | None:
            asked = ("stepfunctions", "describe-execution", "--execution-arn", started["execution"])
            found: dict[str, Any] = self.aws.ask(*asked)
            return None if found["status"] == "RUNNING" else found

        result: dict[str, Any] = until(ended, "the end of the execution")
        return result

    def counts(self) -> dict[str, int]:
        """How many URLs each published sitemap lists."""
        listed = self.s3.list_objects_v2(Bucket="site", Prefix="sitemap")
        names = [each["Key"] for each in listed.get("Contents", ())]
        return {name: (self.aws.get("site", name) or b"").count(b"<url>") for name in names}


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Divided]:
    code = package(tmp_path_factory.mktemp("package"))
    with cloud(tmp_path_factory.mktemp("cloud")) as aws:
        aws.aws("s3", "mb", "s3://site")
        outputs = aws.deploy("sitemaps", code, "site", BaseUrl=f"{aws.endpoint}/site/", BatchingWindow="1")
        _have_errors_repeated_once(aws)
        yield Divided(aws, outputs)


def _have_errors_repeated_once(aws: Cloud) -> None:
    """The emulator does not say of which class an error of the function is, so that it repeats each."""
    (machine,) = aws.ask("stepfunctions", "list-state-machines")["stateMachines"]
    named = ("--state-machine-arn", machine["stateMachineArn"])
    definition = aws.ask("stepfunctions", "describe-state-machine", *named)["definition"]
    definition = re.sub(r'"MaxAttempts": *5', '"MaxAttempts": 1', definition)
    aws.aws("stepfunctions", "update-state-machine", *named, "--definition", definition)


@pytest.mark.slow
def test_partitions_are_rebuilt_updated_by_their_events_and_one_that_fails_is_named(divided: Divided) -> None:
    ended = divided.rebuild()
    assert ended["status"] == "SUCCEEDED", ended
    assert divided.counts() == {"sitemap-part1.xml": 30, "sitemap-part2.xml": 30, "sitemap.xml": 1}

    done = divided.aws.run(
        "s3api",
        "put-bucket-notification-configuration",
        "--bucket",
        "site",
        "--notification-configuration",
        '{"EventBridgeConfiguration": {}}',
    )
    assert done.returncode == 0, done.stderr
    divided.put("docs/new.html", "<title>new</title>")
    until(lambda: divided.counts()["sitemap-part1.xml"] == 31, "the new page")
    assert divided.ask(action="status")["url_count"] == 62

    for n in range(1, 30):
        divided.s3.delete_object(Bucket="site", Key=f"shop/{n:02}.html")
    until(lambda: divided.counts()["sitemap-part2.xml"] == 1, "the removals that events named")
    for n in range(1, 30):
        divided.put(f"shop/{n:02}.html", f"<title>shop {n}</title>")
    until(lambda: divided.counts()["sitemap-part2.xml"] == 30, "the pages that came back")

    state = f"{divided.outputs['StatePrefix']}part2-state"
    newer = b'{"format":"waypost-bucket","version":9}\n'
    divided.s3.put_object(Bucket=divided.outputs["StateBucketName"], Key=state, Body=newer)
    ended = divided.rebuild()
    assert ended["status"] == "FAILED", ended
    assert "part2" in ended["cause"]
    assert divided.counts() == {"sitemap-part1.xml": 31, "sitemap-part2.xml": 30, "sitemap.xml": 1}
    status = divided.ask(action="status")
    assert any("version 9" in each["problem"] for each in status["problems"])
