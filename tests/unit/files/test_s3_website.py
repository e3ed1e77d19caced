"""The website configuration of a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waypost.files.s3_client import BucketWebsite, read_website

if TYPE_CHECKING:
    from buckets import MadeBucket


def test_a_configuration_is_read_and_a_missing_one_is_empty(bucket: MadeBucket) -> None:
    assert read_website(bucket.client, bucket.name) == BucketWebsite()
    configuration: Any = {"IndexDocument": {"Suffix": "index.html"}, "ErrorDocument": {"Key": "404.html"}}
    bucket.client.put_bucket_website(Bucket=bucket.name, WebsiteConfiguration=configuration)
    assert read_website(bucket.client, bucket.name) == BucketWebsite("index.html", "404.html")
