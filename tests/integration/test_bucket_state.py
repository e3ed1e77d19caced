"""The engine with a state over real S3 requests: its objects, its state and its sitemaps are objects of moto's S3."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fake_buckets import BASE

from waypost.build import bucket as app
from waypost.build import bucket_run
from waypost.build.bucket_site import BucketSite
from waypost.build.locations import Locations, parse_bucket
from waypost.build.named_places import NamedPlaces
from waypost.core.clock import ONE_ATTEMPT
from waypost.core.errors import RebuildNeededError
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from buckets import MadeBucket

NAMES = ["index.html", *[f"docs/{n}.html" for n in range(8)], "blog/a+b 100% \u00e9.html"]


def opened(bucket: MadeBucket) -> BucketSite:
    uri, state = f"s3://{bucket.name}/www/", f"s3://{bucket.name}-state/state/"
    sources = [ConfigSource("test", {"base_url": BASE, "state": state, "robots_sitemaps": True}, is_trusted=True)]
    places = NamedPlaces(sources, Path("/nonexistent"), None, [state])
    return app.stateful(app.settings(sources, places), places, Locations(), parse_bucket(uri))


@pytest.fixture
def built(bucket: MadeBucket) -> BucketSite:
    bucket.client.create_bucket(Bucket=f"{bucket.name}-state")
    bucket.put({f"www/{name}": f"<title>{name}</title><p>text" for name in NAMES})
    bucket.put({"www/robots.txt": "User-agent: *\nDisallow: /private/\n", "elsewhere/a.html": "x"})
    made = opened(bucket)
    bucket_run.rebuild(made, ONE_ATTEMPT)
    return made


def locs(bucket: MadeBucket) -> list[str]:
    return [part.partition("</loc>")[0] for part in bucket.get("www/sitemap.xml").decode().split("<loc>")[1:]]


def test_a_rebuild_lists_the_objects_and_names_the_sitemap_in_robots_txt(bucket: MadeBucket, built: BucketSite) -> None:
    del built
    assert len(locs(bucket)) == len(NAMES)
    assert f"{BASE}blog/a%2Bb%20100%25%20%C3%A9.html" in locs(bucket)
    assert bucket.get("www/robots.txt").decode() == f"User-agent: *\nDisallow: /private/\nSitemap: {BASE}sitemap.xml\n"


def test_uploads_and_deletions_are_published_and_a_second_process_knows_what_the_first_did(
    bucket: MadeBucket, built: BucketSite
) -> None:
    del built
    bucket.put({"www/docs/new.html": "<p>new"})
    bucket.client.delete_object(Bucket=bucket.name, Key="www/docs/1.html")
    bucket_run.update(opened(bucket), ["docs/new.html", "docs/1.html"])
    assert f"{BASE}docs/new.html" in locs(bucket)
    assert f"{BASE}docs/1.html" not in locs(bucket)
    before = bucket.versions()
    bucket_run.update(opened(bucket), ["docs/new.html", "docs/1.html", "sitemap.xml", "robots.txt"])
    assert bucket.versions() == before


def test_a_copy_with_other_metadata_is_read_again_though_it_keeps_its_etag(
    bucket: MadeBucket, built: BucketSite
) -> None:
    bucket.put({"www/docs/1.html": "<title>docs/1.html</title><p>text"}, Metadata={"x-robots-tag": "noindex"})
    bucket_run.update(built, ["docs/1.html"])
    assert f"{BASE}docs/1.html" not in locs(bucket)


def test_a_damaged_state_is_made_again_with_its_dates(bucket: MadeBucket, built: BucketSite) -> None:
    bucket.put({"www/docs/1.html": "<p>new"})
    bucket_run.update(built, ["docs/1.html"])
    before = bucket.get("www/sitemap.xml")
    for key in ("state/state", *[key for key in state_keys(bucket) if key != "state/state"]):
        bucket.client.put_object(Bucket=f"{bucket.name}-state", Key=key, Body=b"cut")
    with pytest.raises(RebuildNeededError):
        bucket_run.update(opened(bucket), ["docs/1.html"])
    assert "state-damaged" in {each.code for each in bucket_run.rebuild(opened(bucket)).warnings}
    assert bucket.get("www/sitemap.xml") == before


def state_keys(bucket: MadeBucket) -> list[str]:
    listed = bucket.client.list_objects_v2(Bucket=f"{bucket.name}-state").get("Contents", ())
    return [entry["Key"] for entry in listed]
