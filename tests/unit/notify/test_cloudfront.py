"""Invalidations against a distribution that follows CloudFront's rules, and against moto's."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from waypost.core.errors import AnnounceError, PostponedError, TryLaterError
from waypost.notify import Notification, Sent
from waypost.notify import notify as announce
from waypost.notify.base import PublishResult
from waypost.notify.cloudfront import WINDOW, CloudFront, invalidated_paths

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = "https://www.example.org/"
START = 1_795_219_230.0
TWO = ("sitemap.xml", "sitemap-a.xml")


class Distribution:
    """Takes invalidations as CloudFront does: a reference with the same paths again is the same invalidation."""

    def __init__(self) -> None:
        self.invalidations: dict[str, list[str]] = {}
        self.created: dict[str, datetime] = {}
        self.now = START
        self.error: Exception | None = None
        self.calls = 0

    def create_invalidation(self, DistributionId: str, InvalidationBatch: Mapping[str, Any]) -> object:  # noqa: N803
        self.calls += 1
        if self.error:
            raise self.error
        paths, reference = InvalidationBatch["Paths"], InvalidationBatch["CallerReference"]
        assert DistributionId == "E1"
        assert paths["Quantity"] == len(paths["Items"]) > 0
        if self.invalidations.setdefault(reference, paths["Items"]) != paths["Items"]:
            raise refusal("InvalidationBatchAlreadyExists")
        now = datetime.fromtimestamp(self.now, UTC)
        headers = {"date": format_datetime(now, usegmt=True)}
        created = self.created.setdefault(reference, now)
        return {"Invalidation": {"CreateTime": created}, "ResponseMetadata": {"HTTPHeaders": headers}}


def refusal(code: str, status: int = 400) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "CreateInvalidation")


def notify(distribution: Distribution, *results: PublishResult, waits: bool = False) -> None:
    client: Any = distribution
    CloudFront("E1", "sitemap", waits=waits, client=lambda: client, clock=lambda: distribution.now).notify(results)


def test_the_written_and_removed_files_are_one_invalidation() -> None:
    found = Distribution()
    notify(found, PublishResult("1", BASE, ("sitemap.xml", "robots.txt"), ("sitemap-a.xml",)))
    assert found.invalidations == {"waypost-1": ["/sitemap*", "/robots.txt"]}


def test_a_repetition_after_a_crash_is_the_same_invalidation() -> None:
    found = Distribution()
    first, second = (PublishResult(id, BASE, ("sitemap.xml",)) for id in "12")
    notify(found, first)
    notify(found, first)
    assert found.invalidations == {"waypost-1": ["/sitemap.xml"]}
    notify(found, first, second)
    assert found.invalidations == {"waypost-1": ["/sitemap.xml"], "waypost-2": ["/sitemap.xml"]}


def test_in_a_quarter_of_an_hour_there_is_one_invalidation_and_what_follows_it_waits_for_the_next() -> None:
    found = Distribution()
    results = [PublishResult(id, BASE, names) for id, names in zip("123", (TWO, ("sitemap.xml",), TWO), strict=True)]
    notify(found, results[0], waits=True)
    for result in results[1:]:
        found.now += 60
        with pytest.raises(PostponedError) as raised:
            notify(found, result, waits=True)
        assert 0 < raised.value.seconds <= WINDOW
    assert list(found.invalidations.values()) == [["/sitemap*"]]
    found.now += raised.value.seconds
    notify(found, *results[1:], waits=True)
    assert list(found.invalidations.values()) == [["/sitemap*"]] * 2


def test_another_site_of_the_distribution_has_invalidations_of_its_own() -> None:
    found = Distribution()
    for base_url in (BASE, f"{BASE}docs/"):
        notify(found, PublishResult("1", base_url, TWO), waits=True)
    assert list(found.invalidations.values()) == [["/sitemap*"], ["/docs/sitemap*"]]


def test_what_is_postponed_is_tried_again_without_a_warning() -> None:
    found = Distribution()
    client: Any = found
    subscriber = CloudFront("E1", "sitemap", waits=True, client=lambda: client, clock=lambda: found.now)
    assert announce(subscriber, [PublishResult("1", BASE, TWO)]) == Notification("cloudfront", sent=Sent(file_count=2))
    found.now += 5
    again = announce(subscriber, [PublishResult("2", BASE, TWO)])
    assert (again.warning, again.retry_after is not None) == (None, True)


def test_a_result_without_files_is_no_invalidation() -> None:
    found = Distribution()
    notify(found, PublishResult("1", BASE))
    assert found.calls == 0


@pytest.mark.parametrize(
    ("base_url", "names", "expected"),
    [
        (f"{BASE}docs/", ["sitemap.xml"], ["/docs/sitemap.xml"]),
        (f"{BASE}%C3%BCber%20uns/", ["a b.xml"], ["/%C3%BCber%20uns/a%20b.xml"]),
        (BASE, ["sitemap-1.xml", "sitemap.xml"], ["/sitemap*"]),
        (BASE, ["robots.txt", "sitemap.xml"], ["/robots.txt", "/sitemap.xml"]),
        (BASE, ["robots.txt", *(f"sitemap-{n}.xml" for n in range(15))], ["/sitemap*", "/robots.txt"]),
        (f"{BASE}docs/", [f"other-{n}.xml" for n in range(16)], ["/docs/*"]),
    ],
)
def test_paths_are_encoded_and_two_or_more_are_one_wildcard(
    base_url: str, names: list[str], expected: list[str]
) -> None:
    assert invalidated_paths(base_url, names, "sitemap") == expected


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (refusal("Throttling"), TryLaterError, "CloudFront answers Throttling"),
        (refusal("TooManyInvalidationsInProgress"), TryLaterError, "TooManyInvalidationsInProgress"),
        (refusal("InternalError", 500), TryLaterError, "InternalError"),
        (EndpointConnectionError(endpoint_url="https://cloudfront.amazonaws.com"), TryLaterError, "does not answer"),
        (refusal("AccessDenied"), AnnounceError, "allow cloudfront:CreateInvalidation on the distribution E1"),
        (refusal("NoSuchDistribution"), AnnounceError, "there is no distribution E1 in this account"),
        (refusal("InvalidArgument"), AnnounceError, "look at the distribution E1"),
    ],
    ids=str,
)
def test_a_failure_is_tried_later_or_says_what_to_do(error: Exception, kind: type[Exception], message: str) -> None:
    found = Distribution()
    found.error = error
    with pytest.raises(AnnounceError, match=message) as raised:
        notify(found, PublishResult("1", BASE, ("sitemap.xml",)))
    assert type(raised.value) is kind
