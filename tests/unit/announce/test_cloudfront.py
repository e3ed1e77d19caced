"""Invalidations against a distribution that follows CloudFront's rules, and against moto's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from waypost.announce.base import PublishResult
from waypost.announce.cloudfront import CloudFront, invalidated_paths
from waypost.core.errors import AnnounceError, TryLaterError

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = "https://www.example.org/"


class Distribution:
    """Takes invalidations as CloudFront does: a reference with the same paths again is the same invalidation."""

    def __init__(self) -> None:
        self.invalidations: dict[str, list[str]] = {}
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
        return {}


def refusal(code: str, status: int = 400) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "CreateInvalidation")


def notify(distribution: Distribution, *results: PublishResult) -> None:
    subscriber: Any = distribution
    CloudFront(lambda: subscriber, "E1", "sitemap").notify(results)


def test_the_written_and_removed_files_are_one_invalidation() -> None:
    found = Distribution()
    notify(found, PublishResult("1", BASE, ("sitemap.xml", "robots.txt"), ("sitemap-a.xml",)))
    assert found.invalidations == {"waypost-1": ["/robots.txt", "/sitemap-a.xml", "/sitemap.xml"]}


def test_a_repetition_after_a_crash_is_the_same_invalidation() -> None:
    found = Distribution()
    first, second = (PublishResult(id, BASE, ("sitemap.xml",)) for id in "12")
    notify(found, first)
    notify(found, first, second)
    assert found.invalidations == {"waypost-1": ["/sitemap.xml"], "waypost-2": ["/sitemap.xml"]}


def test_a_result_without_files_is_no_invalidation() -> None:
    found = Distribution()
    notify(found, PublishResult("1", BASE))
    assert found.calls == 0


@pytest.mark.parametrize(
    ("base_url", "names", "expected"),
    [
        (f"{BASE}docs/", ["sitemap.xml"], ["/docs/sitemap.xml"]),
        (f"{BASE}%C3%BCber%20uns/", ["a b.xml"], ["/%C3%BCber%20uns/a%20b.xml"]),
        (BASE, [f"sitemap-{n:02}.xml" for n in range(15)], [f"/sitemap-{n:02}.xml" for n in range(15)]),
        (BASE, ["robots.txt", *(f"sitemap-{n}.xml" for n in range(15))], ["/sitemap*", "/robots.txt"]),
        (f"{BASE}docs/", [f"other-{n}.xml" for n in range(16)], ["/docs/*"]),
    ],
)
def test_paths_are_encoded_and_many_of_them_are_one_wildcard(
    base_url: str, names: list[str], expected: list[str]
) -> None:
    assert invalidated_paths(PublishResult("1", base_url, tuple(names)), "sitemap") == expected


@pytest.mark.parametrize(
    ("code", "status"), [("Throttling", 400), ("TooManyInvalidationsInProgress", 400), ("InternalError", 500)]
)
def test_what_cloudfront_cannot_take_now_waits_for_the_next_publication(code: str, status: int) -> None:
    found = Distribution()
    found.error = refusal(code, status)
    with pytest.raises(TryLaterError, match=code):
        notify(found, PublishResult("1", BASE, ("sitemap.xml",)))


def test_a_cloudfront_that_does_not_answer_is_tried_later() -> None:
    found = Distribution()
    found.error = EndpointConnectionError(endpoint_url="https://cloudfront.amazonaws.com")
    with pytest.raises(TryLaterError, match="does not answer"):
        notify(found, PublishResult("1", BASE, ("sitemap.xml",)))


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("AccessDenied", "allow cloudfront:CreateInvalidation on the distribution E1"),
        ("NoSuchDistribution", "there is no distribution E1 in this account"),
        ("InvalidArgument", "look at the distribution E1"),
    ],
)
def test_a_refusal_says_what_to_do_and_is_final(code: str, remedy: str) -> None:
    found = Distribution()
    found.error = refusal(code)
    with pytest.raises(AnnounceError, match=remedy) as raised:
        notify(found, PublishResult("1", BASE, ("sitemap.xml",)))
    assert not isinstance(raised.value, TryLaterError)
