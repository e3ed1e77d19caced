"""A bucket's folder as a store."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core import concurrency
from waypost.core.errors import ConflictError, StoreError
from waypost.core.s3_errors import MISSING, code_of
from waypost.stores.base import NO_METADATA, FileInfo, ListedFile, PublishMetadata, StoredFile

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_LOST = ("PreconditionFailed", "ConditionalRequestConflict", "OperationAborted", "412", "409", *MISSING)
"""The answers to a conditional write whose condition does not hold, or may not any more (S3, "Conditional writes")."""
_DIGEST, _GENERATION = "waypost-digest", "waypost-generation"
_TOGETHER = 1_000
"""How many objects one request deletes (DeleteObjects)."""
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".gz": "application/gzip",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
}


class S3Store:
    """The objects directly below a prefix, which is empty or ends with `/`.

    How they are encrypted is left to the bucket. `cache_control` goes with every object written.
    """

    width = 16

    def __init__(self, client: "S3Client", bucket: str, prefix: str, cache_control: str = "") -> None:
        self._client, self._bucket, self._prefix = client, bucket, prefix
        self._headers: dict[str, Any] = {"CacheControl": cache_control} if cache_control else {}

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand and begin with `stem`."""
        return [kept.name for kept in self.list_files(stem)]

    def read(self, name: str) -> bytes | None:
        """An object's bytes, or None where it does not stand."""
        stored = self.get(name)
        return stored.content if stored else None

    def write(self, name: str, content: bytes) -> None:
        """Put an object, with the type of its name and a checksum that S3 compares.

        A `.gz` is a gzip file and not an encoding of another: it has no Content-Encoding.
        """
        self._put(name, content, NO_METADATA)

    def remove(self, name: str) -> None:
        """Delete an object; one that does not stand is deleted already."""
        try:
            self._client.delete_object(Bucket=self._bucket, Key=self._prefix + name)
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot remove {self._place(name)}: {error}") from error

    def get(self, name: str) -> StoredFile | None:
        """An object's bytes with their ETag, or None where it does not stand."""
        try:
            got = self._client.get_object(Bucket=self._bucket, Key=self._prefix + name)
            return StoredFile(got["Body"].read(), got["ETag"])
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in MISSING:
                return None
            raise StoreError(f"cannot read {self._place(name)}: {error}") from error

    def head(self, name: str) -> FileInfo | None:
        """An object's ETag and stamp, or None where it does not stand."""
        try:
            head = self._client.head_object(Bucket=self._bucket, Key=self._prefix + name)
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in MISSING:
                return None
            raise StoreError(f"cannot look at {self._place(name)}: {error}") from error
        about = head.get("Metadata", {})
        generation = about.get(_GENERATION, "")
        return FileInfo(
            head["ETag"], PublishMetadata(about.get(_DIGEST, ""), int(generation) if generation.isdecimal() else 0)
        )

    def put_if_match(self, name: str, content: bytes, etag: str | None, metadata: PublishMetadata = NO_METADATA) -> str:
        """Put an object in the place of the one that has this ETag (None: of none)."""
        condition: dict[str, Any] = {"IfNoneMatch": "*"} if etag is None else {"IfMatch": etag}
        return self._put(name, content, metadata, **condition)

    def delete_if_match(self, name: str, etag: str) -> None:
        """Delete the object that has this ETag."""
        try:
            self._client.delete_object(Bucket=self._bucket, Key=self._prefix + name, IfMatch=etag)
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in _LOST:
                raise ConflictError(f"{self._place(name)} was changed by another run") from error
            raise StoreError(f"cannot remove {self._place(name)}: {error}") from error

    def delete_many(self, names: Sequence[str]) -> None:
        """Delete objects, so many with a request as it takes (DeleteObjects)."""
        concurrency.map_concurrently(
            self._delete_batch, [names[n : n + _TOGETHER] for n in range(0, len(names), _TOGETHER)], self.width
        )

    def _delete_batch(self, names: Sequence[str]) -> None:
        objects: Any = {"Objects": [{"Key": self._prefix + name} for name in names], "Quiet": True}
        try:
            left = self._client.delete_objects(Bucket=self._bucket, Delete=objects).get("Errors", ())
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot remove {self._place(names[0])} and others: {error}") from error
        if left:
            first = left[0].get("Message", left[0].get("Code", ""))
            raise StoreError(f"cannot remove s3://{self._bucket}/{left[0].get('Key', '')}: {first}")

    def list_files(self, stem: str) -> Iterable[ListedFile]:
        """The objects whose names begin with `stem`, a folder's with its `/`, and when each was written."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix + stem, Delimiter="/"
        )
        try:
            for page in pages:
                for entry in page.get("Contents", ()):
                    yield ListedFile(entry["Key"][len(self._prefix) :], entry["LastModified"].timestamp())
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot list {self._place(stem)}: {error}") from error

    def _put(self, name: str, content: bytes, metadata: PublishMetadata, **condition: Any) -> str:
        try:
            answer = self._client.put_object(
                Bucket=self._bucket,
                Key=self._prefix + name,
                Body=content,
                ContentType=_TYPES.get(name[name.rfind(".") :], "application/octet-stream"),
                ChecksumAlgorithm="SHA256",
                ChecksumSHA256=b64encode(sha256(content).digest()).decode(),
                Metadata={_DIGEST: metadata.digest, _GENERATION: str(metadata.generation)} if metadata.digest else {},
                **self._headers,
                **condition,
            )
        except (ClientError, BotoCoreError) as error:
            if condition and code_of(error) in _LOST:
                raise ConflictError(f"{self._place(name)} was changed by another run") from error
            raise StoreError(f"cannot write {self._place(name)}: {error}") from error
        return answer["ETag"]

    def _place(self, name: str) -> str:
        return f"s3://{self._bucket}/{self._prefix}{name}"
