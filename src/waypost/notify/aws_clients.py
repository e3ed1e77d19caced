"""The clients of the AWS services that subscribers call; raises AnnounceError where AWS is not configured."""

from typing import TYPE_CHECKING

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from waypost.core.errors import AnnounceError

if TYPE_CHECKING:
    from mypy_boto3_cloudfront import CloudFrontClient
    from mypy_boto3_events import EventBridgeClient

_CONFIG = Config(connect_timeout=3, read_timeout=15, retries={"mode": "standard", "total_max_attempts": 2})
"""A subscriber that does not answer is tried again later, so no call waits for it for long."""


def cloudfront_client() -> "CloudFrontClient":
    """A client of CloudFront, configured by the AWS SDK's environment variables and files."""
    try:
        return boto3.client("cloudfront", config=_CONFIG)
    except (BotoCoreError, ValueError) as error:
        raise AnnounceError(f"CloudFront cannot be called: {error}") from error


def events_client() -> "EventBridgeClient":
    """A client of EventBridge, configured by the AWS SDK's environment variables and files."""
    try:
        return boto3.client("events", config=_CONFIG)
    except (BotoCoreError, ValueError) as error:
        raise AnnounceError(f"EventBridge cannot be called: {error}") from error
