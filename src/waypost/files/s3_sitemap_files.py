"""Opens sitemap files in a bucket."""

import errno
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from waypost.core.errors import SourceError
from waypost.core.gzip import decompress_start
from waypost.files.http_files import names_gzip
from waypost.files.s3_client import FAILURES, code_of
from waypost.files.sitemap_files import ENDINGS, INDEX, root_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_CHUNK_BYTES = 65_536


class S3SitemapFile:
    """An object; `loc` is the URL at which it is published, or `""`."""

    def __init__(self, client: "S3Client", bucket: str, key: str, loc: str) -> None:
        self._client, self._bucket, self._key = client, bucket, key
        self.name, self.loc = f"s3://{bucket}/{key}", loc
        self.modified: float | None = None
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None

    def chunks(self) -> Iterator[bytes]:
        """The object's bytes in chunks; raises OSError."""
        try:
            got = self._client.get_object(Bucket=self._bucket, Key=self._key)
            self.modified = got["LastModified"].timestamp()
            headers = {"Content-Encoding": got.get("ContentEncoding", ""), "Content-Type": got.get("ContentType", "")}
            self.is_sent_as_gzip = names_gzip(headers)
            with closing(got["Body"]) as body:
                yield from body.iter_chunks(_CHUNK_BYTES)
        except FAILURES as error:
            raise OSError(errno.EIO, _error_text(error)) from error


class S3SitemapFiles:
    """Finds and opens the sitemaps of a bucket."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client, self._bucket = client, bucket

    def file(self, uri: str, loc: str = "") -> S3SitemapFile:
        """The object with this URI, `s3://bucket/key`."""
        return S3SitemapFile(self._client, self._bucket, uri.removeprefix(f"s3://{self._bucket}/"), loc)

    def sitemaps(self, uri: str) -> list[str]:
        """The URIs of the sitemaps directly in a folder, indexes first; raises SourceError if there are none.

        The URI of a folder ends with `/`. Any other URI is returned as it is.
        """
        prefix = uri.removeprefix(f"s3://{self._bucket}").lstrip("/")
        if prefix and not prefix.endswith("/"):
            return [uri]
        roots = {key: self._root(key) for key in self._keys(prefix) if key.endswith(ENDINGS)}
        sitemap_keys = [key for key, root in roots.items() if root or key[len(prefix) :].startswith("sitemap")]
        if not sitemap_keys:
            raise SourceError(f"{uri} has no sitemap; give the URI of the object, or of the folder that contains it")
        return [f"s3://{self._bucket}/{key}" for key in sorted(sitemap_keys, key=lambda key: roots[key] != INDEX)]

    def _keys(self, prefix: str) -> list[str]:
        try:
            pages: Any = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix, Delimiter="/"
            )
            return [entry["Key"] for page in pages for entry in page.get("Contents", ())]
        except FAILURES as error:
            raise SourceError(f"cannot list s3://{self._bucket}/{prefix}: {_error_text(error)}") from error

    def _root(self, key: str) -> bytes:
        """The root element, by an object's first bytes; `b""` if it cannot be read (the check will report that)."""
        try:
            first = next(S3SitemapFile(self._client, self._bucket, key, "").chunks(), b"")
        except OSError:
            return b""
        return root_of(decompress_start(first))


def _error_text(error: Exception) -> str:
    return code_of(error) if isinstance(error, ClientError) else str(error)
