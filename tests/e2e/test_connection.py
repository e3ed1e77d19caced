"""`waypost aws connect` changes one setting of a bucket's notifications and keeps the others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from stacks import Cloud, cloud

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sites import Command

BRIDGE: dict[str, Any] = {"EventBridgeConfiguration": {}}


pytestmark = pytest.mark.xdist_group("connection")


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with cloud(tmp_path_factory.mktemp("cloud")) as found:
        yield found


def notifications(aws: Cloud, bucket: str) -> dict[str, Any]:
    told = aws.aws("s3api", "get-bucket-notification-configuration", "--bucket", bucket, "--output", "json")
    return dict(json.loads(told or "{}"))


def test_other_notifications_stay_as_they_are(aws: Cloud, waypost: Command) -> None:
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


def test_a_trial_only_tells(aws: Cloud, waypost: Command) -> None:
    aws.aws("s3", "mb", "s3://trial")
    done = waypost("aws", "connect", "trial", "--dry-run", **aws.environment)
    assert "trial would now: it sends its events to EventBridge" in done.stderr
    assert notifications(aws, "trial") == {}


def test_a_bucket_that_is_not_there_is_an_error_for_the_reader(aws: Cloud, waypost: Command) -> None:
    done = waypost("aws", "connect", "no-such-bucket", **aws.environment)
    assert done.returncode == 5
    assert "cannot change what no-such-bucket notifies" in done.stderr
