"""Which buckets a function cannot work with, and what the owner of a bucket should know about its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from waypost.build.bucket_checks import configure, notes, require_suitable
from waypost.core.errors import ConfigurationError, StoreError

if TYPE_CHECKING:
    from buckets import MadeBucket
    from mypy_boto3_s3 import S3Client

HERE = ("us-east-1", "123456789012")
KEY = "arn:aws:kms:us-east-1:123456789012:key/1"
TOPICS = {"TopicConfigurations": [{"Id": "uploads", "TopicArn": "arn:aws:sns:us-east-1:1:uploads"}]}
EVENTBRIDGE: dict[str, object] = {"EventBridgeConfiguration": {}}


class BucketClient:
    """The settings of one bucket of `owner`; without `allowed`, no setting of it can be read.

    moto knows neither who pays for requests nor the owner whom a request expects.
    """

    def __init__(self, region: str | None = None, payer: str = "BucketOwner", *, allowed: bool = True) -> None:
        self.region, self.payer, self.allowed, self.owner = region, payer, allowed, HERE[1]

    def get_bucket_location(self, *, Bucket: str, ExpectedBucketOwner: str = "") -> Any:  # noqa: N803 (boto3's names)
        self._admit(is_owner=ExpectedBucketOwner in ("", self.owner))
        return {"LocationConstraint": self.region, "ResponseMetadata": {"for": Bucket}}

    def get_bucket_request_payment(self, *, Bucket: str) -> Any:  # noqa: N803 (boto3's name)
        self._admit()
        return {"Payer": self.payer, "ResponseMetadata": {"for": Bucket}}

    def _admit(self, *, is_owner: bool = True) -> None:
        if not (self.allowed and is_owner):
            raise ClientError({"Error": {"Code": "AccessDenied"}}, "GetBucketLocation")

    def s3(self) -> S3Client:
        return cast("S3Client", self)


@pytest.mark.parametrize("place", [HERE, ("", HERE[1]), ("", "")])
def test_a_bucket_in_the_region_and_account_of_the_function_is_suitable(place: tuple[str, str]) -> None:
    require_suitable(BucketClient().s3(), "site", *place)


def test_a_bucket_in_another_region_is_refused() -> None:
    with pytest.raises(
        ConfigurationError, match=r"it is in eu-west-1, .* not to us-east-1 \(deploy the stack in eu-we"
    ):
        require_suitable(BucketClient("EU").s3(), "site", *HERE)


def test_a_bucket_of_another_account_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"site: account: it belongs to another account than 210987654321"):
        require_suitable(BucketClient().s3(), "site", "us-east-1", "210987654321")


def test_a_bucket_whose_requester_pays_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"site: Requester Pays: the requester pays, and crawlers do not"):
        require_suitable(BucketClient(payer="Requester").s3(), "site", *HERE)


def test_all_reasons_are_named_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        require_suitable(BucketClient("eu-west-1", "Requester").s3(), "site", "us-east-1", "210987654321")
    assert [issue.key for issue in caught.value.issues] == ["region", "account", "Requester Pays"]


def test_what_cannot_be_read_refuses_nothing() -> None:
    require_suitable(BucketClient("eu-west-1", "Requester", allowed=False).s3(), "site", *HERE)


def test_nothing_is_noted_of_a_plain_bucket(bucket: MadeBucket) -> None:
    assert notes(bucket.client, bucket.name) == []


def test_a_bucket_elsewhere_is_noted(bucket: MadeBucket) -> None:
    name = f"{bucket.name}-eu"
    bucket.client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    assert notes(bucket.client, name) == ["it is in eu-west-1; deploy the stack there"]


def test_versions_that_no_rule_deletes_are_noted(bucket: MadeBucket) -> None:
    bucket.client.put_bucket_versioning(Bucket=bucket.name, VersioningConfiguration={"Status": "Enabled"})
    (note,) = notes(bucket.client, bucket.name)
    assert "add a rule with NoncurrentVersionExpiration" in note
    rule: Any = {"ID": "x", "Status": "Enabled", "Filter": {}, "NoncurrentVersionExpiration": {"NoncurrentDays": 7}}
    bucket.client.put_bucket_lifecycle_configuration(Bucket=bucket.name, LifecycleConfiguration={"Rules": [rule]})
    assert notes(bucket.client, bucket.name) == []


def test_a_default_retention_is_noted(bucket: MadeBucket) -> None:
    name = f"{bucket.name}-locked"
    bucket.client.create_bucket(Bucket=name, ObjectLockEnabledForBucket=True)
    assert not any("Object Lock" in note for note in notes(bucket.client, name))
    retention: Any = {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}}}
    bucket.client.put_object_lock_configuration(Bucket=name, ObjectLockConfiguration=retention)
    assert any("Object Lock keeps each version" in note for note in notes(bucket.client, name))


def test_a_key_of_the_bucket_is_noted(bucket: MadeBucket) -> None:
    encryption = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KEY}}
    configuration: Any = {"Rules": [encryption]}
    bucket.client.put_bucket_encryption(Bucket=bucket.name, ServerSideEncryptionConfiguration=configuration)
    assert notes(bucket.client, bucket.name) == [
        f"a KMS key encrypts it; set the stack's parameter SiteKeyArn to the ARN of {KEY}"
    ]


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
    assert configure(client.s3(), "site", is_connected=True) is True
    assert client.configuration == {**TOPICS, **EVENTBRIDGE}
    assert configure(client.s3(), "site", is_connected=False) is True
    assert client.configuration == TOPICS


@pytest.mark.parametrize(("is_connected", "before"), [(True, {**TOPICS, **EVENTBRIDGE}), (False, TOPICS)])
def test_a_bucket_that_is_configured_already_is_not_changed(before: dict[str, object], *, is_connected: bool) -> None:
    client = NotificationClient(**before)
    assert configure(client.s3(), "site", is_connected=is_connected) is False
    assert client.put_count == 0


@pytest.mark.parametrize(("is_connected", "before"), [(True, TOPICS), (False, {**TOPICS, **EVENTBRIDGE})])
def test_a_dry_run_changes_nothing_and_returns_what_it_would_change(
    before: dict[str, object], *, is_connected: bool
) -> None:
    client = NotificationClient(**before)
    assert configure(client.s3(), "site", is_connected=is_connected, is_dry_run=True) is True
    assert (client.configuration, client.put_count) == (before, 0)


def test_a_bucket_that_cannot_be_asked_is_an_error_of_the_store() -> None:
    with pytest.raises(StoreError, match=r"cannot change the notifications of absent: .*NoSuchBucket"):
        configure(NotificationClient().s3(), "absent", is_connected=True)
