from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from waypost.core.errors import SourceError
from waypost.files.s3_sitemap_files import S3SitemapFiles

if TYPE_CHECKING:
    from buckets import MadeBucket
    from mypy_boto3_s3 import S3Client

URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
INDEX = URLSET.replace("urlset", "sitemapindex")


@pytest.fixture
def objects(bucket: MadeBucket) -> S3SitemapFiles:
    return S3SitemapFiles(bucket.client, bucket.name)


def test_the_sitemaps_right_below_a_prefix_are_found_indexes_first(bucket: MadeBucket, objects: S3SitemapFiles) -> None:
    bucket.put(
        {
            "www/a.xml": URLSET,
            "www/index.xml": INDEX,
            "www/packed.xml.gz": gzip.compress(INDEX.encode()),
            "www/sitemap.txt": "https://www.example.org/",
            "www/sitemap-empty.xml": "",
            "www/robots.txt": "Sitemap: x",
            "www/config.xml": "<x>",
            "www/sitemap.html": URLSET,
            "www/below/sitemap.xml": URLSET,
            "sitemap.xml": URLSET,
        }
    )
    at = f"s3://{bucket.name}/www/"
    names = ("index.xml", "packed.xml.gz", "a.xml", "sitemap-empty.xml", "sitemap.txt")
    assert objects.sitemaps(at) == [at + name for name in names]


@pytest.mark.parametrize("ending", ["", "/"])
def test_the_whole_bucket_is_the_folder_at_its_root(bucket: MadeBucket, objects: S3SitemapFiles, ending: str) -> None:
    bucket.put({"sitemap.xml": URLSET, "www/sitemap.xml": URLSET})
    assert objects.sitemaps(f"s3://{bucket.name}{ending}") == [f"s3://{bucket.name}/sitemap.xml"]


def test_an_address_without_slash_at_its_end_is_an_object(bucket: MadeBucket, objects: S3SitemapFiles) -> None:
    at = f"s3://{bucket.name}/www/any.xml"
    assert objects.sitemaps(at) == [at]


@pytest.mark.usefixtures("small_pages")
def test_more_objects_than_a_page_of_the_listing_holds_are_looked_through(
    bucket: MadeBucket, objects: S3SitemapFiles
) -> None:
    bucket.put({f"page-{n}.html": "" for n in range(5)} | {"sitemap.xml": URLSET})
    assert objects.sitemaps(f"s3://{bucket.name}/") == [f"s3://{bucket.name}/sitemap.xml"]


def test_a_prefix_without_sitemaps_is_an_error(bucket: MadeBucket, objects: S3SitemapFiles) -> None:
    bucket.put({"www/a.html": "x"})
    with pytest.raises(SourceError, match=f"s3://{bucket.name}/www/ has no sitemap; give the URI of the object"):
        objects.sitemaps(f"s3://{bucket.name}/www/")


def test_a_bucket_that_is_not_there_is_an_error(s3: S3Client) -> None:
    with pytest.raises(SourceError, match="cannot list s3://nowhere-at-all/: NoSuchBucket"):
        S3SitemapFiles(s3, "nowhere-at-all").sitemaps("s3://nowhere-at-all/")


@pytest.mark.parametrize("name", ["sitemap-frozen.xml", "frozen.xml"])
def test_an_object_that_cannot_be_read_does_not_hide_the_others(
    bucket: MadeBucket, objects: S3SitemapFiles, name: str
) -> None:
    bucket.put({"sitemap.xml": URLSET})
    bucket.put({name: URLSET}, StorageClass="DEEP_ARCHIVE")
    found = objects.sitemaps(f"s3://{bucket.name}/")
    assert f"s3://{bucket.name}/sitemap.xml" in found
    assert (f"s3://{bucket.name}/{name}" in found) == name.startswith("sitemap")


@pytest.mark.parametrize("key", ["sitemap.xml", "www/a b+c&ü.xml", "a//b.xml", "s3://odd"])
def test_an_object_is_read_in_pieces_with_the_time_of_its_upload(
    bucket: MadeBucket, objects: S3SitemapFiles, key: str
) -> None:
    bucket.put({key: b"x" * 200_000})
    file = objects.file(f"s3://{bucket.name}/{key}", "https://www.example.org/sitemap.xml")
    assert (file.name, file.loc, file.redirected_to) == (
        f"s3://{bucket.name}/{key}",
        "https://www.example.org/sitemap.xml",
        "",
    )
    pieces = list(file.chunks())
    assert b"".join(pieces) == b"x" * 200_000
    assert len(pieces) > 2
    uploaded = bucket.client.head_object(Bucket=bucket.name, Key=key)["LastModified"]
    assert file.modified == uploaded.timestamp()


def test_a_reader_may_stop_before_the_end(bucket: MadeBucket, objects: S3SitemapFiles) -> None:
    bucket.put({"sitemap.xml": b"x" * 500_000})
    chunks = objects.file(f"s3://{bucket.name}/sitemap.xml").chunks()
    assert next(chunks)
    del chunks
    assert b"".join(objects.file(f"s3://{bucket.name}/sitemap.xml").chunks()) == b"x" * 500_000


@pytest.mark.parametrize(("key", "why"), [("absent.xml", "NoSuchKey"), ("frozen.xml", "InvalidObjectState")])
def test_an_object_that_cannot_be_read_says_what_s3_answered(
    bucket: MadeBucket, objects: S3SitemapFiles, key: str, why: str
) -> None:
    bucket.put({"frozen.xml": "x"}, StorageClass="GLACIER")
    with pytest.raises(OSError, match=why):
        list(objects.file(f"s3://{bucket.name}/{key}").chunks())
