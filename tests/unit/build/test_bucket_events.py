"""Whether a bucket sends its events to EventBridge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from waypost.build.bucket_checks import connect, disconnect
from waypost.core.errors import StoreError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

TOPICS = {"TopicConfigurations": [{"Id": "uploads", "TopicArn": "arn:aws:sns:us-east-1:1:uploads"}]}
EVENTBRIDGE: dict[str, object] = {"EventBridgeConfiguration": {}}


class NotificationClient:
    """The notifications of one bucket, `site`: as in S3, a request to put them replaces all of them.

    moto does not return whether a bucket sends its events to EventBridge.
    """

    def __init__(self, **configuration: object) -> None:
        self.configuration = configuration
        self.put_count = 0

    def get_bucket_notification_configuration(self, *, Bucket: str) -> dict[str, object]:  # noqa: N803 (boto3's name)
        if Bucket != "site":
            raise ClientError({"Error": {"Code": "NoSuchBucket"}}, "GetBucketNotificationConfiguration")
        return {**self.configuration, "ResponseMetadata": {"HTTPStatusCode": 200}}

    def put_bucket_notification_configuration(self, **request: Any) -> None:
        assert request.keys() == {"Bucket", "NotificationConfiguration"}
        self.put_count += 1
        self.configuration = request["NotificationConfiguration"]

    def s3(self) -> S3Client:
        return cast("S3Client", self)


def test_connecting_and_disconnecting_keep_the_bucket_s_other_notifications() -> None:
    client = NotificationClient(**TOPICS)
    assert connect(client.s3(), "site") is True
    assert client.configuration == {**TOPICS, **EVENTBRIDGE}
    assert disconnect(client.s3(), "site") is True
    assert client.configuration == TOPICS


@pytest.mark.parametrize(("configure", "before"), [(connect, {**TOPICS, **EVENTBRIDGE}), (disconnect, TOPICS)])
def test_a_bucket_that_is_configured_already_is_not_changed(configure: Any, before: dict[str, object]) -> None:
    client = NotificationClient(**before)
    assert configure(client.s3(), "site") is False
    assert client.put_count == 0


@pytest.mark.parametrize(("configure", "before"), [(connect, TOPICS), (disconnect, {**TOPICS, **EVENTBRIDGE})])
def test_a_dry_run_changes_nothing_and_returns_what_it_would_change(configure: Any, before: dict[str, object]) -> None:
    client = NotificationClient(**before)
    assert configure(client.s3(), "site", is_dry_run=True) is True
    assert (client.configuration, client.put_count) == (before, 0)


def test_a_bucket_that_cannot_be_asked_is_an_error_of_the_store() -> None:
    with pytest.raises(StoreError, match=r"cannot change the notifications of absent: .*NoSuchBucket"):
        connect(NotificationClient().s3(), "absent")
