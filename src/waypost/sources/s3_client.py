"""The client of S3 that sources and stores share."""

from datetime import datetime
from typing import TYPE_CHECKING

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError
from botocore.utils import parse_timestamp

from waypost.core.errors import ConfigIssue, ConfigurationError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_CONNECTIONS = 32


def s3_client() -> "S3Client":
    """A client configured by the AWS SDK's environment variables and files; raises ConfigurationError.

    It has a connection for each concurrent read.
    """
    try:
        session = botocore.session.get_session()
        session.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_parse_time)
        config = Config(max_pool_connections=_CONNECTIONS, retries={"mode": "standard"})
        return boto3.Session(botocore_session=session).client("s3", config=config)
    except (BotoCoreError, ValueError) as error:
        raise ConfigurationError((ConfigIssue("environment", "AWS", str(error)),)) from error


def _parse_time(value: str) -> datetime:
    """A time in an answer of S3; Python's own parser of ISO 8601 saves two thirds of a listing's CPU time."""
    if value[4:5] == "-":
        return datetime.fromisoformat(value)
    return parse_timestamp(value)
