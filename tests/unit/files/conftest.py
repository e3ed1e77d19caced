"""What the tests of several modules share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from buckets import MadeBucket


@pytest.fixture
def small_pages(bucket: MadeBucket) -> None:
    """A bucket whose listings have two objects on a page."""

    def limit(params: dict[str, Any], **_: object) -> None:
        params["MaxKeys"] = 2

    bucket.client.meta.events.register("provide-client-params.s3.ListObjectsV2", limit)
