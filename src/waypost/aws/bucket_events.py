"""Whether a bucket tells EventBridge of its objects: one setting among others that are kept as they are.

PutBucketNotificationConfiguration replaces all of a bucket's notifications (S3 API), so what is there is read,
changed in this one place, and written back.
"""

from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import StoreError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_BRIDGE = "EventBridgeConfiguration"


def connect(client: "S3Client", bucket: str, *, is_trial: bool = False) -> bool:
    """Have a bucket tell EventBridge; returns whether that changes anything. Raises StoreError."""
    return _replaced(client, bucket, {_BRIDGE: {}}, is_trial=is_trial)


def disconnect(client: "S3Client", bucket: str, *, is_trial: bool = False) -> bool:
    """Have a bucket no longer tell EventBridge; returns whether that changes anything. Raises StoreError."""
    return _replaced(client, bucket, {}, is_trial=is_trial)


def _replaced(client: "S3Client", bucket: str, bridge: dict[str, Any], *, is_trial: bool) -> bool:
    try:
        answer = client.get_bucket_notification_configuration(Bucket=bucket)
        before: Any = {key: value for key, value in answer.items() if key != "ResponseMetadata"}
        after: Any = {key: value for key, value in before.items() if key != _BRIDGE} | bridge
        if after != before and not is_trial:
            client.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration=after)
    except (ClientError, BotoCoreError) as error:
        raise StoreError(f"cannot change what {bucket} notifies: {error}") from error
    return bool(after != before)
