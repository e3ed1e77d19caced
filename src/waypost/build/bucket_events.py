"""Whether a bucket sends its events to EventBridge.

PutBucketNotificationConfiguration replaces all notifications of a bucket (S3 API), so the configuration is read,
changed in this one field, and written back.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import StoreError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import NotificationConfigurationTypeDef
from msgspec import UNSET, Struct, UnsetType

_EVENTBRIDGE = "EventBridgeConfiguration"
_REPLACED = (_EVENTBRIDGE, "ResponseMetadata")


class BucketEvents(Struct, frozen=True):
    """Whether the site's `bucket` sends its events to EventBridge.

    If its settings cannot be read, there is only `problem`, which says why.
    """

    eventbridge: bool | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    bucket: str = ""


def read_events(client: Callable[[], "S3Client"], bucket: str) -> BucketEvents:
    """Whether a bucket sends its events to EventBridge, or the problem that prevents its being known."""
    try:
        found = client().get_bucket_notification_configuration(Bucket=bucket)
        return BucketEvents(_EVENTBRIDGE in found, bucket=bucket)
    except (ClientError, BotoCoreError) as error:
        return BucketEvents(problem=f"the notifications of {bucket} cannot be read: {error}", bucket=bucket)


def connect(client: "S3Client", bucket: str, *, is_dry_run: bool = False) -> bool:
    """Make a bucket send its events to EventBridge; returns whether that changes anything. Raises StoreError."""
    return _configure(client, bucket, is_connected=True, is_dry_run=is_dry_run)


def disconnect(client: "S3Client", bucket: str, *, is_dry_run: bool = False) -> bool:
    """Stop a bucket from sending events to EventBridge; returns whether that changes anything. Raises StoreError."""
    return _configure(client, bucket, is_connected=False, is_dry_run=is_dry_run)


def _configure(client: "S3Client", bucket: str, *, is_connected: bool, is_dry_run: bool) -> bool:
    try:
        response = client.get_bucket_notification_configuration(Bucket=bucket)
        is_changed = (_EVENTBRIDGE in response) != is_connected
        if is_changed and not is_dry_run:
            kept = {key: value for key, value in response.items() if key not in _REPLACED}
            configuration = {**kept, _EVENTBRIDGE: {}} if is_connected else kept
            client.put_bucket_notification_configuration(
                Bucket=bucket, NotificationConfiguration=cast("NotificationConfigurationTypeDef", configuration)
            )
    except (ClientError, BotoCoreError) as error:
        raise StoreError(f"cannot change the notifications of {bucket}: {error}") from error
    return is_changed
