"""`waypost aws connect` enables a bucket's EventBridge notifications and keeps its other notifications."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from stacks import Cloud, cloud

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sites import Command

BRIDGE: dict[str, Any] = {"EventBridgeConfiguration": {}}


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with cloud(tmp_path_factory.mktemp("cloud")) as aws:
        yield aws


def notifications(aws: Cloud, bucket: str) -> dict[str, Any]:
    output = aws.aws("s3api", "get-bucket-notification-configuration", "--bucket", bucket, "--output", "json")
    return dict(json.loads(output or "{}"))


def test_other_notifications_are_kept(aws: Cloud, waypost: Command) -> None:
    aws.aws("s3", "mb", "s3://shared")
    aws.aws("sqs", "create-queue", "--queue-name", "images")
    queue = {
        "Id": "thumbnails",
        "QueueArn": "arn:aws:sqs:us-east-1:000000000000:images",
        "Events": ["s3:ObjectCreated:*"],
    }
    others = json.dumps({"QueueConfigurations": [queue]})
    aws.aws(
        *("s3api", "put-bucket-notification-configuration", "--bucket", "shared"),
        *("--notification-configuration", others),
    )
    before = notifications(aws, "shared")
    done = waypost("aws", "connect", "shared", **aws.environment)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert notifications(aws, "shared") == {**before, **BRIDGE}
    assert "shared already: it sends its events" in waypost("aws", "connect", "shared", **aws.environment).stderr
    assert waypost("aws", "disconnect", "shared", **aws.environment).returncode == 0
    assert notifications(aws, "shared") == before


def test_a_dry_run_changes_nothing(aws: Cloud, waypost: Command) -> None:
    aws.aws("s3", "mb", "s3://trial")
    done = waypost("aws", "connect", "trial", "--dry-run", **aws.environment)
    assert "trial would now: it sends its events to EventBridge" in done.stderr
    assert notifications(aws, "trial") == {}


def test_a_missing_bucket_is_reported(aws: Cloud, waypost: Command) -> None:
    done = waypost("aws", "connect", "no-such-bucket", **aws.environment)
    assert done.returncode == 5
    assert "cannot change the notifications of no-such-bucket" in done.stderr
