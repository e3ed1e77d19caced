"""Events on a bus that takes them as EventBridge does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.core.model import Changes
from waypost.notify.base import PublishResult
from waypost.notify.event_bus import EventBus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BASE = "https://www.example.org/"


class Bus:
    """Takes events of at most 256 KB (API reference, "PutEvents"), unless it answers with an `error`."""

    def __init__(self) -> None:
        self.details: list[dict[str, Any]] = []
        self.error: Exception | None = None
        self.failed = ""

    def put_events(self, Entries: Sequence[Mapping[str, str]]) -> object:  # noqa: N803
        if self.error:
            raise self.error
        (entry,) = Entries
        assert (entry["Source"], entry["DetailType"]) == ("waypost", "SitemapsPublished")
        assert entry["EventBusName"] == "default"
        assert sum(len(value.encode()) for value in entry.values()) <= 262_144
        if self.failed:
            return {"FailedEntryCount": 1, "Entries": [{"ErrorCode": self.failed, "ErrorMessage": "no"}]}
        self.details.append(json.loads(entry["Detail"]))
        return {"FailedEntryCount": 0, "Entries": [{"EventId": "1"}]}


def refusal(code: str, status: int) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "not allowed"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "PutEvents")


def notify(bus: Bus, *results: PublishResult) -> None:
    client: Any = bus
    EventBus("default", lambda: client).notify(results)


def test_one_event_has_all_that_a_publication_changed() -> None:
    bus = Bus()
    notify(
        bus,
        PublishResult("1", BASE, changes=Changes(("a",), (), ("b", "c"))),
        PublishResult("2", BASE, ("sitemap.xml",), ("old.xml",)),
    )
    assert bus.details == [
        {
            "base_url": BASE,
            "ids": ["1", "2"],
            "counts": {
                "written": 1,
                "removed": 1,
                "urls_added": 1,
                "urls_removed": 0,
                "urls_lastmod_changed": 2,
                "urls_metadata_changed": 0,
            },
            "files": {"written": ["sitemap.xml"], "removed": ["old.xml"]},
            "urls": {"added": ["a"], "removed": [], "lastmod_changed": ["b", "c"], "metadata_changed": []},
            "lists": [],
        }
    ]


def test_what_is_too_large_for_an_event_is_counted_and_its_lists_are_named() -> None:
    bus = Bus()
    urls = tuple(f"{BASE}{n:040}.html" for n in range(5_000))
    notify(
        bus,
        PublishResult("1", BASE, changes=Changes(urls), address="s3://state/outbox/1.json.gz"),
        PublishResult("2", BASE, ("sitemap.xml",), address="s3://state/outbox/2.json.gz"),
    )
    (detail,) = bus.details
    assert (detail["counts"]["urls_added"], detail["counts"]["written"]) == (5_000, 1)
    assert (detail["files"], detail["urls"]) == ({}, {})
    assert detail["lists"] == ["s3://state/outbox/1.json.gz", "s3://state/outbox/2.json.gz"]


def test_urls_of_many_bytes_count_as_the_bytes_that_they_have_in_json() -> None:
    bus = Bus()
    notify(bus, PublishResult("1", BASE, changes=Changes(tuple(f"{BASE}{'ü' * 500}{n}" for n in range(400)))))
    assert bus.details[0]["urls"] == {}


@pytest.mark.parametrize(
    ("error", "failed", "kind", "message"),
    [
        (None, "ThrottlingException", TryLaterError, "ThrottlingException: no"),
        (None, "InternalFailure", TryLaterError, "InternalFailure: no"),
        (refusal("<!doctype html>" + "x" * 1_000, 500), "", TryLaterError, "cannot take events now"),
        (EndpointConnectionError(endpoint_url="https://events.amazonaws.com"), "", TryLaterError, "does not answer"),
        (refusal("AccessDeniedException", 400), "", AnnounceError, "not allowed; look at the bus default"),
    ],
    ids=["busy", "broken", "server", "silent", "refused"],
)
def test_a_failure_is_tried_later_or_says_what_to_do(
    error: Exception | None, failed: str, kind: type[Exception], message: str
) -> None:
    bus = Bus()
    bus.error, bus.failed = error, failed
    with pytest.raises(AnnounceError, match=message) as raised:
        notify(bus, PublishResult("1", BASE, ("sitemap.xml",)))
    assert type(raised.value) is kind
    assert len(str(raised.value)) <= 300
