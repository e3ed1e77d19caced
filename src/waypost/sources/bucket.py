"""The objects of an S3 bucket, below a prefix, as a source."""

import errno
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from waypost.errors import SourceError
from waypost.model import Body, Item, Reason, Skipped

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_MISSING = ("NoSuchKey", "404", "NotFound")
_ROBOTS = ("x-robots-tag", "robots")
"""The user metadata (`x-amz-meta-…`) that a site's functions turn into an X-Robots-Tag header."""
_GZIP = 16 + zlib.MAX_WBITS


class Bucket:
    """The objects below a prefix, which is empty or ends with `/`; keys are without it."""

    width = 32

    def __init__(self, client: "S3Client", bucket: str, prefix: str) -> None:
        self._client, self._bucket, self._prefix = client, bucket, prefix

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """List the objects in the order of their keys (ListObjectsV2); folder markers are no files.

        `prunes` is not asked: a bucket has no folders that could be passed over. Raises SourceError.
        """
        del prunes
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._prefix)
        try:
            for page in pages:
                for entry in page.get("Contents", ()):
                    yield self._item(entry)
        except (ClientError, BotoCoreError) as error:
            raise SourceError(f"cannot list s3://{self._bucket}/{self._prefix}: {_told(error)}") from error

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's first `size` bytes (0: its headers alone), or all of them; raises OSError.

        What is stored with `Content-Encoding: gzip` comes decompressed, and a beginning may be longer
        than `size`.
        """
        named: Any = {"Bucket": self._bucket, "Key": self._prefix + item.origin}
        is_whole = size is None or 0 <= item.size <= size
        part: Any = {} if is_whole else {"Range": f"bytes=0-{(size or 1) - 1}"}
        try:
            if size == 0 and item.size != 0:
                return _body(self._client.head_object(**named), b"", is_whole=False)
            got = self._client.get_object(**named, **part)
            return _body(got, got["Body"].read(), is_whole=is_whole)
        except (ClientError, BotoCoreError, zlib.error) as error:
            raise OSError(errno.EIO, _told(error)) from error

    def find(self, key: str) -> bytes | None:
        """A whole object by its key, or None where there is none; raises OSError."""
        try:
            return self.read(Item(key, key)).data
        except OSError as error:
            if isinstance(error.__cause__, ClientError) and _code(error.__cause__) in _MISSING:
                return None
            raise

    def _item(self, entry: Any) -> Item | Skipped:
        key = entry["Key"][len(self._prefix) :]
        if not key or key.endswith("/"):
            return Skipped(key or self._prefix, Reason.NOT_A_FILE)
        modified = entry["LastModified"].isoformat(timespec="seconds").replace("+00:00", "Z")
        return Item(key, key, entry["Size"], entry["ETag"], modified)


def _body(answer: Any, data: bytes, *, is_whole: bool) -> Body:
    if answer.get("ContentEncoding", "") == "gzip" and data:
        decompressor = zlib.decompressobj(_GZIP)
        data = decompressor.decompress(data)
        if is_whole and not decompressor.eof:
            raise zlib.error("the gzip data is cut short")
    metadata = answer.get("Metadata", {})
    words = ",".join(metadata[name] for name in _ROBOTS if name in metadata)
    return Body(data, is_whole, answer.get("WebsiteRedirectLocation", ""), words)


def _code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "")


def _told(error: Exception) -> str:
    """What AWS says in one line."""
    if isinstance(error, ClientError):
        return f"{_code(error)}: {error.response.get('Error', {}).get('Message', error)}"
    return str(error)
