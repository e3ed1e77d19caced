"""A bucket's folder as a store."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from waypost.errors import StoreError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_MISSING = ("NoSuchKey", "404", "NotFound")
_TYPES = {
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".gz": "application/gzip",
    ".jsonl": "application/x-ndjson",
}


class S3:
    """The objects directly below a prefix, which is empty or ends with `/`.

    How they are encrypted is left to the bucket. `cache_control` goes with every object written.
    """

    def __init__(self, client: "S3Client", bucket: str, prefix: str, cache_control: str = "") -> None:
        self._client, self._bucket, self._prefix = client, bucket, prefix
        self._headers: dict[str, Any] = {"CacheControl": cache_control} if cache_control else {}

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand and begin with `stem`."""
        try:
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix + stem, Delimiter="/"
            )
            return [entry["Key"][len(self._prefix) :] for page in pages for entry in page.get("Contents", ())]
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot list {self._place(stem)}: {error}") from error

    def read(self, name: str) -> bytes | None:
        """An object's bytes, or None where it does not stand."""
        try:
            return self._client.get_object(Bucket=self._bucket, Key=self._prefix + name)["Body"].read()
        except (ClientError, BotoCoreError) as error:
            if isinstance(error, ClientError) and error.response.get("Error", {}).get("Code") in _MISSING:
                return None
            raise StoreError(f"cannot read {self._place(name)}: {error}") from error

    def write(self, name: str, content: bytes) -> None:
        """Put an object, with the type of its name and a checksum that S3 compares.

        A `.gz` is a gzip file and not an encoding of another: it has no Content-Encoding.
        """
        try:
            self._client.put_object(
                Bucket=self._bucket,
                Key=self._prefix + name,
                Body=content,
                ContentType=_TYPES.get(name[name.rfind(".") :], "application/octet-stream"),
                ChecksumAlgorithm="SHA256",
                ChecksumSHA256=b64encode(sha256(content).digest()).decode(),
                **self._headers,
            )
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot write {self._place(name)}: {error}") from error

    def remove(self, name: str) -> None:
        """Delete an object; one that does not stand is deleted already."""
        try:
            self._client.delete_object(Bucket=self._bucket, Key=self._prefix + name)
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot remove {self._place(name)}: {error}") from error

    def _place(self, name: str) -> str:
        return f"s3://{self._bucket}/{self._prefix}{name}"
