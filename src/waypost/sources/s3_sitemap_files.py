"""Sitemap files that stand in a bucket, opened to be read."""

import errno
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import SourceError
from waypost.core.gzip import decompress_start
from waypost.core.s3_errors import code_of
from waypost.sources.sitemap_files import ENDINGS, INDEX, root_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_CHUNK = 65_536


class S3SitemapFile:
    """An object; `loc` is where it is published, or `""`."""

    def __init__(self, client: "S3Client", bucket: str, key: str, loc: str) -> None:
        self._client, self._bucket, self._key = client, bucket, key
        self.name, self.loc = f"s3://{bucket}/{key}", loc
        self.modified: float | None = None
        self.redirected_to = ""

    def chunks(self) -> Iterator[bytes]:
        """Its bytes; raises OSError."""
        try:
            got = self._client.get_object(Bucket=self._bucket, Key=self._key)
            self.modified = got["LastModified"].timestamp()
            with closing(got["Body"]) as body:
                yield from body.iter_chunks(_CHUNK)
        except (ClientError, BotoCoreError) as error:
            raise OSError(errno.EIO, _error_text(error)) from error


class S3SitemapFiles:
    """The sitemaps of one bucket."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client, self._bucket = client, bucket

    def file(self, name: str, loc: str = "") -> S3SitemapFile:
        """The object of an address, `s3://bucket/key`."""
        return S3SitemapFile(self._client, self._bucket, name.removeprefix(f"s3://{self._bucket}/"), loc)

    def sitemaps(self, address: str) -> list[str]:
        """The addresses of the sitemaps right below one that ends with `/`, indexes first; any other is one itself.

        Raises SourceError where there is none.
        """
        prefix = address.removeprefix(f"s3://{self._bucket}").lstrip("/")
        if prefix and not prefix.endswith("/"):
            return [address]
        found = {key: self._root(key) for key in self._keys(prefix) if key.endswith(ENDINGS)}
        ours = [key for key, root in found.items() if root or key[len(prefix) :].startswith("sitemap")]
        if not ours:
            raise SourceError(f"{address} holds no sitemap; name the object, or the folder that it lies right in")
        return [f"s3://{self._bucket}/{key}" for key in sorted(ours, key=lambda key: found[key] != INDEX)]

    def _keys(self, prefix: str) -> list[str]:
        try:
            pages: Any = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix, Delimiter="/"
            )
            return [entry["Key"] for page in pages for entry in page.get("Contents", ())]
        except (ClientError, BotoCoreError) as error:
            raise SourceError(f"cannot list s3://{self._bucket}/{prefix}: {_error_text(error)}") from error

    def _root(self, key: str) -> bytes:
        """What an object is by its first bytes; of one that cannot be read its name decides, and readers are told."""
        try:
            first = next(S3SitemapFile(self._client, self._bucket, key, "").chunks(), b"")
        except OSError:
            return b""
        return root_of(decompress_start(first))


def _error_text(error: Exception) -> str:
    return code_of(error) if isinstance(error, ClientError) else str(error)
