"""Settings that the website configuration of a bucket contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from unit.sample_sites import site

from waypost.build.bucket import website_warnings
from waypost.build.locations import Location, Locations

if TYPE_CHECKING:
    from buckets import MadeBucket
    from sites import Command

INDEX = {"IndexDocument": {"Suffix": "index.html"}}


def problems(bucket: MadeBucket, configuration: Any, prefix: str = "", **settings: Any) -> list[tuple[str, str]]:
    bucket.client.put_bucket_website(Bucket=bucket.name, WebsiteConfiguration=configuration)
    found = website_warnings(site(**settings), Location("s3", bucket.name, prefix), Locations())
    return [(each.key, each.detail) for warning in found for each in warning.examples]


def test_what_the_configuration_contradicts_is_named(bucket: MadeBucket) -> None:
    configurations: list[tuple[Any, list[tuple[str, str]]]] = [
        (INDEX, []),
        ({"IndexDocument": {"Suffix": "home.html"}}, [("index_files", "the index document of folders is home.html")]),
        ({**INDEX, "ErrorDocument": {"Key": "404.html"}}, []),
        ({**INDEX, "ErrorDocument": {"Key": "index.html"}}, []),
        (
            {**INDEX, "ErrorDocument": {"Key": "oops.html"}},
            [("exclude", "oops.html is the error document, and would be listed")],
        ),
        (
            {"RedirectAllRequestsTo": {"HostName": "www.waypost.dev"}},
            [("base_url", "the website endpoint redirects all requests to www.waypost.dev")],
        ),
        ({"RedirectAllRequestsTo": {"HostName": "example.org"}}, []),
    ]
    for configuration, expected in configurations:
        assert problems(bucket, configuration) == expected


def test_a_setting_that_agrees_is_no_contradiction(bucket: MadeBucket) -> None:
    configuration = {"IndexDocument": {"Suffix": "home.html"}, "ErrorDocument": {"Key": "www/oops.html"}}
    settings = {"index_files": ["home.html"], "exclude": ["/oops.html"]}
    assert problems(bucket, configuration, "www/", **settings) == []
    assert problems(bucket, configuration, "other/", index_files=["home.html"]) == []


def test_a_bucket_without_a_configuration_or_without_access_to_it_has_no_warning(bucket: MadeBucket) -> None:
    assert website_warnings(site(), Location("s3", bucket.name, ""), Locations()) == []
    assert website_warnings(site(), Location("s3", "no-such-bucket-0", ""), Locations()) == []


@pytest.mark.parametrize("more", [(), ("--state", "state")], ids=["without a state", "with a state"])
def test_a_build_of_a_bucket_warns_of_what_its_configuration_contradicts(
    bucket: MadeBucket, waypost: Command, more: tuple[str, ...]
) -> None:
    bucket.put({"home.html": "<title>Home</title>"})
    configuration: Any = {"IndexDocument": {"Suffix": "home.html"}}
    bucket.client.put_bucket_website(Bucket=bucket.name, WebsiteConfiguration=configuration)
    done = waypost("build", f"s3://{bucket.name}", "--base-url", "https://example.org/", *more)
    assert done.returncode == 0
    assert "the bucket's website configuration contradicts the settings" in done.stderr
    assert "index_files (the index document of folders is home.html)" in done.stderr
