"""The subscribers' clients of AWS, against moto over HTTP: their requests fit the services."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from waypost.core.errors import AnnounceError
from waypost.notify.base import PublishResult
from waypost.notify.cloudfront import CloudFront
from waypost.notify.event_bus import EventBus

BASE = "https://www.example.org/"
RESULT = PublishResult("1", BASE, ("sitemap.xml",))


@pytest.fixture(autouse=True)
def aws(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """AWS's services at moto's address, with credentials of nobody."""
    for name, value in {
        "AWS_ENDPOINT_URL": s3_endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }.items():
        monkeypatch.setenv(name, value)


def distribution(client: Any) -> str:
    """The id of a new distribution."""
    custom = {"HTTPPort": 80, "HTTPSPort": 443, "OriginProtocolPolicy": "https-only"}
    origin = {"Id": "o", "DomainName": "o.example.org", "CustomOriginConfig": custom}
    config = {
        "CallerReference": "1",
        "Comment": "",
        "Enabled": True,
        "Origins": {"Quantity": 1, "Items": [origin]},
        "DefaultCacheBehavior": {"TargetOriginId": "o", "ViewerProtocolPolicy": "allow-all"},
    }
    return str(client.create_distribution(DistributionConfig=config)["Distribution"]["Id"])


def test_an_invalidation_is_created_at_the_distribution() -> None:
    client: Any = boto3.client("cloudfront")
    id = distribution(client)
    CloudFront(id, "sitemap").notify([RESULT])
    (found,) = client.list_invalidations(DistributionId=id)["InvalidationList"]["Items"]
    batch = client.get_invalidation(DistributionId=id, Id=found["Id"])["Invalidation"]["InvalidationBatch"]
    assert batch["CallerReference"] == "waypost-1"
    assert batch["Paths"]["Items"] == ["/sitemap.xml"]


def test_an_event_reaches_the_targets_of_the_bus() -> None:
    sqs, events = boto3.client("sqs"), boto3.client("events")
    queue = sqs.create_queue(QueueName="published")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    pattern = {"source": ["waypost"], "detail-type": ["SitemapsPublished"]}
    bus = events.create_event_bus(Name="sitemaps")["EventBusArn"]
    events.put_rule(Name="published", EventBusName="sitemaps", EventPattern=json.dumps(pattern))
    events.put_targets(Rule="published", EventBusName="sitemaps", Targets=[{"Id": "1", "Arn": arn}])
    EventBus(bus).notify([RESULT])
    (message,) = sqs.receive_message(QueueUrl=queue)["Messages"]
    assert json.loads(message["Body"])["detail"]["files"]["written"] == ["sitemap.xml"]


def test_a_bus_that_does_not_exist_is_named() -> None:
    with pytest.raises(AnnounceError, match="look at the bus none"):
        EventBus("none").notify([RESULT])


def test_without_a_region_events_cannot_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    with pytest.raises(AnnounceError, match="EventBridge cannot be called: You must specify a region"):
        EventBus("default").notify([RESULT])
