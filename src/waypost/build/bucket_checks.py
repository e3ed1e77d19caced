"""What a bucket's own settings mean for the function, and whether the bucket sends its events to EventBridge.

What cannot be read is not checked: the credentials may not allow it, and other servers do not know all of S3's API.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import BotoCoreError, ClientError
from msgspec import UNSET, Struct, UnsetType

from waypost.core.errors import ConfigIssue, ConfigurationError, StoreError
from waypost.files.s3_client import code_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import NotificationConfigurationTypeDef

_EVENTBRIDGE = "EventBridgeConfiguration"
_REPLACED = (_EVENTBRIDGE, "ResponseMetadata")
_DENIED = ("AccessDenied", "403", "Forbidden")
_REGIONS = {"": "us-east-1", "EU": "eu-west-1"}
"""The regions whose name GetBucketLocation does not return (S3 API)."""


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


def configure(client: "S3Client", bucket: str, *, is_connected: bool, is_dry_run: bool = False) -> bool:
    """Make a bucket send its events to EventBridge, or stop it; returns whether that changes anything.

    Raises StoreError.
    """
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


def require_suitable(client: "S3Client", bucket: str, region: str, account: str) -> None:
    """Raise ConfigurationError with the reasons for which a function cannot work with a bucket.

    `region` and `account` are those of the function, or of a user; `""` where they are not known.
    """
    found = region_of(client, bucket)
    issues = [*_wrong_region(bucket, found, region), *_wrong_account(client, bucket, found and account)]
    if _setting(client.get_bucket_request_payment, bucket).get("Payer") == "Requester":
        problem = "the requester pays, and crawlers do not: such a bucket serves no public site"
        issues.append(ConfigIssue(bucket, "Requester Pays", problem, "a bucket whose owner pays"))
    if issues:
        raise ConfigurationError(tuple(issues))


def notes(client: "S3Client", bucket: str) -> list[str]:
    """What the owner of a bucket should know about its settings: one sentence each."""
    reads = (_note_of_region, _note_of_versions, _note_of_retention, _note_of_key)
    return [note for read in reads if (note := read(client, bucket))]


def region_of(client: "S3Client", bucket: str) -> str:
    """The region of a bucket, or `""` if it cannot be read."""
    answer = _setting(client.get_bucket_location, bucket)
    region = answer.get("LocationConstraint") or ""
    return _REGIONS.get(region, region) if answer else ""


def _wrong_region(bucket: str, region: str, expected: str) -> list[ConfigIssue]:
    if not (region and expected) or region == expected:
        return []
    problem = f"it is in {region}, and EventBridge passes its events only there, not to {expected}"
    return [ConfigIssue(bucket, "region", problem, f"deploy the stack in {region}")]


def _wrong_account(client: "S3Client", bucket: str, account: str) -> list[ConfigIssue]:
    if not account:
        return []
    try:
        client.get_bucket_location(Bucket=bucket, ExpectedBucketOwner=account)
    except (ClientError, BotoCoreError) as error:
        if code_of(error) in _DENIED:
            problem = f"it belongs to another account than {account}, and EventBridge passes its events only there"
            return [ConfigIssue(bucket, "account", problem, "deploy the stack in the account of the bucket")]
    return []


def _note_of_region(client: "S3Client", bucket: str) -> str:
    region = region_of(client, bucket)
    return f"it is in {region}; deploy the stack there" if region not in ("", client.meta.region_name) else ""


def _note_of_versions(client: "S3Client", bucket: str) -> str:
    if _setting(client.get_bucket_versioning, bucket).get("Status") != "Enabled":
        return ""
    rules = _setting(client.get_bucket_lifecycle_configuration, bucket).get("Rules", ())
    if any("NoncurrentVersionExpiration" in rule and rule.get("Status") == "Enabled" for rule in rules):
        return ""
    return (
        "it keeps each version of a sitemap, and no lifecycle rule was found that deletes older ones; add a rule with "
        "NoncurrentVersionExpiration"
    )


def _note_of_retention(client: "S3Client", bucket: str) -> str:
    configuration = _setting(client.get_object_lock_configuration, bucket).get("ObjectLockConfiguration", {})
    if "Rule" not in configuration:
        return ""
    return (
        "Object Lock keeps each version of a sitemap for the default retention period; use a bucket without one if "
        "its storage costs too much"
    )


def _note_of_key(client: "S3Client", bucket: str) -> str:
    configuration = _setting(client.get_bucket_encryption, bucket).get("ServerSideEncryptionConfiguration", {})
    rules = [rule.get("ApplyServerSideEncryptionByDefault", {}) for rule in configuration.get("Rules", ())]
    keys = [rule["KMSMasterKeyID"] for rule in rules if "KMSMasterKeyID" in rule]
    return f"a KMS key encrypts it; set the stack's parameter SiteKeyArn to the ARN of {keys[0]}" if keys else ""


def _setting(read: Callable[..., Any], bucket: str) -> Mapping[str, Any]:
    """A setting of a bucket; empty if there is none, or if it cannot be read."""
    try:
        answer: Mapping[str, Any] = read(Bucket=bucket)
    except (ClientError, BotoCoreError):
        return {}
    return answer
